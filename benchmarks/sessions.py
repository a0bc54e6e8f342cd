"""Many people at once on one server: what they see of each other, and what it costs.

    python -m benchmarks.sessions --people 20 --questions 2000 --changes 200

Starts a server on the samples and talks to it as browsers do, one websocket a person. Each has
settings and questions of their own; what comes back must be of these alone. Between the questions
they change the page, close their tab and come back. The memory of the server is read from the
system, after each tenth of the questions. Prints what was wrong, a table, and one line of JSON.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import unquote_plus, urlencode, urlsplit
from urllib.request import urlopen

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from streamlit.proto.BackMsg_pb2 import BackMsg  # noqa: E402 - tests/ has just been put on the path
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg  # noqa: E402
from support.ports import free_port  # noqa: E402
from websockets.sync.client import connect  # noqa: E402
from websockets.typing import Origin, Subprotocol  # noqa: E402

PAGES = ("query", "graph", "compare", "apis", "evaluate", "ingest")
VERBS = ("create", "delete", "list", "update", "close", "refund", "upload", "cancel")
THINGS = ("user", "order", "ticket", "file", "playlist", "message", "address", "refund")
PATIENCE = 120  # seconds for one run of a page
TENTHS = 10
SAMPLES = 6  # files of the sample APIs


class Tab:
    """One open tab: a websocket on which pages run."""

    def __init__(self, url: str) -> None:
        self._open = ExitStack()
        self._socket = self._open.enter_context(
            connect(
                f"ws://{urlsplit(url).netloc}/_stcore/stream",
                origin=Origin(url),
                subprotocols=[Subprotocol("streamlit")],
                proxy=None,
                max_size=None,
                open_timeout=PATIENCE,
                ping_interval=None,  # a busy server is late, and not gone
            )
        )
        self._ids: dict[str, str] = {}  # of what was drawn, by key or label

    def close(self) -> None:
        self._open.close()

    def run(
        self,
        page: str,
        *,
        q: str = "",
        press: str = "",
        text: tuple[str, str] = ("", ""),
        **address: str | int | float,
    ) -> str:
        """All that a page sends for this address, or for what is typed or pressed, as text."""
        message = BackMsg()
        message.rerun_script.page_name = page
        message.rerun_script.query_string = urlencode({**({"q": q} if q else {}), **address})
        states = message.rerun_script.widget_states.widgets
        for key, value in (("q", q), text):
            if value and key in self._ids:
                states.add(id=self._ids[key], string_value=value)
        if press:
            states.add(id=self._ids[press], trigger_value=True)
        self._socket.send(message.SerializeToString())
        return unquote_plus("\n".join(self._answer()))

    def _answer(self) -> Iterator[str]:
        begun = False
        while True:
            message = ForwardMsg.FromString(self._socket.recv(PATIENCE, decode=False))
            kind = message.WhichOneof("type")
            if kind == "new_session":
                begun, self._ids = True, {}
            if begun and kind == "delta":
                self._note(message)
                yield str(message.delta)
            if begun and kind == "page_info_changed":
                yield message.page_info_changed.query_string
            if begun and kind == "script_finished":
                return

    def _note(self, message: ForwardMsg) -> None:
        element = message.delta.new_element
        if element.WhichOneof("type") == "text_input":
            self._ids[element.text_input.id.rpartition("-")[2]] = element.text_input.id
        if element.WhichOneof("type") == "button":
            self._ids[element.button.label] = element.button.id


def asked(tab: Tab, person: int, number: int) -> list[str]:
    """Ask a question in somebody's own settings; gives what of the answer is not theirs."""
    dice = random.Random(f"{person} {number}")
    question = f"{dice.choice(VERBS)} a {dice.choice(THINGS)} for person {person} turn {number}"
    limit = 1000 + 10 * person
    seen = tab.run("query", q=question, token_limit=limit, max_depth=person % 4)
    wrong = [] if question in seen else [f"{person}: the question is not on the page"]
    if f"{limit:,}" not in seen:
        wrong.append(f"{person}: the limit {limit} is not on the page")
    return [*wrong, *strangers(seen, person)]


def strangers(seen: str, person: int) -> list[str]:
    """Questions of others on a page of this person."""
    others = set(re.findall(r"for person (\d+) turn", seen)) - {f"{person}"}
    wrong = [f"{person}: sees a question of {other}" for other in sorted(others)]
    return [*wrong, f"{person}: a page fails"] if "exception {" in seen else wrong


