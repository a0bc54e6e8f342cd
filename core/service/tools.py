"""What an agent can call: questions of the workbench, each answered within a token limit.

An answer is a text for the model and the same in figures: ids that the next call takes, and how
much was left out. What specifications say is in answers alone, never in what describes a tool.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.model import JSON, CatalogEntry, ChunkType, KnowledgeContext, Level
from core.retrieve.follow.impact import Affected
from core.service.budget import Fitted, fit
from core.settings import KNOB
from core.text.plural import counted
from core.tokens import TokenCounter, counter
from core.workbench.workbench import Workbench

MOST = 1_500  # tokens of an answer whose call names no limit
MOST_OF_A_CHUNK = 4_000
FEWEST = 100  # tokens that a limit may name
_FOR_FIGURES = 60  # tokens of the line below a context
_OF_APIS = (ChunkType.OPERATION, ChunkType.WEBHOOK, ChunkType.COMPONENT, ChunkType.INFO)


@dataclass(frozen=True, slots=True)
class Answer:
    """A text within the limit, and the same in figures."""

    text: str
    figures: dict[str, JSON]


class Tools:
    """The calls, over one workbench; each raises SpecloupeError."""

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench

    @property
    def _tokens(self) -> TokenCounter:
        return counter(self._workbench.settings.token_encoding)

    def search(
        self,
        query: str,
        limit: int = 5,
        apis: Sequence[str] = (),
        type: str = "",
        detail: Level = Level.SIGNATURE,
        max_tokens: int = MOST,
    ) -> Answer:
        """The best elements for a question, without what they refer to."""

        def found() -> tuple[list[str], list[str]]:
            context = self._workbench.retrieve(
                query,
                apis=apis,
                filter_metadata={"type": type} if type else None,
                max_primary_results=limit,
                max_total_chunks=max(limit, self._workbench.settings.max_total_chunks),
                max_depth=0,
            )
            items = context.primary_chunks
            pieces = [self._listed(item.chunk.id, item.score, detail) for item in items]
            nothing = _nothing(context, self._workbench.settings.min_score)
            return [item.chunk.id for item in items], pieces or [nothing]

        ids, pieces = self._workbench.of_one_generation(found)
        fitted = fit(pieces, max_tokens, self._tokens)
        return _answer(fitted, ids[: fitted.taken])

    def _listed(self, id: str, score: float, detail: Level) -> str:
        _, text = self._workbench.look(id, detail)
        return f"{id} (score {score:.2f})\n{text}"

    def context(
        self,
        query: str,
        max_tokens: int = 4_000,
        max_chunks: int = 15,
        max_depth: int = 3,
        apis: Sequence[str] = (),
    ) -> Answer:
        """The best elements and all that they need, as Markdown, with a line of figures."""
        settings = self._workbench.settings
        context = self._workbench.retrieve(
            query,
            apis=apis,
            token_limit=max(FEWEST, max_tokens - _FOR_FIGURES),
            max_total_chunks=max_chunks,
            max_primary_results=min(settings.max_primary_results, max_chunks),
            max_depth=max_depth,
        )
        if not context.primary_chunks:
            return _answer(fit([_nothing(context, settings.min_score)], max_tokens, self._tokens))
        text = f"{_figures(context)}\n{context.to_markdown()}"
        fitted = fit([text], max_tokens, self._tokens)
        headings = frozenset(fitted.text.split("\n"))  # an id may be the beginning of another
        ids = [item.chunk.id for item in context.chunks if f"## {item.chunk.id}" in headings]
        return _answer(fitted, ids, left_out=len(context.chunks) - len(ids))

    def chunk(self, id: str, level: Level = Level.COMPACT) -> Answer:
        """One element at a level."""
        chunk, text = self._workbench.look(id, level)
        heading = f"{chunk.id}: {chunk.label} of {chunk.api_title} {chunk.api_version}".rstrip()
        return _answer(fit([f"{heading}\n{text}"], MOST_OF_A_CHUNK, self._tokens), [id])

    def dependents(self, id: str) -> Answer:
        """Who is affected when an element changes: directly first, then through others."""
        impact = self._workbench.impact(id)
        head = f"{counted(len(impact.operations), 'element')} would be affected by a change.\n"
        fitted = fit([head, *map(_affected, impact.operations)], MOST, self._tokens)
        listed = [each.id for each in impact.operations[: max(0, fitted.taken - 1)]]
        return _answer(fitted, listed, left_out=fitted.left_out + impact.not_listed)

    def apis(self, query: str = "") -> Answer:
        """The APIs of the store, or those for a question, the best first."""
        chosen = self._workbench.of_one_generation(lambda: self._about(query))
        fitted = fit([*map(_api, chosen)] or ["No API.\n"], MOST, self._tokens)
        return _answer(fitted, [each.file_id for each in chosen[: fitted.taken]])

    def _about(self, query: str) -> Sequence[CatalogEntry]:
        entries = self._workbench.catalog()
        return list(_of(query, entries) or self._chosen(query, entries)) if query else entries

    def _chosen(self, query: str, entries: Sequence[CatalogEntry]) -> Iterable[CatalogEntry]:
        by_id = {each.file_id: each for each in entries}
        chosen = self._workbench.retrieve(query).trace.apis
        return [by_id[id] for id in chosen if id in by_id] or self._ranked(query, by_id)

    def _ranked(self, query: str, by_id: Mapping[str, CatalogEntry]) -> Sequence[CatalogEntry]:
        """Where documents or code were chosen, and there was no place left for an API."""
        of_apis = {"type": {"$in": [*_OF_APIS]}}
        most = int(KNOB["api_selection_max"].high or 1)
        ranked = self._workbench.retrieve(
            query, filter_metadata=of_apis, api_selection="rules", api_selection_max=most
        ).trace.apis
        found = [by_id[id] for id in ranked if id in by_id]
        return found[: self._workbench.settings.api_selection_max]

    def knowledge(self, intent: str, message: str, metadata: dict[str, JSON]) -> Answer:
        """The articles that a support message is answered from."""
        found = self._workbench.retrieve_knowledge(intent, message, metadata)
        sources = found["sources_consulted"]
        head = f"coverage {found['coverage']}; gaps: {', '.join(found['gaps']) or 'none'}\n"
        fitted = fit([head, *map(_source, sources)], MOST, self._tokens)
        return Answer(fitted.text, found)


def _answer(fitted: Fitted, ids: Sequence[str] = (), left_out: int | None = None) -> Answer:
    out = fitted.left_out if left_out is None else left_out
    figures: dict[str, JSON] = {"ids": list(ids), "left_out": out}
    return Answer(fitted.text, figures | {"cut_tokens": fitted.cut_tokens})


def _nothing(context: KnowledgeContext, min_score: float) -> str:
    near = ", ".join(f"{hit.chunk_id} ({hit.score:.2f})" for hit in context.trace.hits[:3])
    said = f"Nothing reaches the score {min_score:g}."
    return f"{said} Nearest: {near}.\n" if near else f"{said}\n"


def _figures(context: KnowledgeContext) -> str:
    stats = context.retrieval_stats
    out = f"; {counted(len(context.trace.left_out), 'candidate')} left out"
    return f"{counted(len(context.chunks), 'chunk')}, {context.total_tokens:,} tokens{out}" + (
        f"; {', '.join(stats.flags)}" if stats.flags else ""
    )


def _affected(each: Affected) -> str:
    how = "directly" if each.is_direct else f"through {', '.join(each.via[1:])}"
    return f"{each.id} ({how})\n"


def _api(entry: CatalogEntry) -> str:
    operations = counted(entry.counts.get("operations", 0), "operation")
    about = f": {entry.description}" if entry.description else ""
    return f"{entry.file_id} — {entry.name} {entry.version}, {operations}{about}\n"


def _of(query: str, entries: Sequence[CatalogEntry]) -> list[CatalogEntry]:
    """Those that are called so."""
    wanted = query.casefold()
    return [e for e in entries if wanted in f"{e.file_id} {e.name}".casefold()]


def _source(source: dict[str, JSON]) -> str:
    head = f"{source['title']} (relevance {source['relevance_score']:.2f}) {source['url']}"
    return f"{head}\n{source['excerpt']}\n"
