"""Past the deadline, what is there so far comes back: well-formed and flagged."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator

import pytest
from support.stores import QUESTIONS, ingested, opened, plain, version

from core import Workbench
from core.deadline import Deadline
from core.reasons import Cut


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    folder = tmp_path_factory.mktemp("deadlines")
    with opened(folder / "store", cache_size=0) as made:
        ingested(made, version(folder / "apis", 1))
        yield made


@pytest.mark.parametrize("looks", [0, 1, 2, 3, 4, 6, 8, 12])
def test_time_is_up_at_the_nth_look(
    workbench: Workbench, monkeypatch: pytest.MonkeyPatch, looks: int
) -> None:
    whole = workbench.retrieve(QUESTIONS[0])
    asked = itertools.count()
    monkeypatch.setattr(Deadline, "passed", property(lambda _: next(asked) >= looks))
    context = workbench.retrieve(QUESTIONS[0])
    stats = context.retrieval_stats
    if next(asked) <= looks:  # it was done before
        assert plain(context) == plain(whole)
        return
    assert stats.timed_out
    assert Cut.TIMEOUT in stats.limits_hit
    assert len(context.chunks) <= len(whole.chunks)
    assert context.total_tokens <= workbench.settings.token_limit
    json.dumps(context.to_dict())
    context.to_markdown()


def test_a_tiny_time_out_is_kept(workbench: Workbench) -> None:
    stats = workbench.retrieve(" and ".join(QUESTIONS * 20), timeout_ms=1).retrieval_stats
    assert stats.timed_out
    assert Cut.TIMEOUT in stats.limits_hit
