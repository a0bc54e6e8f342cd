"""What documents say of each other: which took another's place, and where they contradict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.read.document import Document, Finding
from core.sources.documents.front import SUPERSEDED, SUPERSEDES
from core.sources.documents.read import Text
from core.sources.documents.targets import related
from core.sources.files import Files


@dataclass(frozen=True, slots=True)
class Standing:
    """What the documents around it say of one."""

    status: str
    findings: tuple[Finding, ...] = ()


def standings(documents: Mapping[str, Document], files: Files) -> Mapping[str, Standing]:
    """By file. What another document supersedes is superseded, whatever it says itself.

    Where documents supersede each other in a circle, the circle supersedes none of them.
    """
    replaced = {file: dict(_replaced(each, files)) for file, each in sorted(documents.items())}
    circles = {file: _circle(file, replaced) for file in replaced}
    past = {
        old
        for file, olds in replaced.items()
        for old in olds
        if not (circles[file] and old in circles[file])
    }
    twins = _twins(documents)
    return {
        file: Standing(
            SUPERSEDED if file in past else document.value.front.status,
            (*_told_circle(file, circles, replaced), *_told_twins(document, twins)),
        )
        for file, document in documents.items()
    }


def _replaced(document: Document, files: Files) -> Iterator[tuple[str, int]]:
    """The files that a document supersedes, with the lines that say so."""
    text: Text = document.value
    for relation in text.front.relations:
        if relation.label == SUPERSEDES:
            target = related(relation, document.file, files.prefix(document.file))
            if found := files.called(target.names, document.file):
                yield found, relation.line


def _circle(start: str, replaced: Mapping[str, Mapping[str, int]]) -> tuple[str, ...]:
    """The shortest way from a document through what it supersedes back to it; () for none."""
    ways: dict[str, tuple[str, ...]] = {start: (start,)}
    front = [start]
    while front:
        new: list[str] = []
        for file in front:
            for old in replaced.get(file, ()):
                if old == start:
                    return ways[file]
                if old not in ways:
                    ways[old] = (*ways[file], old)
                    new.append(old)
        front = new
    return ()


def _told_circle(
    file: str,
    circles: Mapping[str, Sequence[str]],
    replaced: Mapping[str, Mapping[str, int]],
) -> Iterator[Finding]:
    if circle := circles[file]:
        following = circle[1] if len(circle) > 1 else file
        way = " supersedes ".join((*circle, file))
        message = f"Documents supersede each other in a circle, so none is superseded: {way}."
        yield Finding("supersedes-circle", message, line=replaced[file][following])


def _twins(documents: Mapping[str, Document]) -> Mapping[str, Sequence[str]]:
    """The files by the id that they give themselves."""
    found: dict[str, list[str]] = {}
    for file, document in sorted(documents.items()):
        if document.value.front.id:
            found.setdefault(document.value.front.id, []).append(file)
    return found


def _told_twins(document: Document, twins: Mapping[str, Sequence[str]]) -> Iterator[Finding]:
    front = document.value.front
    others = [file for file in twins.get(front.id, ()) if file != document.file]
    if others:
        message = f"The id {front.id} is also that of {', '.join(others)}; references to it mean "
        message += f"{min(document.file, *others)}."
        yield Finding("duplicate-id", message, "/id", front.id_line)
