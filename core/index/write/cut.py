"""Make rows of files that belong together: parse, cut into chunks, embed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.errors import NotAnApi, SpecError
from core.index.chroma.rows import Rows, rows_of
from core.index.chroma.whole import state_of, weighed
from core.index.disk.documents import digest
from core.index.disk.facts import Facts, pack_facts
from core.index.disk.journal import Staged
from core.index.disk.manifest import Entry
from core.index.embed.embedder import Embedder
from core.index.store import KEPT, Store
from core.index.write.fresh import Packed
from core.index.write.held import Held
from core.index.write.reading import Reading
from core.model import Api
from core.read.document import ChunkedSpec, SpecReport
from core.read.limits import Limits
from core.sources import registry
from core.sources.files import Files
from core.sources.leads import followed, wanted
from core.tokens import TokenCounter

_REMEMBERED = 50_000  # texts whose vectors are kept, one kilobyte each


@dataclass(frozen=True, slots=True)
class Spec:
    """One file, ready to be stored."""

    staged: Staged
    entry: Entry
    facts: bytes
    rows: Rows | None  # None: the store has them as they are
    report: SpecReport
    packed: Packed | None = None  # the same as `rows`, for the read index


class Cutter:
    """Cuts and embeds; equal texts are embedded once."""

    def __init__(
        self, store: Store, embedder: Embedder, tokens: TokenCounter, limits: Limits
    ) -> None:
        """`limits` hold for what the store does not have yet."""
        self._store, self._embedder, self._tokens = store, embedder, tokens
        self._limits = limits
        self._vectors: dict[str, NDArray[np.float32]] = {}
        self.embedded = 0  # texts

    def cut(
        self,
        group: Sequence[Staged],
        ids: Mapping[str, str],
        files: Files,
        *,
        anew: bool = False,
        lost: Collection[str] = (),
    ) -> Iterator[Sequence[Spec] | SpecError]:
        """A group of files in parts, each to be stored as a whole, and what is refused of it;
        `ids` are the file ids, `files` are those of the store.

        A new version that cannot be read leaves the old one in its place. Rows that the store has
        already are not made again, unless `anew`, or it has `lost` them.
        """
        reading = Reading(self._store, group, KEPT if anew else self._limits)
        made: set[str] = set()
        for part in self._chunked(reading, ids, files):
            made.update(spec.document.file for spec in part)
            yield [self._spec(reading, spec, anew=anew, lost=lost) for spec in part]
        for file in sorted(reading.documents.keys() - made):
            reading.refused[file] = _stranger(file, reading, files)
        yield from reading.refused.values()

    def _chunked(
        self, reading: Reading, ids: Mapping[str, str], files: Files
    ) -> Iterator[Sequence[ChunkedSpec]]:
        """All chunks; what leads lead to is in one part with what they come from."""
        held = self._together(reading, ids, files)
        targets = wanted(held, files)
        for spec in self._one_by_one(reading, ids, files):
            if spec.document.file in targets:
                held.append(spec)
            else:
                yield [spec]
        if held:
            yield followed(held, files)

    def _together(
        self, reading: Reading, ids: Mapping[str, str], files: Files
    ) -> list[ChunkedSpec]:
        """The chunks of what is stored as a whole, made again without each file that is refused on
        the way."""
        while True:
            made: list[ChunkedSpec] = []
            failed: list[SpecError] = []
            for kind, group in reading.by_kind(in_parts=False):
                try:
                    made += kind.chunk(group, tokens=self._tokens, ids=ids, files=files)
                except SpecError as error:
                    failed.append(error)
                except Exception as error:  # a mistake of ours in one must not stop the others
                    failed += [_mistake(file, error) for file in group]
            if not failed:
                return _without_values(made, reading)
            for one in failed:
                reading.refuse(one)

    def _one_by_one(
        self, reading: Reading, ids: Mapping[str, str], files: Files
    ) -> Iterator[ChunkedSpec]:
        """Those of the others, as they are made."""
        for kind, group in reading.by_kind(in_parts=True):
            left = dict.fromkeys(group)
            try:
                for spec in kind.chunk(group, tokens=self._tokens, ids=ids, files=files):
                    left.pop(spec.document.file)
                    yield spec
            except Exception as error:  # as above
                for file in left:
                    reading.give_up(_mistake(file, error))

    def _spec(
        self, reading: Reading, spec: ChunkedSpec, *, anew: bool, lost: Collection[str]
    ) -> Spec:
        staged = reading.files[spec.document.file]
        order = sorted(range(len(spec.chunks)), key=lambda at: spec.chunks[at].id)
        chunks = [spec.chunks[at] for at in order]
        api = (chunks[0].api_title, chunks[0].api_version) if chunks else ("", "")
        rows = rows_of(chunks, api)
        facts = pack_facts(Facts(spec.catalog, spec.report))
        entry = _entry(staged, spec.report, api, rows, digest(facts))
        known = self._store.manifest.entries.get(entry.file)
        is_known = known and (known.file_id, known.state) == (entry.file_id, entry.state)
        if known and is_known and not anew and entry.file not in lost:
            entry = replace(entry, vectors=known.vectors)
            return Spec(staged, entry, facts, None, spec.report)
        rows = replace(rows, vectors=self.embed(rows.texts))
        entry = replace(entry, vectors=weighed([rows]))
        packed = Packed.of(chunks, rows.vectors, [spec.renderings[at] for at in order])
        return Spec(staged, entry, facts, rows, spec.report, packed)

    def forget(self) -> None:
        """Embed texts again that came before."""
        self._vectors.clear()

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Their vectors; a text that came lately is not embedded again."""
        known = self._vectors
        new = [text for text in dict.fromkeys(texts) if text not in known]
        known.update(zip(new, self._embedder.embed(new), strict=True))
        self.embedded += len(new)
        vectors = np.array([known[text] for text in texts], np.float32)
        if len(known) > _REMEMBERED:
            self.forget()
        return vectors.reshape(len(texts), self._embedder.dimensions)


