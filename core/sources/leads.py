"""Follow leads: references from a file of one kind to a place in a file of any kind.

A requirement refers to a design, the design to an operation, the operation's code to a line: one
graph holds them all, since what a lead finds is an edge as any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from urllib.parse import unquote

from core.ids import Id
from core.model import Chunk, UnresolvedRef
from core.read.document import ChunkedSpec, Lead
from core.read.names import parse_origin
from core.read.places import keys_of
from core.sources.files import Files
from core.text.nearest import TARGET, nearest

_LINES = re.compile(r"L(\d+)(?:-L?(\d+))?")
_WHOLE = ("info", "document", "module", "article")  # the element that stands for its file
_NEAREST = 2

_Edges = dict[str, dict[str, list[str]]]  # from chunk to chunk, with the labels


def wanted(specs: Iterable[ChunkedSpec], files: Files) -> set[str]:
    """The files that leads of these may lead to, which `followed` must be given as well."""
    return {files.called(lead.names, spec.document.file) for spec in specs for lead in spec.leads}


def followed(specs: Sequence[ChunkedSpec], files: Files) -> list[ChunkedSpec]:
    """The same files, with an edge in both directions for each lead that finds its place.

    `specs` are all that the leads may mean; one that finds nothing is reported as unresolved.
    """
    if not any(spec.leads for spec in specs):
        return list(specs)
    places = {spec.document.file: _Places(spec) for spec in specs}
    edges: _Edges = {}
    lost: dict[str, list[UnresolvedRef]] = {}
    for spec in specs:
        own = spec.document.file
        for lead in spec.leads:
            file = files.called(lead.names, own)
            target = places[file].find(lead.place) if file in places else ""
            if target:
                labels = edges.setdefault(lead.chunk_id, {}).setdefault(target, [])
                labels += [lead.label] if lead.label not in labels else []
            else:
                near = places[file].near(lead.place) if file in places else ()
                lost.setdefault(own, []).append(_unresolved(lead, own, file, near))
    return [_joined(spec, edges, _inverse(edges), lost) for spec in specs]


class _Places:
    """The chunks of one file, by what a reference may call them."""

    def __init__(self, spec: ChunkedSpec) -> None:
        own = [chunk for chunk in spec.chunks if not chunk.part]
        self._anchors = spec.anchors
        self._local = {Id.parse(chunk.id).local: chunk.id for chunk in spec.chunks}
        self._pointers = {parse_origin(chunk.origin)[1]: chunk.id for chunk in reversed(own)}
        self._lines = {chunk.id: lines for chunk in own if (lines := _lines_of(chunk))}
        whole = (self._local[name] for name in _WHOLE if name in self._local)
        self._whole = next(whole, own[0].id if own else "")

    def find(self, place: str) -> str:
        """The chunk at a place; "" for none."""
        if not place:
            return self._whole
        if place.startswith("/"):
            return self._at_pointer(place)
        if found := _LINES.fullmatch(place):
            return self._at_line(int(found[1]))
        plain = unquote(place)
        tried = (place, plain, f"section/{plain}", self._anchors.get(plain, ""))
        return next((self._local[name] for name in tried if name in self._local), "")

    def near(self, place: str) -> tuple[str, ...]:
        return nearest(place, [*self._local], TARGET, limit=_NEAREST)

    def _at_pointer(self, pointer: str) -> str:
        """What holds the value there: the element whose own place is the longest beginning."""
        keys = tuple(keys_of(unquote(pointer)))
        ends = range(len(keys), 0, -1)
        return next((self._pointers[keys[:n]] for n in ends if keys[:n] in self._pointers), "")

    def _at_line(self, line: int) -> str:
        """The shortest stretch of lines that holds this one."""
        around = (
            (last - first, id) for id, (first, last) in self._lines.items() if first <= line <= last
        )
        return min(around, default=(0, ""))[1]


def _lines_of(chunk: Chunk) -> tuple[int, int] | None:
    found = _LINES.fullmatch(chunk.origin.partition("#")[2])
    return (int(found[1]), int(found[2] or found[1])) if found else None


def _unresolved(lead: Lead, own: str, file: str, near: tuple[str, ...]) -> UnresolvedRef:
    missing = "" if file else lead.missing
    return UnresolvedRef(
        own, lead.line, "", lead.ref, lead.chunk_id, near, kind=lead.label, missing=missing
    )


def _inverse(edges: _Edges) -> Mapping[str, Sequence[str]]:
    found: dict[str, list[str]] = {}
    for source, targets in edges.items():
        for target in targets:
            found.setdefault(target, []).append(source)
    return found


def _joined(
    spec: ChunkedSpec,
    edges: _Edges,
    users: Mapping[str, Sequence[str]],
    lost: Mapping[str, Sequence[UnresolvedRef]],
) -> ChunkedSpec:
    chunks = tuple(
        _with(chunk, edges.get(chunk.id, {}), users.get(chunk.id, ())) for chunk in spec.chunks
    )
    unresolved = (*spec.report.unresolved, *_once(lost.get(spec.document.file, ())))
    new = sum(len(chunk.ref_ids) for chunk in chunks) - sum(len(c.ref_ids) for c in spec.chunks)
    report = replace(spec.report, unresolved=unresolved, references=spec.report.references + new)
    return replace(spec, chunks=chunks, report=report, leads=())


def _with(chunk: Chunk, targets: Mapping[str, Sequence[str]], users: Iterable[str]) -> Chunk:
    """A chunk with more edges; itself where there are none, an edge to itself being none."""
    targets = {target: labels for target, labels in targets.items() if target != chunk.id}
    users = {user for user in users if user != chunk.id}
    if not (targets or users):
        return chunk
    refs = {**chunk.ref_ids}
    for target, labels in targets.items():
        refs[target] = tuple(dict.fromkeys((*refs.get(target, ()), *labels)))
    return replace(
        chunk,
        ref_ids=dict(sorted(refs.items())),
        referenced_by=tuple(sorted({*chunk.referenced_by, *users})),
    )


def _once(lost: Iterable[UnresolvedRef]) -> Iterator[UnresolvedRef]:
    """Each that a chunk holds in the same words once: at its first line."""
    seen: set[tuple[str, str]] = set()
    for each in lost:
        if (each.chunk_id, each.ref) not in seen:
            seen.add((each.chunk_id, each.ref))
            yield each
