import re
from dataclasses import replace

import pytest
from support import context_example as example

from core.model import KnowledgeContext
from ui.query.token_bar import token_bar


def widths(html: str) -> list[float]:
    return [float(width) for width in re.findall(r"width:([\d.]+)%", html)]


def test_the_bar_has_one_segment_a_chunk_in_proportion() -> None:
    context = example.example()
    found = widths(token_bar(context, budget=4000))
    assert len(found) == len(context.chunks)
    assert sum(found) < 100
    assert found[0] / found[1] == pytest.approx(412 / 288, rel=0.01)


def test_the_sentence_says_what_was_spent_and_what_did_not_fit() -> None:
    bar = token_bar(example.example(), budget=4000)
    assert "2,073 of 4,000 tokens: 700 for results, 1,373 for what they refer to" in bar
    assert "1 more did not fit" in bar
    assert ">limit 4,000<" in bar
    assert 'title="limit 4,000"' in bar
    assert "would have cost 310 tokens" in bar


def test_over_budget_still_fits_the_bar() -> None:
    assert sum(widths(token_bar(example.example(), budget=500))) <= 100


def test_an_empty_context_is_an_empty_bar() -> None:
    context = example.example()
    empty: KnowledgeContext = replace(
        context, primary_chunks=(), referenced_chunks=(), total_tokens=0
    )
    assert "0 of 4,000 tokens." in token_bar(empty, budget=4000)
