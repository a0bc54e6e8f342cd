"""Chunk cards: what a chunk is, why it is included, what it costs and what it says."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from core.ids import Id
from core.model import PROSE, Chunk, ChunkType, ContextChunk
from core.reasons import Part
from core.text.markup import Markup, join, marked, tag
from ui.locale.locale import amount, counted
from ui.shared.articles import about, passage
from ui.shared.kinds import Kind, kind_of, kind_of_id, name_of, short_name
from ui.shared.places import place
from ui.shared.words import SHARES, made_of, whole_of

SHOWN = 20_000  # characters of one body; a 48,000-token schema would stall the page
VERSION = 20  # letters of a version
WORD = re.compile(r"\w{3,}")
COMMON = """
all and any are can does for from get has have how into its our that the their them there this what
when where which who why with you your
"""


def query_words(query: str) -> tuple[str, ...]:
    """The words of a question that are worth highlighting."""
    words = {word.lower() for word in WORD.findall(query)}
    return tuple(sorted(words - set(COMMON.split())))


def card(
    item: ContextChunk, *, body: str, words: Collection[str] = (), unfolded: bool = False
) -> Markup:
    """One chunk of a context; `body` is its text in the requested form."""
    place = "primary" if item.is_primary else "reference"
    is_article = item.chunk.type is ChunkType.ARTICLE
    return tag(
        "article",
        _head(
            item.chunk.id,
            f"{amount(item.tokens)} tokens · {item.level}{_inside(item)}",
            words,
            kind_of(item.chunk),
            name=name_of(item.chunk),
        ),
        identity(item.chunk),
        *([about(item.chunk), passage(item.chunk, words)] if is_article else ()),
        tag("div", _rank(item) if item.is_primary else _chain(item), class_="sl-reason"),
        _body(item.chunk.id, body, words, unfolded),
        class_=f"sl-card sl-{place} kind-{kind_of(item.chunk).key}",
    )


def _inside(item: ContextChunk) -> str:
    """The parts that are written inside it."""
    names = ", ".join(Id.parse(chunk_id).part for chunk_id in item.included)
    return f" · includes its {names}" if names else ""


def plain_card(chunk_id: str, *, note: str, chunk: Chunk | None = None, body: str = "") -> Markup:
    """A chunk that is not in the context, with a sentence on why it is shown."""
    kind = kind_of(chunk) if chunk else kind_of_id(chunk_id)
    return tag(
        "article",
        _head(chunk_id, "", (), kind, name=name_of(chunk) if chunk else ""),
        identity(chunk) if chunk else tag("div", tag("code", chunk_id), class_="sl-ids"),
        tag("div", note, class_="sl-reason"),
        _body(chunk_id, body, (), True) if body else "",
        class_=f"sl-card sl-reference kind-{kind.key}",
    )


def badge(chunk_id: str, kind: Kind | None = None) -> Markup:
    """The kind of a chunk as a coloured word with its sign; what the id tells, unless it is
    given."""
    kind = kind or kind_of_id(chunk_id)
    sign = tag("span", kind.sign, class_="sl-sign")
    return tag("span", sign, kind.name, class_=f"sl-badge kind-{kind.key}")


def chain(ids: Sequence[str]) -> Markup:
    """Chunk ids as a chain of short names, each with its full id on hover."""
    links = (tag("span", short_name(i), class_="sl-link", title=i) for i in ids)
    return Markup(tag("span", " → ", class_="sl-arrow").join(links))


def identity(chunk: Chunk) -> Markup:
    """The exact names of a chunk: its id, operationId, API and tags; of code where and what."""
    api = f"{chunk.api_title} {_shortened(chunk.api_version)}".strip()
    id = tag("code", chunk.id, class_="sl-id")
    if chunk.type is ChunkType.DOCUMENT:
        said = (chunk.path or chunk.name, *_of_document(chunk))
        return tag("div", id, *_facts(*said), *_place(chunk), *_facts(*chunk.tags), class_="sl-ids")
    if chunk.type is ChunkType.ARTICLE:  # its title is the name on the card
        return tag("div", id, *_facts(*chunk.tags), class_="sl-ids")
    if chunk.type is ChunkType.CODE:
        return tag("div", id, *_of_code(chunk), class_="sl-ids")
    facts = [id, *_facts(chunk.operation_id, api, *chunk.tags)]
    return tag("div", *facts, *_facts("deprecated" if chunk.deprecated else ""), class_="sl-ids")


def _of_document(chunk: Chunk) -> tuple[str, ...]:
    """Its status, its version, and when it was updated."""
    version = f"v{_shortened(chunk.version.removeprefix('v'))}" if chunk.version else ""
    return chunk.status, version, chunk.facts.get("last_updated", "")


def _of_code(chunk: Chunk) -> list[Markup]:
    lines, signature = chunk.facts.get("lines", ""), chunk.facts.get("signature", "")
    written = [tag("code", signature, class_="sl-id")] if signature else []
    said = _facts(chunk.language, f"lines {lines}" if lines else "")
    return [*said, *_place(chunk), *written]


def _place(chunk: Chunk) -> list[Markup]:
    """Its file and line, which one click selects as a whole, to be copied."""
    at = place(chunk)
    return [tag("code", at, class_="sl-place", title="Click selects it, to copy")] if at else []


def _shortened(version: str) -> str:
    """Some APIs write a whole date, with its time zone in words, into their version."""
    return version if len(version) <= VERSION else f"{version[: VERSION - 1]}…"


def _facts(*texts: str) -> list[Markup]:
    return [tag("span", text, class_="sl-fact") for text in texts if text]


def _head(
    chunk_id: str,
    costs: str,
    words: Collection[str],
    kind: Kind | None = None,
    *,
    name: str = "",
) -> Markup:
    shown = tag("strong", marked(name or short_name(chunk_id), words), class_="sl-name")
    return tag(
        "div", badge(chunk_id, kind), shown, tag("span", costs, class_="sl-costs"), class_="sl-head"
    )


def _rank(item: ContextChunk) -> Markup:
    counting = {name: value for name, value in item.parts.items() if round(value, 2)}
    parts = join(_part(name, value) for name, value in counting.items())
    evidence = tag(
        "details",
        tag("summary", "Evidence (each on its own scale)"),
        tag("span", parts, class_="sl-parts"),
        class_="sl-evidence",
    )
    return join(
        [
            tag("span", f"result {item.rank}", class_="sl-rank"),
            tag("span", f"score {amount(item.score, 2)}"),
            made_bar(item.shares, item.score, is_api=item.chunk.type not in PROSE)
            if item.shares
            else meter(item.score),
            evidence if parts else Markup(),
        ]
    )


def made_bar(shares: Mapping[str, float], score: float, *, is_api: bool = True) -> Markup:
    """A bar from 0 to 1 with a segment for each part of the score, and the same in words."""
    made = made_of(shares, score)
    order = [word for word in SHARES if word in made]
    bar = tag("span", *(_segment(word, made[word]) for word in order), class_="sl-score")
    said = " + ".join(f"{whole_of(word, is_api=is_api)} {amount(made[word], 2)}" for word in order)
    return join([bar, tag("span", said, class_="sl-note")])


def _segment(word: str, share: float) -> Markup:
    at = list(SHARES).index(word)
    return tag(
        "i",
        style=f"width:{100 * max(share, 0.0):.0f}%",
        class_=f"sl-share-{at}",
        title=f"{word} {amount(share, 2)}",
    )


def _part(name: str, value: float) -> Markup:
    said = f"{name.replace('_', ' ')} {amount(value, 2)}"
    return tag("span", said, meter(value), class_="sl-part", title=said_of(name))


def said_of(part: str) -> str:
    """What a part of a score says; "" for one of an older version, in a saved run."""
    return next((each.sentence for each in Part if each == part), "")


def meter(share: float) -> Markup:
    """A bar from 0 to 1; purely decorative, because the number is beside it."""
    width = 100 * min(max(share, 0.0), 1.0)
    return tag("span", tag("i", style=f"width:{width:.0f}%"), class_="sl-meter")


def _chain(item: ContextChunk) -> Markup:
    used = ", ".join(item.used) or "used"
    steps = counted(item.depth, "step")
    return join(
        [
            tag("span", steps, class_="sl-rank"),
            tag("span", chain((*item.via, item.chunk.id))),
            tag("span", f"as {used}", class_="sl-used"),
        ]
    )


def _body(chunk_id: str, body: str, words: Collection[str], unfolded: bool) -> Markup:
    if not body.strip():
        return Markup()
    rest = len(body) - SHOWN
    more = (
        f"\n… {amount(rest)} more characters; `specloupe show` prints the full text"
        if rest > 0
        else ""
    )
    summary = tag("summary", "Text", aria_label=f"Text of {short_name(chunk_id)}")
    text = tag("pre", marked(body[:SHOWN], words), more, tabindex="0")
    return tag("details", summary, text, class_="sl-body", open_=unfolded)
