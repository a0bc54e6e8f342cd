"""Every knob once: its name, default, bounds, help and environment name.

The slider, the command-line option, the sweep axis and the reference in `docs/` are all drawn from
`KNOBS`. Keys and tokens are no settings: they never enter a value that is logged or saved.
"""

from __future__ import annotations

import dataclasses
import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from core.errors import SettingsError

Value = bool | int | float | str


@dataclass(frozen=True, slots=True)
class Knob:
    """One setting's definition. `low` and `high` are inclusive."""

    name: str
    env: str
    default: Value
    help: str
    group: str  # budgets, search, filters, context, engine, safety
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    step: float | None = None
    main: bool = False  # one of the few that are always in sight
    unit: str = ""

    @property
    def option(self) -> str:
        """The command-line option: `--max-depth`."""
        return "--" + self.name.replace("_", "-")

    @property
    def label(self) -> str:
        return self.name.replace("_", " ").capitalize()

    def parse(self, raw: object, where: str) -> Value:
        """Turn outside text or a JSON value into this knob's type, within its bounds."""
        value = self._convert(raw, where)
        if self.choices and value not in self.choices:
            raise SettingsError(
                f"{where}: {value!r} is none of {', '.join(self.choices)}. {self.help}"
            )
        if isinstance(value, int | float) and not isinstance(value, bool):
            self._check_bounds(value, where)
        return value

    def _convert(self, raw: object, where: str) -> Value:
        kind = type(self.default)
        try:
            if kind is bool:
                return _to_bool(raw)
            if kind is int:
                return _to_int(raw)
            if kind is float:
                return _to_float(raw)
        except (TypeError, ValueError, OverflowError) as error:
            wanted = {bool: "true or false", int: "a whole number", float: "a number"}[kind]
            raise SettingsError(f"{where}: {raw!r} is not {wanted}.") from error
        if not isinstance(raw, str):
            raise SettingsError(f"{where}: {raw!r} is not a text.")
        return raw.strip()

    def _check_bounds(self, value: float, where: str) -> None:
        low_ok = self.low is None or value >= self.low
        high_ok = self.high is None or value <= self.high
        if not (low_ok and high_ok):
            raise SettingsError(f"{where}: {value} is not between {self.low} and {self.high}.")


def _to_bool(raw: object) -> bool:
    if isinstance(raw, bool):
        return raw
    words = {"true": True, "1": True, "yes": True, "on": True}
    words |= {"false": False, "0": False, "no": False, "off": False}
    if str(raw).strip().lower() not in words:
        raise ValueError(raw)
    return words[str(raw).strip().lower()]


def _to_int(raw: object) -> int:
    if isinstance(raw, bool) or (isinstance(raw, float) and not raw.is_integer()):
        raise ValueError(raw)
    return int(raw)  # type: ignore[call-overload,no-any-return]  # a TypeError is caught by the caller


def _to_float(raw: object) -> float:
    if isinstance(raw, bool):
        raise ValueError(raw)
    value = float(raw)  # type: ignore[arg-type]  # a TypeError is caught by the caller
    if value != value or value in (float("inf"), float("-inf")):
        raise ValueError(raw)
    return value


class _Usual(float):
    """A default that nobody asked for, so that an embedder's own may take its place."""

    __slots__ = ()


def _knob(default: Value, env: str, help: str, group: str, **details: Any) -> Any:
    return field(default=default, metadata={"env": env, "help": help, "group": group, **details})


