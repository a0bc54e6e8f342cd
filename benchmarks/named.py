"""Measure whether what a question names comes first: every id, path, name and URL of a store.

    python -m benchmarks.named --store STORE [--every N] [--asked N]

Each chunk of the store is named in each of its forms, as such and inside a sentence. A form fits
the elements that it names: one for an id, and as many as share the path, the operationId or the
name otherwise. It is *named* when what the question is understood to name is nothing but such
elements. Every `--asked`th question is also asked, and is *first* when the first result is one of
them, and those that come before another result are all that there are, or all that there is room
for. Prints one Markdown table and one line of JSON.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from core import Workbench
from core.model import Chunk, ChunkType, KnowledgeContext, Level
from core.reasons import Cut
from core.retrieve.lookups.derived import derived
from core.retrieve.lookups.identifiers import Identifiers
from core.retrieve.lookups.paths import segments
from core.retrieve.understand.intent import understand
from core.settings import resolve

SENTENCES = {
    "id": "What does {} say?",
    "METHOD path": "What can {} answer?",
    "path": "What is {} for?",
    "path with values": "What can {} answer?",
    "URL": "What does {} answer?",
    "operationId": "What are the parameters of {}?",
    "component": "What is in {}?",
    "webhook": "When is {} sent?",
}
_PLACE = re.compile(r"\{[^{}]*\}")
_SERVER = re.compile(r"^server: (https?://[^\s{}]++)(?!\{)", re.MULTILINE)
_ORDINARY = re.compile(
    r"[A-Za-z]?[a-z]*(?:[ -][a-z]+)?|\w{1,5}"
)  # a sentence may hold it by accident
VALUE = "cus_4f9A2"


@dataclass(frozen=True, slots=True)
class Form:
    """One way to name an element, and the elements that it fits."""

    kind: str
    text: str
    fits: frozenset[str]


def forms(chunks: list[Chunk], servers: Mapping[str, str]) -> Iterator[Form]:
    """Every form of every chunk."""
    fitting = _fitting(chunks, servers)
    for chunk in chunks:
        yield Form("id", chunk.id, frozenset([chunk.element]))
        if chunk.part:
            continue
        for kind, text, key in _forms(chunk, servers):
            yield Form(kind, text, frozenset(fitting[key]))


def _fitting(
    chunks: list[Chunk], servers: Mapping[str, str]
) -> Mapping[tuple[object, ...], set[str]]:
    found: dict[tuple[object, ...], set[str]] = defaultdict(set)
    for chunk in chunks:
        if not chunk.part:
            for key in _keys(chunk, servers):
                found[key].add(chunk.element)
    return found


def _keys(chunk: Chunk, servers: Mapping[str, str]) -> Iterator[tuple[object, ...]]:
    if chunk.type is ChunkType.OPERATION:
        path = segments(chunk.path)
        yield from (
            (path,),
            (path, chunk.method),
            (path, chunk.method, servers.get(chunk.source_file)),
        )
    names = {chunk.operation_id, chunk.name if chunk.type is ChunkType.COMPONENT else ""}
    names |= {chunk.path} if chunk.type is ChunkType.WEBHOOK else set()
    yield from (("name", name) for name in names if name)


def _forms(
    chunk: Chunk, servers: Mapping[str, str]
) -> Iterator[tuple[str, str, tuple[object, ...]]]:
    """Kind, text, and the key of what it fits."""
    if chunk.type is ChunkType.OPERATION:
        path, method = segments(chunk.path), chunk.method
        yield "METHOD path", f"{method} {chunk.path}", (path, method)
        yield "path", chunk.path, (path,)
        filled = _PLACE.sub(VALUE, chunk.path)
        if filled != chunk.path and any("{" not in part for part in path):
            yield "path with values", f"{method} {filled}", (path, method)
        if server := servers.get(chunk.source_file):
            url = f"curl -X {method} {server.rstrip('/')}{filled}"
            yield "URL", url, (path, method, server)
    if chunk.operation_id:
        yield "operationId", chunk.operation_id, ("name", chunk.operation_id)
    if chunk.type is ChunkType.COMPONENT:
        yield "component", chunk.name, ("name", chunk.name)
    if chunk.type is ChunkType.WEBHOOK:
        yield "webhook", chunk.path, ("name", chunk.path)


def questions(form: Form) -> Iterator[tuple[str, str]]:
    """As such and in a sentence; in backticks, where it is a word that any sentence may hold."""
    yield "as such", form.text
    if _ORDINARY.fullmatch(form.text):
        yield "in a sentence, in backticks", SENTENCES[form.kind].format(f"`{form.text}`")
    else:
        yield "in a sentence", SENTENCES[form.kind].format(form.text)


def comes_first(context: KnowledgeContext, fits: frozenset[str]) -> bool:
    """What says the same as one that is in takes no second place, and counts as there."""
    found = [hit.chunk.element in fits for hit in context.primary_chunks]
    before = found.index(False) if False in found else len(found)
    repeated = sum(left.cut is Cut.DUPLICATE for left in context.trace.left_out)
    return before >= min(len(fits) - repeated, len(found)) and found[:1] == [True]


def measure(workbench: Workbench, *, every: int, asked: int) -> dict[str, dict[str, int]]:
    """By form: how many there are, were named, were asked, and came first."""
    reader = workbench._newest.reader()
    chunks = list(reader.facts())
    servers = {c.source_file: s for c in chunks if (s := _server(c, reader.rendering))}
    names = derived(Identifiers, reader)
    counts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for at, form in enumerate(forms(chunks, servers)):
        if at % every:
            continue
        for way, question in questions(form):
            count = counts[f"{form.kind}, {way}"]
            count["all"] += 1
            found = names.find(question, understand(question).entities)
            rows = found.exactly or found.nearly
            elements = {reader.chunk(row).element for row in rows}
            is_named = bool(elements) and elements <= form.fits
            count["named"] += is_named
            if not is_named:
                print(f"- {form.kind}, {way}: {question!r} → {sorted(elements)[:3]}", flush=True)
            if at // every % asked == 0:
                count["asked"] += 1
                is_first = comes_first(workbench.retrieve(question, max_depth=0), form.fits)
                count["first"] += is_first
                if is_named and not is_first:
                    print(f"- not first, {form.kind}, {way}: {question!r}", flush=True)
    return {kind: dict(count) for kind, count in counts.items()}


def _server(chunk: Chunk, rendering: object) -> str:
    if chunk.type is not ChunkType.INFO or chunk.part:
        return ""
    found = _SERVER.search(rendering(chunk, Level.COMPACT))  # type: ignore[operator]
    return found.group(1) if found else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", required=True)
    parser.add_argument("--every", type=int, default=1, help="only every so manyth form")
    parser.add_argument("--asked", type=int, default=10, help="every so manyth is asked as well")
    given = parser.parse_args()
    values = {"log_stats": False, "cache_size": 0}
    settings = resolve(values, environment={}).settings
    with Workbench.open(given.store, settings=settings, create=False) as workbench:
        counts = measure(workbench, every=given.every, asked=given.asked)
    print("| form | all | named | asked | first |\n|---|---|---|---|---|")
    for kind, count in counts.items():
        asked, first = count.get("asked", 0), count.get("first", 0)
        shares = f"{count['named'] / count['all']:.2%} | {asked:,} | {first / max(1, asked):.2%}"
        print(f"| {kind} | {count['all']:,} | {shares} |")
    print(json.dumps(counts))


if __name__ == "__main__":
    main()
