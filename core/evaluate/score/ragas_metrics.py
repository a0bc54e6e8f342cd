"""Have ragas compute its metrics, in a process of its own, so that nothing here imports it.

ragas takes seconds and some 230 MB to import. The process starts to import it when it is opened,
while the questions are still being asked.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from types import TracebackType
from typing import TypedDict

from core.evaluate.stop import Stop, check, never

TIMEOUT_S = 300
LOOK_S = 0.2  # between two looks at whether nobody waits any more


class RagasError(RuntimeError):
    """ragas could not be imported, or failed; a run tells it among its problems."""


class Row(TypedDict):
    """One question, as ragas wants it."""

    retrieved_ids: Sequence[str]
    reference_ids: Sequence[str]
    retrieved_texts: Sequence[str]  # empty: no metrics of texts
    reference_texts: Sequence[str]


class RagasWorker:
    """A context manager; leaving it ends the process."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "core.evaluate.score.ragas_worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=_environment(),
        )

    def score(self, rows: Sequence[Row], *, stop: Stop = never) -> list[Mapping[str, float]]:
        """`ragas.*` of each row, in order, called once; raises RagasError, and Stopped."""
        out, complaint = self._answer(json.dumps(rows).encode(), stop)
        if self._process.returncode:
            last = complaint.decode(errors="replace").strip().splitlines()[-1:]
            raise RagasError(
                f"ragas could not compute its metrics: {''.join(last)[:300]}. "
                "`uv sync --locked` restores the versions that work together; "
                "--no-ragas leaves these metrics out."
            )
        scores: list[Mapping[str, float]] = json.loads(out)
        return scores

    def _answer(self, rows: bytes, stop: Stop) -> tuple[bytes, bytes]:
        try:
            with self._killed_when(stop):
                answer = self._process.communicate(rows, TIMEOUT_S)
        except subprocess.TimeoutExpired as error:
            raise RagasError(f"ragas did not answer within {TIMEOUT_S} seconds.") from error
        check(stop)
        return answer

    @contextmanager
    def _killed_when(self, stop: Stop) -> Iterator[None]:
        """`communicate` cannot be asked to look up now and then: its input would not be closed."""
        done = Event()

        def watch() -> None:
            while not done.wait(LOOK_S):
                if stop():
                    self._process.kill()
                    return

        watcher = Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            done.set()
            watcher.join()

    def __enter__(self) -> RagasWorker:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.communicate()


def _environment() -> dict[str, str]:
    """Ours, with this package findable from any working directory and no keys to spend."""
    root = str(Path(__file__).parents[3])
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    kept = {k: v for k, v in os.environ.items() if not k.endswith(("_API_KEY", "_TOKEN"))}
    return {**kept, "PYTHONPATH": os.pathsep.join(paths), "RAGAS_DO_NOT_TRACK": "true"}