@dataclass(frozen=True, slots=True)
class Settings:
    """One effective value for each knob; checked when made, compared with `==`."""

    # fmt: off
    max_primary_results: int = _knob(
        5, "RETRIEVAL_MAX_PRIMARY_RESULTS", "How many direct results the search contributes.",
        "budgets", low=1, high=50, main=True, unit="chunks",
    )
    max_total_chunks: int = _knob(
        15, "RETRIEVAL_MAX_TOTAL_CHUNKS", "Chunk budget of the context, references included.",
        "budgets", low=1, high=200, main=True, unit="chunks",
    )
    max_depth: int = _knob(
        3, "RETRIEVAL_MAX_DEPTH", "How many steps references are followed; 0 follows none.",
        "budgets", low=0, high=10, main=True, unit="steps",
    )
    token_limit: int = _knob(
        4000, "CONTEXT_TOKEN_LIMIT", "Token budget of the context, headings included.",
        "budgets", low=100, high=200_000, step=100, main=True, unit="tokens",
    )
    min_score: float = _knob(
        0.3, "RETRIEVAL_MIN_SCORE", "Candidates below this score are dropped.",
        "search", low=0.0, high=1.0, step=0.05, main=True,
    )
    mode: str = _knob(
        "hybrid", "RETRIEVAL_MODE", "semantic: vectors; exact: words; hybrid: both, fused.",
        "search", choices=("semantic", "exact", "hybrid"),
    )
    fusion: str = _knob(
        "convex", "HYBRID_FUSION",
        "convex: weighted sum of scaled scores; rrf: reciprocal rank fusion.",
        "search", choices=("convex", "rrf"),
    )
    rrf_k: int = _knob(
        60, "RRF_K", "The constant k of reciprocal rank fusion.", "search", low=0, high=1000
    )
    vector_weight: float = _knob(
        _Usual(0.5), "HYBRID_VECTOR_WEIGHT", "Weight of the vector score.",
        "search", low=0.0, high=1.0, step=0.05,
    )
    keyword_weight: float = _knob(
        _Usual(0.5), "HYBRID_KEYWORD_WEIGHT", "Weight of the keyword score.",
        "search", low=0.0, high=1.0, step=0.05,
    )
    local_idf: float = _knob(
        0.5, "HYBRID_LOCAL_IDF",
        "How much of the keyword score counts a word's rarity inside its own API, where there are "
        "hundreds; less where there are few.",
        "search", low=0.0, high=1.0, step=0.05,
    )
    clauses: bool = _knob(
        True, "RETRIEVAL_CLAUSES", "Search for each part of a question by itself, too.", "search"
    )
    clause_turn: float = _knob(
        0.3, "RETRIEVAL_CLAUSE_TURN",
        "Raises the best results of each part, so that no part fills every place; 0 is off.",
        "search", low=0.0, high=2.0, step=0.05,
    )
    named_weight: float = _knob(
        0.5, "RETRIEVAL_NAMED_WEIGHT",
        "Weight of a search by name, when the question calls a thing by its name; 0 is off.",
        "search", low=0.0, high=2.0, step=0.05,
    )
    verb_boost: float = _knob(
        0.05, "RETRIEVAL_VERB_BOOST",
        "Raises what fits the question's verb by method; thrice where the path ends with it.",
        "search", low=0.0, high=1.0, step=0.05,
    )
    producer_share: float = _knob(
        0.7, "RETRIEVAL_PRODUCER_SHARE",
        "What gives an id that a good result needs ranks at this share of it at least; 0 is off.",
        "search", low=0.0, high=1.0, step=0.05,
    )
    spelling: bool = _knob(
        True, "RETRIEVAL_SPELLING",
        "Search for misspelt words as the specifications write them, too.", "search",
    )
    identifiers: bool = _knob(
        True, "RETRIEVAL_IDENTIFIERS",
        "Paths, operationIds, schema names and chunk ids in the question come first.", "search",
    )
    overfetch: int = _knob(
        2, "RETRIEVAL_OVERFETCH",
        "Candidates = results × this, before score filter, duplicates and limit.",
        "search", low=1, high=20,
    )
    per_resource: int = _knob(
        2, "RETRIEVAL_PER_RESOURCE",
        "How many results of one resource (a path, its parameters aside) come before other "
        "resources had their turn; 0 is no bound.",
        "search", low=0, high=50,
    )
    expansion: float = _knob(
        0.0, "RETRIEVAL_EXPANSION",
        "How much terms count that the chosen APIs use for the question's words; 0 adds none.",
        "search", low=0.0, high=1.0, step=0.05,
    )
    group_repeated: bool = _knob(
        True, "RETRIEVAL_GROUP_REPEATED",
        "What another file says in nearly the same words takes no second place.", "search",
    )
    current_first: bool = _knob(
        True, "RETRIEVAL_CURRENT_FIRST",
        "Deprecated operations and old versions come behind what took their place.", "search",
    )
    diversity: float = _knob(
        0.0, "RETRIEVAL_DIVERSITY",
        "How much being new counts beside the score when results are chosen; 0 is off.",
        "search", low=0.0, high=1.0, step=0.05,
    )
    query_analysis: bool = _knob(
        True, "ENABLE_QUERY_ANALYSIS", "Recognise what the question is about.", "filters"
    )
    intent_filter: str = _knob(
        "soft", "INTENT_FILTER_MODE",
        "off: ignore the intent; soft: raise what fits; hard: search only what fits, "
        "with the fallback.",
        "filters", choices=("off", "soft", "hard"),
    )
    intent_boost: float = _knob(
        0.2, "INTENT_BOOST",
        "How far the soft mode raises what fits the intent; without one, operations.",
        "filters", low=0.0, high=1.0, step=0.05,
    )
    min_filtered_results: int = _knob(
        3, "RETRIEVAL_MIN_FILTERED_RESULTS",
        "Fewer hits than this under the hard filter: search again without it.",
        "filters", low=0, high=50,
    )
    api_filter: str = _knob(
        "soft", "API_FILTER_MODE",
        "off: ignore the chosen APIs; soft: raise their chunks; hard: search only them.",
        "filters", choices=("off", "soft", "hard"),
    )
    api_boost: float = _knob(
        2.0, "API_BOOST", "How far the soft mode raises the chunks of APIs that fit.",
        "filters", low=0.0, high=5.0, step=0.1,
    )
    api_selection_max: int = _knob(
        3, "API_SELECTION_MAX", "How many APIs count as chosen.", "filters", low=1, high=20
    )
    prioritize_primary: bool = _knob(
        True, "CONTEXT_PRIORITIZE_PRIMARY", "All primary chunks before any reference.", "context"
    )
    primary_share: float = _knob(
        0.6, "CONTEXT_PRIMARY_SHARE",
        "Share of both budgets kept for primary chunks, as far as they can use it; references get "
        "the rest, less if primary chunks need more.",
        "context", low=0.0, high=1.0, step=0.05,
    )
    selection: str = _knob(
        "scored", "CONTEXT_SELECTION",
        "How references are chosen: eager takes the nearest first, from whichever result; scored "
        "takes what the best result needs first, then what the next one needs, and what a call "
        "can do without last; mmr does too, and of that last takes what says something new.",
        "context", choices=("eager", "scored", "mmr"),
    )
    stop_early: bool = _knob(
        False, "RETRIEVAL_STOP_EARLY",
        "Follow references no further once all that the results need was met.", "context",
    )
    beyond_depth: bool = _knob(
        False, "RETRIEVAL_BEYOND_DEPTH",
        "Follow what the results need beyond the maximum depth, to the end of its chain.",
        "context",
    )
    rendering: str = _knob(
        "compact", "CONTEXT_RENDERING", "The fullest form in which a chunk is written.",
        "context", choices=("json", "compact", "signature"),
    )
    timeout_ms: int = _knob(
        5000, "RETRIEVAL_TIMEOUT_MS",
        "After this time, what is there so far is returned and flagged.",
        "engine", low=1, high=600_000, step=100, unit="ms",
    )
    embedder: str = _knob(
        "static", "EMBEDDER", "What turns text into vectors; a store keeps to its own.",
        "engine", choices=("static", "minilm", "openai", "hash"),
    )
    token_encoding: str = _knob(
        "cl100k_base", "TOKEN_ENCODING", "The tiktoken encoding that counts tokens.",
        "engine", choices=("cl100k_base",),
    )
    log_stats: bool = _knob(
        True, "LOG_RETRIEVAL_STATS", "One structured log line a query.", "engine"
    )
    batch_lookup: bool = _knob(
        True, "BATCH_REFERENCE_LOOKUP",
        "One store look-up a level of references, where no read index is ready.", "engine",
    )
    cache_ttl_s: int = _knob(
        300, "RETRIEVAL_CACHE_TTL_S", "How long a result may be reused; 0 is never.",
        "engine", low=0, high=86_400, unit="s",
    )
    cache_size: int = _knob(
        1000, "RETRIEVAL_CACHE_SIZE", "How many results are kept; 0 is none.",
        "engine", low=0, high=100_000,
    )
    # fmt: on

    def __post_init__(self) -> None:
        if isinstance(self.vector_weight, _Usual) and isinstance(self.keyword_weight, _Usual):
            for name in ("vector_weight", "keyword_weight"):
                usual = TUNED.get(self.embedder, {}).get(name, KNOB[name].default)
                object.__setattr__(self, name, _Usual(usual))
        for knob in KNOBS:
            knob.parse(getattr(self, knob.name), knob.name)
        if self.max_total_chunks < self.max_primary_results:
            raise SettingsError(
                f"max_total_chunks ({self.max_total_chunks}) is below max_primary_results "
                f"({self.max_primary_results}): a context holds at least its direct results. "
                f"Raise {KNOB['max_total_chunks'].env} or lower {KNOB['max_primary_results'].env}."
            )

    def replace(self, **changes: Value) -> Settings:
        """The same settings with some values changed, checked again."""
        named = _named(changes, "settings")
        parsed: dict[str, Any] = {n: _parse(n, v, "settings") for n, v in named.items()}
        return dataclasses.replace(self, **parsed)

    def to_dict(self) -> dict[str, Value]:
        return {knob.name: _number(getattr(self, knob.name)) for knob in KNOBS}

    @classmethod
    def from_values(cls, values: Mapping[str, object], where: str = "settings") -> Settings:
        """Settings from names and raw values; an unknown name is refused with the nearest."""
        parsed = {n: _parse(n, v, where) for n, v in _named(values, where).items()}
        return cls(**parsed)  # type: ignore[arg-type]


