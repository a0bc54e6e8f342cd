"""Imports go one way; the layout stays readable only as long as this holds."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LAYERS = [  # each may import from itself and from those before it
    ("core.errors", "core.ids", "core.model", "core.settings", "core.present", "core.text"),
    ("core.tokens", "core.counts", "core.ranking", "core.jobs", "core.where"),
    ("core.read",),
    ("core.sources",),
    ("core.index",),
    ("core.retrieve",),
    ("core.evaluate",),
    ("core.workbench", "core.examples"),
    ("core.cli", "ui"),
    ("pages",),
    ("app",),
]
PROTOCOLS = {"core.retrieve.reader"}  # a seam lives with its caller; the layers below satisfy it


def layer(module: str) -> int | None:
    for level, names in enumerate(LAYERS):
        if any(module == name or module.startswith(name + ".") for name in names):
            return level
    return None


def sources() -> list[Path]:
    folders = ("core", "ui", "pages")
    found = sorted(p for folder in folders for p in (ROOT / folder).rglob("*.py"))
    return [*found, ROOT / "app.py"]


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@pytest.mark.parametrize("path", sources(), ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_go_one_way(path: Path) -> None:
    own = layer(module_of(path))
    if own is None or path.parts[-2:] == ("core", "__init__.py"):
        return
    later = {
        name
        for name in imported(path)
        if (level := layer(name)) is not None
        and level > own
        and not any(name.startswith(protocol) for protocol in PROTOCOLS)
    }
    if module_of(path) == "core.model":
        later -= {"core.present.to_markdown", "core.present.to_dict"}  # same layer, imported late
    assert not later


@pytest.mark.parametrize("path", sources(), ids=lambda p: str(p.relative_to(ROOT)))
def test_the_core_knows_no_streamlit(path: Path) -> None:
    if path.is_relative_to(ROOT / "core") and path != ROOT / "core" / "cli" / "app.py":
        assert not {name for name in imported(path) if name.split(".")[0] == "streamlit"}


@pytest.mark.parametrize("path", sources(), ids=lambda p: str(p.relative_to(ROOT)))
def test_the_core_asks_the_kinds_of_source_and_no_room_of_one(path: Path) -> None:
    """What knows a kind lies in its room; others take it from `core.sources.registry`."""
    if path.is_relative_to(ROOT / "core") and not path.is_relative_to(ROOT / "core" / "sources"):
        kinds = {folder.name for folder in (ROOT / "core" / "sources").iterdir() if folder.is_dir()}
        rooms = tuple(f"core.sources.{kind}" for kind in kinds)
        assert not {name for name in imported(path) if name.startswith(rooms)}
