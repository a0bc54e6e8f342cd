"""The chunks of an article, and how each is written out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import accumulate

import orjson

from core.ids import ARTICLE, element_id
from core.model import JSON, Chunk, ChunkType, Level
from core.read.document import ChunkedSpec, Document, SpecReport
from core.read.names import origin
from core.sources.articles.shape import Article
from core.sources.articles.text import parts
from core.tokens import TokenCounter

_LEVELS = (Level.JSON, Level.COMPACT, Level.SIGNATURE)


def chunked(document: Document, file_id: str, tokens: TokenCounter) -> ChunkedSpec:
    """All that one article gives a store."""
    article = Article.of(document.value)
    pieces = parts(article.text)
    shown = [_shown(document.value, article, piece) for piece in pieces]
    counts = iter(tokens.count_all([text for each in shown for text in each.values()]))
    chunks = [
        _chunk(document, file_id, article, number, pieces, [next(counts) for _ in _LEVELS])
        for number in range(len(pieces))
    ]
    renderings = tuple((each[Level.COMPACT], each[Level.SIGNATURE]) for each in shown)
    return ChunkedSpec(
        document, tuple(chunks), None, _report(document, file_id, chunks), renderings
    )


def _chunk(
    document: Document,
    file_id: str,
    article: Article,
    number: int,
    pieces: Sequence[str],
    counted: Sequence[int],
) -> Chunk:
    element = element_id(document.file, ARTICLE)
    ids = [element, *(f"{element}:part-{n}" for n in range(2, len(pieces) + 1))]
    text = f"{article.title}\n{pieces[number]}"
    # What a part shares with the others is in its hash as well: its tags, its facts.
    said = [ids[number], file_id, text, article.tags, article.facts]
    whole = number == 0
    return Chunk(
        id=ids[number],
        element=element,
        type=ChunkType.ARTICLE,
        source_file=file_id,
        part="" if whole else f"part-{number + 1}",
        api_title=article.title,
        name=article.title,
        tags=article.tags,
        facts=article.facts,
        text=text,
        token_count={Level.ID: 0, **dict(zip(_LEVELS, accumulate(counted, min), strict=True))},
        content_hash=blake2b(
            orjson.dumps([*said, document.content_hash]), digest_size=16
        ).hexdigest(),
        origin=origin(document.file, ("articles", "0")),
        ref_ids=dict.fromkeys(ids[1:], ("part",)) if whole else {},
        referenced_by=() if whole else (element,),
    )


def _report(document: Document, file_id: str, chunks: Sequence[Chunk]) -> SpecReport:
    return SpecReport(
        file=document.file,
        file_id=file_id,
        version="",
        loader=document.loader,
        size=document.size,
        counts={"articles": 1, "chunks": len(chunks)},
        tokens=sum(chunk.token_count[Level.JSON] for chunk in chunks),
        references=sum(len(chunk.ref_ids) for chunk in chunks),
        findings=document.findings,
    )


def body(chunk: Chunk, document: Document) -> JSON:
    """The article with the part's own text as its content."""
    pieces = parts(Article.of(document.value).text)
    number = int(chunk.part.removeprefix("part-")) - 1 if chunk.part else 0
    # What another version cut may have had more parts.
    return {**document.value, "content": pieces[number] if number < len(pieces) else ""}


def render(chunk: Chunk, value: Mapping[str, JSON], levels: Sequence[Level]) -> Mapping[Level, str]:
    shown = _shown(value, Article.of(value), value["content"])
    return {level: shown.get(level, "") for level in levels}


def _shown(value: Mapping[str, JSON], article: Article, piece: str) -> Mapping[Level, str]:
    whole = orjson.dumps({**value, "content": piece}, option=orjson.OPT_INDENT_2).decode()
    head = "\n".join(_head(article))
    return {
        Level.JSON: f"{whole}\n",
        Level.COMPACT: f"{head}\n\n{piece}\n",
        Level.SIGNATURE: f"article {_line(article.title)}\n",
    }


def _head(article: Article) -> Iterator[str]:
    yield f"article {_line(article.title)}"
    if article.url:
        yield f"url: {_line(article.url)}"
    if article.updated:
        yield f"updated: {_line(article.updated)}"
    if article.intents:
        yield f"intent: {_line(', '.join(article.intents))}"
    if article.devices:
        yield f"device: {_line(', '.join(article.devices))}"


def _line(text: str) -> str:
    return " ".join(text.split())


def searched(compact: str) -> str:
    """The title and the tags: the text itself is searched as what is embedded."""
    head = compact.partition("\n\n")[0].split("\n")
    kept = (line for line in head if not line.startswith(("url: ", "updated: ")))
    return "\n".join(line.partition(" ")[2] for line in kept)
