"""The sample APIs in a real store, and what is asked of its read index stage by stage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from core import Workbench
from core.deadline import Deadline
from core.index.embed.embedder import open_embedder
from core.index.snapshot.snapshot import Snapshot
from core.model import Understanding, Where
from core.retrieve.reader import Reader
from core.retrieve.search.arrays_ranker import RowEvidence, row_evidence
from core.retrieve.understand.asked import Asked
from core.retrieve.understand.intent import by_rules
from core.retrieve.understand.question import Question, read
from core.settings import Settings
from core.where import parse

SAMPLES = Path(__file__).parents[2] / "samples"
EMBED = open_embedder("static", {}).embed
NEVER = Deadline(lambda: 0.0, 1.0)


def ingest_samples(store: Path) -> None:
    """What the fixture `sample_store` is a copy of."""
    with Workbench.open(store, settings=Settings(log_stats=False)) as workbench:
        for _ in workbench.ingest([SAMPLES]):
            pass


@contextmanager
def sample_index(store: Path) -> Iterator[Snapshot]:
    """The read index of `sample_store`, which is the one that ships."""
    with Workbench.open(store, settings=Settings(log_stats=False)) as workbench:
        yield workbench._newest.reader()


def question(
    query: str,
    reader: Reader,
    *,
    apis: Sequence[str] = (),
    as_if: Understanding | None = None,
    **changes: Any,
) -> Question:
    """The question as it is read; `as_if` is what it is to be understood as."""
    settings = Settings(**{"min_score": 0.0, **changes})
    asked = Asked.of(query, reader=reader, settings=settings, deadline=NEVER, apis=apis)
    return read(asked, by_rules if as_if is None else lambda _: as_if)


def evidence(asked: Question, where: Where | None = None, *, by_words: bool = False) -> RowEvidence:
    """What the read index says to it; by words alone, as when it cannot be embedded."""
    reader = asked.asked.reader.arrays
    assert reader is not None
    is_exact = by_words or asked.settings.mode == "exact"
    vectors = None if is_exact else EMBED([clause.text for clause in asked.clauses])
    return row_evidence(asked, vectors, reader, where and parse(where))
