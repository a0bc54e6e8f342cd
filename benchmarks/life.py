"""What a store must hold after each step of its life: shared by the torture and by a property test.

A unit is one file, or two that are linked; each has versions that say which they are. The model
knows which versions of a unit the store may hold: after a run that came to its end one, after one
that was killed the old one and the new one.
"""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from core import Workbench
from core.errors import SpecloupeError
from core.evaluate.sets import sets
from core.evaluate.sets.sample import Sample
from core.index.check import State, check
from core.index.chroma.place import place_of
from core.index.disk.manifest import restore
from core.index.embed.hashed import HashEmbedder
from core.index.snapshot.snapshot import Snapshot
from core.index.store import Store
from core.model import Chunk
from core.read.document import Document
from core.settings import Settings
from core.sources.openapi.chunk import chunk_specs
from core.sources.openapi.read import parse
from core.tokens import counter

ABSENT = 0  # the version of a unit that the store does not have
UNITS = ("bank", "cinema", "linked", "shop", "stock")
SETTINGS = Settings.from_values({"embedder": "hash", "timeout_ms": 600_000, "log_stats": False})
_BIG, _SCHEMAS = "stock", 1_100  # enough that Chroma saves its own index of vectors

Label = tuple[int | None, bool]  # the thumb of an operation, and whether it is in the golden set
_QUESTION = "read the {unit}"

Documents = Mapping[str, dict[str, Any]]


class Broken(AssertionError):
    """The store does not hold what it must."""


def documents(unit: str, version: int) -> Documents:
    """The files of a unit at a version."""
    if unit == "linked":
        ref = {"$ref": "linked-common.json#/components/schemas/Id"}
        common = {"components": {"schemas": {"Id": {"type": "string", "title": f"v{version}"}}}}
        main = _api(unit, version, {"Thing": {"type": "object", "properties": {"id": ref}}})
        return {"linked-common.json": common, "linked.json": main}
    count = _SCHEMAS if unit == _BIG else 1 + version % 3
    schemas = {f"S{n}": {"type": "object", "title": f"{unit} {n} v{version}"} for n in range(count)}
    return {f"{unit}.json": _api(unit, version, schemas)}


def _api(unit: str, version: int, schemas: Mapping[str, Any]) -> dict[str, Any]:
    name = next(iter(schemas))
    answer = {"schema": {"$ref": f"#/components/schemas/{name}"}}
    responses = {"200": {"description": "ok", "content": {"application/json": answer}}}
    operation = {"summary": f"Read {unit} as of v{version}", "responses": responses}
    return {
        "openapi": "3.0.3",
        "info": {"title": unit.title(), "version": str(version)},
        "paths": {f"/{unit}/v{version}": {"get": operation}},
        "components": {"schemas": dict(schemas)},
    }


def chunks(unit: str, version: int) -> dict[str, Chunk]:
    """The chunks of a unit at a version, by id."""
    if version == ABSENT:
        return {}
    read: dict[str, Document] = {
        name: parse(json.dumps(value).encode(), name)
        for name, value in documents(unit, version).items()
    }
    made = chunk_specs(read, tokens=counter(SETTINGS.token_encoding))
    return {chunk.id: chunk for spec in made for chunk in spec.chunks}


@dataclass(slots=True)
class Model:
    """What the sources say, and which versions the store may hold."""

    sources: dict[str, int] = field(default_factory=dict)  # by unit; ABSENT where there is none
    held: dict[str, frozenset[int]] = field(default_factory=dict)
    labels: dict[str, frozenset[Label]] = field(default_factory=dict)  # of a unit's operation

    def ingested(self, *, ended: bool, pruned: bool) -> None:
        for unit in UNITS:
            wanted = self.sources.get(unit, ABSENT)
            before = self.held.get(unit, frozenset({ABSENT}))
            if wanted == ABSENT and not pruned:
                continue
            self.held[unit] = frozenset({wanted}) | (frozenset() if ended else before)

    def settled(self, held: Mapping[str, int], labels: Mapping[str, Label]) -> None:
        """What was looked at and found to be there."""
        self.held = {unit: frozenset({version}) for unit, version in held.items()}
        self.labels = {unit: frozenset({label}) for unit, label in labels.items()}

    def removed(self, unit: str, *, ended: bool) -> None:
        before = self.held.get(unit, frozenset({ABSENT}))
        self.held[unit] = frozenset({ABSENT}) | (frozenset() if ended else before)

    def labelled(self, unit: str, thumb: int | None, *, ended: bool) -> None:
        # a thumb and a golden question are written one after the other
        golden = thumb == 1
        before = self.labels.get(unit, frozenset({(None, False)}))
        between = {(thumb, had) for _, had in before}
        self.labels[unit] = frozenset({(thumb, golden)} | (set() if ended else before | between))


