from __future__ import annotations

from dataclasses import replace

import pytest
from support import context_example as example

from core.counts import counts, kinds, milliseconds, sentence
from core.model import KnowledgeContext, RetrievalStats

MADE = example.example()
CONTEXT = replace(  # the errors of the first result are written inside it
    MADE,
    primary_chunks=(
        replace(MADE.primary_chunks[0], included=(example.ERRORS,)),
        *MADE.primary_chunks[1:],
    ),
    referenced_chunks=MADE.referenced_chunks[1:],
)


def said(context: KnowledgeContext, **stats: float) -> str:
    known = replace(context.retrieval_stats, **stats)  # type: ignore[arg-type]
    return sentence(counts(context.chunks, context.total_tokens), known, 4000)


def test_every_chunk_is_counted_once_by_place_and_once_by_kind() -> None:
    made = counts(CONTEXT.chunks, CONTEXT.total_tokens)
    assert (made.results, made.references, made.chunks) == (2, 8, 10)
    assert (made.operations, made.schemas, made.others) == (2, 5, 3)
    assert made.operations + made.schemas + made.others == made.chunks == len(CONTEXT.chunks)
    assert made.parts == 1


@pytest.mark.parametrize(
    ("stats", "end"),
    [
        ({"complete_share": 1.0, "complete_top": True}, "everything the results need is included"),
        (
            {"complete_share": 0.5, "complete_top": True},
            "everything the first result needs is included",
        ),
        ({"complete_share": 0.0}, "not everything the first result needs is included"),
    ],
    ids=["all", "first", "none"],
)
def test_one_sentence_says_what_is_in(stats: dict[str, float], end: str) -> None:
    tokens = f"{CONTEXT.total_tokens:,} of 4,000 tokens"
    assert said(CONTEXT, **stats) == (
        f"2 operations, 5 schemas and 3 other chunks, {tokens}; {end}"
    )


def test_nothing_and_one_of_each() -> None:
    empty = replace(CONTEXT, primary_chunks=(), referenced_chunks=(), total_tokens=0)
    assert said(empty) == "Nothing was found"
    one = counts(CONTEXT.primary_chunks[:1], 1)
    assert kinds(one) == "1 operation"
    assert kinds(replace(one, operations=0, others=2)) == "2 chunks"
    whole = RetrievalStats(complete_share=1.0, complete_top=True)
    assert sentence(one, whole, 1000).endswith(
        "1 of 1,000 tokens; everything the result needs is included"
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0 ms"), (0.4, "under 1 ms"), (1.2, "1 ms"), (1234.5, "1,234 ms")],
)
def test_milliseconds_have_no_decimals(value: float, text: str) -> None:
    assert milliseconds(value) == text