def _entry(staged: Staged, report: SpecReport, api: Api, rows: Rows, facts: str) -> Entry:
    return Entry(
        file=staged.file,
        file_id=report.file_id,
        root=staged.root,
        prefix=staged.prefix,
        original=staged.original,
        size=report.size,
        chunker=registry.named(staged.kind).version,
        state=state_of([rows]),
        facts=facts,
        chunks=len(rows),
        version=report.version,
        api=api,
        counts=report.counts,
        unresolved=len(report.unresolved),
        links=staged.links,
        kind=staged.kind,
    )


def _without_values(made: list[ChunkedSpec], reading: Reading) -> list[ChunkedSpec]:
    """The same without their parsed documents, which take more memory than all that is made of
    them; where one is a stranger, the others are still asked whether they mention it."""
    if reading.documents.keys() != {spec.document.file for spec in made}:
        return made
    reading.documents = Held()
    return [replace(spec, document=replace(spec.document, value=None)) for spec in made]


def _mistake(file: str, error: Exception) -> SpecError:
    return SpecError(
        file,
        f"Specloupe failed on it ({type(error).__name__}: {error}). "
        "Please report this, with the file if you may share it.",
    )


def _stranger(file: str, reading: Reading, files: Files) -> NotAnApi:
    """What refuses a file of which nothing is made."""
    others = (other for other in sorted(reading.documents) if file in files.linked(other))
    fits = {other: _fits(other, reading) for other in others}
    mentioned_by = min(fits, key=lambda other: not fits[other], default="")
    reason = reading.kind_of(file).stranger(reading.documents[file], mentioned_by)
    return NotAnApi(file, reason)


def _fits(file: str, reading: Reading) -> bool:
    return reading.kind_of(file).fits(lambda: reading.documents[file])
