"""Near cosines of all rows, exact ones where it decides: the result is that of exact cosines."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from support.samples import EMBED
from support.sources import MemorySource, component, operation

from core.index.snapshot.build import current
from core.index.snapshot.snapshot import Snapshot
from core.model import KnowledgeContext
from core.retrieve.pipeline import retrieve
from core.retrieve.reader import Rows, Vectors
from core.retrieve.score.clause_cosines import Cosines
from core.settings import Settings
from core.tokens import counter

TOKENS = counter("cl100k_base")
WORDS = """account address alert archive balance basket bill booking branch build calendar campaign
card cart charge claim client comment contact coupon customer delivery device discount document
driver email event export feed fee file folder group hotel image invoice item job key label ledger
list location map member message meter note offer order page parcel payment permission photo plan
player policy price product profile project quote refund region rent report request review role room
route rule sale schedule search seat sensor session shift shop signal site snapshot stock store
subscription supplier survey tag task team tenant ticket token tour track transfer trip user vehicle
vendor version video visit voucher wallet warehouse webhook zone""".split()  # noqa: SIM905


class ExactSnapshot(Snapshot):
    """One whose cosines are all exact."""

    def cosines(self, vectors: Vectors) -> Vectors:
        found = self.exact_cosines(np.arange(len(self)), np.atleast_2d(vectors))
        return found if vectors.ndim > 1 else found[0]


def source() -> MemorySource:
    chance = random.Random(5)
    chunks = []
    for number in range(3000):
        file, words = f"api{number % 40}.json", chance.choices(WORDS, k=6)
        make, name = (component, "".join(words[:2])) if number % 4 else (operation, words[0])
        chunks.append(make(file, f"{name}{number}", text=" ".join(words)))
    vectors = EMBED([chunk.text for chunk in chunks])
    return MemorySource(list(zip(chunks, vectors, strict=True)), dimensions=vectors.shape[1])


@pytest.fixture(scope="module")
def both() -> Iterator[tuple[Snapshot, Snapshot]]:
    """The same rows, with near cosines and with exact ones."""
    with TemporaryDirectory() as folder:
        near = current(Path(folder), source())
        exact = near.with_looks(None, None)
        exact.__class__, exact.derived = ExactSnapshot, {}
        yield near, exact


def ask(query: str, reader: Snapshot, **changes: Any) -> KnowledgeContext:
    where = changes.pop("where", None)
    return retrieve(
        query, reader=reader, embed=EMBED, tokens=TOKENS, settings=Settings(**changes), where=where
    )


def questions(count: int, parts: int) -> list[str]:
    chance = random.Random(parts)
    each = (chance.choices(WORDS, k=chance.randint(2, 7)) for _ in range(count * parts))
    texts = [" ".join(words) for words in each]
    return [", and then list ".join(texts[at::count]) for at in range(count)]


@pytest.mark.parametrize("where", [None, {"type": "component"}, {"source_file": "api7"}], ids=str)
@pytest.mark.parametrize("mode", ["hybrid", "semantic"])
def test_the_result_is_that_of_exact_cosines(
    both: tuple[Snapshot, Snapshot], mode: str, where: Any
) -> None:
    for query in questions(40, 1):
        near, exact = (ask(query, each, mode=mode, where=where).trace.hits for each in both)
        assert [hit.chunk_id for hit in near] == [hit.chunk_id for hit in exact], query
        for one, other in zip(near, exact, strict=True):
            assert one.score == pytest.approx(other.score, abs=1e-3)


def test_of_several_parts_it_is_the_same_but_for_what_is_nearly_level(
    both: tuple[Snapshot, Snapshot],
) -> None:
    same, total = 0, 0
    for query in questions(20, 3):
        near, exact = ([hit.chunk_id for hit in ask(query, each).trace.hits] for each in both)
        same += sum(one == other for one, other in zip(near, exact, strict=True))
        total += len(exact)
        assert len({*near} - {*exact}) <= 1
    assert same / total > 0.95


def test_rows_become_exact_once(both: tuple[Snapshot, Snapshot]) -> None:
    near, exact = both
    asked = EMBED(["refund a payment", "list the rooms of a hotel"])
    cosines = Cosines(list(near.cosines(asked)), asked, near)
    some: Rows = np.array([7, 2999, 7])
    rows, gained = cosines.settle(some)
    assert rows.tolist() == some.tolist()
    assert len(gained) == 2
    assert any(each.any() for each in gained)
    for found, wanted in zip(cosines.each, exact.cosines(asked), strict=True):
        np.testing.assert_allclose(found[some], wanted[some], atol=1e-6)
    assert len(cosines.settle(some)[0]) == 0


def test_the_ends_are_among_what_may_be_found(both: tuple[Snapshot, Snapshot]) -> None:
    near, exact = both
    asked, allowed = EMBED(["export a ledger"]), near.mask({"source_file": "api3"})
    wanted = np.where(allowed, exact.cosines(asked)[0], np.nan)
    ends = Cosines(list(near.cosines(asked)), asked, near).ends(allowed)
    assert allowed[ends].all()
    assert {int(np.nanargmax(wanted)), int(np.nanargmin(wanted))} <= set(ends.tolist())


def test_where_very_many_are_alike_none_is_settled() -> None:
    rows = [
        (operation("a.json", f"{at:05}"), np.eye(1, 8, dtype=np.float32)[0]) for at in range(6000)
    ]
    with TemporaryDirectory() as folder:
        reader = current(Path(folder), MemorySource(rows, dimensions=8))
        asked = np.ones((1, 8), np.float32) / np.float32(8**0.5)
        cosines = Cosines(list(reader.cosines(asked)), asked, reader)
        assert len(cosines.settle(cosines.ends(None))[0]) == 0
