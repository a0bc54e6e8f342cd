"""What `warm` loads, the first question does not wait for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.stores import QUICK, ingested, opened, version

ROOT = Path(__file__).parents[2]
SLACK_MS = 300  # of CPU beyond the time-out
CODE = """
import os, sys, time
from core import Workbench
from core.settings import resolve

settings = resolve({}, environment=os.environ).settings
with Workbench.open(sys.argv[1], settings=settings) as workbench:
    workbench.warm()
    assert workbench.statistics().retrievals == 0
    known, start = set(sys.modules), time.process_time()
    workbench.retrieve("/{a}" * 2_000, cache_size=0, timeout_ms=50)
    print((time.process_time() - start) * 1000, *sorted(set(sys.modules) - known))
"""


@pytest.mark.thorough
def test_the_first_question_after_it_keeps_to_its_time(tmp_path: Path) -> None:
    with opened(tmp_path / "store") as workbench:
        ingested(workbench, version(tmp_path / "apis", 1))
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(tmp_path / "store")],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "EMBEDDER": QUICK.embedder},
    )
    milliseconds, *modules = done.stdout.split()
    assert modules == []
    assert float(milliseconds) < 50 + SLACK_MS
    assert "WARNING" not in done.stderr
