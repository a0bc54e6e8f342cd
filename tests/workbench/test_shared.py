"""Many threads and several processes on one store: equal answers, of one generation each."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from support.stores import QUESTIONS, ingested, opened, plain, version

from core import Workbench

ROOT = Path(__file__).parents[2]
THREADS = 16
FEW = 40  # answers; the writer starts slowly
NO_CACHE = {"cache_size": 0}

WRITER = """
import sys
from pathlib import Path
from support.stores import ingested, opened

with opened(Path(sys.argv[1])) as workbench:
    print("ready", flush=True)
    for line in sys.stdin:
        ingested(workbench, Path(line.strip()))
        print("done", flush=True)
"""


@pytest.fixture
def workbench(tmp_path: Path) -> Iterator[Workbench]:
    with opened(tmp_path / "store", **NO_CACHE) as made:
        ingested(made, version(tmp_path / "v1", 1))
        yield made


def test_threads_share_a_workbench(workbench: Workbench) -> None:
    expected = {query: plain(workbench.retrieve(query)) for query in QUESTIONS}
    with ThreadPoolExecutor(THREADS) as threads:
        asked = [*QUESTIONS] * THREADS
        found = list(threads.map(lambda query: plain(workbench.retrieve(query)), asked))
    assert found == [expected[query] for query in asked]


def test_threads_that_are_the_first_to_ask(tmp_path: Path, workbench: Workbench) -> None:
    expected = [plain(workbench.retrieve(query)) for query in QUESTIONS]
    with opened(tmp_path / "store", **NO_CACHE) as fresh, ThreadPoolExecutor(THREADS) as threads:
        found = list(threads.map(lambda q: plain(fresh.retrieve(q)), [*QUESTIONS] * 8))
    assert found == expected * 8


def test_with_the_cache_threads_get_the_same(tmp_path: Path, workbench: Workbench) -> None:
    expected = [plain(workbench.retrieve(query), without=("cached",)) for query in QUESTIONS]
    with opened(tmp_path / "store") as caching, ThreadPoolExecutor(THREADS) as threads:
        found = list(
            threads.map(lambda q: plain(caching.retrieve(q), without=("cached",)), [*QUESTIONS] * 8)
        )
    assert found == expected * 8
    assert caching.statistics().result_hit_rate > 0


def test_two_openings_give_the_same_bytes(tmp_path: Path, workbench: Workbench) -> None:
    def answers(asked: Workbench) -> list[bytes]:
        return [json.dumps(plain(asked.retrieve(query))).encode() for query in QUESTIONS]

    with opened(tmp_path / "store", **NO_CACHE) as other:
        assert answers(other) == answers(workbench) == answers(workbench)


@pytest.mark.slow
def test_two_processes_give_the_same_bytes(tmp_path: Path, workbench: Workbench) -> None:
    """Sets and dictionaries of strings have another order in each process."""
    code = (
        "import json, sys; from pathlib import Path; from support.stores import *\n"
        "with opened(Path(sys.argv[1]), cache_size=0) as workbench:\n"
        "    print(json.dumps([plain(workbench.retrieve(query)) for query in QUESTIONS]))"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "store")]
    outputs = {
        subprocess.run(
            command, env={**environment(), "PYTHONHASHSEED": seed}, check=True, capture_output=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    ours = json.loads(json.dumps([plain(workbench.retrieve(query)) for query in QUESTIONS]))
    assert ours == json.loads(outputs.pop())


@pytest.mark.slow
def test_a_reader_sees_the_old_or_the_new_while_another_process_writes(
    tmp_path: Path, workbench: Workbench
) -> None:
    store, folder = tmp_path / "store", tmp_path / "v1"
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(store)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment(),
    ) as writer:
        assert writer.stdin
        assert writer.stdout
        assert writer.stdout.readline() == "ready\n"
        seen: list[set[str]] = []
        with ThreadPoolExecutor(1) as waiting:
            for number in (2, 3):
                writer.stdin.write(f"{version(folder, number)}\n")
                writer.stdin.flush()
                done = waiting.submit(writer.stdout.readline)
                while not done.done() or len(seen) < FEW:
                    seen.append(versions(workbench, QUESTIONS[len(seen) % len(QUESTIONS)]))
                assert done.result() == "done\n"
                assert versions(workbench, QUESTIONS[0]) == {f"v{number}"}
        writer.stdin.close()
    assert all(len(each) == 1 for each in seen)
    assert set.union(*seen) <= {"v1", "v2", "v3"}


def versions(workbench: Workbench, query: str) -> set[str]:
    """The versions that an answer shows a trace of."""
    text = json.dumps(workbench.retrieve(query).to_dict())
    return {version for version in ("v1", "v2", "v3") if version in text}


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "tests")))}
