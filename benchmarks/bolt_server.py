"""A Bolt server in a process of its own, for tests and benchmarks: ArcadeDB with its own Java.

`python -m benchmarks.bolt_server PORT WEB_PORT FOLDER` serves the database `graph` to the user
`root`, with the password BOLT_SERVER_PASSWORD, until its standard input ends; it needs the
dependency group `graph`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

DATABASE, USER = "graph", "root"
_PASSWORD = "BOLT_SERVER_PASSWORD"
_READY = "the server is ready"


def environment(port: int, password: str) -> Mapping[str, str]:
    """What leads to it."""
    return {
        "NEO4J_URI": f"bolt://127.0.0.1:{port}",
        "NEO4J_USER": USER,
        "NEO4J_PASSWORD": password,
        "NEO4J_DATABASE": DATABASE,
    }


@contextmanager
def started(
    port: int, http_port: int, folder: Path, password: str
) -> Iterator[subprocess.Popen[str]]:
    """The process, once it answers; killed at the end. What the folder holds is served again."""
    command = [
        sys.executable,
        "-m",
        "benchmarks.bolt_server",
        str(port),
        str(http_port),
        str(folder.absolute()),
    ]
    folder.mkdir(parents=True, exist_ok=True)
    process = subprocess.Popen(
        command,
        cwd=folder,  # it writes a log where it is started
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1]), _PASSWORD: password},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout
    assert process.stdin
    try:
        said = []
        for line in process.stdout:
            said.append(line)
            if _READY in line:
                break
        else:
            raise RuntimeError("the server did not start:\n" + "".join(said[-20:]))
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()


def main(port: int, web: int, folder: str) -> None:
    import arcadedb_embedded as arcadedb

    Path(folder).mkdir(parents=True, exist_ok=True)
    os.chdir(folder)  # where it writes a log of its own
    log = open(os.devnull, "w")  # noqa: SIM115  # nobody reads on once the server is ready
    server = arcadedb.ArcadeDBServer(
        folder,
        root_password=os.environ[_PASSWORD],
        config={
            "server_plugins": "Bolt:com.arcadedb.bolt.BoltProtocolPlugin",
            "bolt_port": port,
            "http_port": web,
        },
        jvm_kwargs={"heap_size": "512m"},
    )
    server.start()
    if not (Path(folder) / "databases" / DATABASE).exists():
        server.create_database(DATABASE)
    print(f"\n{_READY}", flush=True)
    os.dup2(log.fileno(), 1)
    os.dup2(log.fileno(), 2)
    sys.stdin.read()
    server.stop()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), str(Path(sys.argv[3]).resolve()))