class Life:
    """A store, its sources, and the model of both."""

    def __init__(self, folder: Path) -> None:
        self.store, self.source = folder / "store", folder / "apis"
        self.model = Model()
        self.source.mkdir(parents=True, exist_ok=True)

    # What happens to the sources

    def put(self, unit: str, version: int) -> None:
        for name, value in documents(unit, version).items():
            (self.source / name).write_text(json.dumps(value), encoding="utf-8")
        self.model.sources[unit] = version

    def take_away(self, unit: str) -> None:
        for name in documents(unit, 1):
            (self.source / name).unlink(missing_ok=True)
        self.model.sources[unit] = ABSENT

    @contextmanager
    def sources_away(self) -> Iterator[None]:
        """As when the store is on another machine by now."""
        away = self.source.with_name("away")
        self.source.rename(away)
        try:
            yield
        finally:
            away.rename(self.source)

    # What is done with the store; each may be killed

    def workbench(self) -> Workbench:
        return Workbench.open(self.store, settings=SETTINGS)

    def ingest(self, *, prune: bool = False, events: int | None = None) -> None:
        """Of a run that is given up, only so many events are heard."""
        with (
            self.workbench() as workbench,
            closing(workbench.ingest([self.source], prune=prune)) as run,
        ):
            for _ in islice(run, events):
                pass

    def remove(self, unit: str) -> None:
        with self.workbench() as workbench:
            known = set(workbench.reports())
            ids = [name.removesuffix(".json") for name in documents(unit, 1)]
            for _ in workbench.remove([id for id in ids if id in known]):
                pass

    def rebuild(self) -> None:
        with self.workbench() as workbench:
            for _ in workbench.rebuild():
                pass

    def convert(self) -> None:
        """To an embedder of other vectors, and back."""
        from core.index.write.reembed import reembed

        for embedder in (Shorter(), HashEmbedder()):
            with Store.open(self.store) as store:
                for _ in reembed(store, embedder=embedder):
                    pass

    def label(self, unit: str, thumb: int | None) -> None:
        """A thumb up also makes a golden question."""
        query, element = _QUESTION.format(unit=unit), f"{unit}:any"
        with self.workbench() as workbench:
            workbench.kept.give_thumb(query, element, thumb)
            if thumb == 1:
                workbench.kept.keep_golden(Sample("", query, relevant=(element,)))
            else:
                workbench.kept.forget_golden(query)

    def query(self) -> None:
        with self.workbench() as workbench:
            if not workbench.is_empty:
                workbench.retrieve("read the bank")

    def evaluate(self, *, depths: tuple[int, ...] = (1,)) -> None:
        with self.workbench() as workbench:
            found = [c for c in workbench.chunks() if c.method] if not workbench.is_empty else []
            if not found:
                return
            sample = {"id": "a", "query": found[0].text[:60], "relevant": [found[0].element]}
            path = self.source.parent / "eval.json"
            path.write_text(json.dumps({"samples": [sample]}), encoding="utf-8")
            for depth in depths:
                *_, run = workbench.evaluate([sets.read(path)], ragas=False, max_depth=depth)
                workbench.runs.save(run)

    def mend(self) -> None:
        """With what the store has, and what the sources have; nothing is read again."""
        restore(place_of(self.store).files)
        self._convert_back()
        with self.workbench() as workbench:
            for _ in workbench.repair():
                pass

    def _convert_back(self) -> None:
        """Of a conversion that was killed, the first half is a whole store with an embedder that
        is not that of the settings."""
        from core.index.write.reembed import reembed

        with Store.open(self.store) as store:
            if not store.is_empty and store.embedder == Shorter().fingerprint:
                for _ in reembed(store, embedder=HashEmbedder()):
                    pass

    # What must be there

    def labels(self) -> dict[str, Label]:
        """What people said of each unit; raises Broken when it is not what they said."""
        with self.workbench() as workbench:
            golden = workbench.kept.golden()
            asked = {sample.query for sample in golden.samples} if golden else set()
            return {unit: self._label(workbench, unit, asked) for unit in UNITS}

    def _label(self, workbench: Workbench, unit: str, golden: Collection[str]) -> Label:
        query = _QUESTION.format(unit=unit)
        found = (workbench.kept.thumbs(query).get(f"{unit}:any"), query in golden)
        allowed = self.model.labels.get(unit, frozenset({(None, False)}))
        if found not in allowed:
            raise Broken(f"{unit}: labelled {found}, which is none of {set(allowed)}")
        return found

    def held(self) -> dict[str, int]:
        """The version that the store holds of each unit; raises Broken when it is none that it
        may hold, or when any part of the store is not whole."""
        try:
            return self._held()
        except SpecloupeError as error:
            raise Broken(f"the store cannot be read: {error}") from error

    def _held(self) -> dict[str, int]:
        with Store.open(self.store) as store:
            if store.is_empty:
                found: dict[str, Chunk] = {}
            else:
                wrong = [f for f in check(store) if f.state is not State.WHOLE]
                if wrong:
                    raise Broken(f"after mending: {wrong}")
                everything = [
                    c
                    for entry in store.manifest.entries.values()
                    for c in store.chunks_of(entry.file_id)
                ]
                found = {chunk.id: chunk for chunk in everything}
                if store.count() != len(found):
                    raise Broken(f"{store.count()} rows, {len(found)} chunks")
                self._check_index(store, found)
        return {unit: self._version(unit, found) for unit in UNITS}

    def _version(self, unit: str, found: Mapping[str, Chunk]) -> int:
        names = tuple(f"{name}:" for name in documents(unit, 1))
        own = {id: chunk for id, chunk in found.items() if id.startswith(names)}
        allowed = self.model.held.get(unit, frozenset({ABSENT}))
        for version in sorted(allowed):
            if own == expected(unit, version):
                return version
        raise Broken(f"{unit}: {len(own)} chunks, of none of the versions {sorted(allowed)}")

    def _check_index(self, store: Store, found: Mapping[str, Chunk]) -> None:
        snapshot = Snapshot.open(store.index, rendering=store.rendering)
        if snapshot.generation != store.generation or set(snapshot.ids) != set(found):
            raise Broken("the read index is not that of the store")
        ids = sorted(found)
        if snapshot.chunks(ids) != {id: found[id] for id in ids}:
            raise Broken("the read index and Chroma disagree")
        wanted = HashEmbedder().embed([found[id].text for id in ids])
        rows = [row for id in ids if (row := snapshot.row(id)) is not None]
        if not np.allclose(snapshot.vectors[rows], wanted, atol=1e-4):
            raise Broken("the read index has other vectors than the texts have")
        store.body(found[ids[0]])
        store.catalog()

    def settle(self) -> None:
        """Mend, look, and remember what is there."""
        self.mend()
        self.model.settled(self.held(), self.labels())


