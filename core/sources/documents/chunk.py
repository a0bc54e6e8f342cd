"""Turn documents into chunks: one for the document, one for each section, more for long ones."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from core.ids import element_id, encode
from core.model import JSON, Chunk, ChunkType, Level
from core.read.document import ChunkedSpec, Document, Lead, SpecReport
from core.read.written import written as canonical
from core.sources.documents import written
from core.sources.documents.outline import Section
from core.sources.documents.pieces import pieces
from core.sources.documents.read import Text
from core.sources.documents.status import Standing, standings
from core.sources.documents.targets import Target, linked, related
from core.sources.files import Files
from core.tokens import TokenCounter

WHOLE = "document"  # the element that stands for its file
BELONGS_TO, REFERENCES, PART = "BELONGS_TO", "REFERENCES", "part"
HISTORY = ("superseded", "deprecated")  # what is of the past

_LEVELS = (Level.JSON, Level.COMPACT, Level.SIGNATURE)


@dataclass(frozen=True, slots=True)
class Piece:
    """One chunk to be: a piece of a section, or of a document's opening."""

    local: str  # its element in the file
    part: str  # "", "part-2", …
    section: Section
    says: str  # Markdown
    text: str  # what is embedded
    full: str
    signature: str


def chunk_documents(
    documents: Mapping[str, Document],
    *,
    tokens: TokenCounter,
    ids: Mapping[str, str],
    files: Files,
) -> Iterator[ChunkedSpec]:
    """The chunks of documents (by file), in the order of their files, with their leads."""
    said = standings(documents, files)
    for file in sorted(documents):
        yield _chunked(documents[file], ids[file], said[file], tokens, files)


def pieces_of(text: Text, status: str) -> Iterator[Piece]:
    """The chunks of a document: of its opening, then of its sections in order."""
    outline, kind = text.outline, text.front.type
    for part, says in _parts(outline.opening):
        first = says if part else ""
        embedded = f"{text.title}\n{first}" if part else written.head_text(text, says)
        full = f"## {text.title}\n\n{says}\n" if part else written.head_full(text, status, says)
        line = written.signature(text.title, kind, status, says)
        yield Piece(WHOLE, part, outline.opening, says, embedded, full, line)
    for section in outline.sections:
        name, below = written.trail(text, section), _below(section, outline.sections)
        for part, says in _parts(section):
            yield Piece(
                f"section/{section.slug}",
                part,
                section,
                says,
                written.section_text(text, section, says, below),
                written.section_full(text, section, says, below),
                written.signature(name, kind, status, says),
            )


def _parts(section: Section) -> Iterator[tuple[str, str]]:
    for number, says in enumerate(pieces(section.blocks), start=1):
        yield (f"part-{number}" if number > 1 else ""), says


def _below(section: Section, sections: Sequence[Section]) -> Sequence[Section]:
    way = (*section.trail, section.title)
    return [each for each in sections if each.trail == way]


def _chunked(
    document: Document, file_id: str, standing: Standing, tokens: TokenCounter, files: Files
) -> ChunkedSpec:
    started = time.perf_counter()
    text: Text = document.value
    made = list(pieces_of(text, standing.status))
    counted = tokens.count_all([t for piece in made for t in (piece.full, piece.signature)])
    pairs = zip(counted[::2], counted[1::2], strict=True)
    chunks = tuple(
        _chunk(document, file_id, standing.status, piece, made, counts)
        for piece, counts in zip(made, pairs, strict=True)
    )
    report = SpecReport(
        file=document.file,
        file_id=file_id,
        version="",
        loader=document.loader,
        size=document.size,
        counts={"sections": len(text.outline.sections), "chunks": len(chunks)},
        tokens=sum(chunk.token_count[Level.JSON] for chunk in chunks),
        references=sum(BELONGS_TO in used for c in chunks for used in c.ref_ids.values()),
        findings=(*document.findings, *standing.findings),
        seconds=time.perf_counter() - started,
    )
    return ChunkedSpec(
        document,
        chunks,
        None,
        report,
        tuple(_shown(chunk, piece) for chunk, piece in zip(chunks, made, strict=True)),
        tuple(_leads(document, files)),
        _anchors(text),
    )


def _anchors(text: Text) -> Mapping[str, str]:
    """Other names that links may have for the elements; of several elements the first has one."""
    opening = (text.outline.slug, *text.outline.opening.anchors)
    found = dict.fromkeys(filter(None, opening), WHOLE)
    for section in text.outline.sections:
        for name in section.anchors:
            found.setdefault(name, f"section/{section.slug}")
    return found


