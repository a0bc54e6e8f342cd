"""The bounds within which a specification is read: a file from outside is hostile input."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.settings import Knob, Value

MB = 1_000_000


def _bound(default: Value, env: str, help: str, **details: Any) -> Any:
    return field(default=default, metadata={"env": env, "help": help, "group": "safety", **details})


@dataclass(frozen=True, slots=True)
class Limits:
    """Every bound, with a default that the largest public API descriptions pass with room."""

    max_file_mb: int = _bound(
        100,
        "SPECLOUPE_MAX_FILE_MB",
        "Maximum size of a file, archive or download.",
        low=1,
        high=2000,
        unit="MB",
    )
    max_nesting: int = _bound(
        254,
        "SPECLOUPE_MAX_NESTING",
        "Maximum nesting of objects and lists in a document.",
        low=10,
        high=254,  # the JSON writer goes no deeper, and every reader may recurse this far
    )
    max_nodes: int = _bound(
        5_000_000,
        "SPECLOUPE_MAX_NODES",
        "Maximum values in a document, YAML aliases expanded.",
        low=1000,
        high=100_000_000,
    )
    parse_seconds: int = _bound(
        60,
        "SPECLOUPE_PARSE_SECONDS",
        "Time limit for reading one document.",
        low=1,
        high=3600,
        unit="s",
    )
    max_files: int = _bound(
        20_000,
        "SPECLOUPE_MAX_FILES",
        "Maximum files in a folder or members of an archive.",
        low=1,
        high=1_000_000,
    )
    max_expanded_mb: int = _bound(
        1000,
        "SPECLOUPE_MAX_EXPANDED_MB",
        "Maximum total size of an archive's unpacked members.",
        low=1,
        high=20_000,
        unit="MB",
    )
    max_ratio: int = _bound(
        200,
        "SPECLOUPE_MAX_RATIO",
        "Maximum growth of an archive's member when unpacked, as a factor.",
        low=2,
        high=2000,
    )
    fetch_seconds: int = _bound(
        30,
        "SPECLOUPE_FETCH_SECONDS",
        "Time limit for one download.",
        low=1,
        high=3600,
        unit="s",
    )
    max_redirects: int = _bound(
        5, "SPECLOUPE_MAX_REDIRECTS", "Maximum redirects that a download follows.", low=0, high=20
    )
    max_findings: int = _bound(
        50,
        "SPECLOUPE_MAX_FINDINGS",
        "Maximum findings of each kind listed for a document.",
        low=1,
        high=10_000,
    )
    allow_private_network: bool = _bound(
        False,
        "SPECLOUPE_ALLOW_PRIVATE_NETWORK",
        "Allow URLs on this machine and in private networks.",
    )

    def __post_init__(self) -> None:
        for knob in LIMIT_KNOBS:
            knob.parse(getattr(self, knob.name), knob.name)

    @property
    def max_file_bytes(self) -> int:
        return self.max_file_mb * MB

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Limits:
        """The defaults, changed by what the environment sets; raises SettingsError."""
        given = {k: environment[k.env] for k in LIMIT_KNOBS if environment.get(k.env, "").strip()}
        values = {k.name: k.parse(raw, f"environment {k.env}") for k, raw in given.items()}
        return cls(**values)  # type: ignore[arg-type]  # parse gives each field its own type


LIMIT_KNOBS: tuple[Knob, ...] = tuple(
    Knob(name=f.name, default=f.default, **f.metadata)  # type: ignore[arg-type]
    for f in dataclasses.fields(Limits)
)
