"""List the references that lead nowhere: where they stand, and what they may have meant."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from core.model import ChunkType, UnresolvedRef
from core.specs.document import Document
from core.specs.drafts import Failure
from core.specs.mentions import standing
from core.specs.names import Keys, file_of
from core.specs.places import pointer
from core.specs.walk import Element

_ALIKE = 60  # of 100, from which a name is worth showing


def unresolved(
    failures: Iterable[Failure], documents: Mapping[str, Document], names: Collection[str]
) -> list[UnresolvedRef]:
    """One entry for each reference text in a file; `also` has its other places.

    `names` are the ids of the elements that exist.
    """
    found: dict[tuple[str, str], dict[str, str]] = {}
    for failure in failures:
        for file, keys in _standing(failure, documents):
            places = found.setdefault((file, failure.ref), {})
            places.setdefault(pointer(keys), failure.draft.id)
    return [_listed(*key, places, documents, names) for key, places in sorted(found.items())]


def _listed(
    file: str,
    ref: str,
    places: dict[str, str],
    documents: Mapping[str, Document],
    names: Collection[str],
) -> UnresolvedRef:
    first, *others = sorted(places)
    return UnresolvedRef(
        file=file,
        line=documents[file].line_of(first),
        pointer=first,
        ref=ref,
        chunk_id=places[first],
        nearest=nearest(ref, file, names),
        also=tuple(others),
    )


def _standing(failure: Failure, documents: Mapping[str, Document]) -> Iterator[tuple[str, Keys]]:
    element = failure.draft.element
    places = [_place(element, keys) for keys in standing(element.value, failure.ref)]
    if not places and element.type is not ChunkType.COMPONENT:  # the whole API's `security`
        whole = {"security": documents[element.owner].value.get("security")}
        places = [(element.owner, keys) for keys in standing(whole, failure.ref)]
    yield from places or [(element.place.file, element.place.keys)]


def _place(element: Element, keys: Keys) -> tuple[str, Keys]:
    if element.type is ChunkType.INFO:
        return element.owner, keys
    if keys[0] == "pathItem":
        return element.place.file, element.place.keys[:-1] + keys[1:]
    return element.place.file, element.place.keys + keys


def nearest(ref: str, file: str, names: Collection[str], limit: int = 3) -> tuple[str, ...]:
    """The existing elements whose names are most like the reference's target."""
    from rapidfuzz import fuzz, process, utils

    wanted = ref.rpartition("#")[2].strip("/") or ref
    here = sorted(name for name in names if file_of(name) == file) or sorted(names)
    elements = [name.partition(":")[2] for name in here]
    alike = process.extract(
        wanted,
        elements,
        scorer=fuzz.WRatio,
        processor=utils.default_process,
        limit=limit,
        score_cutoff=_ALIKE,
    )
    return tuple(elements[at] for _, _, at in alike)
