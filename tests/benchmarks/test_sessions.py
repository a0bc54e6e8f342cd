"""Several people at once: nobody sees what is of another, and a kill loses nothing stored."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.ports import free_port

from benchmarks import sessions

pytestmark = pytest.mark.long


def test_four_people_see_their_own_alone(tmp_path: Path) -> None:
    port = free_port()
    with sessions.server(tmp_path / "store", port) as process:
        found = sessions.day(
            f"http://127.0.0.1:{port}", process.pid, people=4, questions=80, changes=40
        )
    assert found["wrong"] == []
    assert (found["questions"], found["changes"]) == (80, 40)
    assert max(found["memory_mb"]) < 1_000


def test_a_kill_in_the_middle_of_a_job(tmp_path: Path) -> None:
    assert sessions.restarted(tmp_path) == []
