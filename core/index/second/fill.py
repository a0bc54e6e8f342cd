"""Make the second vectors that a store's texts lack: gently, batch by batch, and never twice."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import numpy as np

from core.errors import StoreDamaged
from core.index.disk.lock import alone
from core.index.embed.embedder import Embedder
from core.index.second.records import Keys, Records
from core.index.second.table import open_table, write_table
from core.index.snapshot.products import Quantised, quantise
from core.index.snapshot.snapshot import Snapshot

_BATCH = 64  # texts: a fraction of a second's work, which is all that a kill can lose
_BUSY = "The second vectors of this store are being made already: wait until that is done."
_NICE = 10  # of 19: whoever asks a question goes first


@dataclass(frozen=True, slots=True)
class Filled:
    """How far it is; every step is kept on the disk."""

    done: int  # texts with a second vector
    total: int  # texts
    seconds_left: float | None = None  # at the pace so far; None before the first


def fill(folder: Path, snapshot: Snapshot, embedder: Embedder) -> Generator[Filled, None, None]:
    """Give each text of a read index a vector by this model; yields after each batch.

    Readers see all the new ones at the end. Closed before, or killed, the next call goes on where
    this one was. Texts that the read index does not have any more are forgotten at the end.

    Raises StoreBusy while somebody else fills, StoreError and EmbeddingError.
    """
    with alone(folder, _BUSY):
        name = f"made-{crc32(embedder.fingerprint.encode()):08x}.records"
        records = Records(folder / name, embedder.dimensions)
        keys, vectors = _known(folder, records, embedder)
        wanted, rows = np.unique(snapshot.text_keys, return_index=True)
        missing = ~np.isin(wanted, keys)
        if missing.any():
            texts = zip(wanted[missing].tolist(), rows[missing].tolist(), strict=True)
            yield from _made(sorted(texts, key=lambda each: each[1]), snapshot, embedder, records)
            keys, vectors = _known(folder, records, embedder)
        used = np.isin(keys, wanted)
        if missing.any() or not used.all() or (folder / name).exists():
            kept = Quantised(vectors.rows[used], vectors.scales[used])
            write_table(folder, embedder.fingerprint, keys[used], kept)
            for path in folder.glob("made-*.records"):  # those of another model as well
                path.unlink(missing_ok=True)
        yield Filled(len(wanted), len(wanted), 0.0)


def _known(folder: Path, records: Records, embedder: Embedder) -> tuple[Keys, Quantised]:
    """What is in the table and in the records, each text once."""
    keys, made = records.read()
    table = None
    with suppress(StoreDamaged):  # what is damaged is made again
        table = open_table(folder, embedder.fingerprint)
    if table:
        keys = np.concatenate([table.keys, keys])
        made = Quantised(
            np.concatenate([table.vectors.rows, made.rows]),
            np.concatenate([table.vectors.scales, made.scales]),
        )
    keys, at = np.unique(keys, return_index=True)
    return keys, Quantised(made.rows[at], made.scales[at])


def _made(
    texts: Sequence[tuple[int, int]], snapshot: Snapshot, embedder: Embedder, records: Records
) -> Iterator[Filled]:
    """Embed texts, given by key and row, on all processors but one."""
    total = len(np.unique(snapshot.text_keys))
    began, before = time.monotonic(), total - len(texts)
    yield Filled(before, total)
    embedder.embed(["open the model once, before many threads would"])
    with ThreadPoolExecutor(max(1, _processors() - 1), initializer=_stand_back) as threads:
        for start in range(0, len(texts), _BATCH):
            batch = texts[start : start + _BATCH]
            written = [[snapshot.text(row)] for _, row in batch]
            made = np.concatenate(list(threads.map(embedder.embed, written)))
            records.append([key for key, _ in batch], quantise(made))
            done = start + len(batch)
            left = (time.monotonic() - began) / done * (len(texts) - done)
            yield Filled(before + done, total, left)


def _processors() -> int:
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _stand_back() -> None:
    """Let every other thread go first, where threads have a priority of their own."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
