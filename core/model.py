"""The nouns: frozen values that the stages hand to each other.

Data flows one way: spec → chunks → index → hits → expanded hits → context → scores. Nothing here
reads a file, a clock or a library; `docs/data-model.md` says who makes and who reads each noun.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal, TypeAlias

from core.frozen import Frozen
from core.ids import Id, called, is_part_of, labelled
from core.reasons import Cut

JSON: TypeAlias = Any  # a JSON value: dict with str keys, list, str, int, float, bool or None
Api: TypeAlias = tuple[str, str]  # title and version, which all chunks of a file share
Where: TypeAlias = Mapping[str, Any]  # Chroma's filter language over WHERE_KEYS

OPTIONAL = "optional"  # last of the places of a reference that can all be left out in a call

WHERE_KEYS = (
    *("type", "component_kind", "source_file", "method", "part", "deprecated"),
    *("status", "language"),
)
TAGS = "tags"  # a filter's key with several values a chunk: a test asks whether it has one


class ChunkType(StrEnum):
    OPERATION = "operation"
    WEBHOOK = "webhook"
    COMPONENT = "component"
    INFO = "info"
    DOCUMENT = "document"
    ARTICLE = "article"
    CODE = "code"

    @property
    def is_operation(self) -> bool:
        """Whether it is called with a method at a path, or answered to: webhooks included."""
        return self in OPERATIONS


OPERATIONS = (ChunkType.OPERATION, ChunkType.WEBHOOK)
PROSE = (ChunkType.ARTICLE, ChunkType.DOCUMENT, ChunkType.CODE)  # of no API


class Level(StrEnum):
    """How much of a chunk is written out, from most to least."""

    JSON = "json"
    COMPACT = "compact"
    SIGNATURE = "signature"
    ID = "id"


class Intent(StrEnum):
    ENDPOINT = "endpoint"
    SCHEMA = "schema"
    ERROR = "error"
    GENERAL = "general"


@dataclass(frozen=True, slots=True)
class Chunk:
    """One piece of one element, as it is stored: everything but its vector and its full JSON."""

    id: str  # `<file>:<element>[:<part>]`
    element: str  # id of the element it belongs to; equals `id` unless `part` is set
    type: ChunkType
    source_file: str  # the file id: path without extension
    part: str = ""  # "", "errors", "examples", "part-2"
    component_kind: str = ""  # what it is within its type: schemas, parameters, responses, …
    api_title: str = ""  # of its file
    api_version: str = ""  # of its file
    method: str = ""  # upper case
    path: str = ""  # as written, with braces; the webhook's name for a webhook operation
    operation_id: str = ""
    name: str = ""  # a component's name, an article's title
    tags: tuple[str, ...] = ()
    deprecated: bool = False
    status: str = ""  # of a document: draft, approved, superseded, …
    language: str = ""  # of code
    facts: Mapping[str, str] = field(default_factory=dict)  # url, last_updated, …: only shown
    text: str = ""  # short; what is embedded and shown in lists
    token_count: Mapping[Level, int] = field(default_factory=dict)  # of the rendering at each level
    content_hash: str = ""  # of everything above and of the full JSON
    origin: str = ""  # `<file>#<JSON pointer>`: where the element's full JSON is
    ref_ids: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # target → where used
    referenced_by: tuple[str, ...] = ()  # sorted; exact inverse of ref_ids

    def __post_init__(self) -> None:
        """Who holds the mappings that it was made from cannot change it."""
        if self.token_count.__class__ is not Frozen:
            object.__setattr__(self, "token_count", Frozen(self.token_count))
        if self.ref_ids.__class__ is not Frozen:
            object.__setattr__(self, "ref_ids", Frozen(self.ref_ids))
        if self.facts.__class__ is not Frozen:
            object.__setattr__(self, "facts", Frozen(self.facts))

    @property
    def kind(self) -> str:
        """What it is within its type, of whatever kind of source; "" where the type says it all."""
        return self.component_kind

    @property
    def title(self) -> str:
        """Of its file."""
        return self.api_title

    @property
    def version(self) -> str:
        """Of its file, as that says it."""
        return self.api_version

    @property
    def label(self) -> str:
        """What a person calls it: `POST /users`, `schemas/User`, `info`, an article's title, the
        way down to a section: `Payments > Refunds`."""
        if self.type.is_operation:
            return labelled(called(self.method, self.path), self.part)
        if self.type in (ChunkType.ARTICLE, ChunkType.CODE):
            return labelled(self.name, self.part)
        if self.type is ChunkType.DOCUMENT:
            return labelled(self.path or self.name, self.part)
        return labelled(Id.parse(self.element).label, self.part)


@dataclass(frozen=True, slots=True)
class UnresolvedRef:
    """A reference that does not resolve; kept out of the graph, and reported."""

    file: str
    line: int  # from 1; 0 when it is not known
    pointer: str  # JSON pointer of the reference
    ref: str  # as written
    chunk_id: str  # that holds it
    nearest: tuple[str, ...] = ()  # existing names that look alike
    also: tuple[str, ...] = ()  # pointers of the other places in the file with the same reference
    kind: str = ""  # what refers: `$ref`, `mapping`, `operationId`, `security`, …
    missing: str = ""  # the file that it asks for, where there is no such file in the store

    @property
    def reason(self) -> str:
        """Why it does not resolve, as a phrase after the reference."""
        if self.missing:
            return (
                f"points to {self.missing}, which is not in the store: ingest its folder as well, "
                "or check whether it was refused"
            )
        return "does not resolve"


@dataclass(frozen=True, slots=True)
class Hit:
    """One candidate of a search, before references are followed."""

    chunk_id: str  # the element's own chunk, whatever part of it was found
    rank: int  # from 1
    score: float  # 0 to 1, higher is better
    parts: Mapping[str, float]  # the evidence, by name, each on a scale of its own
    found_in: str = ""  # chunk id of the part that matched; "" when its own chunk did
    shares: Mapping[str, float] = field(default_factory=dict)  # add up to the score, by evidence


@dataclass(frozen=True, slots=True)
class Understanding:
    """What the question asks for, as far as it was recognised."""

    intent: Intent
    confidence: float  # 0 to 1
    reasons: tuple[str, ...] = ()  # the words that decided it
    entities: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # paths, methods, …
    where: Where | None = None  # what follows for the search; None means no filter
    parts: tuple[str, ...] = ()  # the questions in it, where a model told them apart


@dataclass(frozen=True, slots=True)
class ContextChunk:
    """One element in the context, its parts written inside it, with the reason it is there."""

    chunk: Chunk  # the element's own
    level: Level  # of its own chunk; a part is written as fully or more shortly
    text: str  # its rendering, then those of the parts inside it; ends in one newline
    tokens: int  # of its section in the Markdown, heading and line in the contents included
    rank: int = 0  # primaries: from 1
    score: float = 0.0  # primaries: 0 to 1
    parts: Mapping[str, float] = field(default_factory=dict)
    shares: Mapping[str, float] = field(default_factory=dict)  # primaries: add up to the score
    depth: int = 0  # references: steps from the primary, an element and its parts being one
    via: tuple[str, ...] = ()  # references: chunk ids from a primary to the one before this
    used: tuple[str, ...] = ()  # references: where the last one uses it
    needed_by: tuple[int, ...] = ()  # ranks of the primaries that it is a necessary dependency of
    equals: tuple[str, ...] = ()  # ids of chunks of other files that say the same; sent once
    included: tuple[str, ...] = ()  # chunk ids of its parts that are written inside it
    included_refs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # what they refer to

    @property
    def is_primary(self) -> bool:
        return self.depth == 0

    @property
    def ids(self) -> tuple[str, ...]:
        """Its own chunk id, then those of the parts inside it."""
        return (self.chunk.id, *self.included)

    @property
    def refers_to(self) -> Mapping[str, tuple[str, ...]]:
        """What it and the parts inside it refer to, its own parts aside: target → where used."""
        refs = self.chunk.ref_ids if isinstance(self.chunk.ref_ids, Mapping) else {}
        return {
            target: tuple(dict.fromkeys((*used, *self.included_refs.get(target, ()))))
            for target, used in {**self.included_refs, **refs}.items()
            if not is_part_of(target, self.chunk.element)
        }


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A chunk that was considered and left out, with the reason."""

    chunk_id: str
    cut: Cut
    detail: str = ""  # with the numbers: "score 0.21 < 0.30"
    rank: int = 0  # candidates: from 1
    score: float = 0.0
    depth: int = 0  # references
    via: tuple[str, ...] = ()
    tokens: int = 0  # what its smallest rendering would have cost; 0 when unknown
    fits_at: int = 0  # the next in line: the least value of the limit that takes it; 0 when unknown
    setting: str = ""  # what was at work, where the cut alone does not say: mostly a setting
    needed_by: tuple[int, ...] = ()  # ranks of the primaries that it is a necessary dependency of


