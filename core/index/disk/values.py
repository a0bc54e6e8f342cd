"""Values that a store keeps as JSON, read by this version and by those beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any


def only_fields(kind: type[Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """The values that a dataclass has a field for: a newer version may have written others."""
    known = {field.name for field in fields(kind)}
    return {name: value for name, value in values.items() if name in known}
