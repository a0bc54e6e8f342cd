"""Articles go the whole way: opened as a base, chunked, found, shown, replaced one by one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.apis import api, write
from support.articles import article, base
from support.stores import opened

from core import Workbench
from core.errors import CallError
from core.index.store import Store
from core.index.write.report import IngestReport
from core.model import ChunkType, Level
from core.retrieve.lookups.derived import derived
from core.retrieve.lookups.homes import Homes
from core.retrieve.score.api_evidence import breadth

LONG = "\n\n".join(f"## Step {n}\n\n{'The fan turns slowly. ' * 30}" for n in range(5))
POWER = article("no-power", "No power", "Check the cable of the fan.", intent=["no_power"])
SYNC = article("sync", "Slow sync", LONG, device=["Kestrel"])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path / "in", {"kb.json": base(POWER, SYNC)})


@pytest.fixture
def workbench(tmp_path: Path, folder: Path) -> Iterator[Workbench]:
    with opened(tmp_path / "store") as workbench:
        report(workbench, folder)
        yield workbench


def report(workbench: Workbench, *sources: Path, **how: object) -> IngestReport:
    *_, last = workbench.ingest(sources, **how)  # type: ignore[arg-type]
    assert isinstance(last, IngestReport)
    return last


def files(workbench: Workbench) -> list[str]:
    return list(Store.open(workbench.store).manifest.entries)


def test_a_base_is_opened_as_an_archive_is(workbench: Workbench) -> None:
    assert files(workbench) == ["kb.json/no-power", "kb.json/sync"]
    assert workbench.catalog() == ()
    figures = workbench.figures()
    assert (figures.specs, figures.articles) == (0, 2)


def test_its_chunks(workbench: Workbench) -> None:
    first, *parts = [c for c in workbench.chunks() if c.element == "kb.json/sync:article"]
    assert [first.part, *(part.part for part in parts)] == ["", "part-2", "part-3"]
    assert (first.type, first.label, first.tags) == (
        ChunkType.ARTICLE,
        "Slow sync",
        ("device:Kestrel",),
    )
    assert first.facts == {"url": "https://help.example/sync", "last_updated": "2026-03-01"}
    assert list(first.ref_ids) == [part.id for part in parts]
    assert all(part.referenced_by == (first.id,) for part in parts)
    assert all(c.token_count[Level.COMPACT] <= c.token_count[Level.JSON] for c in (first, *parts))


def test_it_is_shown_from_its_original(workbench: Workbench) -> None:
    chunk, body = workbench.show("kb.json/no-power:article")
    assert body == POWER
    assert workbench.look(chunk.id)[1] == (
        "article No power\nurl: https://help.example/no-power\nupdated: 2026-03-01\n"
        "intent: no_power\n\nCheck the cable of the fan.\n"
    )
    assert workbench.look(chunk.id, Level.SIGNATURE)[1] == "article No power\n"


def test_a_question_finds_it_by_its_part(workbench: Workbench) -> None:
    context = workbench.retrieve(
        "cable of the fan", filter_metadata={"type": "article"}, min_score=0.0
    )
    assert context.primary_chunks[0].chunk.id == "kb.json/no-power:article"
    tagged = workbench.retrieve("fan", filter_metadata={"tags": "device:Kestrel"}, min_score=0.0)
    assert {item.chunk.element for item in tagged.primary_chunks} == {"kb.json/sync:article"}


def test_a_setting_says_what_is_searched(workbench: Workbench, tmp_path: Path) -> None:
    report(workbench, write(tmp_path / "apis", {"shop.json": api("Shop")}))
    for sources, expected in (
        ("article", {"article"}),
        ("api", {"operation", "component", "info"}),
    ):
        found = workbench.retrieve("Shop", sources=sources, min_score=0.0).trace.hits
        assert {
            chunk.type
            for chunk in workbench._newest.reader().chunks([hit.chunk_id for hit in found]).values()
        } <= expected
    assert not workbench.retrieve("Shop", sources="code", min_score=0.0).chunks


def test_only_what_changed_is_made_again(workbench: Workbench, folder: Path) -> None:
    write(folder, {"kb.json": base({**POWER, "content": "Check the fuse."}, SYNC)})
    done = report(workbench, folder)
    assert [spec.file for spec in done.specs] == ["kb.json/no-power"]
    assert (done.skipped, done.written, done.embedded) == (("kb.json/sync",), 1, 1)


def test_what_its_base_no_longer_has_is_told_and_pruned(workbench: Workbench, folder: Path) -> None:
    write(folder, {"kb.json": base(SYNC)})
    for source in (folder, folder / "kb.json"):
        assert report(workbench, source).vanished == ("kb.json/no-power",)
    assert report(workbench, folder, prune=True).removed == ("kb.json/no-power",)
    assert files(workbench) == ["kb.json/sync"]


def test_a_base_that_breaks_leaves_what_is_stored(workbench: Workbench, folder: Path) -> None:
    write(folder, {"kb.json": base(SYNC)[:-20]})
    done = report(workbench, folder, prune=True)
    assert [one.file for one in done.refused] == ["kb.json"]
    assert files(workbench) == ["kb.json/no-power", "kb.json/sync"]


def test_an_article_that_is_refused_stays_as_it_was(workbench: Workbench, folder: Path) -> None:
    write(folder, {"kb.json": base({**POWER, "content": ""}, SYNC)})
    done = report(workbench, folder, prune=True)
    assert [(one.file, one.reason) for one in done.refused] == [
        ("kb.json/no-power", "the article has no content.")
    ]
    assert len(files(workbench)) == 2


def test_its_articles_are_one_home(workbench: Workbench, tmp_path: Path) -> None:
    more = {f"{name}.json": api(name) for name in ("Shop", "Bank")}
    report(workbench, write(tmp_path / "apis", more))
    reader = workbench._newest.reader()
    assert list(derived(Homes, reader).names) == ["Bank", "Shop", "kb.json"]
    with opened(tmp_path / "three") as other:
        report(other, write(tmp_path / "more", {**more, "Zoo.json": api("Zoo")}))
        assert breadth(reader) == breadth(other._newest.reader())


def test_a_folder_with_apis_gives_these_alone(tmp_path: Path) -> None:
    folder = write(tmp_path / "in", {"kb.json": base(POWER), "shop.json": api()})
    with opened(tmp_path / "store") as workbench:
        first = report(workbench, folder)
        assert (first.left_out, files(workbench)) == (("kb.json",), ["shop.json"])
        report(workbench, folder, formats=["all"])
        assert files(workbench) == ["kb.json/no-power", "shop.json"]
        again = report(workbench, folder)  # the choice is kept with the root
        assert (again.left_out, len(again.skipped)) == ((), 2)
        alone = report(workbench, folder, formats=["api"])
        assert (alone.left_out, alone.vanished) == (("kb.json",), ("kb.json/no-power",))


def test_a_base_that_was_named_by_itself_is_no_part_of_the_folder_around_it(
    tmp_path: Path,
) -> None:
    folder = write(tmp_path / "in", {"help/kb.json": base(POWER), "shop.json": api()})
    with opened(tmp_path / "store") as workbench:
        report(workbench, folder / "help" / "kb.json")
        pruned = report(workbench, folder, prune=True)
        assert (pruned.left_out, pruned.removed) == (("help/kb.json",), ())
        assert files(workbench) == ["kb.json/no-power", "shop.json"]


def test_formats_by_name(tmp_path: Path) -> None:
    folder = write(tmp_path / "in", {"kb.json": base(POWER), "shop.json": api()})
    with opened(tmp_path / "store") as workbench:
        report(workbench, folder, formats=["article"])
        assert files(workbench) == ["kb.json/no-power"]
        with pytest.raises(CallError, match="take article, code, document, api, all"):
            report(workbench, folder, formats=["articles"])


def test_a_base_by_its_own_name_is_read_beside_apis(tmp_path: Path) -> None:
    folder = write(tmp_path / "in", {"kb.json": base(POWER), "shop.json": api()})
    with opened(tmp_path / "store") as workbench:
        report(workbench, folder / "kb.json", prefix="help")
        assert files(workbench) == ["help/kb.json/no-power"]
        assert json.loads(base(POWER))["articles"] == [POWER]
