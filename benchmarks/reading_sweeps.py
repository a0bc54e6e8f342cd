"""Hold the sum of what was read against the sum of what was said: what is lost in silence?

    python -m benchmarks.reading_sweeps FOLDER

Of every API description below the folder it counts the operations and components, the references
and the texts (summaries and descriptions) that stand in it, and how many of each are in a chunk,
lead to an edge, or are reported. What is in none of these is lost, and printed with its place.
Prints a table and a line of JSON.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from core.errors import SpecError
from core.model import JSON
from core.specs.document import Document, SourceFile
from core.specs.drafts import Drafts, drafts
from core.specs.places import pointer
from core.specs.read.find import discover
from core.specs.read.load import parse
from core.specs.refs.files import together
from core.specs.refs.groups import files_of
from core.specs.refs.resolve import References
from core.specs.shapes import DATA, METHODS, NAMED, mapping
from core.specs.walk import Place

SHOWN = 40  # places of what is lost
Keys = tuple[str, ...]
Lost = tuple[str, str]  # what, and where


def sweep(folder: Path) -> tuple[Counter[str], list[Lost]]:
    """How many of each there are and are accounted for, and the places of the others."""
    documents = dict(_documents(folder))
    files = files_of(documents)
    counts, lost = Counter({"files": len(documents)}), []
    for group in together(files, documents):
        if any(documents[file].is_api for file in group):
            references = References(documents.get, files)
            made = drafts(group, documents, references)
            for file in group:
                if documents[file].is_api:
                    lost += _account(documents[file], made, references, counts)
    return counts, lost


def _documents(folder: Path) -> Iterator[tuple[str, Document]]:
    for found in discover(str(folder)):
        if isinstance(found, SourceFile):
            try:
                yield found.file, parse(found.read(), found.file)
            except SpecError:  # refused in a sentence: not in silence
                continue


def _account(
    document: Document, made: Drafts, references: References, counts: Counter[str]
) -> Iterator[Lost]:
    own = [draft for made_ in made.by_file.values() for draft in made_]
    said = {text for draft in own for text, _ in _strings(draft.body)}
    places = {draft.element.place for draft in own}
    failed = {failure.ref for failure in made.failures}
    edges = {target for draft in own for target in draft.refs}
    checks = [
        *(("elements", keys, Place(document.file, keys) in places) for keys in _elements(document)),
        *(("texts", keys, text in said) for text, keys in _texts(document.value)),
        *(
            (
                "references",
                keys,
                ref in failed or _leads(ref, document.file, made, references, edges),
            )
            for ref, keys in _references(document.value)
        ),
    ]
    for what, keys, is_found in checks:
        counts[what] += 1
        counts[f"{what} accounted for"] += is_found
        if not is_found:
            yield what, f"{document.file}#{pointer(keys)}"


def _leads(ref: str, file: str, made: Drafts, references: References, edges: set[str]) -> bool:
    place = references.place(ref, file)
    target = made.index.at(place) if place else None
    return target is not None and (target in edges or target in made.index.elements)


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
    parser.add_argument("folder", type=Path)
    counts, lost = sweep(parser.parse_args().folder)
    for what, where in lost[:SHOWN]:
        print(f"lost: {what}: {where}")
    for name, count in sorted(counts.items()):
        print(f"{name:28} {count:12,}")
    print(json.dumps(counts))


if __name__ == "__main__":
    main()
