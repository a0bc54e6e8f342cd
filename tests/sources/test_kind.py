"""A second kind of source goes the whole way: read, linked, chunked, searched, shown, replaced."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.apis import api, write
from support.notes import Notes
from support.stores import opened

from core import Workbench
from core.errors import StoreMismatch
from core.index.disk.manifest import FIRST
from core.index.snapshot.build import current
from core.index.store import Store
from core.index.write.report import IngestReport
from core.model import Level
from core.sources import registry
from core.sources.openapi.source import OpenApi
from core.text.words import query_terms

HARBOUR = """Harbour rules

mooring: A boat lies at the pier that the harbour master shows it, see tides.note for the depth.

fees: Fees for a berth are paid in the evening.
"""
TIDES = "Tides\n\ndepth: The water at the pier is two metres deep at ebb.\n"


@pytest.fixture(autouse=True)
def kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "KINDS", (Notes(), OpenApi()))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = write(tmp_path / "in", {"shop.json": api("Shop", paths=["/users"])})
    (folder / "harbour.note").write_text(HARBOUR)
    (folder / "tides.note").write_text(TIDES)
    return folder


@pytest.fixture
def workbench(tmp_path: Path, folder: Path) -> Iterator[Workbench]:
    with opened(tmp_path / "store") as workbench:
        report(workbench, folder)
        yield workbench


def report(workbench: Workbench, source: Path, **how: str) -> IngestReport:
    *_, last = workbench.ingest([source], formats=["all"], **how)  # type: ignore[arg-type]
    assert isinstance(last, IngestReport)
    return last


def kind_of(workbench: Workbench) -> dict[str, str]:
    entries = Store.open(workbench.store).manifest.entries
    return {file: entry.kind for file, entry in entries.items()}


def test_the_manifest_says_which_kind_each_file_is(workbench: Workbench) -> None:
    assert kind_of(workbench) == {
        "harbour.note": "notes",
        "shop.json": "openapi",
        "tides.note": "notes",
    }
    assert [entry.name for entry in workbench.catalog()] == ["Harbour rules", "Shop", "Tides"]


def test_a_question_finds_it_and_follows_its_references(workbench: Workbench) -> None:
    context = workbench.retrieve("At which pier does a boat lie?")
    assert context.primary_chunks[0].chunk.id == "harbour.note:notes/mooring"
    assert "tides.note:notes/depth" in {item.chunk.id for item in context.chunks}
    assert "A boat lies at the pier" in context.to_markdown()


def test_what_its_kind_does_not_search_by_is_not_found_by_it(workbench: Workbench) -> None:
    with Store.open(workbench.store) as store:
        lexicon = current(store.index, store).lexicon
    rows = {word: lexicon.postings(*query_terms(word)) for word in ("fees", "note")}
    assert {word: found and len(found.rows) for word, found in rows.items()} == {
        "fees": 1,
        "note": 1,  # of the paragraph that says `tides.note`
    }


def test_it_is_shown_from_its_original(workbench: Workbench) -> None:
    chunk, body = workbench.show("tides.note:notes/depth")
    assert body == {"note": "depth", "says": "The water at the pier is two metres deep at ebb."}
    assert chunk.referenced_by == ("harbour.note:notes/mooring",)
    assert workbench.look("tides.note:notes/depth", Level.SIGNATURE)[1] == "note depth\n"
    assert workbench.reports()["tides"].counts == {"paragraphs": 1, "chunks": 1}


def test_what_is_unchanged_is_not_chunked_again(workbench: Workbench, folder: Path) -> None:
    assert len(report(workbench, folder).skipped) == 3


def test_a_change_touches_what_its_links_join(workbench: Workbench, folder: Path) -> None:
    (folder / "tides.note").write_text(TIDES.replace("depth:", "low:"))
    done = report(workbench, folder)
    assert {spec.file for spec in done.specs} == {"harbour.note", "tides.note"}
    chunk, _ = workbench.show("harbour.note:notes/mooring")
    assert list(chunk.ref_ids) == ["tides.note:notes/low"]


def test_a_second_copy_is_told_as_its_kind_compares_them(
    workbench: Workbench, tmp_path: Path
) -> None:
    (tmp_path / "newer.note").write_text(TIDES + "\nflood: Four metres.\n")
    (clash,) = report(workbench, tmp_path / "newer.note", clash="ask").clashes
    assert (clash.other, clash.changes.added) == ("tides.note", ("flood",))


def test_one_that_holds_nothing_is_refused_in_its_own_words(
    workbench: Workbench, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.note").write_text("Only a title\n")
    (other / "b.note").write_text("\n")
    first, second = report(workbench, other).refused
    assert (first.file, first.reason) == ("a.note", "it is a note without a paragraph.")
    assert (second.file, second.reason) == ("b.note", "the note is empty.")


def test_its_version_outdates_its_own_files_alone(
    workbench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Notes, "version", "2")
    with Store.open(workbench.store) as store:
        assert [entry.file for entry in store.outdated()] == ["harbour.note", "tides.note"]
    *_, done = workbench.rechunk()
    assert isinstance(done, IngestReport)
    assert {spec.file for spec in done.specs} == {"harbour.note", "tides.note"}
    assert not workbench.is_outdated


def test_a_kind_that_this_version_does_not_have_is_named(
    workbench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "KINDS", (OpenApi(),))
    with opened(Path(workbench.store)) as other, pytest.raises(StoreMismatch, match="'notes'"):
        other.retrieve("boat")


def test_a_manifest_that_is_older_than_kinds_holds_api_descriptions(
    workbench: Workbench, folder: Path
) -> None:
    for note in folder.glob("*.note"):
        note.unlink()
    *_, _ = workbench.ingest([folder], prune=True, formats=["all"])
    path = Path(workbench.store) / "manifest.json"
    values = json.loads(path.read_text())
    for spec in values["specs"]:
        del spec["kind"]
    del values["seal"]
    path.write_text(json.dumps(values))
    assert kind_of(workbench) == {"shop.json": FIRST}
    assert Store.open(path.parent).generation == values["generation"]
    assert len(report(workbench, folder).skipped) == 1


def test_names_and_endings() -> None:
    assert registry.kind_for("a.note", b"").name == "notes"
    assert registry.kind_for("a.txt", b"{}").name == "openapi"
    assert registry.endings() == (".note", ".json", ".yaml", ".yml")
    assert OpenApi.name == FIRST
