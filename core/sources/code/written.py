"""How a piece of code is written out at each level, and what of it is searched."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator

from core.sources.code.outline import MODULE, Definition, Outline
from core.sources.code.pieces import Piece

_FENCE = re.compile(r"^([ \t]*+)```", re.M)  # would end the fence that a context puts around it
_CALLS = "calls: "
_CALLED = 40  # names
_DOC = 600  # characters of a docstring that are embedded
_SOURCE = 700  # characters of the code itself that are
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")


def full(file: str, piece: Piece) -> str:
    """The whole source, below the line that says where it is."""
    return f"{_place(file, piece)}\n{_fenced(textwrap.dedent(piece.text))}".rstrip() + "\n"


def compact(file: str, outline: Outline, one: Definition, piece: Piece) -> str:
    """Signature, docstring and whom it calls; of a further part the beginning of its code."""
    if piece.part:
        head = "\n".join(textwrap.dedent(piece.text).split("\n")[:3])
        return f"{_place(file, piece)}\n{_line(one)}\n{_fenced(head)}".rstrip() + "\n"
    names = (*one.calls, *one.bases) if one.kind != MODULE else _imported(outline)
    said = [_place(file, piece), _line(one), _fenced(one.doc)]
    said += [_CALLS + ", ".join(list(dict.fromkeys(names))[:_CALLED])] if names else []
    return "\n".join(filter(None, said)).rstrip() + "\n"


def signature(file: str, one: Definition, piece: Piece) -> str:
    """One line."""
    part = f" ({piece.part})" if piece.part else ""
    return f"{_line(one)}{part} — {_place(file, piece)}".strip() + "\n"


def embedded(file: str, one: Definition, piece: Piece) -> str:
    """What is embedded and searched: names as words, what its author says of it, its first code."""
    head = f"{one.kind} {one.qualname} ({words(one.name)}) in {file}"
    if one.kind == MODULE:
        head = f"module {file} ({words(file)})"
    code = _code(one, piece)
    said = (head, "" if piece.part else one.signature, "" if piece.part else one.doc[:_DOC], code)
    return "\n".join(filter(None, said))


def searched(compact: str) -> str:
    """Of the compact form what is not embedded as well: whom it calls, in words too."""
    lines = (line for line in compact.split("\n") if line.startswith(_CALLS))
    names = next(lines, "").removeprefix(_CALLS)
    return f"{names}\n{words(names)}" if names else ""


def words(name: str) -> str:
    """`placeOrder` and `place_order` as `place order`."""
    return " ".join(word.lower() for word in _WORDS.findall(name))


def _imported(outline: Outline) -> Iterable[str]:
    return [one.local for one in outline.imports]


def _line(one: Definition) -> str:
    return one.signature or "module"


def _place(file: str, piece: Piece) -> str:
    return f"{file}:{piece.start}-{piece.end}"


def _fenced(text: str) -> str:
    return _FENCE.sub(r"\1'''", text)


def _code(one: Definition, piece: Piece) -> str:
    """The beginning of its code, without its docstring and comments on lines of their own."""
    text = "\n".join(_telling(piece.text.split("\n")))
    if one.doc:
        text = text.replace(one.doc.split("\n")[0], "")
    return text[:_SOURCE].strip()


def _telling(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        text = line.strip()
        if text and not text.startswith(("import ", "from ", "use ", "#include", "using ")):
            yield text
