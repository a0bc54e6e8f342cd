"""A read index multiplies bytes: whole retrievals give what exact products of all vectors give."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.exact import WORDS, Both, both_of, looks
from support.samples import EMBED, question

from core import blocks
from core.index.snapshot.snapshot import Snapshot
from core.model import Hit
from core.retrieve.pipeline import retrieve
from core.retrieve.search.arrays_ranker import row_evidence
from core.retrieve.search.choose_apis import choose
from core.retrieve.search.search import raised_by
from core.settings import Settings
from core.tokens import counter
from core.where import parse

TOKENS = counter("cl100k_base")
SIZES = {"small": (60, 1), "middle": (300, 12), "large": (900, 40)}  # rows, files
LOOKS = ("off", "made now", "stored")
WHERE: tuple[Any, ...] = (None, {"type": "component"}, {"source_file": "api0"}, {"method": "POST"})
CHANGES: tuple[Mapping[str, Any], ...] = (
    {},
    {"api_filter": "off", "producer_share": 0.0},
    {"intent_filter": "off", "local_idf": 0.0, "verb_boost": 0.0},
    {"max_primary_results": 12, "vector_weight": 0.8},
)
LEVEL = 5e-4  # of what rows are ranked by, about 0 to 2: so near, two may change places

Stores = Mapping[tuple[str, str], Both]  # by size, and by the second look


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stores]:
    with ExitStack() as opened:
        found = {}
        for size, (rows, files) in SIZES.items():
            both = opened.enter_context(both_of(rows, files))
            for name, look in looks(both.near, tmp_path_factory.mktemp("second")).items():
                found[size, name] = both.with_look(look)
        yield found


@st.composite
def asked(draw: st.DrawFn) -> str:
    """One to four parts of a few words."""
    part = st.lists(st.sampled_from(WORDS), min_size=1, max_size=7).map(" ".join)
    verb = draw(st.sampled_from(("list", "create a", "what is")))
    return f"{verb} {', and then delete '.join(draw(st.lists(part, min_size=1, max_size=4)))}"


@pytest.mark.thorough
@given(
    query=asked(),
    size=st.sampled_from([*SIZES]),
    look=st.sampled_from(LOOKS),
    mode=st.sampled_from(("hybrid", "semantic")),
    where=st.sampled_from(WHERE),
    changes=st.sampled_from(CHANGES),
)
@settings(max_examples=40, derandomize=True)
def test_the_result_is_that_of_exact_cosines(
    stores: Stores, query: str, size: str, look: str, mode: str, where: Any, changes: Any
) -> None:
    """The same candidates in the same order, but for those that are level, with the same scores."""
    check(stores[size, look], query, where, Settings(mode=mode, **changes))


@pytest.mark.parametrize("look", LOOKS)
def test_several_threads_find_what_one_does(
    stores: Stores, look: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = stores["middle", look].near
    asked = ("list the orders of a customer", "cancel a booking, then refund the payment by card")
    wanted = [hits(query, reader, None, Settings()) for query in asked]
    monkeypatch.setattr(blocks, "BLOCK", 64)
    monkeypatch.setattr(blocks, "_SHARED", 100)
    found = [hits(query, reader, None, Settings(search_threads=3)) for query in asked]
    for one, other in zip(found, wanted, strict=True):
        assert [hit.chunk_id for hit in one] == [hit.chunk_id for hit in other]
        assert [hit.score for hit in one] == pytest.approx([h.score for h in other], abs=1e-5)


@pytest.mark.long
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("size", [*SIZES])
def test_of_many_questions_hardly_any_has_level_candidates(
    stores: Stores, size: str, look: str
) -> None:
    chance, same, total = random.Random(7), 0, 60
    for _ in range(total):
        parts = [chance.choices(WORDS, k=chance.randint(1, 7)) for _ in range(chance.randint(1, 4))]
        query = ", and then delete ".join(map(" ".join, parts))
        found = Settings(mode=chance.choice(("hybrid", "semantic")), **chance.choice(CHANGES))
        same += check(stores[size, look], query, chance.choice(WHERE), found)
    assert same >= total - 1


def check(both: Both, query: str, where: Any, settings: Settings) -> bool:
    """Whether all stand in the same order; raises AssertionError where it is not the result.

    Parts of a question are weighed by the mean of all rows, which comes from the bytes; in so small
    a store it may be off by a hundredth of their spread, and one score in thousands by 0.0015.
    """
    near, exact = (hits(query, each, where, settings) for each in (both.near, both.exact))
    scores = {hit.chunk_id: hit.score for hit in exact}
    assert {hit.chunk_id for hit in near} == scores.keys()
    off = 2e-3 if len(question(query, both.near).clauses) > 1 else 1e-3
    assert {hit.chunk_id: hit.score for hit in near} == pytest.approx(scores, abs=off)
    moved = [
        (one.chunk_id, other.chunk_id)
        for one, other in zip(near, exact, strict=True)
        if one.chunk_id != other.chunk_id
    ]
    order = ranked_by(query, both.exact, where, settings) if moved else {}
    for one, other in moved:
        assert order[one] == pytest.approx(order[other], abs=LEVEL)
    return not moved


def hits(query: str, reader: Snapshot, where: Any, settings: Settings) -> Sequence[Hit]:
    context = retrieve(
        query, reader=reader, embed=EMBED, tokens=TOKENS, settings=settings, where=where
    )
    return context.trace.hits


def ranked_by(query: str, reader: Snapshot, where: Any, settings: Settings) -> Mapping[str, float]:
    """What the candidates are ordered by."""
    read = question(query, reader, **settings.to_dict())
    texts = [clause.text for clause in read.clauses]
    second = reader.second.embed(texts) if reader.second else None
    found = row_evidence(read, EMBED(texts), reader, where and parse(where), second)
    candidates = found.ranked(raised_by(read, choose(read, found)))
    return {each.chunk_id: each.order for each in candidates}
