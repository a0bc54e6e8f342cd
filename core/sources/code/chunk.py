"""Turn source files into chunks: a module, its classes, functions and methods, each in parts."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from core.ids import element_id, encode
from core.model import JSON, Chunk, ChunkType, Level
from core.read.document import ChunkedSpec, Document, SpecReport
from core.read.pause import no_collection
from core.sources.code.outline import CLASS, FUNCTION, METHOD, MODULE, Definition, Outline
from core.sources.code.pieces import Piece, pieces
from core.sources.code.references import References, Target
from core.sources.code.written import compact, embedded, full, signature
from core.sources.served import asked
from core.tokens import TokenCounter

PART = "part"
_LEVELS = (Level.JSON, Level.COMPACT, Level.SIGNATURE)
_SHOWN = 400  # characters of what is kept to be shown


@dataclass(frozen=True, slots=True)
class _Made:
    """One chunk before its tokens are counted, and its text at each level."""

    chunk: Chunk
    texts: tuple[str, str, str]


def chunk_files(
    documents: Mapping[str, Document], *, tokens: TokenCounter, ids: Mapping[str, str]
) -> Iterator[ChunkedSpec]:
    """The chunks of source files (by file) that may refer to each other, in order of the files."""
    with no_collection():
        outlines = {file: document.value for file, document in documents.items()}
        names = {file: names_of(outline) for file, outline in outlines.items()}
        edges = _edges(outlines, names)
    users = _inverse(edges)
    for file in sorted(documents):
        yield _chunked(documents[file], ids[file], names[file], edges, users, tokens)


_Edges = Mapping[str, Mapping[str, tuple[str, ...]]]  # from element to element, with the labels


def names_of(outline: Outline) -> Mapping[int, str]:
    """What each definition, by its position, is called in its file: overloads are numbered."""
    seen: dict[str, int] = {}
    found: dict[int, str] = {}
    for at, one in enumerate(outline.definitions):
        name = f"{one.kind}/{encode(one.qualname)}" if one.qualname else MODULE
        seen[name] = seen.get(name, 0) + 1
        found[at] = name if seen[name] == 1 else f"{name}~{seen[name]}"
    return found


def _edges(outlines: Mapping[str, Outline], names: Mapping[str, Mapping[int, str]]) -> _Edges:
    references = References(outlines)
    elements = {
        Target(file, one.qualname): element_id(file, names[file][at])
        for file, outline in outlines.items()
        for at, one in reversed(list(enumerate(outline.definitions)))
    }
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for file, outline in outlines.items():
        for at, one in enumerate(outline.definitions):
            own = element_id(file, names[file][at])
            targets = references.of(file, one).items()
            used = {elements[target]: tuple(sorted(labels)) for target, labels in targets}
            found[own] = {id: used[id] for id in sorted(used) if id != own}
    return found


def _inverse(edges: _Edges) -> Mapping[str, Sequence[str]]:
    found: dict[str, list[str]] = {}
    for source in sorted(edges):
        for target in edges[source]:
            found.setdefault(target, []).append(source)
    return found


def _chunked(
    document: Document,
    file_id: str,
    names: Mapping[int, str],
    edges: _Edges,
    users: Mapping[str, Sequence[str]],
    tokens: TokenCounter,
) -> ChunkedSpec:
    started = time.perf_counter()
    outline: Outline = document.value
    made: list[_Made] = []
    for at, one in enumerate(outline.definitions):
        element = element_id(document.file, names[at])
        found = pieces(outline, one)
        for piece in found:
            texts = _texts(document, one, piece)
            refs = _refs(element, piece, found, edges)
            used = _used(element, piece, users)
            made.append(
                _Made(_chunk(document, file_id, element, one, piece, texts, refs, used), texts)
            )
    counted = iter(tokens.count_all([text for each in made for text in each.texts]))
    done = [_counted(each, [next(counted) for _ in _LEVELS]) for each in made]
    chunks = tuple(chunk for chunk, _ in done)
    seconds = time.perf_counter() - started
    about = _report(document, file_id, chunks, seconds)
    return ChunkedSpec(document, chunks, None, about, tuple(texts for _, texts in done))


def _texts(document: Document, one: Definition, piece: Piece) -> tuple[str, str, str]:
    file, outline = document.file, document.value
    return full(file, piece), compact(file, outline, one, piece), signature(file, one, piece)


def _refs(
    element: str, piece: Piece, found: Sequence[Piece], edges: _Edges
) -> Mapping[str, tuple[str, ...]]:
    """The first part refers to the others, and for the whole element."""
    if piece.part:
        return {}
    parts = {f"{element}:{other.part}": (PART,) for other in found if other.part}
    return dict(sorted({**parts, **edges[element]}.items()))


def _used(element: str, piece: Piece, users: Mapping[str, Sequence[str]]) -> Iterable[str]:
    return (element,) if piece.part else users.get(element, ())


def _chunk(
    document: Document,
    file_id: str,
    element: str,
    one: Definition,
    piece: Piece,
    texts: Sequence[str],
    refs: Mapping[str, tuple[str, ...]],
    used: Iterable[str],
) -> Chunk:
    outline: Outline = document.value
    id = f"{element}:{piece.part}" if piece.part else element
    text = embedded(document.file, one, piece)
    facts = _facts(one, piece)
    return Chunk(
        id=id,
        element=element,
        type=ChunkType.CODE,
        source_file=file_id,
        part=piece.part,
        component_kind=one.kind,
        api_title=document.file,
        path=document.file,
        name=one.qualname or document.file.rpartition("/")[2],
        language=outline.language,
        facts=facts,
        text=text,
        content_hash=_hash(id, file_id, outline.language, text, *texts, *facts.values()),
        origin=f"{encode(document.file, '#')}#L{piece.start}-L{piece.end}",
        ref_ids=refs,
        referenced_by=tuple(sorted(used)),
    )


def _facts(one: Definition, piece: Piece) -> dict[str, str]:
    facts = {
        "lines": f"{piece.start}-{piece.end}",
        "signature": one.signature,
        "docstring": _clipped(one.doc),
        "requests": "" if piece.part else _requests(one),
    }
    return {name: said for name, said in facts.items() if said}


def _requests(one: Definition) -> str:
    """What `served.Operations` reads, line by line."""
    return "\n".join(dict.fromkeys(map(str, asked(one.marks, one.calls, one.strings))))


def _clipped(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _hash(*said: str) -> str:
    text = "\0".join(said).encode(errors="surrogatepass")
    return hashlib.blake2b(text, digest_size=16).hexdigest()


def _counted(made: _Made, counts: Sequence[int]) -> tuple[Chunk, tuple[str, str]]:
    """A chunk with its counts, no level having more than the one above, and how it is shown."""
    tokens = dict(zip(_LEVELS, accumulate(counts, min), strict=True))
    whole, short, line = made.texts
    short = whole if tokens[Level.COMPACT] == tokens[Level.JSON] else short
    line = short if tokens[Level.SIGNATURE] == tokens[Level.COMPACT] else line
    return replace(made.chunk, token_count={Level.ID: 0, **tokens}), (short, line)


def _report(
    document: Document, file_id: str, chunks: Sequence[Chunk], seconds: float
) -> SpecReport:
    outline: Outline = document.value
    kinds = [one.kind for one in outline.definitions]
    names = {MODULE: "modules", CLASS: "classes", FUNCTION: "functions", METHOD: "methods"}
    counts = {plural: kinds.count(kind) for kind, plural in names.items()}
    return SpecReport(
        file=document.file,
        file_id=file_id,
        version="",
        loader=document.loader,
        size=document.size,
        counts={**counts, "chunks": len(chunks)},
        tokens=sum(chunk.token_count[Level.JSON] for chunk in chunks),
        references=sum(used != (PART,) for chunk in chunks for used in chunk.ref_ids.values()),
        findings=document.findings,
        seconds=seconds,
    )


# --- what a chunk holds, later


def body_of(chunk: Chunk, document: Document) -> dict[str, JSON]:
    """All that a chunk of a source file says."""
    one, piece = _found(chunk, document)
    said = {
        "file": document.file,
        "lines": f"{piece.start}-{piece.end}",
        "language": document.value.language,
        "signature": one.signature,
        "docstring": one.doc,
        "source": piece.text,
    }
    return {name: value for name, value in said.items() if value}


def rendered(chunk: Chunk, document: Document) -> Mapping[Level, str]:
    """A chunk at each level; of two levels as long the fuller one."""
    one, piece = _found(chunk, document)
    made = _Made(chunk, _texts(document, one, piece))
    counts = [chunk.token_count.get(level, -1) for level in _LEVELS]
    _, (short, line) = _counted(made, counts)
    return {Level.JSON: made.texts[0], Level.COMPACT: short, Level.SIGNATURE: line, Level.ID: ""}


def _found(chunk: Chunk, document: Document) -> tuple[Definition, Piece]:
    """What a chunk was made from; raises KeyError where the document is another one."""
    outline: Outline = document.value
    for at, name in names_of(outline).items():
        if element_id(document.file, name) == chunk.element:
            one = outline.definitions[at]
            return one, {piece.part: piece for piece in pieces(outline, one)}[chunk.part]
    raise KeyError(chunk.id)
