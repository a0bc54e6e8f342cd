"""The names by which files are known: relative paths that show on one line and stay inside."""

from __future__ import annotations

from core.errors import UnsafeSpec
from core.ids import encode

ENDINGS = (".json", ".yaml", ".yml")  # of the files that `syntax` reads


def has_ending(name: str, endings: tuple[str, ...]) -> bool:
    """Whether a file in a folder or an archive ends as what is looked for does."""
    return name.lower().endswith(endings)


def listed(endings: tuple[str, ...]) -> str:
    """The endings in words: ".json, .yaml or .yml"."""
    *others, last = endings
    return f"{', '.join(others)} or {last}" if others else last


def joined(*parts: str) -> str:
    """One relative path with "/" separators; raises UnsafeSpec for a step upwards.

    Characters that do not show (control characters, bytes that are not text) are percent-encoded.
    """
    steps = [step for part in parts for step in part.split("/") if step not in ("", ".")]
    name = "/".join(visible(step) for step in steps)
    if ".." in steps:
        raise UnsafeSpec(name, "its name leads out of the folder it is in; it was not read.")
    return name


def visible(text: str) -> str:
    return "".join(c if c.isprintable() else encode(c) for c in text)
