"""A tiny kind of source, to show that a store can hold another one than API descriptions.

A note is a text file: its first line is its title, each paragraph is a chunk that begins with its
name and a colon, and `see x.note` refers to the first paragraph of another note, or of the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256

from core.errors import SpecError, UnreadableSpec
from core.model import JSON, CatalogEntry, Chunk, ChunkType, Level
from core.read.document import ChunkedSpec, Document, SpecReport
from core.read.limits import Limits
from core.sources.files import Files
from core.sources.kind import Changes, DocumentOf
from core.tokens import TokenCounter

_SEE = re.compile(r"\bsee ([\w/]+\.note)\b")
_LEVELS = (Level.JSON, Level.COMPACT, Level.SIGNATURE)


class Notes:
    name = "notes"
    version = "1"
    endings = (".note",)
    format = "notes"
    is_stored_in_parts = False
    is_of_root = False
    heeds_gitignore = False

    def takes(self, file: str, data: bytes, /) -> bool:
        return file.endswith(self.endings)

    def members(self, data: bytes, file: str, /) -> Iterator[tuple[str, bytes] | SpecError]:
        return iter(())

    def kept(self, data: bytes, file: str, /) -> bytes:
        return data

    def home(self, file: str, /) -> str:
        return ""

    def parse(self, data: bytes, file: str, *, limits: Limits) -> Document:
        if not data.strip():
            raise UnreadableSpec(file, "the note is empty.")
        title, *paragraphs = data.decode().strip().split("\n\n")
        value = {"title": title, "paragraphs": dict(p.split(": ", 1) for p in paragraphs)}
        digest = sha256(data).hexdigest()
        return Document(file, value, digest, len(data), "notes", line_of=lambda pointer: 1)

    def fits(self, parsed: Callable[[], Document | None], /) -> bool:
        document = parsed()
        return document is not None and bool(document.value["paragraphs"])

    def stranger(self, document: Document, mentioned_by: str, /) -> str:
        return "it is a note without a paragraph."

    def links(
        self, data: bytes, parsed: Callable[[], Document], prefix: str = ""
    ) -> tuple[str, ...]:
        return tuple(sorted(set(_SEE.findall(data.decode()))))

    def chunk(
        self,
        group: Mapping[str, Document],
        *,
        tokens: TokenCounter,
        ids: Mapping[str, str],
        files: Files,
    ) -> Iterator[ChunkedSpec]:
        made = {file: list(self._chunks(group[file], group, ids, tokens)) for file in sorted(group)}
        users: dict[str, list[str]] = {}
        for chunk in (chunk for chunks in made.values() for chunk in chunks):
            for target in chunk["ref_ids"]:
                users.setdefault(target, []).append(chunk["id"])
        for file, chunks in made.items():
            if chunks:
                whole = [
                    Chunk(**c, referenced_by=tuple(sorted(users.get(c["id"], ())))) for c in chunks
                ]
                yield self._spec(group[file], ids[file], tuple(whole))

    def _chunks(
        self,
        document: Document,
        group: Mapping[str, Document],
        ids: Mapping[str, str],
        tokens: TokenCounter,
    ) -> Iterator[dict[str, JSON]]:
        for name, text in document.value["paragraphs"].items():
            id = f"{document.file}:notes/{name}"
            firsts = [_first(group[f]) for f in _SEE.findall(text) if f in group]
            shown = self._shown(name, text)
            yield {
                "id": id,
                "element": id,
                "type": ChunkType.DOCUMENT,
                "source_file": ids[document.file],
                "api_title": document.value["title"],
                "name": name,
                "text": f"{name}: {text}",
                "token_count": {Level.ID: 0, **{at: tokens.count(shown[at]) for at in _LEVELS}},
                "content_hash": sha256(f"{id}\0{text}".encode()).hexdigest(),
                "origin": f"{document.file}#/paragraphs/{name}",
                "ref_ids": {target: ("see",) for target in sorted(firsts) if target != id},
            }

    def _spec(self, document: Document, file_id: str, chunks: tuple[Chunk, ...]) -> ChunkedSpec:
        counts = {"paragraphs": len(chunks), "chunks": len(chunks)}
        entry = CatalogEntry(
            file_id=file_id,
            file=document.file,
            name=document.value["title"],
            description="",
            version="",
            domains=(),
            counts=counts,
        )
        report = SpecReport(
            file=document.file,
            file_id=file_id,
            version="",
            loader=document.loader,
            size=document.size,
            counts=counts,
            tokens=sum(chunk.token_count[Level.JSON] for chunk in chunks),
            references=sum(len(chunk.ref_ids) for chunk in chunks),
        )
        shown = [self._shown(c.name, document.value["paragraphs"][c.name]) for c in chunks]
        renderings = tuple((one[Level.COMPACT], one[Level.SIGNATURE]) for one in shown)
        return ChunkedSpec(document, chunks, entry, report, renderings)

    def _shown(self, name: str, text: str) -> Mapping[Level, str]:
        whole = f"note {name}\n{text}\n"
        return {Level.JSON: whole, Level.COMPACT: whole, Level.SIGNATURE: f"note {name}\n"}

    def body(self, chunk: Chunk, document_of: DocumentOf, files: Files) -> JSON:
        document = document_of(chunk.id.partition(":")[0])
        assert document is not None
        return {"note": chunk.name, "says": document.value["paragraphs"][chunk.name]}

    def render(
        self,
        chunk: Chunk,
        body: JSON,
        levels: Sequence[Level],
        document_of: DocumentOf,
        files: Files,
    ) -> Mapping[Level, str]:
        shown = self._shown(chunk.name, body["says"])
        return {level: shown[level] for level in levels}

    def searched(self, compact: str, /) -> str:
        return compact.removeprefix("note ")

    def lines(self, data: bytes, file: str, /) -> Sequence[str]:
        return data.decode().splitlines()

    def title(self, document: Document, /) -> str:
        return str(document.value["title"]).casefold()

    def is_same(self, one: Document, other: Document, /) -> bool:
        return bool(one.value["paragraphs"].keys() & other.value["paragraphs"].keys())

    def changes(self, old: Document, new: Document, /) -> Changes:
        before, after = old.value["paragraphs"], new.value["paragraphs"]
        return Changes(
            added=tuple(sorted(after.keys() - before.keys())),
            removed=tuple(sorted(before.keys() - after.keys())),
            changed=tuple(sorted(n for n in before.keys() & after if before[n] != after[n])),
        )


def _first(document: Document) -> str:
    return f"{document.file}:notes/{next(iter(document.value['paragraphs']))}"
