"""Measure the answers to support messages: how right, how fast, and beside the usual ways.

    python -m benchmarks.knowledge [--embedder static] [--rounds 5] [--work DIR]

The messages of `eval_sets/kb.yaml` are asked of `samples/kb`, and of 1,000 articles: those and
others that are made of their paragraphs with a fixed seed. Prints how often the best article comes
first and what share of the articles that belong to an answer is among the first three, by
`retrieve_knowledge` and by vectors, BM25 and their usual hybrid over the same query; the coverage
that the messages get; and milliseconds of an answer, wall clock, with the limit of 100 ms as it is.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from tempfile import gettempdir
from time import perf_counter
from typing import Any

import yaml

from benchmarks.quality import VARIANTS
from core import Workbench
from core.knowledge.asked import Asked
from core.model import JSON
from core.settings import Settings

ROOT = Path(__file__).parents[1]
KB = ROOT / "eval_sets" / "kb.yaml"
ARTICLES = ROOT / "samples" / "kb" / "kb.json"
MANY = 1000
SEED = 11
FIRST = 3


@dataclass(frozen=True, slots=True)
class Message:
    """A labelled message: what a host knows of it, and what it should get."""

    id: str
    text: str
    intent: str
    product: str
    articles: tuple[str, ...]  # all that belong to the answer, the best first
    coverage: str

    @property
    def query(self) -> str:
        return Asked(self.intent, self.text, self.product).query

    def replace(self, **changes: Any) -> Message:
        return dataclasses.replace(self, **changes)


def messages(file: Path) -> list[Message]:
    samples = yaml.safe_load(file.read_text(encoding="utf-8"))["samples"]
    return [_message(sample["id"], sample["query"], sample["knowledge"]) for sample in samples]


def _message(id: str, text: str, about: Mapping[str, Any]) -> Message:
    articles = tuple(about.get("articles", ()))
    return Message(id, text, about["intent"], about.get("product", ""), articles, about["coverage"])


def common(known: Sequence[Message]) -> list[str]:
    """The intents that most messages have, which say something."""
    counted = Counter(each.intent for each in known if each.coverage == "high")
    return [intent for intent, _ in sorted(counted.items(), key=lambda one: (-one[1], one[0]))][:6]


def opened(store: Path, embedder: str, articles: Path = ARTICLES) -> Workbench:
    """A store of these articles, made when it is missing."""
    settings = Settings(embedder=embedder, second_look="off", log_stats=False, cache_size=0)
    workbench = Workbench.open(store, settings=settings)
    if workbench.is_empty:
        for _ in workbench.ingest([articles], formats=["article"]):
            pass
    return workbench


def many(folder: Path) -> Path:
    """A base of so many articles: those of the samples, and others made of their paragraphs."""
    chance = random.Random(SEED)
    known = json.loads(ARTICLES.read_text(encoding="utf-8"))["articles"]
    paragraphs = [each for article in known for each in article["content"].split("\n\n")]
    made = [_made(number, chance, known, paragraphs) for number in range(MANY - len(known))]
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "many.json"
    file.write_text(json.dumps({"articles": [*known, *made]}), encoding="utf-8")
    return file


def _made(
    number: int, chance: random.Random, known: Sequence[dict[str, Any]], paragraphs: Sequence[str]
) -> JSON:
    one, other = chance.sample(known, 2)
    return {
        "id": f"made-{number}",
        "title": f"{one['title']} ({number})",
        "url": f"https://help.larkbox.example/made-{number}",
        "content": "\n\n".join(chance.sample(paragraphs, chance.randint(4, 24))),
        "metadata": {**other["metadata"], "intent": one["metadata"]["intent"]},
    }


Ranked = Callable[[Message], list[str]]


def ways(workbench: Workbench) -> Iterator[tuple[str, Ranked]]:
    """Every way of searching, by name: from a message to articles, best first."""
    titles = {c.name: _name(c.id) for c in workbench.chunks() if c.type == "article" and not c.part}

    def knowledge(message: Message) -> list[str]:
        return [titles[source["title"]] for source in answer(workbench, message)[SOURCES]]

    def searched(changes: Mapping[str, Any]) -> Ranked:
        every = {**changes, "max_primary_results": FIRST, "min_score": 0.0, "sources": "article"}

        def ranked(message: Message) -> list[str]:
            found = workbench.retrieve(message.query, **every)
            return [_name(each.chunk.element) for each in found.primary_chunks]

        return ranked

    yield "retrieve_knowledge", knowledge
    for name, changes in VARIANTS.items():
        yield f"retrieve, {name}", searched(changes)


SOURCES = "sources_consulted"


def answer(workbench: Workbench, message: Message) -> dict[str, Any]:
    about = {"product": message.product}
    return workbench.retrieve_knowledge(message.intent, message.text, about)


def _name(id: str) -> str:
    return id.rpartition("/")[2].partition(":")[0]


def quality(workbench: Workbench, known: Sequence[Message]) -> Iterator[str]:
    """Lines of a Markdown table."""
    answered = [message for message in known if message.articles]
    yield "| search | best first | of the articles among three |\n|---|---|---|"
    for name, ranked in ways(workbench):
        found = [(message.articles, ranked(message)) for message in answered]
        best = mean(right[:1] == tuple(got[:1]) for right, got in found)
        shares = [len({*right} & {*got[:FIRST]}) / min(len(right), FIRST) for right, got in found]
        yield f"| {name} | {best:.3f} | {mean(shares):.3f} |"


def coverages(workbench: Workbench, known: Sequence[Message]) -> Iterator[str]:
    got: dict[str, Counter[str]] = {}
    for message in known:
        got.setdefault(message.coverage, Counter())[answer(workbench, message)["coverage"]] += 1
    for expected, counts in got.items():
        yield f"labelled {expected}: {dict(counts)}"
    usual = {*common(known)}
    of_usual = [m for m in known if m.intent in usual and m.coverage == "high"]
    high = [answer(workbench, message)["coverage"] == "high" for message in of_usual]
    yield f"high for {mean(high):.2f} of {len(high)} messages of the common intents"


def times(workbench: Workbench, known: Sequence[Message], rounds: int) -> str:
    answer(workbench, known[0])
    taken, late = [], 0
    for _ in range(rounds):
        for message in known:
            started = perf_counter()
            found = answer(workbench, message)
            taken.append((perf_counter() - started) * 1000)
            late += found["gaps"] == ["Knowledge retrieval unavailable"]
    taken.sort()
    p95 = taken[int(len(taken) * 0.95)]
    return (
        f"p50 {median(taken):.1f} ms, p95 {p95:.1f} ms, most {taken[-1]:.1f} ms "
        f"of {len(taken)} answers, {late} of them empty for being late"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--embedder", default="static")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--work", type=Path, default=Path(gettempdir()) / "specloupe-knowledge")
    options = parser.parse_args()
    known = messages(KB)
    bases = {"kb": ARTICLES, "many": many(options.work)}
    for name, articles in bases.items():
        store = options.work / f"{name}-{options.embedder}"
        with opened(store, options.embedder, articles) as workbench:
            size = sum(file.stat().st_size for file in store.rglob("*") if file.is_file())
            print(f"\n{workbench.figures().articles} articles, {size / 1e6:.1f} MB\n")
            print(times(workbench, known, options.rounds))
            if name == "kb":  # what is made of the samples answers what the samples do
                print("", *quality(workbench, known), "", *coverages(workbench, known), sep="\n")


if __name__ == "__main__":
    main()
