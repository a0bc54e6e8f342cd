"""Imports go one way; the layout stays readable only as long as this holds."""

from __future__ import annotations

import ast
from pathlib import Path

import networkx as nx
import pytest

ROOT = Path(__file__).parents[1]
LAYERS = [  # each may import from itself and from those before it
    (
        "core.errors",
        "core.frozen",
        "core.ids",
        "core.model",
        "core.settings",
        "core.present",
        "core.text",
    ),
    (
        "core.deadline",
        "core.tokens",
        "core.counts",
        "core.ranking",
        "core.jobs",
        "core.where",
        "core.convert",
    ),
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
ROOMS = {  # the same inside a room: each room or module imports from those before it alone
    "core.index": (
        *("disk", "embed", "chroma", "snapshot", "second", "store", "check", "mirror", "write"),
    ),
    "core.sources": ("files", "kind", "openapi", "registry"),
    "core.retrieve": (
        *("reader", "lookups", "understand", "score", "search", "follow"),
        *("assemble", "explain", "stages", "pipeline"),
    ),
    "core.evaluate": (
        *("measures", "stop", "results", "sets", "score", "compare", "report", "runs", "run"),
    ),
    "ui": (
        *("folders", "server", "shared", "query", "graph", "apis", "ingest", "evaluate"),
        "compare",
    ),
}
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


CIRCLE = {"core.model", "core.present"}  # `KnowledgeContext.to_markdown` says why


def test_no_module_imports_itself_in_a_circle() -> None:
    """Not by way of imports inside functions either, nor by those for the type checker."""
    modules = {module_of(path): path for path in sources()}
    imports = nx.DiGraph()
    for module, path in modules.items():
        names = {*imported(path), *(name.rpartition(".")[0] for name in imported(path))}
        imports.add_edges_from((module, name) for name in names & modules.keys() - {module})
    circles = [c for c in nx.strongly_connected_components(imports) if len(c) > 1]
    assert circles == [CIRCLE]


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
    assert not later


def inside(house: str, name: str) -> str:
    """The room or module of a house that a dotted name leads into; "" when it is elsewhere."""
    head, _, rest = name.partition(f"{house}.")
    return "" if head or not rest else rest.partition(".")[0]


@pytest.mark.parametrize("house", ROOMS)
def test_rooms_import_one_way(house: str) -> None:
    order = {room: at for at, room in enumerate(ROOMS[house])}
    back = {
        f"{module_of(path)} imports {name}"
        for path in sources()
        if (own := inside(house, module_of(path)))
        for name in imported(path)
        if order.get(inside(house, name), -1) > order[own]
    }
    assert not back


@pytest.mark.parametrize("house", ROOMS)
def test_every_room_has_its_place_in_the_order(house: str) -> None:
    there = {inside(house, module_of(path)) for path in sources()} - {""}
    assert there == {*ROOMS[house]}


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
