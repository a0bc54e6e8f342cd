"""A process that only reads imports only what reading needs: that is most of its first answer."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.stores import QUESTIONS, ingested, opened, version

ROOT = Path(__file__).parents[2]
HEAVY = (
    "asyncio",
    "chromadb",
    "core.sources.openapi.chunk",
    "core.read.load",
    "filelock",
    "httpx",
    "joblib",
    "jsonschema_rs",
    "model2vec",
    "openai",
    "pandas",
    "scipy",
    "streamlit",
    "yaml",
)
UNCHANGED = ("httpx", "model2vec", "openai", "pandas", "scipy", "streamlit", "tiktoken")
AGAIN = """
import sys
from core.cli import run

status = run(["ingest", sys.argv[2], "--store", sys.argv[1]])
print(",".join(name for name in sys.argv[3:] if name in sys.modules), file=sys.stderr)
sys.exit(status)
"""
CODE = """
import sys
from core.cli import run

status = run(["query", sys.argv[2], "--store", sys.argv[1]])
print(",".join(name for name in sys.argv[3:] if name in sys.modules), file=sys.stderr)
sys.exit(status)
"""


@pytest.mark.thorough
def test_a_query_imports_nothing_heavy(tmp_path: Path) -> None:
    with opened(tmp_path / "store", embedder="static") as workbench:
        ingested(workbench, version(tmp_path / "apis", 1))
        workbench.warm()
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(tmp_path / "store"), QUESTIONS[0], *HEAVY],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr
    assert "/v1/users" in done.stdout
    assert done.stderr.splitlines()[-1] == ""


@pytest.mark.thorough
def test_a_second_ingest_loads_neither_a_client_nor_an_encoding(tmp_path: Path) -> None:
    apis = version(tmp_path / "apis", 1)
    with opened(tmp_path / "store", embedder="static") as workbench:
        ingested(workbench, apis)
    done = subprocess.run(
        [sys.executable, "-c", AGAIN, str(tmp_path / "store"), str(apis), *UNCHANGED],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr
    assert "unchanged" in done.stdout
    assert done.stderr.splitlines()[-1] == ""
