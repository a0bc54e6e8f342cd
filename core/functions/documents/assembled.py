"""What a model is given of documents: primary, supporting and historical, within so many tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.functions.results import RetrievalResult
from core.tokens import TokenCounter

PRIMARY, SUPPORTING, HISTORICAL = (
    "Primary Context",
    "Supporting Documentation",
    "Historical Context",
)
RELEVANCE = {PRIMARY: "high", SUPPORTING: "medium", HISTORICAL: "low"}  # in the order of sections
SURE = 0.8  # above it an approved design is primary
BETWEEN = "\n---\n"

Shorter = Callable[[RetrievalResult], str]

_OF_APIS = ("operation", "webhook", "component", "info", "article")  # types without an approval


@dataclass(frozen=True, slots=True)
class ContextSection:
    title: str  # PRIMARY, SUPPORTING or HISTORICAL
    content: str  # Markdown; results joined by BETWEEN
    relevance: str  # high, medium or low


@dataclass(frozen=True, slots=True)
class AssembledContext:
    """Results by how much they count; sections without any are left out."""

    query: str
    sections: tuple[ContextSection, ...]
    total_results: int  # that were found, written or not
    truncated: bool  # whether a result was dropped or shortened

    def to_markdown(self) -> str:
        return "\n".join(f"# {each.title}\n\n{each.content}" for each in self.sections)


@dataclass(slots=True)
class _Entry:
    result: RetrievalResult
    section: str
    text: str
    tokens: int
    is_short: bool = False


def assemble_context(
    results: Sequence[RetrievalResult],
    query: str,
    *,
    tokens: TokenCounter,
    max_length: int = 8_000,
    include_metadata: bool = True,
    shorter: Shorter | None = None,
) -> AssembledContext:
    """Sections of whole results, in their order, that take at most `max_length` tokens.

    What is too much is dropped from the end of the lowest section. Before a primary result is
    dropped, primary results are written as `shorter` says, the last first. A larger `max_length`
    never loses a result that a smaller one kept.
    """
    if isinstance(max_length, bool) or not isinstance(max_length, int) or max_length < 1:
        raise ValueError(f"max_length must be a positive number of tokens, not {max_length!r}")

    def entry(result: RetrievalResult) -> _Entry:
        text = written(result, result.content, include_metadata)
        return _Entry(result, section_of(result), text, tokens.count(text))

    entries = sorted(map(entry, results), key=lambda each: list(RELEVANCE).index(each.section))
    kept, is_cut = _within(entries, max_length, tokens, shorter, include_metadata)
    return AssembledContext(query, tuple(_sections(kept)), len(results), is_cut)


def section_of(result: RetrievalResult) -> str:
    """Which section a result belongs to.

    What is superseded is historical, whatever else it is, and what the graph led to supports. So
    does a document that nobody approved; descriptions of APIs and articles need no approval.
    """
    if result.status == "superseded":
        return HISTORICAL
    if result.relationship_type is not None:
        return SUPPORTING
    is_approved = result.status == "approved"
    if result.node_type == "architecture" and is_approved:
        return PRIMARY
    if result.node_type == "design" and is_approved and result.score > SURE:
        return PRIMARY
    return PRIMARY if result.metadata.get("type") in _OF_APIS else SUPPORTING


def _within(
    entries: list[_Entry],
    most: int,
    tokens: TokenCounter,
    shorter: Shorter | None,
    include_metadata: bool,
) -> tuple[list[_Entry], bool]:
    between = tokens.count(BETWEEN)
    kept, is_cut = list(entries), False
    while kept and _cost(kept, between) > most:
        is_cut = True
        whole = [each for each in kept if each.section == PRIMARY and not each.is_short]
        if kept[-1].section == PRIMARY and whole and shorter is not None:
            _shorten(whole[-1], tokens, shorter, include_metadata)
        else:
            kept.pop()
    return kept, is_cut


def _shorten(entry: _Entry, tokens: TokenCounter, shorter: Shorter, include_metadata: bool) -> None:
    text = written(entry.result, shorter(entry.result), include_metadata)
    entry.is_short = True
    if (count := tokens.count(text)) < entry.tokens:
        entry.text, entry.tokens = text, count


def _cost(entries: Sequence[_Entry], between: int) -> int:
    """Counts add up, as entries end in a newline and what joins them begins with one."""
    return sum(each.tokens + between for each in entries)


def _sections(kept: Sequence[_Entry]) -> list[ContextSection]:
    texts = {title: [each.text for each in kept if each.section == title] for title in RELEVANCE}
    return [
        ContextSection(title, BETWEEN.join(said), RELEVANCE[title])
        for title, said in texts.items()
        if said
    ]


def written(result: RetrievalResult, content: str, include_metadata: bool) -> str:
    """A result as it stands in a section; ends in one newline."""
    body = content.rstrip("\n") + "\n"
    return _head(result) + body if include_metadata else body


def _head(result: RetrievalResult) -> str:
    relevance = f"Relevance: {result.score:.2f}\n\n"
    if result.node_type == "architecture":
        version = f" (v{result.version.removeprefix('v')})" if result.version else ""
        return f"## {result.title}{version}\nStatus: {result.status}\n{relevance}"
    if result.node_type == "design":
        return f"### {result.title}\nComponent: {result.path}\n{relevance}"
    return ""
