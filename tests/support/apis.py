"""Small API descriptions, and stores that are filled with them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.index.embed.embedder import Embedder
from core.index.embed.hashed import HashEmbedder
from core.index.store import Store
from core.index.write.ingest import ingest
from core.index.write.report import IngestEvent, IngestReport
from core.model import JSON, Chunk


class Letters:
    """Counts a token for every four characters."""

    def count(self, text: str, /) -> int:
        return len(text) // 4

    def count_all(self, texts: Sequence[str], /) -> list[int]:
        return [self.count(text) for text in texts]


def api(
    title: str = "Shop",
    *,
    paths: Iterable[str] = ("/users",),
    schemas: Mapping[str, Any] | None = None,
) -> dict[str, JSON]:
    """An API with a GET and a POST on each path, both of which use every schema."""
    schemas = {"User": {"type": "object"}} if schemas is None else schemas
    refs = [{"$ref": f"#/components/schemas/{name}"} for name in schemas]
    answer = {"description": "ok", "content": {"application/json": {"schema": {"anyOf": refs}}}}
    operations = {
        path: {
            "get": {"summary": f"Read {path} of {title}", "responses": {"200": answer}},
            "post": {"summary": f"Write {path} of {title}", "responses": {"201": answer}},
        }
        for path in paths
    }
    return {
        "openapi": "3.0.3",
        "info": {"title": title, "version": "1"},
        "paths": operations,
        "components": {"schemas": dict(schemas)},
    }


def write(folder: Path, files: Mapping[str, JSON | str]) -> Path:
    """Put documents into a folder; text stays as it is."""
    for name, value in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return folder


def fill(
    store: Path | Store, *sources: Any, embedder: Embedder | None = None, **options: Any
) -> IngestReport:
    """Ingest, and return the report."""
    return run(store, *sources, embedder=embedder, **options)[1]


def run(
    store: Path | Store, *sources: Any, embedder: Embedder | None = None, **options: Any
) -> tuple[list[IngestEvent], IngestReport]:
    """Ingest, and return the events and the report."""
    target = store if isinstance(store, Store) else Store.open(store)
    *events, report = ingest(
        target, sources, embedder=embedder or HashEmbedder(), tokens=Letters(), **options
    )
    assert isinstance(report, IngestReport)
    return [event for event in events if isinstance(event, IngestEvent)], report


def contents(path: Path) -> dict[str, Chunk]:
    """Every chunk that Chroma holds, whatever the manifest says, by id."""
    with Store.open(path) as store:
        rows = store._rows
        ids = rows._rows.get(include=[])["ids"]
        found = store.chunks(ids)
        assert len(found) == len(ids) == rows.count()
        return dict(sorted(found.items()))