def _number(value: Value) -> Value:
    return float(value) if isinstance(value, float) else value


KNOBS: tuple[Knob, ...] = tuple(
    Knob(name=f.name, default=_number(cast(Value, f.default)), **f.metadata)
    for f in dataclasses.fields(Settings)
)
KNOB = {knob.name: knob for knob in KNOBS}


# What other programs call a setting: accepted wherever its own name is.
ALIASES = {"top_k": "max_primary_results", "limit": "max_primary_results"}

# Defaults that differ by embedder: its vectors earn more than those of the usual one.
TUNED: Mapping[str, Mapping[str, Value]] = {"minilm": {"vector_weight": 0.8, "keyword_weight": 0.2}}


def _named(values: Mapping[str, object], where: str) -> dict[str, object]:
    """The values by the settings' own names; two values for one setting are refused."""
    own: dict[str, object] = {}
    for name, value in values.items():
        known = ALIASES.get(name, name)
        if known in own:
            raise SettingsError(f"{where}: {known} is set twice, once as {name!r}; keep one.")
        own[known] = value
    return own


def _tuned(values: Mapping[str, Value]) -> Iterable[str]:
    """The settings with a default of the embedder, unless any of them was asked for otherwise."""
    own = TUNED.get(str(values.get("embedder", "")), {})
    return () if own.keys() & values.keys() else own


