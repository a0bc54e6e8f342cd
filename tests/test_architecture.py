"""Imports go one way and tests mirror the tree; only so long does the layout stay readable."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
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
        "core.in_time",
        "core.tokens",
        "core.counts",
        "core.blocks",
        "core.ranking",
        "core.jobs",
        "core.in_time",
        "core.where",
        "core.convert",
    ),
    ("core.read",),
    ("core.exposed",),
    ("core.sources",),
    ("core.index", "core.llm"),
    ("core.graphdb",),
    ("core.retrieve",),
    ("core.evaluate", "core.knowledge"),
    ("core.story",),
    ("core.workbench", "core.examples"),
    ("core.functions",),
    ("core.frameworks",),
    ("core.service",),
    ("core.cli", "ui"),
    ("pages",),
    ("app",),
]
ROOMS = {  # the same inside a room: each room or module imports from those before it alone
    "core.index": (
        *(
            "disk",
            "embed",
            "chroma",
            "snapshot",
            "second",
            "written",
            "graphs",
            "store",
            "check",
            "mirror",
            "write",
            "sync",
        ),
    ),
    "core.sources": (
        *("files", "leads", "served", "kind"),
        *("code", "documents", "openapi", "articles", "registry"),
    ),
    "core.retrieve": (
        *("reader", "lookups", "documents", "understand", "score", "search", "follow"),
        *("assemble", "explain", "stages", "by_model", "pipeline"),
    ),
    "core.evaluate": (
        *(
            "measures",
            "stop",
            "results",
            "sets",
            "score",
            "compare",
            "report",
            "runs",
            "labelling",
            "run",
            *("tune", "audit"),
        ),
    ),
    "core.story": (
        *(
            "slide",
            "plain",
            "drawing",
            "question",
            "comparison",
            "tuning",
            "audit",
            "samples",
            "deck",
        ),
    ),
    "core.service": (
        *("problems", "guard", "bodies", "answers", "examples", "description"),
        *("counts", "metrics", "rest", "patience", "serve"),
        *("budget", "tools", "agents"),
    ),
    "core.frameworks": ("found", "langchain", "llamaindex"),
    "ui": (
        *(
            "locale",
            "manners",
            "access",
            "server",
            "shared",
            "query",
            "graph",
            "apis",
            "ingest",
            "evaluate",
        ),
        *("label", "compare", "tune", "audit", "knowledge"),
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


@cache
def imported(path: Path) -> frozenset[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(names)


CIRCLE = {"core.model", "core.present"}  # `KnowledgeContext.to_markdown` says why


def test_no_module_imports_itself_in_a_circle() -> None:
    """Not by way of imports inside functions either, nor by those for the type checker."""
    modules = {module_of(path): path for path in sources()}
    imports = nx.DiGraph()
    for module, path in modules.items():
        names = {*imported(path), *(name.rpartition(".")[0] for name in imported(path))}
        names = (names & modules.keys()) - PROTOCOLS - {module}
        imports.add_edges_from((module, name) for name in names)
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


# --- where each module is tested

TESTS = ROOT / "tests"
TESTED_IN = {  # test file → modules without one of their name that it tests, as callers use them
    # commands are run, with their output and exit status
    "cli/test_app.py": "core.cli.shared.log core.cli.shared.options",
    "cli/test_commands.py": """core.cli.browse core.cli.evaluate core.cli.related core.cli.ingest
        core.cli.query core.cli.settings core.cli.shared.out core.cli.stats
        core.errors""",
    "graphdb/export/test_formats.py": """core.graphdb.export.cypher core.graphdb.export.graphml
        core.graphdb.export.tables""",
    "service/test_rest.py": """core.service.answers core.service.bodies core.service.description
        core.service.examples core.service.problems""",
    "service/test_serve.py": "core.cli.serve core.service.counts",
    "service/test_agents.py": "core.cli.mcp core.service.tools",
    "story/test_deck.py": "core.story.slide",
    "pages/test_present.py": "ui.shared.deck",
    "cli/test_audit.py": "core.cli.newer_version",
    "llm/test_model.py": "core.llm.client core.llm.kept",
    "cli/test_runs.py": "core.cli.convert core.cli.sweep",
    # pages are run, and asserted on by what people see
    "pages/test_apis.py": """ui.apis.address ui.apis.api ui.apis.catalogue ui.apis.element
        ui.apis.element_links ui.apis.homes ui.apis.impact_picture ui.apis.impact_view
        ui.apis.trail""",
    "pages/test_audit.py": """ui.audit.loaded ui.audit.newer ui.audit.shares ui.audit.take
        ui.audit.work ui.audit.worst""",
    "pages/test_read_only.py": "ui.access.person",
    "pages/test_login.py": "ui.access.door",
    "pages/test_knowledge.py": """ui.knowledge.coverage_table ui.knowledge.gaps
        ui.knowledge.synced ui.knowledge.try_it ui.shared.articles""",
    "pages/test_compare.py": """ui.compare.asked ui.compare.many ui.compare.one
        ui.compare.progress ui.compare.sides ui.compare.work""",
    "pages/test_evaluate.py": """ui.evaluate.charts ui.evaluate.choose ui.evaluate.compared
        ui.evaluate.gate ui.evaluate.loaded ui.evaluate.missed ui.evaluate.paid ui.evaluate.pick
        ui.evaluate.place ui.evaluate.progress ui.evaluate.query_link ui.evaluate.questions
        ui.evaluate.saved ui.evaluate.take ui.evaluate.use_run ui.evaluate.work
        ui.shared.job_panel ui.shared.listed ui.shared.paged""",
    "pages/test_graph.py": "ui.graph.choice ui.graph.chunk_view ui.graph.graphs",
    "pages/test_ingest_written.py": "ui.ingest.written_view",
    "pages/test_ingest.py": """core.exposed.folders ui.ingest.clashes ui.ingest.formats
        ui.ingest.add_view ui.ingest.changes_view ui.ingest.ingest_view
        ui.ingest.read_index ui.ingest.second_look_view ui.ingest.statistics_view
        ui.ingest.removal ui.ingest.sources_view ui.ingest.stored ui.shared.second_look""",
    "pages/test_label.py": """ui.label.add ui.label.beside ui.label.conflicts ui.label.desk
        ui.label.export ui.label.keys ui.label.linted ui.label.listed
        ui.label.queue ui.label.stored""",
    "pages/test_label_model.py": "ui.label.drafting",
    "pages/test_profiles.py": "ui.shared.profiles",
    "pages/test_tune.py": """ui.tune.asked ui.tune.budgets ui.tune.charts ui.tune.frontier
        ui.tune.leaderboard ui.tune.line_chart ui.tune.progress ui.tune.threshold
        ui.tune.tried""",
    "pages/test_query_model.py": "ui.query.answer_view ui.query.by_model",
    "pages/test_query.py": """ui.evaluate.golden ui.query.context_view ui.query.facets
        ui.query.overrule ui.query.why ui.shared.focus ui.shared.frame ui.shared.loaded
        ui.shared.part ui.shared.services""",
    "ui/shared/test_controls.py": "ui.shared.address",
    "ui/shared/test_question.py": "core.examples",
    # the parts of a stage are tested through the stage
    "evaluate/audit/test_audit.py": """core.evaluate.audit.kept core.evaluate.audit.matched
        core.evaluate.audit.one_api core.evaluate.audit.report core.evaluate.audit.results""",
    "evaluate/compare/test_side_by_side.py": "core.evaluate.compare.in_words",
    "evaluate/report/test_report.py": """core.evaluate.report.charts
        core.evaluate.report.report_html core.evaluate.report.tables""",
    "evaluate/score/test_score.py": """core.evaluate.score.context_metrics
        core.evaluate.score.rank_metrics core.evaluate.sets.gold""",
    "evaluate/sets/test_sets.py": """core.evaluate.sets.cells core.evaluate.sets.rows
        core.evaluate.sets.sample""",
    "evaluate/test_run.py": """core.evaluate.compare.summary core.evaluate.results
        core.evaluate.score.ragas_metrics core.evaluate.score.ragas_worker""",
    "evaluate/tune/test_depth.py": "core.retrieve.follow.depth",
    "evaluate/tune/test_sweep.py": "core.evaluate.tune.whole",
    "evaluate/runs/test_kept.py": "core.index.disk.items core.index.disk.sqlite",
    "functions/test_retrieve.py": """core.functions.checked core.functions.embed
        core.functions.opened core.functions.results core.functions.search""",
    "index/chroma/remote/test_server.py": """core.index.chroma.place
        core.index.chroma.remote.lease core.index.chroma.remote.meta
        core.index.chroma.remote.meta_items core.index.mirror.agreement
        core.index.mirror.generations core.index.mirror.mirror""",
    "index/chroma/test_lying.py": "core.index.disk.bounded",
    "index/disk/test_documents.py": """core.index.disk.files core.index.disk.journal
        core.index.disk.manifest""",
    "index/embed/test_embedder.py": """core.index.embed.hashed core.index.embed.normal
        core.index.embed.openai core.index.embed.static""",
    "index/embed/test_minilm.py": "core.index.embed.model_files",
    "index/second/test_second_fill.py": """core.index.second.fill core.index.second.records
        core.index.second.second core.index.second.table""",
    "index/written/test_fill.py": "core.index.written.look core.index.written.questions",
    "index/snapshot/test_build.py": "core.index.snapshot.writer",
    "index/snapshot/test_copies.py": "core.index.disk.cache",
    "index/snapshot/test_lexical.py": "core.index.snapshot.lexical_writer",
    "index/test_check.py": "core.cli.store core.index.chroma.seal",
    "index/test_killed.py": "core.index.write.commit",
    "index/test_store.py": """core.index.chroma.collection core.index.chroma.folder
        core.index.disk.facts""",
    "index/sync/test_sync.py": "core.index.sync.host core.index.sync.state",
    "knowledge/test_desk.py": "core.knowledge.answer core.knowledge.base core.knowledge.limits",
    "knowledge/test_sources.py": "core.knowledge.relevance",
    "index/write/test_clash.py": "core.sources.openapi.changes",
    "sources/articles/test_source.py": "core.index.write.formats core.sources.articles.chunk",
    "index/write/test_ingest.py": """core.index.disk.lock core.index.write.cut
        core.index.write.reading core.index.write.report core.index.write.staging
        core.index.write.update""",
    "read/files/test_fetch.py": "core.read.files.public_addresses",
    "read/files/test_find.py": "core.read.files.filenames",
    "read/syntax/test_yaml.py": "core.read.syntax.compose core.read.syntax.parsed",
    "read/test_load.py": """core.read.document core.read.files.looks core.read.syntax.comments
        core.read.syntax.json""",
    "retrieve/assemble/test_assemble.py": """core.retrieve.assemble.levels
        core.retrieve.assemble.within_limits""",
    "retrieve/lookups/test_identifiers.py": """core.retrieve.lookups.paths
        core.retrieve.lookups.servers""",
    "retrieve/score/test_expansion.py": "core.retrieve.search.expand_query",
    "retrieve/score/test_likelihood.py": "core.retrieve.score.fitted",
    "retrieve/search/test_arrays_ranker.py": """core.retrieve.lookups.derived
        core.retrieve.lookups.elements core.retrieve.score.features
        core.retrieve.score.parts core.retrieve.score.verb_boost
        core.retrieve.search.gathered core.retrieve.search.ranked
        core.retrieve.search.row_order""",
    "retrieve/search/test_choose_apis.py": """core.retrieve.lookups.api_names
        core.retrieve.score.api_evidence core.retrieve.search.evidence""",
    "retrieve/search/test_search.py": "core.retrieve.search.primaries",
    "retrieve/test_pipeline.py": """core.retrieve.explain.trace core.retrieve.reader
        core.retrieve.understand.asked""",
    "retrieve/by_model/test_by_model.py": """core.retrieve.by_model.api_index
        core.retrieve.by_model.catalogue core.retrieve.by_model.choose
        core.retrieve.by_model.consult core.retrieve.by_model.expand
        core.retrieve.by_model.rerank core.retrieve.by_model.understand""",
    "retrieve/test_stages.py": "core.retrieve.understand.question",
    "retrieve/understand/test_entities.py": "core.text.requests",
    "retrieve/understand/test_intent.py": "core.retrieve.understand.cues",
    "retrieve/understand/test_spelling.py": """core.retrieve.lookups.english
        core.retrieve.lookups.vocabulary""",
    "settings/test_settings.py": """core.settings.files core.settings.knob core.settings.resolve
        core.settings.stages""",
    "sources/code/test_chunk.py": "core.sources.code.written",
    "sources/code/test_outline.py": "core.sources.code.languages core.sources.code.nodes",
    "sources/code/test_source.py": "core.sources.code.changes",
    "sources/openapi/refs/test_resolve.py": """core.sources.openapi.refs.groups
        core.sources.openapi.refs.index core.sources.openapi.refs.mentions
        core.sources.openapi.refs.overrides core.sources.openapi.refs.unresolved""",
    "sources/openapi/render/test_compact.py": """core.sources.openapi.render.parameters
        core.sources.openapi.render.payloads core.sources.openapi.render.security""",
    "sources/openapi/render/test_levels.py": """core.sources.openapi.render.around
        core.sources.openapi.render.schemas""",
    "sources/openapi/test_chunk.py": """core.read.written core.sources.openapi.drafts
        core.sources.openapi.making core.sources.openapi.render.text core.sources.openapi.shapes
        core.sources.openapi.split core.sources.openapi.walk""",
    "sources/openapi/test_quality.py": "core.sources.openapi.report",
    "sources/test_kind.py": "core.sources.openapi.source core.sources.registry",
    "test_present.py": "core.model",
    "text/test_verbs.py": "core.retrieve.understand.verbs",
    "workbench/test_shared.py": "core.workbench.newest",
    "workbench/test_stages.py": "core.workbench.workbench",
    "workbench/test_written.py": "core.retrieve.search.with_written",
}
RUN_BY_NAME = {  # what a folder's tests run without an import: commands and pages, by their names
    "cli": "core.cli",
    "index": "core.cli",
    "pages": "pages",
    "evaluate": "core.evaluate.score.ragas_worker",
}
MODULES = {module_of(path): path for path in sources() if path.name != "__init__.py"}


def own_test(path: Path) -> Path:
    """`core/a/b.py` → `tests/a/test_b.py`; `ui` and `pages` keep their names."""
    place = path.relative_to(ROOT)
    place = place.relative_to("core") if place.parts[0] == "core" else place
    return TESTS / place.with_name(f"test_{place.name}")


@cache
def reached_from(module: str) -> frozenset[str]:
    """Its own imports that are modules of the project."""
    names = imported(MODULES[module])
    return frozenset(({*names} | {name.rpartition(".")[0] for name in names}) & MODULES.keys())


def reached(test: Path) -> set[str]:
    """Every module that the test runs, or that these import."""
    names = set(imports_of_test(test))
    by_name = RUN_BY_NAME.get(test.relative_to(TESTS).parts[0], "nothing")
    left = [m for m in MODULES if m in names or m == by_name or m.startswith(f"{by_name}.")]
    seen = set(left)
    while left:
        new = reached_from(left.pop()) - seen
        seen |= new
        left += new
    return seen


def imports_of_test(test: Path) -> Iterator[str]:
    for name in imported(test):
        yield from (name, name.rpartition(".")[0])
        of = TESTS.joinpath(*name.split(".")[:2]).with_suffix(".py")
        if name.startswith("support.") and of.is_file():
            yield from imports_of_test(of)
        if name == "core.Workbench":
            yield "core.workbench.workbench"  # from where it is imported when it is used


def told() -> dict[str, list[Path]]:
    """Each module that the table names, with the files it names for it."""
    found: dict[str, list[Path]] = {}
    for file, modules in TESTED_IN.items():
        for module in modules.split():
            found.setdefault(module, []).append(TESTS / file)
    return found


def test_each_module_has_a_test_of_its_name_or_is_told() -> None:
    without = {module for module, path in MODULES.items() if not own_test(path).is_file()}
    assert told().keys() == without - {"app"}


@pytest.mark.parametrize("module", sorted(told()))
def test_what_is_told_runs_the_module(module: str) -> None:
    for test in told()[module]:
        assert test.is_file()
        assert module in reached(test)
