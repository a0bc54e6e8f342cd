"""Have questions written for the elements that have none: kept batch by batch, and never twice."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

import numpy as np

from core.errors import ModelError, StoreDamaged
from core.index.disk.lock import alone
from core.index.embed.embedder import Embedder, Paid
from core.index.embed.paid import PaidOnce
from core.index.second.records import Keys
from core.index.second.table import Table, forget, open_table, write_table
from core.index.snapshot.products import Quantised, quantise
from core.index.snapshot.snapshot import Snapshot
from core.index.snapshot.texts import text_key
from core.index.written.questions import Questions
from core.model import OPERATIONS
from core.where import parse

_BATCH = 256  # texts that are embedded at once
_BUSY = "Questions are being written for this store already: wait until that is done."
_ENDS = ("budget", "paused", "refused")  # why no further text is worth asking for
_ASKED = parse(
    {
        "part": "",
        "$or": [{"type": {"$in": [*OPERATIONS]}}, {"type": "component", "kind": "schemas"}],
    }
)

Write = Callable[[str], Sequence[str]]  # the questions that a text answers; raises ModelError
Said = Sequence[str] | ModelError


@dataclass(frozen=True, slots=True)
class Written:
    """How far it is; every step is kept on the disk."""

    done: int  # texts with questions, of those that may have some
    total: int
    failed: int = 0  # of this run: the model wrote nothing of use for them


def wanted(snapshot: Snapshot) -> Mapping[int, int]:
    """A row of each text of an operation or a schema, by the text's key, in the order of rows."""
    if not snapshot.has_text_keys:
        return {}
    rows = np.flatnonzero(snapshot.mask(_ASKED))
    keys, first = np.unique(snapshot.text_keys[rows], return_index=True)
    pairs = zip(keys.tolist(), rows[first].tolist(), strict=True)
    return dict(sorted(pairs, key=lambda pair: pair[1]))


def missing(folder: Path, snapshot: Snapshot) -> Mapping[int, str]:
    """The texts that nothing was written for yet, by their keys; raises StoreError."""
    known = Questions(folder).keys()
    rows = wanted(snapshot).items()
    return {key: snapshot.text(row) for key, row in rows if key not in known}


def so_far(folder: Path, snapshot: Snapshot) -> Written:
    """How many texts have questions; raises StoreError."""
    keys = wanted(snapshot).keys()
    return Written(len(keys & Questions(folder).keys()), len(keys))


def fill(
    folder: Path,
    snapshot: Snapshot,
    embedder: Embedder,
    write: Write,
    *,
    model: str,
    at_once: int,
) -> Generator[Written, None, None]:
    """Have questions written for each text that has none, `at_once` at a time; yields as it goes.

    Readers see the new ones at the end. Stopped before, or killed, the next call goes on where this
    one was. What was written for texts that the read index does not have any more is forgotten.
    When the model is left alone, or its budget is used up, the ModelError is raised at the end.
    Raises StoreBusy while somebody else does the same, StoreError and EmbeddingError.
    """
    with alone(folder, _BUSY):
        kept, left = Questions(folder), list(missing(folder, snapshot).items())
        now = so_far(folder, snapshot)
        yield now
        try:
            for batch, said in _asked(left, write, at_once):
                new = {k: each for k, each in zip(batch, said, strict=True) if _is_said(each)}
                kept.put(new, model)
                failed = now.failed + len(batch) - len(new)
                yield (now := Written(now.done + len(new), now.total, failed))
                for each in said:
                    if isinstance(each, ModelError) and each.reason in _ENDS:
                        raise each
        finally:
            kept.forget(kept.keys() - wanted(snapshot).keys())
            publish(folder, embedder)


def _asked(
    left: Sequence[tuple[int, str]], write: Write, at_once: int
) -> Iterator[tuple[Sequence[int], Sequence[Said]]]:
    """Batch by batch: keys, and what came of each."""
    with ThreadPoolExecutor(at_once) as threads:
        for start in range(0, len(left), at_once):
            batch = left[start : start + at_once]
            said = list(threads.map(_tried(write), [text for _, text in batch]))
            yield [key for key, _ in batch], said


def publish(folder: Path, embedder: Embedder) -> None:
    """Make the vectors that what is written lacks, and let readers have them all.

    What was embedded before is not embedded again; where that is paid for, what a run that ended
    early has paid for is not, either. Raises EmbeddingError, StoreError.
    """
    said = [(key, text) for key, texts in Questions(folder).all() for text in texts]
    if not said:
        forget(folder)
        return
    keys = np.array([key for key, _ in said], np.uint64)
    texts = np.array([text_key(text) for _, text in said], np.uint64)
    last = _last(folder, embedder.fingerprint)
    if last and np.array_equal(last.keys, keys) and np.array_equal(last.texts, texts):
        return
    asked = PaidOnce(embedder, folder) if isinstance(embedder, Paid) else embedder
    by_key = {key: text for key, (_, text) in zip(texts.tolist(), said, strict=True)}
    vectors = _vectors(by_key, texts, last, asked)
    write_table(folder, embedder.fingerprint, keys, vectors, texts)
    if isinstance(asked, PaidOnce):
        asked.forget()


def lacking(folder: Path, embedder: Embedder) -> Sequence[str]:
    """The written questions that `publish` would embed, each once; raises StoreError."""
    last = _last(folder, embedder.fingerprint)
    known = _rows(last) if last else {}
    said = dict.fromkeys(text for _, texts in Questions(folder).all() for text in texts)
    new = [text for text in said if text_key(text) not in known]
    return PaidOnce(embedder, folder).lacking(new) if isinstance(embedder, Paid) else new


def unsearched(folder: Path, embedder: str) -> int:
    """How many texts have questions, and no vectors for them by the embedder with this fingerprint;
    raises StoreError."""
    table = _last(folder, embedder)
    return len(Questions(folder).keys() - set(np.unique(table.keys).tolist() if table else ()))


def forget_all(folder: Path) -> None:
    """Remove what is written; raises StoreBusy while somebody writes, and StoreError."""
    with alone(folder, _BUSY):
        kept = Questions(folder)
        kept.forget(kept.keys())
        forget(folder)


def _last(folder: Path, embedder: str) -> Table | None:
    """The vectors of the last run by the embedder with this fingerprint."""
    with suppress(StoreDamaged):  # what is damaged is made again
        return open_table(folder, embedder)
    return None


def _rows(table: Table) -> dict[int, int]:
    """A row of each text, by its key."""
    return {key: row for row, key in enumerate(table.texts.tolist())}


def _vectors(
    by_key: Mapping[int, str], wanted: Keys, last: Table | None, embedder: Embedder
) -> Quantised:
    """Those of the wanted texts in their order: from the last table what it has."""
    at = _rows(last) if last else {}
    new = [key for key in by_key if key not in at]
    made = [last.vectors] if last else []
    for start in range(0, len(new), _BATCH):
        texts = [by_key[key] for key in new[start : start + _BATCH]]
        made.append(quantise(embedder.embed(texts)))
    at.update({key: row for row, key in enumerate(new, start=len(last.keys) if last else 0)})
    rows = [at[key] for key in wanted.tolist()]
    return Quantised(
        np.concatenate([each.rows for each in made])[rows],
        np.concatenate([each.scales for each in made])[rows],
    )


def _tried(write: Write) -> Callable[[str], Said]:
    def tried(text: str) -> Said:
        try:
            return write(text)
        except ModelError as error:
            return error

    return tried


def _is_said(said: Said) -> TypeGuard[Sequence[str]]:
    return not isinstance(said, ModelError)
