"""Turn source files into chunks: a module, its classes, functions and methods, each in parts."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate

from core.ids import element_id, encode
from core.model import JSON, Chunk, ChunkType, Level
from core.read.document import ChunkedSpec, Document, SpecReport
from core.read.pause import no_collection
from core.sources.code.outline import CLASS, FUNCTION, METHOD, MODULE, Definition, Outline
from core.sources.code.pieces import Piece, pieces
from core.sources.code.references import References, Target
from core.sources.code.written import compact, embedded, full, signature
from core.sources.served import asked, base_path
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
    """The chunks of source files (by file) that may refer to each other, in order of the files.

    Of all files at once only names and edges are held: `documents` is asked for one at a time.
    """
    with no_collection():
        graph = _graph(documents)
    for file in sorted(documents):
        yield _chunked(documents[file], ids[file], graph, tokens)


@dataclass(frozen=True, slots=True)
class _Graph:
    """Who refers to whom in all the files; elements without a reference are left out."""

    edges: Mapping[str, Mapping[str, tuple[str, ...]]]  # by element, with the labels
    users: Mapping[str, Sequence[str]]
    elsewhere: Mapping[str, int]  # by file: calls, bases and imports that lead to no element


def names_of(outline: Outline) -> Mapping[int, str]:
    """What each definition, by its position, is called in its file: overloads are numbered."""
    seen: dict[str, int] = {}
    found: dict[int, str] = {}
    for at, one in enumerate(outline.definitions):
        name = f"{one.kind}/{encode(one.qualname)}" if one.qualname else MODULE
        seen[name] = seen.get(name, 0) + 1
        found[at] = name if seen[name] == 1 else f"{name}~{seen[name]}"
    return found


def _graph(documents: Mapping[str, Document]) -> _Graph:
    @lru_cache(maxsize=1)  # every element of a file asks for it, one after the other
    def outline_of(file: str) -> Outline:
        found: Outline = documents[file].value
        return found

    outlines = {file: outline_of(file).named for file in documents}
    references = References(outlines, lambda file: outline_of(file).text)
    elements = dict(_elements(outlines))
    edges: dict[str, dict[str, tuple[str, ...]]] = {}
    elsewhere: dict[str, int] = {}
    for file in documents:
        outline = outline_of(file)
        for at, name in names_of(outline).items():
            found = references.of(file, outline.definitions[at])
            used = {elements[to]: tuple(sorted(labels)) for to, labels in found.targets.items()}
            elsewhere[file] = elsewhere.get(file, 0) + found.elsewhere
            own = element_id(file, name)
            if targets := sorted(used.keys() - {own}):
                edges[own] = {id: used[id] for id in targets}
    return _Graph(edges, _inverse(edges), elsewhere)


def _elements(outlines: Mapping[str, Outline]) -> Iterator[tuple[Target, str]]:
    """The id of each element; of overloads the first comes last, and counts."""
    for file, outline in outlines.items():
        names = names_of(outline)
        for at, one in reversed(list(enumerate(outline.definitions))):
            yield Target(file, one.qualname), element_id(file, names[at])


def _inverse(edges: Mapping[str, Iterable[str]]) -> Mapping[str, Sequence[str]]:
    found: dict[str, list[str]] = {}
    for source in sorted(edges):
        for target in edges[source]:
            found.setdefault(target, []).append(source)
    return found


def _chunked(
    document: Document,
    file_id: str,
    graph: _Graph,
    tokens: TokenCounter,
) -> ChunkedSpec:
    started = time.perf_counter()
    outline: Outline = document.value
    names, routes = names_of(outline), _routes(outline)
    made: list[_Made] = []
    for at, one in enumerate(outline.definitions):
        element = element_id(document.file, names[at])
        found = pieces(outline, one)
        base = routes.get(one.qualname.rpartition(".")[0], "") if one.kind == METHOD else ""
        for piece in found:
            texts = _texts(document, one, piece)
            refs = _refs(element, piece, found, graph)
            used = _used(element, piece, graph)
            chunk = _chunk(document, file_id, element, one, piece, texts, refs, used, base)
            made.append(_Made(chunk, texts))
    counted = iter(tokens.count_all([text for each in made for text in each.texts]))
    done = [_counted(each, [next(counted) for _ in _LEVELS]) for each in made]
    chunks = tuple(chunk for chunk, _ in done)
    seconds = time.perf_counter() - started
    about = _report(document, file_id, chunks, graph.elsewhere[document.file], seconds)
    return ChunkedSpec(document, chunks, None, about, tuple(texts for _, texts in done))


def _texts(document: Document, one: Definition, piece: Piece) -> tuple[str, str, str]:
    file, outline = document.file, document.value
    return full(file, piece), compact(file, outline, one, piece), signature(file, one, piece)


def _refs(
    element: str, piece: Piece, found: Sequence[Piece], graph: _Graph
) -> Mapping[str, tuple[str, ...]]:
    """The first part refers to the others, and for the whole element."""
    if piece.part:
        return {}
    parts = {f"{element}:{other.part}": (PART,) for other in found if other.part}
    return dict(sorted({**parts, **graph.edges.get(element, {})}.items()))


def _used(element: str, piece: Piece, graph: _Graph) -> Iterable[str]:
    return (element,) if piece.part else graph.users.get(element, ())


def _chunk(
    document: Document,
    file_id: str,
    element: str,
    one: Definition,
    piece: Piece,
    texts: Sequence[str],
    refs: Mapping[str, tuple[str, ...]],
    used: Iterable[str],
    base: str,
) -> Chunk:
    outline: Outline = document.value
    id = f"{element}:{piece.part}" if piece.part else element
    text = embedded(document.file, one, piece)
    facts = _facts(one, piece, base)
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


def _facts(one: Definition, piece: Piece, base: str) -> dict[str, str]:
    facts = {
        "lines": f"{piece.start}-{piece.end}",
        "signature": one.signature,
        "docstring": _clipped(one.doc),
        "requests": "" if piece.part else _requests(one, base),
    }
    return {name: said for name, said in facts.items() if said}


def _requests(one: Definition, base: str) -> str:
    """What `served.Operations` reads, line by line."""
    return "\n".join(dict.fromkeys(map(str, asked(one.marks, one.calls, one.strings, base))))


def _routes(outline: Outline) -> Mapping[str, str]:
    """By class, what the routes of its methods begin with; the first of a name counts."""
    classes = (one for one in reversed(outline.definitions) if one.kind == CLASS)
    return {one.qualname: base_path(one.marks) for one in classes}


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
    document: Document, file_id: str, chunks: Sequence[Chunk], elsewhere: int, seconds: float
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
        counts={**counts, "chunks": len(chunks), "elsewhere": elsewhere},
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
