"""Whoever fills is killed, again and again; nothing is lost but a batch, and no vector is wrong."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from support.sources import MemorySource, operation, vector

from core.index.embed.hashed import HashEmbedder
from core.index.second.fill import fill
from core.index.second.look import StoredLook
from core.index.second.second import SecondModel
from core.index.second.table import open_table
from core.index.snapshot.build import current
from core.index.snapshot.snapshot import Snapshot

ROOT = Path(__file__).parents[3]
ROWS = 400
pytestmark = pytest.mark.long

FILLING = """
import sys
from pathlib import Path
sys.path.insert(0, "tests")
from index.second.test_second_killed import Slow, filling

print("ready", flush=True)
for step in filling(Path(sys.argv[1]), Slow()):
    print(step.done, flush=True)
"""


class Slow(HashEmbedder):
    """A batch takes 30 ms."""

    def embed(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        time.sleep(0.0005)
        return super().embed(texts)


def rows(folder: Path) -> Snapshot:
    chunks = [operation("a.json", f"n{at:03}", text=f"the text of {at}") for at in range(ROWS)]
    return current(folder / "index", MemorySource([(c, vector(1, 0, 0, 0)) for c in chunks]))


def filling(folder: Path, embedder: HashEmbedder):  # type: ignore[no-untyped-def]
    return fill(folder / "second", rows(folder), embedder)


def test_a_kill_loses_a_batch_at_most(tmp_path: Path) -> None:
    rows(tmp_path)
    came = 0
    for kill in range(40):
        process = subprocess.Popen(
            [sys.executable, "-c", FILLING, str(tmp_path)],
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
        begun = int(process.stdout.readline())
        assert begun >= came  # what was told to be made is there
        time.sleep(0.013 * (kill % 5))
        process.send_signal(signal.SIGKILL)
        told = [int(line) for line in process.stdout if line.strip().isdigit()]
        process.wait()
        process.stdout.close()
        came = max([begun, *told])
        if came == ROWS:
            break
    list(filling(tmp_path, HashEmbedder()))
    model = SecondModel(HashEmbedder())
    look = StoredLook(rows(tmp_path), open_table(tmp_path / "second", model.fingerprint), model)
    assert look.known is None
    exact = model.embed([f"the text of {at}" for at in range(ROWS)])
    assert np.abs(look.of(range(ROWS)).vectors - exact).max() < 0.01
