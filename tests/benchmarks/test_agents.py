"""The scripted agent solves a task with the calls that it should need."""

from __future__ import annotations

from pathlib import Path

import anyio
from support.coroutines import in_a_thread
from support.samples import SAMPLES

from benchmarks.agents import TASKS, with_a_list, with_tools
from core import Settings, Workbench


def test_a_task_is_solved_for_less_than_a_list_costs(tmp_path: Path) -> None:
    task = next(each for each in TASKS if "ticketing" in each.operation)
    with Workbench.open(tmp_path / "store", settings=Settings(log_stats=False)) as workbench:
        for _ in workbench.ingest([SAMPLES / "ticketing.json"]):
            pass
        ours = in_a_thread(lambda: anyio.run(with_tools, task, workbench))
        other = with_a_list(task, workbench)
        assert ours.solves(task, workbench)
    assert ours.calls == 3
    assert ours.tokens < other.tokens
