"""What programs import: `Workbench`, the facade, and the values that it takes, gives and raises."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.errors import (
        CallError,
        EmbeddingError,
        EvalSetError,
        OutputError,
        SettingsError,
        SpecError,
        SpecloupeError,
        StoreError,
        UnknownId,
    )
    from core.model import Chunk, ContextChunk, Hit, Intent, KnowledgeContext, Level, Trace
    from core.settings import Settings
    from core.version import __version__
    from core.workbench.workbench import Workbench

_HOMES = {
    "core.errors": (
        *("CallError", "EmbeddingError", "EvalSetError", "OutputError", "SettingsError"),
        *("SpecError", "SpecloupeError", "StoreError", "UnknownId"),
    ),
    "core.model": (
        *("Chunk", "ContextChunk", "Hit", "Intent", "KnowledgeContext", "Level", "Trace"),
    ),
    "core.settings": ("Settings",),
    "core.version": ("__version__",),
    "core.workbench.workbench": ("Workbench",),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "CallError",
    "Chunk",
    "ContextChunk",
    "EmbeddingError",
    "EvalSetError",
    "Hit",
    "Intent",
    "KnowledgeContext",
    "Level",
    "OutputError",
    "Settings",
    "SettingsError",
    "SpecError",
    "SpecloupeError",
    "StoreError",
    "Trace",
    "UnknownId",
    "Workbench",
    "__version__",
]


def __getattr__(name: str) -> Any:
    """Imported at first use, so that `import core.settings` alone stays light."""
    if home := _HOME.get(name):
        return getattr(import_module(home), name)
    raise AttributeError(f"module 'core' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