class Shorter(HashEmbedder):
    """The same in fewer dimensions: another embedder, as far as a store is concerned."""

    dimensions = 64


_EXPECTED: dict[tuple[str, int], dict[str, Chunk]] = {}


def expected(unit: str, version: int) -> dict[str, Chunk]:
    if (unit, version) not in _EXPECTED:
        _EXPECTED[unit, version] = chunks(unit, version)
    return _EXPECTED[unit, version]


# What can go wrong with the files of a store


def lose(name: str) -> Callable[[Path, random.Random], None]:
    def damage(store: Path, _: random.Random) -> None:
        path = store / name
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)

    return damage


def flip(pattern: str) -> Callable[[Path, random.Random], None]:
    """Change some bytes of one file."""

    def damage(store: Path, chance: random.Random) -> None:
        files = sorted(p for p in store.glob(pattern) if p.is_file() and p.stat().st_size)
        if files:
            path = chance.choice(files)
            data = bytearray(path.read_bytes())
            for _ in range(chance.choice((1, 64))):
                data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
            path.write_bytes(data)

    return damage


def cut(pattern: str) -> Callable[[Path, random.Random], None]:
    """Leave the first half of one file."""

    def damage(store: Path, chance: random.Random) -> None:
        files = sorted(p for p in store.glob(pattern) if p.is_file() and p.stat().st_size)
        if files:
            path = chance.choice(files)
            path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])

    return damage


DAMAGES: Mapping[str, Callable[[Path, random.Random], None]] = {
    "lose chroma": lose("chroma"),
    "lose specs": lose("specs"),
    "lose index": lose("index"),
    "lose manifest": lose("manifest.json"),
    "lose its copy": lose("manifest.copy.json"),
    "flip specs": flip("specs/*.zst"),
    "flip index": flip("index/*/*"),
    "flip manifest": flip("manifest.json"),
    "flip hnsw": flip("chroma/*/*"),
    "flip sqlite": flip("chroma/chroma.sqlite3"),
    "cut specs": cut("specs/*.zst"),
    "cut index": cut("index/*/*"),
    "cut manifest": cut("manifest.json"),
    "cut hnsw": cut("chroma/*/*"),
    "cut sqlite": cut("chroma/chroma.sqlite3"),
}