@dataclass(frozen=True, slots=True)
class ApiSelection:
    """Which APIs a question was taken to be about."""

    selected_apis: tuple[str, ...]  # file ids, best first
    reasoning: str  # in a sentence
    by: str  # caller, model, rules or keywords
    scores: Mapping[str, float] = field(default_factory=dict)  # what the rules say of each
    dropped: tuple[str, ...] = ()  # chosen, but unknown, named twice or one too many


@dataclass(frozen=True, slots=True)
class Expansion:
    """The terms that a question was searched for with, beside its own."""

    expanded_query: str
    original_terms: tuple[str, ...]
    added_terms: tuple[str, ...]  # as the chosen APIs write them
    by: str  # model or rules
    dropped: tuple[str, ...] = ()  # of a model: what the chosen APIs do not have, or one too many


@dataclass(frozen=True, slots=True)
class Consulted:
    """What a language model was asked for a question, and what came of it."""

    stage: str  # understand, choose_apis, expand, rerank
    said: str = ""  # what it answered, in a sentence
    failure: str = ""  # timeout, unreachable, limited, …: why the rules went on; "" when it helped
    dropped: tuple[str, ...] = ()  # of its answer
    milliseconds: float = 0.0
    tokens_in: int = 0
    tokens_out: int = 0
    usd: float = 0.0  # 0 where no price is set
    is_kept: bool = False  # whether an earlier question had paid for it