def visit(url: str, person: int, questions: int, changes: int) -> list[str]:
    """One person's day: questions, other pages between them, and now and then a new tab."""
    wrong: list[str] = []
    every = max(1, questions // max(1, changes))
    tab = Tab(url)
    for number in range(questions):
        wrong += asked(tab, person, number)
        if changes and number % every == 0:
            page = PAGES[(number // every) % len(PAGES)]
            limit = 1000 + 10 * person
            wrong += strangers(
                tab.run(page, q=f"for person {person} turn 0", token_limit=limit), person
            )
        if number % 25 == 24:
            tab.close()
            tab = Tab(url)
    tab.close()
    return wrong


@contextmanager
def server(store: Path, port: int, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    command = [str(Path(sys.executable).with_name("specloupe")), "app", "--headless", *options]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(
        [*command, "--store", str(store), "--port", str(port)], **quiet
    ) as process:
        try:
            _wait(port, process)
            yield process
        finally:
            process.kill()


def _wait(port: int, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and process.poll() is None:
        try:
            with urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=5):
                return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError("The server did not come up.")


def memory_mb(pid: int) -> float:
    """What a process holds in memory now."""
    status = Path(f"/proc/{pid}/status").read_text("utf-8")
    return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) / 1000


def day(url: str, pid: int, *, people: int, questions: int, changes: int) -> dict[str, Any]:
    """All people at once, in tenths; what was wrong, and the memory after each."""
    wrong: list[str] = []
    memory: list[float] = []
    began = time.monotonic()
    each, turns = questions // people // TENTHS, changes // people // TENTHS
    for _ in range(TENTHS):
        with ThreadPoolExecutor(people) as pool:
            visits = [pool.submit(visit, url, n, each, turns) for n in range(people)]
            wrong += [one for done in visits for one in done.result()]
        memory.append(round(memory_mb(pid)))
    return {
        "people": people,
        "questions": each * people * TENTHS,
        "changes": turns * people * TENTHS,
        "seconds": round(time.monotonic() - began),
        "memory_mb": memory,
        "wrong": sorted(set(wrong)),
    }


def restarted(folder: Path) -> list[str]:
    """A tab closed, and the server killed, while it reads 40 files: nothing stored is lost, and the
    next run carries on."""
    from support.apis import api, write

    from core import Workbench

    source = write(
        folder / "specs",
        {f"a{n:02}.json": api(f"A{n}", paths=[f"/p{n}/{k}" for k in range(40)]) for n in range(40)},
    )
    port, store = free_port(), folder / "restarted"
    with server(store, port, "--allow-folders", str(source)) as process:
        url = f"http://127.0.0.1:{port}"
        with closing(Tab(url)) as tab:
            tab.run("ingest")
            tab.run("ingest", text=("place", str(source)))
            tab.run("ingest", text=("place", str(source)), press="Ingest")
        with closing(Tab(url)) as another:
            seen = another.run("ingest")
        leaks = (
            ["another session is told the files of a job"]
            if re.search(r"\ba\d\d\.json", seen)
            else []
        )
        leaks += [] if "Started by another session" in seen else ["a job is not shown to others"]
        until = time.monotonic() + PATIENCE
        while _files(store) <= SAMPLES and time.monotonic() < until:
            time.sleep(0.05)
        process.kill()
    with Workbench.open(store) as workbench:
        before = {entry.file for entry in workbench.catalog()}
        for _ in workbench.ingest([source]):
            pass
        after = {entry.file for entry in workbench.catalog()}
    kept = before <= after and {f"a{n:02}.json" for n in range(40)} <= after
    print(f"killed with {len(before)} APIs stored; {len(after)} after the next run")
    return leaks if kept else [*leaks, "a restart has lost files"]


def _files(store: Path) -> int:
    """How many files the store has now."""
    return len(json.loads((store / "manifest.json").read_text("utf-8"))["specs"])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--questions", type=int, default=2000)
    parser.add_argument("--changes", type=int, default=200)
    given = parser.parse_args(arguments)
    with TemporaryDirectory() as folder:
        store, port = Path(folder) / "store", free_port()
        with server(store, port) as process:
            found = day(
                f"http://127.0.0.1:{port}",
                process.pid,
                people=given.people,
                questions=given.questions,
                changes=given.changes,
            )
        found["wrong"] += restarted(Path(folder))
    for name, value in found.items():
        print(f"{name:12} {value}")
    print(json.dumps(found))
    return 1 if found["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
