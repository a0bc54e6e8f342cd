"""The retrieval core; `Workbench` is its facade."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.workbench.workbench import Workbench

__all__ = ["Workbench"]


def __getattr__(name: str) -> Any:
    if name == "Workbench":  # imported late, so that `core.settings` alone stays light
        from core.workbench.workbench import Workbench

        return Workbench
    raise AttributeError(name)