@dataclass(frozen=True, slots=True)
class Trace:
    """Why each chunk considered is included or left out."""

    understanding: Understanding
    where: Where | None = None  # the filter that the final search used
    hits: tuple[Hit, ...] = ()  # the candidates, best first
    left_out: tuple[LeftOut, ...] = ()
    notes: tuple[str, ...] = ()  # what each stage did, in sentences
    apis: Mapping[str, float] = field(default_factory=dict)  # the chosen ones, best first → score
    level: tuple[str, ...] = ()  # those of them between which the question does not decide
    selection: ApiSelection | None = None  # None where no API was chosen
    expansion: Expansion | None = None  # None where nothing was added
    consulted: tuple[Consulted, ...] = ()  # in the order of the stages


@dataclass(frozen=True, slots=True)
class RetrievalStats:
    """Figures of one retrieval."""

    milliseconds: Mapping[str, float] = field(default_factory=dict)  # by stage, and "total"
    candidates: int = 0
    total_chunks: int = 0  # in the context: one an element, never above `max_total_chunks`
    traversal_depth: int = 0  # deepest reference taken
    references_followed: int = 0
    cycles: int = 0
    missing: int = 0
    necessary: int = 0  # chunks that the primaries need, as `core.retrieve.follow.necessary` says
    necessary_missing: int = 0  # those of them that are not in the context
    complete_top: bool = False  # everything the first primary needs is included
    complete_share: float = 0.0  # of the primaries: those with all that they need; 0 to 1
    limits_hit: tuple[Cut, ...] = ()
    fallback: bool = False  # the intent filter left too little, so it was dropped
    over_budget: bool = False  # the primaries alone exceed a limit
    timed_out: bool = False
    lexical_only: bool = False  # the question could not be embedded
    cached: bool = False
    agreement: float | None = None  # of an approximate search with the exact one, 0 to 1
    flags: tuple[str, ...] = ()
    generation: str = ""  # of the store that answered
    embedder: str = ""
    reader: str = ""  # what was searched: "snapshot" or "chroma"


