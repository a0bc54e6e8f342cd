"""Who puts rows into Chroma: this process, or another one while this one prepares the next.

Chroma lets no other thread of its process run while it adds (measured: 1 % of a core is left),
so cutting and embedding the next specifications beside it takes a second process. It also keeps an
app responsive that ingests in one of its threads.
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

from core.errors import StoreError
from core.index.chroma.client import LocalChroma
from core.index.chroma.collection import ChunkCollection
from core.index.chroma.rows import Rows
from core.index.write.lock import ROWS, locked

_LAST_BATCH_SECONDS = 30  # what is left of a killed run ends after the batch that it is adding


class Writer(Protocol):
    def replace(self, file_ids: Collection[str], rows: Rows) -> Iterator[int]:
        """Delete the rows of these files and add others; yields how many are added so far.

        Raises StoreError.
        """

    def of_file(self, file_id: str) -> Iterator[Rows]:
        """All rows of a file with their vectors, in batches."""

    def close(self) -> None: ...


class LocalWriter:
    """Adds in this process."""

    def __init__(self, store: Path, name: str, embedder: str) -> None:
        with ExitStack() as stack:
            stack.enter_context(locked(store, ROWS, seconds=_LAST_BATCH_SECONDS))
            self._rows = ChunkCollection(
                LocalChroma(store / "chroma"), name, embedder=embedder, create=True
            )
            stack.callback(self._rows.close)
            self._open = stack.pop_all()

    def replace(self, file_ids: Collection[str], rows: Rows) -> Iterator[int]:
        return self._rows.replace(file_ids, rows)

    def of_file(self, file_id: str) -> Iterator[Rows]:
        return self._rows.of_file(file_id)

    def close(self) -> None:
        self._open.close()


class ProcessWriter:
    """Adds in a process of its own, which ends with this one. Take each answer to its end."""

    def __init__(self, store: Path, name: str, embedder: str) -> None:
        root = str(Path(__file__).parents[3])
        paths = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", __name__, str(store), name, embedder],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": paths},
            start_new_session=True,  # an interrupt from the keyboard is for this process to handle
        )
        assert self._process.stdin
        assert self._process.stdout
        self._commands, self._answered = self._process.stdin, self._process.stdout

    def replace(self, file_ids: Collection[str], rows: Rows) -> Iterator[int]:
        return self._call("replace", tuple(file_ids), rows)

    def of_file(self, file_id: str) -> Iterator[Rows]:
        return self._call("of_file", file_id)

    def close(self) -> None:
        with suppress(BrokenPipeError):  # it has ended before
            self._commands.close()
        self._answered.close()
        self._process.wait()

    def _call(self, name: str, *arguments: Any) -> Iterator[Any]:
        with suppress(BrokenPipeError):  # it has ended; its answers say why
            pickle.dump((name, arguments), self._commands, pickle.HIGHEST_PROTOCOL)
            self._commands.flush()
        while True:
            try:
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
        return StoreError(
            f"The process that writes the store ended (status {self._process.returncode}). "
            "Run the command again: it mends what was left half done."
        )


def serve(commands: BinaryIO, answers: BinaryIO, open_writer: Callable[[], LocalWriter]) -> None:
    """Carry out commands until there are no more; an answer is a pair of a kind and a value."""

    def answer(kind: str, value: object = None) -> None:
        pickle.dump((kind, value), answers, pickle.HIGHEST_PROTOCOL)
        answers.flush()

    with suppress(BrokenPipeError):  # nobody waits for an answer any more
        try:
            with closing(open_writer()) as writer:
                while command := _next(commands):
                    for value in _carry_out(writer, *command):
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


def _carry_out(writer: LocalWriter, name: str, arguments: tuple[Any, ...]) -> Iterator[Any]:
    return writer.of_file(*arguments) if name == "of_file" else writer.replace(*arguments)


def main() -> None:
    store, name, embedder = sys.argv[1:]
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints must not fall among the answers
    serve(sys.stdin.buffer, answers, lambda: LocalWriter(Path(store), name, embedder))


if __name__ == "__main__":
    main()
