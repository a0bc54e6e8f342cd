"""Convert a store to another embedder, from the texts that it holds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

from core.errors import StoreError
from core.index.chroma.rows import Rows
from core.index.chroma.whole import weighed
from core.index.disk.manifest import Manifest, write_manifest
from core.index.embed.embedder import Embedder
from core.index.snapshot import build
from core.index.store import Store
from core.index.write.report import IngestEvent, Phase


def reembed(store: Store, *, embedder: Embedder) -> Iterator[IngestEvent]:
    """Embed every text anew and switch over at the end; yields an event a file.

    The store answers with its old vectors until then, and also when this is interrupted. Raises
    StoreError, also where its rows cannot be read, and EmbeddingError.
    """
    with store.place.writing(rows=True), Store.open(store.place) as newest:
        if not newest.is_whole:
            raise StoreError(
                f"A run over the store {store.name} was interrupted: "
                "complete it with `specloupe ingest` first."
            )
        if newest.is_empty:
            return  # it takes the embedder of the first run
        if newest.embedder != embedder.fingerprint:
            yield from _convert(newest, embedder)
        yield IngestEvent("", Phase.INDEX, 0, 0)
        build.current(store.index, newest)


def _convert(store: Store, embedder: Embedder) -> Iterator[IngestEvent]:
    entries = store.manifest.entries
    converted = Manifest(embedder.fingerprint, embedder.dimensions, pace=store.manifest.pace)
    target = store.place.rows(converted.collection, converted.embedder, create=True)
    with closing(target):
        # a conversion that was interrupted may have left rows of files that are gone by now
        target.delete_others([entry.file_id for entry in entries.values()])
        for done, entry in enumerate(entries.values(), start=1):
            stale = [entry.file_id]  # of a conversion that was interrupted
            written: list[Rows] = []
            for rows in store.texts(entry.file_id):
                rows.chunks(store.manifest.apis)  # told before anything depends on it
                vectors = embedder.embed(rows.texts)
                written.append(replace(rows, vectors=vectors))
                for _ in target.replace(stale, written[-1]):
                    pass
                stale = []
            weight = weighed(written) if written else None
            converted = converted.changed(put=[replace(entry, vectors=weight)])
            yield IngestEvent(entry.file, Phase.STORED, done, len(entries), entry.counts)
        before = store.manifest
        write_manifest(store.place.files, converted)
        store.manifest = converted
        target.drop(before.collection)
    store.place.seal()
    store.close()
