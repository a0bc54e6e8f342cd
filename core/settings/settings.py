"""All settings: the stages' composed, with flat names in files, options and links.

The slider, the command-line option, the sweep axis and the reference in `docs/` are all drawn from
`KNOBS`. Keys and tokens are not settings: they never enter a value that is logged or saved.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from typing import cast

from core.errors import SettingsError
from core.settings.knob import Knob, Usual, Value
from core.settings.stages import (
    Assemble,
    Choose,
    Engine,
    Follow,
    Models,
    Rank,
    Search,
    Understand,
)
from core.text.nearest import nearest

STAGES = (
    Understand,
    Choose,
    Search,
    Rank,
    Follow,
    Assemble,
    Engine,
    Models,
)  # in the order of the pipeline


@dataclass(frozen=True)  # without slots, which several bases cannot have
class Settings(Understand, Choose, Search, Rank, Follow, Assemble, Engine, Models):
    """One effective value for each knob; checked when made, compared with `==`.

    It is the settings of every stage: a stage declares the one that it depends on.
    """

    def __post_init__(self) -> None:
        for knob in KNOBS:
            knob.parse(getattr(self, knob.name), knob.name)
        self._settle()

    def _settle(self) -> None:
        """Take the usual weights of the embedder, and refuse values that do not go together."""
        if isinstance(self.vector_weight, Usual) and isinstance(self.keyword_weight, Usual):
            for name in ("vector_weight", "keyword_weight"):
                usual = TUNED.get(self.embedder, {}).get(name, KNOB[name].default)
                object.__setattr__(self, name, Usual(usual))
        if self.max_total_chunks < self.max_primary_results:
            raise SettingsError(
                f"max_total_chunks ({self.max_total_chunks}) is below max_primary_results "
                f"({self.max_primary_results}): a context holds at least its direct results. "
                f"Raise {KNOB['max_total_chunks'].env} or lower {KNOB['max_primary_results'].env}."
            )
        if (self.asks_model or self.doc_expansion == "model") and not self.llm_model:
            raise SettingsError(
                "A stage is set to model, and no model is named: set LLM_MODEL (and LLM_BASE_URL "
                "for an endpoint of your own), or set the stage to rules."
            )

    def replace(self, **changes: Value) -> Settings:
        """The same settings with some values changed; the others were checked before."""
        other = copy(self)
        for name, value in parsed(changes, "settings").items():
            object.__setattr__(other, name, value)
        other._settle()
        return other

    def to_dict(self) -> dict[str, Value]:
        return {knob.name: _number(getattr(self, knob.name)) for knob in KNOBS}

    @classmethod
    def from_values(cls, values: Mapping[str, object], where: str = "settings") -> Settings:
        """Settings from names and raw values; an unknown name is refused with the nearest."""
        return cls(**parsed(values, where))  # type: ignore[arg-type]


def _number(value: Value) -> Value:
    return float(value) if isinstance(value, float) else value


_GROUPS = (
    "limits",
    "search",
    "filters",
    "documents",
    "context",
    "models",
    "engine",
)  # as people see them

KNOBS: tuple[Knob, ...] = tuple(
    sorted(
        (
            Knob(name=f.name, default=_number(cast(Value, f.default)), **f.metadata)
            for stage in STAGES
            for f in dataclasses.fields(stage)
        ),
        key=lambda knob: _GROUPS.index(knob.group),
    )
)
KNOB = {knob.name: knob for knob in KNOBS}


# What other programs call a setting: accepted wherever its own name is.
ALIASES = {"top_k": "max_primary_results", "limit": "max_primary_results"}

# Defaults that differ by embedder: its vectors earn more than those of the usual one.
TUNED: Mapping[str, Mapping[str, Value]] = {"minilm": {"vector_weight": 0.8, "keyword_weight": 0.2}}


def parsed(values: Mapping[str, object], where: str) -> dict[str, Value]:
    """The values by the settings' own names, each within its knob's bounds.

    Raises SettingsError for an unknown name, and for two values for one setting.
    """
    own: dict[str, Value] = {}
    for name, raw in values.items():
        knob = knob_named(ALIASES.get(name, name), where)
        if knob.name in own:
            raise SettingsError(f"{where}: {knob.name} is set twice, once as {name!r}; keep one.")
        own[knob.name] = knob.parse(raw, f"{where}: {knob.name}")
    return own


def tuned(values: Mapping[str, Value]) -> Iterable[str]:
    """The settings with a default of the embedder, unless any of them was asked for otherwise."""
    own = TUNED.get(str(values.get("embedder", "")), {})
    return () if own.keys() & values.keys() else own


def knob_named(name: str, where: str) -> Knob:
    """Raises SettingsError, with the nearest, where there is no such setting."""
    if name not in KNOB:
        raise SettingsError(f"{where}: there is no setting {name!r}.{_nearest(name)}")
    return KNOB[name]


def _nearest(name: str) -> str:
    known = {knob.env.lower(): knob.name for knob in KNOBS} | {name: name for name in KNOB}
    known |= ALIASES
    close = nearest(name.lower().replace("-", "_"), known)
    return f" Did you mean {known[close[0]]!r}?" if close else " `specloupe settings` lists them."