def _parse(name: str, raw: object, where: str) -> Value:
    _refuse_unknown(name, where)
    return KNOB[name].parse(raw, f"{where}: {name}")


def knob_named(name: str, where: str) -> Knob:
    """Raises SettingsError, with the nearest, where there is no such setting."""
    _refuse_unknown(name, where)
    return KNOB[name]


def _refuse_unknown(name: str, where: str) -> None:
    if name not in KNOB:
        raise SettingsError(f"{where}: there is no setting {name!r}.{_nearest(name)}")


def _nearest(name: str) -> str:
    from difflib import get_close_matches

    known = {knob.env.lower(): knob.name for knob in KNOBS} | {name: name for name in KNOB}
    known |= ALIASES
    close = get_close_matches(name.lower().replace("-", "_"), known, n=1)
    return f" Did you mean {known[close[0]]!r}?" if close else " `specloupe settings` lists them."


@dataclass(frozen=True, slots=True)
class Effective:
    """Settings, and for each the place that it comes from."""

    settings: Settings
    origin: Mapping[str, str]  # name → "argument", "file <path>", "environment <NAME>" or "default"


def resolve(
    arguments: Mapping[str, object],
    *,
    file: Path | None = None,
    environment: Mapping[str, str],
) -> Effective:
    """Settings by precedence: argument, settings file, environment, default.

    Raises SettingsError naming the place of the wrong value.
    """
    values: dict[str, Value] = {}
    origin = {knob.name: "default" for knob in KNOBS}
    for knob in KNOBS:
        if environment.get(knob.env, "").strip():
            values[knob.name] = knob.parse(environment[knob.env], f"environment {knob.env}")
            origin[knob.name] = f"environment {knob.env}"
    for name, raw in _named(read_file(file) if file else {}, str(file)).items():
        values[name] = _parse(name, raw, str(file))
        origin[name] = f"file {file}"
    for name, raw in _named(arguments, "argument").items():
        _refuse_unknown(name, "argument")
        values[name] = KNOB[name].parse(raw, KNOB[name].option)
        origin[name] = "argument"
    for name in _tuned(values):
        origin[name] = f"default of {values['embedder']}"
    return Effective(Settings(**values), origin)  # type: ignore[arg-type]


