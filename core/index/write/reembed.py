"""Convert a store to another embedder, from the texts that it holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace

from core.errors import StoreError
from core.index.chroma.rows import Rows
from core.index.chroma.whole import weighed
from core.index.disk.manifest import Manifest, write_manifest
from core.index.embed.embedder import Embedder
from core.index.embed.paid import PaidOnce
from core.index.snapshot import build
from core.index.store import Store
from core.index.write.priced import once, told
from core.index.write.report import IngestEvent, Phase
from core.tokens import counter

_ENCODING = "cl100k_base"  # of the embedders that are paid for


def reembed(
    store: Store, *, embedder: Embedder, beside: Sequence[str] = ()
) -> Iterator[IngestEvent]:
    """Embed every text anew and switch over at the end; yields an event a file.

    Where the embedder is paid for, the first event says what that costs, with the texts `beside`,
    which the caller embeds in the end. The store answers with its old vectors until then, and also
    when this is interrupted. Raises StoreError, also where its rows cannot be read, and
    EmbeddingError.
    """
    with store.place.writing(rows=True), Store.open(store.place) as newest:
        if not newest.is_whole:
            raise StoreError(
                f"A run over the store {store.name} was interrupted: "
                "complete it with `specloupe ingest` first."
            )
        if newest.is_empty:
            return  # it takes the embedder of the first run
        is_other, embedder = newest.embedder != embedder.fingerprint, once(newest, embedder)
        if isinstance(embedder, PaidOnce):
            yield from _priced(newest, embedder, beside, whole=is_other)
        if is_other:
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
    if isinstance(embedder, PaidOnce):
        embedder.forget()
    store.place.seal()
    store.close()


def _priced(
    store: Store, embedder: PaidOnce, beside: Sequence[str], *, whole: bool
) -> Iterator[IngestEvent]:
    """What the texts cost, of the store as a `whole` or `beside` it alone."""
    texts = dict.fromkeys(beside)
    entries = store.manifest.entries.values() if whole else ()
    for entry in entries:
        for rows in store.texts(entry.file_id):
            texts.update(dict.fromkeys(rows.texts))
    if lacking := embedder.lacking(list(texts)):
        tokens = sum(counter(_ENCODING).count_all(lacking))
        yield told(embedder, len(lacking), tokens, done=0, total=len(entries))