@dataclass(frozen=True, slots=True)
class KnowledgeContext:
    """What a language model receives; well-formed also when nothing matched."""

    query: str
    primary_chunks: tuple[ContextChunk, ...]
    referenced_chunks: tuple[ContextChunk, ...]
    total_tokens: int  # of `to_markdown()`
    retrieval_stats: RetrievalStats
    trace: Trace

    @property
    def chunks(self) -> tuple[ContextChunk, ...]:
        return self.primary_chunks + self.referenced_chunks

    @property
    def ids(self) -> frozenset[str]:
        """Every chunk that is written in it, parts included."""
        return frozenset(id for item in self.chunks for id in item.ids)

    def holder(self, chunk_id: str) -> ContextChunk | None:
        """What a chunk is written in: its own entry, or that of the element it is a part of."""
        return next((item for item in self.chunks if chunk_id in item.ids), None)

    # The only import circle of the project: `core.present` is written in terms of these nouns, and
    # a context writes itself out because that is how programs ask for it. Imported when called,
    # so that either module can come first and the nouns stay free of how they are written.

    def to_markdown(self) -> str:
        """The context as text for a language model: contents, then a section for each kind."""
        from core.present import to_markdown

        return to_markdown(self)

    def to_messages(self) -> list[dict[str, str]]:
        """The context and the question as a chat model takes them."""
        from core.present import to_messages

        return to_messages(self)

    def to_dict(self, *, style: Literal["context", "pipeline"] = "context") -> dict[str, JSON]:
        """The context as plain JSON values, the trace included.

        The style `pipeline` has `primary_chunks`, `resolved_context`, `total_chunks` and
        `traversal_depth` alone.
        """
        from core.present import to_dict, to_pipeline

        return to_pipeline(self) if style == "pipeline" else to_dict(self)


@dataclass(frozen=True, slots=True)
class EndpointEntry:
    """One path of an API, its methods and the ids of its operations."""

    path: str
    methods: tuple[str, ...]
    operations: tuple[str, ...]  # operationIds


@dataclass(frozen=True, slots=True)
class SchemaEntry:
    """One schema of an API: what it is for, and which operations use it."""

    name: str
    role: str  # request, response, both or "" when no operation uses it
    used_by: tuple[str, ...]  # labels of operations


@dataclass(frozen=True, slots=True)
class DomainEntry:
    """The endpoints and schemas that belong to one subject of an API."""

    name: str
    endpoints: tuple[str, ...]  # paths
    schemas: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Home:
    """Files that are chosen as a whole: a base of articles, a root of documents or of code."""

    name: str
    kind: str  # article, document or code
    file_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CatalogEntry:
    """One API at a glance, and what it consists of."""

    file_id: str
    file: str  # with extension
    name: str
    description: str  # at most 200 characters
    version: str
    domains: tuple[str, ...]
    counts: Mapping[str, int]  # operations, webhooks, components, schemas, chunks, …
    endpoints: tuple[EndpointEntry, ...] = ()
    schemas: tuple[SchemaEntry, ...] = ()
    domain_index: tuple[DomainEntry, ...] = ()