def read_file(path: Path) -> dict[str, object]:
    """Names and raw values of a settings file: TOML, JSON, YAML, or NAME=VALUE lines of an .env."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no UTF-8 text"
        raise SettingsError(f"The settings file {path} cannot be read: {reason}.") from error
    return read_text(text, str(path))


def read_text(text: str, name: str) -> dict[str, object]:
    """The same of a file's text; `name` ends in what tells its form, and is told in errors."""
    try:
        return _read_text(text, name)
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"The settings file {name} is not valid: {error}.") from error


def _read_text(text: str, name: str) -> dict[str, object]:
    if name.endswith(".json"):
        values: Any = json.loads(text)
    elif name.endswith((".yaml", ".yml")):
        values = _read_yaml(text)
    elif name.endswith(".toml"):
        values = tomllib.loads(text)
    else:
        values = _read_env(text)
    if not isinstance(values, dict):
        raise ValueError("it holds no names with values")
    nested = values.get("specloupe", values)  # a [specloupe] table may keep them apart
    if not isinstance(nested, dict):
        raise ValueError("[specloupe] holds no names with values")
    return nested


def _read_yaml(text: str) -> object:
    import yaml

    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ValueError(" ".join(str(error).split())) from error


def _read_env(text: str) -> dict[str, object]:
    by_env = {knob.env: knob.name for knob in KNOBS}
    values: dict[str, object] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        stripped = line.strip().removeprefix("export ")
        if not stripped or stripped.startswith("#"):
            continue
        key, equals, raw = stripped.partition("=")
        if not equals:
            raise ValueError(f"line {number} is not NAME=VALUE")
        if key.strip() in by_env:  # an .env file is shared with other programs
            values[by_env[key.strip()]] = raw.strip().strip("\"'")
    return values


FORMATS = ("env", "toml", "json", "python")


def export(settings: Settings, style: str) -> str:
    """The settings as text in one of `FORMATS`; reading it back gives the same settings."""
    values = settings.to_dict()
    if style == "env":
        return "".join(f"{knob.env}={_plain(values[knob.name])}\n" for knob in KNOBS)
    if style == "toml":
        return "[specloupe]\n" + "".join(f"{n} = {json.dumps(v)}\n" for n, v in values.items())
    if style == "json":
        return json.dumps(values, indent=2) + "\n"
    if style == "python":
        lines = "".join(f"    {name}={value!r},\n" for name, value in values.items())
        return f"from core.settings import Settings\n\nsettings = Settings(\n{lines})\n"
    raise ValueError(f"{style!r} is none of {FORMATS}")


def _plain(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