def _chunk(
    document: Document,
    file_id: str,
    status: str,
    piece: Piece,
    made: Sequence[Piece],
    counts: tuple[int, int],
) -> Chunk:
    text: Text = document.value
    front, section = text.front, piece.section
    element = element_id(document.file, piece.local)
    id = f"{element}:{piece.part}" if piece.part else element
    is_whole = piece.local == WHOLE
    full, short = counts
    levels = zip(_LEVELS, accumulate((full, full, short), min), strict=True)
    subsystem = (f"subsystem:{front.subsystem}",) if front.subsystem else ()
    facts = {
        "last_updated": front.updated,
        "document": front.id,
        "subsystem": front.subsystem,
        "lines": f"{section.line}-{section.end}",
    }
    return Chunk(
        id=id,
        element=element,
        type=ChunkType.DOCUMENT,
        source_file=file_id,
        part=piece.part,
        component_kind=front.type,
        api_title=text.title,
        api_version=front.version,
        path="" if is_whole else written.trail(text, section),
        name=text.title if is_whole else section.title,
        tags=(*subsystem, *front.tags),
        deprecated=status in HISTORY,
        status=status,
        facts={name: said for name, said in facts.items() if said},
        text=piece.text,
        token_count={Level.ID: 0, **dict(levels)},
        content_hash=_hash(
            id, file_id, status, front.version, canonical(dict(front.values)), piece
        ),
        origin=f"{encode(document.file, '#')}#L{section.line}-L{section.end}",
        ref_ids=dict(sorted(_own_refs(document.file, piece, made).items())),
        referenced_by=tuple(sorted(_own_users(document.file, piece, made))),
    )


def _own_refs(file: str, piece: Piece, made: Sequence[Piece]) -> Mapping[str, tuple[str, ...]]:
    """An element refers to its parts, a section to its document."""
    if piece.part:
        return {}
    element = element_id(file, piece.local)
    parts = {
        f"{element}:{each.part}": (PART,)
        for each in made
        if each.local == piece.local and each.part
    }
    whole = {} if piece.local == WHOLE else {element_id(file, WHOLE): (BELONGS_TO,)}
    return {**parts, **whole}


def _own_users(file: str, piece: Piece, made: Sequence[Piece]) -> Iterator[str]:
    if piece.part:
        yield element_id(file, piece.local)
    elif piece.local == WHOLE:
        yield from (
            element_id(file, each.local) for each in made if each.local != WHOLE and not each.part
        )


def _leads(document: Document, files: Files) -> Iterator[Lead]:
    """What the front matter and the links of a document refer to."""
    text, file, prefix = document.value, document.file, files.prefix(document.file)
    whole = element_id(file, WHOLE)
    for each in text.front.relations:
        yield _lead(whole, related(each, file, prefix), each.label, each.target, each.line)
    for section in (text.outline.opening, *text.outline.sections):
        local = f"section/{section.slug}" if section.slug else WHOLE
        for link in section.links:
            target = linked(link, file, prefix)
            if target and not (target.is_elsewhere and not files.called(target.names, file)):
                yield _lead(element_id(file, local), target, REFERENCES, link.target, link.line)


def _lead(chunk_id: str, target: Target, label: str, ref: str, line: int) -> Lead:
    return Lead(chunk_id, target.names, target.place, label, ref, line, target.missing)


def _shown(chunk: Chunk, piece: Piece) -> tuple[str, str]:
    """Compact and signature; of two as short the fuller one."""
    count = chunk.token_count
    is_short = count[Level.SIGNATURE] < count[Level.COMPACT]
    return piece.full, piece.signature if is_short else piece.full


def _hash(id: str, file_id: str, status: str, version: str, front: str, piece: Piece) -> str:
    said = "\0".join((id, file_id, status, version, front, piece.text, piece.full))
    return hashlib.blake2b(said.encode(errors="surrogatepass"), digest_size=16).hexdigest()


def body_of(chunk: Chunk, document: Document) -> dict[str, JSON]:
    """All that a chunk of a document says."""
    text: Text = document.value
    piece = find(chunk, document)
    said: dict[str, JSON] = {"title": text.title}
    if piece.local == WHOLE and not piece.part:
        said |= {"front_matter": dict(text.front.values), "status": chunk.status}
        said["sections"] = [section.title for section in text.outline.sections]
    else:
        said["path"] = written.trail(text, piece.section)
    return {**said, "text": piece.says}


def rendered(chunk: Chunk, document: Document) -> tuple[str, str]:
    """Compact form and signature of a chunk."""
    return _shown(chunk, find(chunk, document))


def find(chunk: Chunk, document: Document) -> Piece:
    """What a chunk was made from."""
    for piece in pieces_of(document.value, chunk.status):
        if (element_id(document.file, piece.local), piece.part) == (chunk.element, chunk.part):
            return piece
    raise KeyError(chunk.id)
