"""A component that a question calls by its whole name, in plain words, comes first."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from support.stores import ingested, opened

from core import Workbench
from core.model import KnowledgeContext

ALIKE = 6  # small APIs that all have a Cabin: more than a few


def _spec(title: str, names: tuple[str, ...]) -> str:
    text = {"type": "object", "properties": {"note": {"type": "string"}}}
    operation = {"summary": "Sell", "responses": {"200": {"description": "fine"}}}
    body = {
        "openapi": "3.0.3",
        "info": {"title": title, "version": "1"},
        "components": {"schemas": dict.fromkeys(names, text)},
        "paths": {f"/{title.lower()}/sales": {"post": operation}},
    }
    return json.dumps(body)


HARBOUR = (
    *("Vessel", "VesselList", "Berths", "CargoLine", "Cargo", "Line", "Address", "Ferry"),
    *("Fields", "Key", "Box", "Cabin"),
)


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    folder = tmp_path_factory.mktemp("called")
    (folder / "harbour.json").write_text(_spec("Harbour", HARBOUR))
    for number in range(ALIKE):
        (folder / f"liner{number}.json").write_text(_spec(f"Liner{number}", ("Cabin", "Deck")))
    with opened(folder / "store") as made:
        ingested(made, folder)
        yield made


def ask(workbench: Workbench, question: str, *apis: str) -> KnowledgeContext:
    return workbench.retrieve(question, apis=apis, max_depth=0, min_score=0.0)


def called(context: KnowledgeContext) -> list[str]:
    """The names of the results that are called so, in their order."""
    return [hit.chunk.name for hit in context.primary_chunks if hit.parts.get("called")]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("vessel schema fields", ["Vessel"]),
        ("Vessel schema fields", ["Vessel"]),
        ("What fields does the Vessel schema have?", ["Vessel"]),
        ("which properties do vessels have", ["Vessel"]),
        ("structure of a berth", ["Berths"]),
        ("what is in a cargo line?", ["CargoLine"]),
        ("properties of cargolines", ["CargoLine"]),
        ("cargo-line attributes", ["CargoLine"]),
        ("a vessel list's fields", ["VesselList"]),
        ("the vessel’s properties", ["Vessel"]),
        ("what is in an address", ["Address"]),
        ("fields of all addresses", ["Address"]),
        ("attributes of ferries", ["Ferry"]),
        ("attributes of boxes", ["Box"]),
        ("structure of the key object", ["Key"]),
        ("which fields are there", ["Fields"]),
        ("I need all the properties that a vessel has", ["Vessel"]),
    ],
)
def test_the_whole_name_ranks_first(workbench: Workbench, question: str, names: list[str]) -> None:
    context = ask(workbench, question, "harbour.json")
    assert called(context) == names
    assert [hit.chunk.name for hit in context.primary_chunks][: len(names)] == names
    assert any("has the whole name of 1 component" in note for note in context.trace.notes)


@pytest.mark.parametrize(
    "question",
    [
        "sell a vessel",
        "How do I sell a vessel?",
        "why can't I sell a vessel",
        "vessel",
        "vesselwise schema fields",
        "What fields does the Rudder schema have?",
        "what does the harbour keep about the cargo of a yacht: weight, owner, insurance?",
    ],
)
def test_where_no_schema_is_asked_for_or_none_is_called_so(
    workbench: Workbench, question: str
) -> None:
    context = ask(workbench, question, "harbour.json")
    assert not called(context)
    assert not any("whole name" in note for note in context.trace.notes)


def test_a_name_that_many_apis_have_needs_its_api(workbench: Workbench) -> None:
    assert not called(ask(workbench, "cabin schema fields"))
    given = ask(workbench, "cabin schema fields", "liner3.json")
    named = ask(workbench, "fields of the cabin schema of Harbour")
    for context, file in ((given, "liner3"), (named, "harbour")):
        assert called(context) == ["Cabin"]
        assert context.primary_chunks[0].chunk.source_file == file


def test_a_rare_name_needs_none(workbench: Workbench) -> None:
    assert called(ask(workbench, "ferry schema fields")) == ["Ferry"]


def test_a_filter_of_the_caller_holds(workbench: Workbench) -> None:
    context = workbench.retrieve(
        "ferry schema fields", filter_metadata={"type": "operation"}, max_depth=0, min_score=0.0
    )
    assert not called(context)
    assert {hit.chunk.type.value for hit in context.primary_chunks} == {"operation"}


def test_the_exact_name_comes_before_what_is_called_so(workbench: Workbench) -> None:
    context = ask(workbench, "VesselList: which fields of a vessel are in it?", "harbour.json")
    assert context.primary_chunks[0].chunk.name == "VesselList"
    assert context.primary_chunks[0].parts["exact"] > 0


@pytest.mark.parametrize("question", ["", "vessel " * 2_000, "a b " * 2_000, "s " * 4_000])
def test_any_text_is_looked_through(workbench: Workbench, question: str) -> None:
    asked = f"schema fields {question}"
    assert ask(workbench, asked, "harbour.json").trace.understanding is not None
