"""Who puts rows into Chroma and reads them: this process, or another one beside it.

Chroma lets no other thread of its process run while it adds (measured: 1 % of a core is left),
so cutting and embedding the next specifications beside it takes a second process. It also keeps an
app responsive that ingests in one of its threads, and alive when a damaged file makes Chroma crash.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from core.errors import StoreDamaged, StoreError
from core.index.chroma.client import LocalChroma
from core.index.chroma.collection import ChunkCollection
from core.index.chroma.rows import Rows
from core.index.chroma.seal import seal
from core.index.chroma.watch import Watch
from core.index.disk.lock import ROWS, locked

_LAST_BATCH_SECONDS = 50  # what is left of a killed run ends after the batch that it is adding
_TOLD = (0, 1, -2, -9, -15)  # ends that are no crash: its own, an interrupt, a kill


class Reader(Protocol):
    def of_file(self, file_id: str) -> Iterator[Rows]:
        """All rows of a file with their vectors, in batches. Raises StoreError."""

    def close(self) -> None: ...


class Writer(Reader, Protocol):
    def replace(self, file_ids: Collection[str], rows: Rows) -> Iterator[int]:
        """Delete the rows of these files and add others; yields how many are added so far.

        Raises StoreError.
        """

    def keep_only(self, file_ids: Collection[str]) -> None:
        """Delete the rows of all other files."""


class LocalWriter:
    """Adds in this process."""

    def __init__(self, store: Path, name: str, embedder: str) -> None:
        with ExitStack() as stack:
            stack.enter_context(locked(store, ROWS, seconds=_LAST_BATCH_SECONDS))
            self._rows = ChunkCollection(
                LocalChroma(store / "chroma", create=True), name, embedder=embedder, create=True
            )
            stack.callback(_sealed, store)  # once Chroma is closed, before anybody else writes
            stack.callback(self._rows.close)
            self._open = stack.pop_all()

    def replace(self, file_ids: Collection[str], rows: Rows) -> Iterator[int]:
        return self._rows.replace(file_ids, rows)

    def of_file(self, file_id: str) -> Iterator[Rows]:
        return self._rows.of_file(file_id)

    def keep_only(self, file_ids: Collection[str]) -> None:
        self._rows.delete_others(file_ids)

    def close(self) -> None:
        self._open.close()


def _sealed(store: Path) -> None:
    with suppress(StoreError):  # without a seal the next look is slower, and nothing is lost
        seal(store)


class LocalReader:
    """Reads in this process."""

    def __init__(self, store: Path, name: str, embedder: str) -> None:
        self._rows = ChunkCollection(LocalChroma(store / "chroma"), name, embedder=embedder)
        self.close = self._rows.close

    def try_all(self) -> None:
        """Ask whatever is asked of Chroma, so that it crashes here if it does."""
        self._rows.try_all()

    def of_file(self, file_id: str) -> Iterator[Rows]:
        return self._rows.of_file(file_id)


class _Process:
    """Another process, which ends with this one. Take each answer to its end."""

    def __init__(self, role: str, store: Path, name: str, embedder: str) -> None:
        self._store = store
        root = str(Path(__file__).parents[3])
        paths = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", __name__, role, str(store), name, embedder],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": paths},
            start_new_session=True,  # an interrupt from the keyboard is for this process to handle
        )
        assert self._process.stdin
        assert self._process.stdout
        self._commands, self._answered = self._process.stdin, self._process.stdout
        self._watch = Watch(self._process)

    def of_file(self, file_id: str) -> Iterator[Rows]:
        return self._call("of_file", file_id)

    def close(self) -> None:
        with suppress(BrokenPipeError):  # it has ended before
            self._commands.close()
        self._answered.close()
        with self._watch.waiting():
            self._process.wait()
        self._watch.close()

    def _call(self, name: str, *arguments: Any) -> Iterator[Any]:
        # `suppress`: it has ended; its answers say why
        with suppress(BrokenPipeError), self._watch.waiting():
            pickle.dump((name, arguments), self._commands, pickle.HIGHEST_PROTOCOL)
            self._commands.flush()
        while True:
            try:
                with self._watch.waiting():
                    kind, value = pickle.load(self._answered)
            except (EOFError, pickle.UnpicklingError) as error:
                raise self._ended() from error
            if kind == "end":
                return
            if kind == "error":
                raise value
            yield value

    def _ended(self) -> StoreError:
        self.close()
        status = self._process.returncode
        if self._watch.killed or status not in _TOLD:
            how = "hangs on" if self._watch.killed else "crashed on"
            return StoreDamaged(
                f"Chroma {how} what the store {self._store} holds (status {status}). "
                "`specloupe store check` rebuilds that from the originals and the read index."
            )
        return StoreError(
            f"The process that opens the store {self._store} ended (status {status}). "
            "Run the command again: it repairs what was left half done."
        )


class ProcessWriter(_Process):
    """Adds in a process of its own."""

    def __init__(self, store: Path, name: str, embedder: str) -> None:
        super().__init__("write", store, name, embedder)

    def replace(self, file_ids: Collection[str], rows: Rows) -> Iterator[int]:
        return self._call("replace", tuple(file_ids), rows)

    def keep_only(self, file_ids: Collection[str]) -> None:
        for _ in self._call("keep_only", tuple(file_ids)):
            pass


class ProcessReader(_Process):
    """Reads in a process of its own."""

    def __init__(self, store: Path, name: str, embedder: str) -> None:
        super().__init__("read", store, name, embedder)

    def try_all(self) -> None:
        for _ in self._call("try_all"):
            pass


def serve(
    commands: BinaryIO, answers: BinaryIO, open_rows: Callable[[], LocalWriter | LocalReader]
) -> None:
    """Carry out commands until there are no more; an answer is a pair of a kind and a value."""

    def answer(kind: str, value: object = None) -> None:
        pickle.dump((kind, value), answers, pickle.HIGHEST_PROTOCOL)
        answers.flush()

    with suppress(BrokenPipeError):  # nobody waits for an answer any more
        try:
            with closing(open_rows()) as rows:
                while command := _next(commands):
                    name, arguments = command
                    for value in getattr(rows, name)(*arguments) or ():
                        answer("value", value)
                    answer("end")
        except StoreError as error:
            answer("error", error)  # nothing goes on after it


def _next(commands: BinaryIO) -> tuple[str, tuple[Any, ...]] | None:
    try:
        command: tuple[str, tuple[Any, ...]] = pickle.load(commands)
    except (EOFError, pickle.UnpicklingError):  # closed, or cut off: the other process ended
        return None
    return command


def main() -> None:
    role, store, name, embedder = sys.argv[1:]
    opened = LocalWriter if role == "write" else LocalReader
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints must not fall among the answers
    serve(sys.stdin.buffer, answers, lambda: opened(Path(store), name, embedder))


if __name__ == "__main__":
    main()
