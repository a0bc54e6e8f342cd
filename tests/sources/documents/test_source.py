"""Documents go the whole way: ingested beside an API, searched, shown, changed and removed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.apis import api, write
from support.stores import opened

from core import Workbench
from core.index.write.report import IngestReport
from core.model import Level
from core.sources.documents.source import Documents

DESIGN = """\
---
id: DES-1
type: design
status: approved
implements: REQ-1
---
# Mooring design

A boat is moored through [one call](../shop.json#/paths/~1users/post).

## Depth of the harbour

The water at the pier is two metres deep at ebb.
"""
REQUIREMENT = "---\nid: REQ-1\n---\n# Boats are moored\n\nEvery boat must lie at a pier.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {
        "shop.json": api("Shop", paths=["/users"]),
        "design/mooring.md": DESIGN,
        "requirements/boats.md": REQUIREMENT,
    }
    return write(tmp_path / "in", files)


@pytest.fixture
def workbench(tmp_path: Path, folder: Path) -> Iterator[Workbench]:
    with opened(tmp_path / "store") as workbench:
        report(workbench, folder)
        yield workbench


def report(
    workbench: Workbench, source: Path, *, prune: bool = False, formats: tuple[str, ...] = ("all",)
) -> IngestReport:
    *_, last = workbench.ingest([source], prune=prune, formats=formats)
    assert isinstance(last, IngestReport)
    return last


def test_one_graph_leads_from_the_requirement_to_the_call(workbench: Workbench) -> None:
    requirement, _ = workbench.show("requirements/boats.md:document")
    design, _ = workbench.show("design/mooring.md:document")
    call, _ = workbench.show("shop.json:paths/users/post")
    assert requirement.referenced_by == (design.id,)
    assert design.ref_ids == {requirement.id: ("IMPLEMENTS",), call.id: ("REFERENCES",)}
    assert call.referenced_by == (design.id,)


def test_a_section_is_found_and_brings_its_document(workbench: Workbench) -> None:
    context = workbench.retrieve("How deep is the water at the pier?")
    assert context.primary_chunks[0].chunk.id == "design/mooring.md:section/depth-of-the-harbour"
    assert "two metres deep at ebb" in context.to_markdown()


def test_it_is_shown_from_its_original(workbench: Workbench) -> None:
    chunk, body = workbench.show("design/mooring.md:section/depth-of-the-harbour")
    assert body["path"] == "Mooring design > Depth of the harbour"
    assert (chunk.kind, chunk.status) == ("design", "approved")
    assert workbench.look(chunk.id, Level.COMPACT)[1] == (
        "## Mooring design > Depth of the harbour\n\n"
        "The water at the pier is two metres deep at ebb.\n"
    )
    assert workbench.look("requirements/boats.md:document", Level.SIGNATURE)[1] == (
        "Boats are moored (requirement) — Every boat must lie at a pier.\n"
    )


def test_what_is_unchanged_is_not_chunked_again(workbench: Workbench, folder: Path) -> None:
    assert len(report(workbench, folder).skipped) == 3


def test_an_edge_goes_with_either_end(workbench: Workbench, folder: Path) -> None:
    write(folder, {"shop.json": api("Shop", paths=["/boats"])})
    done = report(workbench, folder)
    (unresolved,) = workbench.reports()["design/mooring"].unresolved
    assert (unresolved.line, unresolved.ref) == (9, "../shop.json#/paths/~1users/post")
    assert "design/mooring.md" in {spec.file for spec in done.specs}
    write(folder, {"shop.json": api("Shop", paths=["/users"])})
    (folder / "design/mooring.md").unlink()
    report(workbench, folder, prune=True)
    call, _ = workbench.show("shop.json:paths/users/post")
    assert call.referenced_by == ()


def test_a_document_that_comes_later_supersedes(workbench: Workbench, folder: Path) -> None:
    write(folder, {"design/new.md": "---\nsupersedes: DES-1\n---\n# New design\n"})
    report(workbench, folder)
    old, _ = workbench.show("design/mooring.md:section/depth-of-the-harbour")
    assert (old.status, old.deprecated) == ("superseded", True)
    assert "Status: superseded" in workbench.look("design/mooring.md:document", Level.COMPACT)[1]


def test_what_it_takes() -> None:
    kind = Documents()
    assert kind.takes("README.md", b"# x")
    assert kind.takes("a.TXT", b"words: openapi: none")
    assert not kind.takes("a.txt", b'{"openapi": "3.0.0"}')
    assert not kind.takes("a.txt", b"swagger: '2.0'\n")
    assert not kind.takes("a.json", b"{}")


def test_beside_apis_documents_are_read_when_they_are_asked_for(
    tmp_path: Path, folder: Path
) -> None:
    with opened(tmp_path / "alone") as workbench:
        done = report(workbench, folder, formats=())
        assert done.left_out == ("design/mooring.md", "requirements/boats.md")
        assert [spec.file for spec in done.specs] == ["shop.json"]
        (folder / "shop.json").unlink()
        done = report(workbench, folder / "design", formats=())
        assert "mooring.md" in {spec.file for spec in done.specs}


def test_superseded_documents_are_found_as_history_alone(
    workbench: Workbench, folder: Path
) -> None:
    write(folder, {"design/new.md": "---\nsupersedes: DES-1\n---\n# New design of mooring\n"})
    report(workbench, folder)
    question, old = (
        "How deep is the water at the pier?",
        "design/mooring.md:section/depth-of-the-harbour",
    )
    context = workbench.retrieve(question)
    assert old not in context.ids
    assert {"include_history"} == {x.setting for x in context.trace.left_out if x.chunk_id == old}
    with opened(Path(workbench.store), include_history=True) as other:
        context = other.retrieve(question)
        assert context.primary_chunks[0].chunk.id == old
        assert "# Historical\n" in context.to_markdown()
    assert old in workbench.retrieve(question, filter_metadata={"status": "superseded"}).ids


def test_both_directions_lead_from_the_requirement_to_the_design(
    workbench: Workbench,
) -> None:
    question = "Every boat must lie at a pier"
    where = {"kind": "requirement"}
    assert (
        "design/mooring.md:document" not in workbench.retrieve(question, filter_metadata=where).ids
    )
    with opened(Path(workbench.store), direction="both") as other:
        found = other.retrieve(question, filter_metadata=where).holder("design/mooring.md:document")
    assert found is not None
    assert (found.depth, found.used) == (1, ("← IMPLEMENTS",))
