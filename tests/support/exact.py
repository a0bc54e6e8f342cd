"""Read indexes of random texts, each twice: with near cosines, and with exact ones of all rows."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from support.samples import EMBED
from support.sources import MemorySource, component, operation

from core.index.embed.hashed import HashEmbedder
from core.index.second.fill import fill
from core.index.second.look import StoredLook
from core.index.second.second import SecondModel
from core.index.second.table import open_table
from core.index.snapshot.build import current
from core.index.snapshot.snapshot import Snapshot
from core.model import Chunk
from core.retrieve.reader import Vectors

WORDS = """account address alert archive balance basket bill booking branch build calendar campaign
card cart charge claim client comment contact coupon customer delivery device discount document
driver email event export feed fee file folder group hotel image invoice item job key label ledger
list location map member message meter note offer order page parcel payment permission photo plan
player policy price product profile project quote refund region rent report request review role room
route rule sale schedule search seat sensor session shift shop signal site snapshot stock store
subscription supplier survey tag task team tenant ticket token tour track transfer trip user vehicle
vendor version video visit voucher wallet warehouse webhook zone""".split()  # noqa: SIM905
METHODS = ("get", "post", "put", "delete")


class ExactSnapshot(Snapshot):
    """One whose cosines are all exact."""

    def cosines(self, vectors: Vectors, /, *, threads: int = 1) -> Vectors:
        found = self.exact_cosines(np.arange(len(self)), np.atleast_2d(vectors))
        return found if vectors.ndim > 1 else found[0]


@dataclass(frozen=True)
class Both:
    """The same rows, with near cosines and with exact ones."""

    near: Snapshot
    exact: Snapshot

    def with_look(self, look: StoredLook | None) -> Both:
        return Both(*(each.with_looks(look, None) for each in (self.near, self.exact)))


def random_chunks(rows: int, files: int, seed: int = 5) -> Iterator[Chunk]:
    """Operations and the components that they refer to."""
    chance, schema = random.Random(seed), ""
    for number in range(rows):
        file, words = f"api{number % files}.json", chance.choices(WORDS, k=6)
        text = " ".join(words)
        if number // files % 4:
            made = component(file, f"{words[0]}{words[1].title()}{number}", text=text)
            schema = made.id
        else:
            made = operation(file, f"{words[0]}/{{{words[1]}_id}}/n{number}", text=text)
            refs = {schema: ("response",)} if schema.startswith(f"{file}:") else {}
            made = replace(made, method=chance.choice(METHODS).upper(), ref_ids=refs)
        yield made


@contextmanager
def both_of(rows: int, files: int) -> Iterator[Both]:
    """Of random texts."""
    chunks = list(random_chunks(rows, files))
    vectors = EMBED([chunk.text for chunk in chunks])
    source = MemorySource(list(zip(chunks, vectors, strict=True)), dimensions=vectors.shape[1])
    with TemporaryDirectory() as folder:
        near = current(Path(folder), source)
        exact = near.with_looks(None, None)
        exact.__class__, exact.derived = ExactSnapshot, {}
        yield Both(near, exact)


def looks(snapshot: Snapshot, folder: Path) -> dict[str, StoredLook | None]:
    """None, one that embeds a few rows now, and one of all rows."""
    model = HashEmbedder()
    list(fill(folder, snapshot, model))
    tables = {"made now": None, "stored": open_table(folder, model.fingerprint)}
    made = {name: StoredLook(snapshot, table, SecondModel(model)) for name, table in tables.items()}
    return {"off": None, **made}
