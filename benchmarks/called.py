"""Ask for components by their whole names, in plain words, and see where they rank.

    python -m benchmarks.called --store DIR [--every N] [--without-api]

Each component of a store, or every so manyth, is asked for in every form of `FORMS`: in the
singular and in the plural, spaced and joined, with its API given. A component counts as found when
one of its API that has the same name is among the results. Prints a line a form, and one of JSON.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from core import Workbench
from core.model import Chunk, ChunkType
from core.settings import resolve
from core.text.words import parts

FORMS: Mapping[str, str] = {  # {} is the name: spaced and joined, in the singular and the plural
    "spaced, terse": "{spaced} schema fields",
    "spaced, a question": "what is in a {spaced}?",
    "joined": "What fields does the {joined} schema have?",
    "joined, lower case": "structure of the {lower} object",
    "plural, spaced": "which properties do {spaced_plural} have",
    "plural, joined": "properties of {lower_plural}",
}
_NAME = re.compile(r"[A-Za-z]+")


def questions(name: str) -> Iterator[tuple[str, str]]:
    """Form and question."""
    words = [word for run in re.split(r"[\W_]+", name) for word in parts(run)]
    spaced, lower = " ".join(words).lower(), "".join(words).lower()
    many = {"spaced_plural": plural(spaced), "lower_plural": plural(lower)}
    for form, text in FORMS.items():
        yield form, text.format(spaced=spaced, joined=name, lower=lower, **many)


def plural(name: str) -> str:
    """As English writes it; what ends like a plural is one."""
    if re.search(r"[^aeiou]y$", name):
        return f"{name[:-1]}ies"
    if re.search(r"(?:[sx]s|[ui]s|x|z|ch|sh)$", name):
        return f"{name}es"
    return name if name.endswith("s") else f"{name}s"


def asked_for(chunks: list[Chunk], every: int) -> Iterator[tuple[Chunk, frozenset[str]]]:
    """Components whose names are words, and all of the same API that are called the same."""
    same: dict[tuple[str, str], list[Chunk]] = defaultdict(list)
    for chunk in chunks:
        if chunk.type is ChunkType.COMPONENT and not chunk.part and _NAME.fullmatch(chunk.name):
            same[chunk.source_file, chunk.name.lower()].append(chunk)
    for each in [*same.values()][::every]:
        yield each[0], frozenset(chunk.element for chunk in each)


def measure(workbench: Workbench, *, every: int, given: bool) -> dict[str, dict[str, int]]:
    """By form, of names of one word and of several: asked, among the results, first."""
    counts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for chunk, fits in asked_for([*workbench._newest.reader().facts()], every):
        apis = [chunk.source_file] if given else []
        size = "one word" if len(parts(chunk.name)) == 1 else "several words"
        for form, question in questions(chunk.name):
            context = workbench.retrieve(question, apis=apis, max_depth=0)
            found = [hit.chunk.element in fits for hit in context.primary_chunks]
            for key in (f"{size}, {form}", size):
                counts[key]["asked"] += 1
                counts[key]["among"] += any(found)
                counts[key]["first"] += found[:1] == [True]
            if not any(found):
                print(f"- {chunk.id}: {question!r}", flush=True)
    return {key: dict(count) for key, count in counts.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--store", required=True)
    parser.add_argument("--every", type=int, default=1, help="only every so manyth component")
    parser.add_argument("--without-api", action="store_true")
    given = parser.parse_args()
    settings = resolve({"log_stats": False, "cache_size": 0}, environment={}).settings
    with Workbench.open(given.store, settings=settings, create=False) as workbench:
        counts = measure(workbench, every=given.every, given=not given.without_api)
    print("| form | asked | among the results | first |\n|---|---|---|---|")
    for key, count in sorted(counts.items()):
        among, first = (count[each] / count["asked"] for each in ("among", "first"))
        print(f"| {key} | {count['asked']:,} | {among:.3f} | {first:.3f} |")
    print(json.dumps(counts))


if __name__ == "__main__":
    main()
