"""What a file gave: counts, gaps in its documentation, cycles and references that lead nowhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from core.model import Chunk, ChunkType, Level, UnresolvedRef
from core.read.document import Document, Finding, SpecReport
from core.sources.openapi import validate
from core.sources.openapi.drafts import Draft
from core.sources.openapi.shapes import mapping, string
from core.sources.openapi.walk import Element

PART = "part"  # how an element's chunk uses its own parts

_COUNTED = {
    ChunkType.OPERATION: "operations",
    ChunkType.WEBHOOK: "webhooks",
    ChunkType.COMPONENT: "components",
}


def report(
    document: Document,
    file_id: str,
    chunks: Sequence[Chunk],
    *,
    elements: Sequence[Element],
    in_cycles: Collection[str],
    unresolved: Iterable[UnresolvedRef],
    names: Iterable[Finding],
    seconds: float,
) -> SpecReport:
    """The report on one file; `in_cycles` may hold elements of other files."""
    return SpecReport(
        file=document.file,
        file_id=file_id,
        version=document.version,
        loader=document.loader,
        size=document.size,
        counts=counts(elements, len(chunks)),
        tokens=sum(chunk.token_count[Level.JSON] for chunk in chunks),
        references=sum(used != (PART,) for chunk in chunks for used in chunk.ref_ids.values()),
        unresolved=tuple(unresolved),
        cycles=sum(element.id in in_cycles for element in elements),
        findings=(*document.findings, *validate.findings(document), *names),
        gaps=gaps(elements),
        seconds=seconds,
    )


def counts(elements: Iterable[Element], chunks: int) -> dict[str, int]:
    """How many of each type, of each kind of component, and chunks in all."""
    found = Counter({"operations": 0, "webhooks": 0, "components": 0})
    for element in elements:
        if element.type in _COUNTED:
            found[_COUNTED[element.type]] += 1
        if element.kind:
            found[element.kind] += 1
    return {**found, "chunks": chunks}


def gaps(elements: Iterable[Element]) -> dict[str, int]:
    """What the documentation lacks, by name; nothing that is complete is listed."""
    found = Counter(gap for element in elements for gap in _lacking(element))
    return dict(sorted(found.items()))


def _lacking(element: Element) -> Iterable[str]:
    value = mapping(element.value)
    if element.type.is_operation:
        for key, name in _OPERATION_GAPS.items():
            if not string(value.get(key)).strip():
                yield name
    elif element.kind == "schemas" and not string(value.get("description")).strip():
        yield "schemas without description"


_OPERATION_GAPS = {
    "summary": "operations without summary",
    "description": "operations without description",
    "operationId": "operations without operationId",
}

ElementRefs = Mapping[str, Mapping[str, set[str]]]  # element → element → where it is used


def element_refs(drafts: Iterable[Draft]) -> ElementRefs:
    """The references of whole elements, their parts' included."""
    found: dict[str, dict[str, set[str]]] = {}
    for draft in drafts:
        targets = found.setdefault(draft.element.id, {})
        for target, used in draft.refs.items():
            if used != {PART}:
                targets.setdefault(target, set()).update(used)
    return found
