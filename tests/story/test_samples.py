"""Each story of the samples happens as it is told, with the settings that ship."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core import Workbench
from core.reasons import Cut
from core.story.samples import STORIES, told_by

KEY = "shop.json:components/parameters/IdempotencyKey"
WITHOUT, HIDDEN, CUT = STORIES


@pytest.fixture(scope="module")
def workbench(sample_store: Path) -> Iterator[Workbench]:
    with Workbench.open(sample_store) as opened:
        yield opened


def test_without_references_the_operation_alone_is_found(workbench: Workbench) -> None:
    asked = WITHOUT.address["q"]
    without, whole = (workbench.retrieve(asked, max_depth=depth) for depth in (0, 3))
    assert without.primary_chunks[0].chunk.id == whole.primary_chunks[0].chunk.id
    assert not without.referenced_chunks
    assert not without.retrieval_stats.complete_top
    assert whole.retrieval_stats.complete_top


def test_the_filter_hides_what_is_a_result_without_it(workbench: Workbench) -> None:
    asked = HIDDEN.address["q"]
    plain, filtered = (workbench.retrieve(asked, intent_filter=how) for how in ("off", "hard"))
    assert KEY in {item.chunk.element for item in plain.primary_chunks}
    assert KEY not in filtered.ids


def test_the_limit_cuts_what_the_first_result_needs(workbench: Workbench) -> None:
    limit = int(CUT.address["token_limit"])
    context = workbench.retrieve(CUT.address["q"], token_limit=limit)
    assert Cut.TOKEN_LIMIT in {left.cut for left in context.trace.left_out}
    assert not context.retrieval_stats.complete_top


def test_they_are_told_where_their_sample_is_stored() -> None:
    assert told_by(["shop", "media"]) == STORIES
    assert told_by(["petstore"]) == ()
