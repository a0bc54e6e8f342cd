"""The text of each element of a source file, without what is an element itself, in parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.sources.code.outline import MODULE, Definition, Outline, lines_of

LONGEST = 2_000  # characters of a part
_WINDOW, _OVERLAP = 60, 10  # lines, where no grammar says what belongs together


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of an element: its lines, and what they say."""

    part: str  # "", "part-2", …
    start: int  # line, from 1
    end: int  # inclusive
    text: str  # with elements inside it by their first line


def pieces(found: Outline, definition: Definition) -> list[Piece]:
    """An element's own text, at most `LONGEST` characters a part unless one line has more."""
    lines = list(_own(found, definition))
    if definition.kind == MODULE and len(found.definitions) == 1:
        groups = _windows(lines)
    else:
        groups = list(_groups(lines))
    return [
        Piece(f"part-{n}" if n > 1 else "", group[0][0], group[-1][0], _joined(group))
        for n, group in enumerate(groups or [[(definition.start, "")]], 1)
    ]


_Line = tuple[int, str]  # its number, and what is shown of it


def _own(found: Outline, definition: Definition) -> Iterator[_Line]:
    """Its lines; of each element inside it one with its signature."""
    lines = lines_of(found.text)
    at = definition.start
    for inner in _inside(found, definition):
        if inner.start < at or (inner.start, inner.end) == (definition.start, definition.end):
            continue  # on a line with something else, that is shown
        yield from ((n, lines[n - 1]) for n in range(at, inner.start))
        indent = _indent(lines[inner.start - 1])
        yield inner.start, f"{indent}{inner.signature} …"
        at = inner.end + 1
    yield from ((n, lines[n - 1]) for n in range(at, min(definition.end, len(lines)) + 1))


def _inside(found: Outline, definition: Definition) -> Iterator[Definition]:
    """The elements directly inside it, in order."""
    below = f"{definition.qualname}." if definition.kind != MODULE else ""
    end = 0
    for other in found.definitions[1:]:
        is_inside = definition.start <= other.start and other.end <= definition.end
        is_next = is_inside and other is not definition and other.start > end
        if is_next and other.qualname.startswith(below):
            yield other
            end = other.end


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _groups(lines: Sequence[_Line]) -> Iterator[list[_Line]]:
    """Lines in order until there are too many characters."""
    group: list[_Line] = []
    size = 0
    for number, line in lines:
        if group and size + len(line) > LONGEST:
            yield group
            group, size = [], 0
        group.append((number, line))
        size += len(line) + 1
    if group:
        yield group


def _windows(lines: Sequence[_Line]) -> list[Sequence[_Line]]:
    """Lines that overlap: a thought that one window cuts is whole in the next."""
    starts = range(0, max(len(lines) - _OVERLAP, 1), _WINDOW - _OVERLAP)
    return [lines[at : at + _WINDOW] for at in starts]


def _joined(group: Sequence[_Line]) -> str:
    return "\n".join(line for _, line in group).strip("\n")
