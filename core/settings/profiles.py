"""The profiles that ship: what each kind of material, or the first requirements, want changed.

They are read-only and stand beside those that people save. A profile says only what differs from
the defaults.
"""

from __future__ import annotations

from collections.abc import Mapping

from core.errors import SettingsError
from core.settings.knob import Value
from core.text.nearest import nearest

ENV = "SPECLOUPE_PROFILE"

PROFILES: Mapping[str, Mapping[str, Value]] = {
    "apis": {},
    "required": {
        "max_primary_results": 5,
        "max_total_chunks": 15,
        "max_depth": 3,
        "token_limit": 4000,
        "timeout_ms": 5000,
        "intent_filter": "hard",
        "min_filtered_results": 3,
        "fusion": "rrf",
        "rrf_k": 0,
        "vector_weight": 0.7,
        "keyword_weight": 0.3,
    },
    "documents": {
        "sources": "document",
        "max_primary_results": 10,
        "max_total_chunks": 30,  # ten results, and twenty that they lead to
        "max_depth": 2,
        "direction": "both",
        "min_score": 0.7,
        "token_limit": 8000,
    },
    "articles": {"sources": "article", "max_primary_results": 3, "min_score": 0.4},
    "code": {"sources": "code", "max_primary_results": 5, "min_score": 0.3},
}


def profile(name: str, where: str) -> Mapping[str, Value]:
    """The values of a profile; raises SettingsError for one that there is not."""
    if name not in PROFILES:
        near = nearest(name, PROFILES)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise SettingsError(
            f"{where}: there is no profile {name!r}; take {', '.join(PROFILES)}.{hint}"
        )
    return PROFILES[name]
