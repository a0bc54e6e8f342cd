"""New versions, second copies and moved files: what is asked, kept, replaced or skipped."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from support.apis import api, contents, fill, write

from core.errors import CallError
from core.index.store import Store
from core.index.write.clash import Kind, OnClash, checked_prefix
from core.index.write.ingest import ingest
from core.index.write.report import IngestReport
from core.read.files.find import from_bytes
from core.sources.openapi.changes import Changes

OLD = api("Shop", paths=("/users", "/cards"), schemas={"User": {"type": "object"}, "Old": {}})
NEW = api("Shop", paths=("/users", "/cards", "/orders"), schemas={"User": {"type": "array"}})
CHANGES = Changes(
    added=("paths/orders/get", "paths/orders/post"),
    removed=("components/schemas/Old",),
    changed=(
        "components/schemas/User",
        *(f"paths/{p}/{m}" for p in ("cards", "users") for m in ("get", "post")),
    ),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store of the old version, from a folder."""
    fill(tmp_path / "store", write(tmp_path / "one", {"shop.json": OLD}))
    return tmp_path / "store"


@pytest.fixture
def newer(path: Path, tmp_path: Path) -> Path:
    """Another folder with a newer version under the same name."""
    return write(tmp_path / "other", {"shop.json": NEW})


def stored(path: Path) -> dict[str, int]:
    """How many operations each file of the store has."""
    store = Store.open(path)
    return {entry.file: entry.counts["operations"] for entry in store.manifest.entries.values()}


def upload(name: str, value: object) -> list[object]:
    return list(from_bytes(name, json.dumps(value).encode()))


def only(report: IngestReport) -> tuple[str, str, Kind, OnClash]:
    (clash,) = report.clashes
    return clash.file, clash.other, clash.kind, clash.taken


def test_a_newer_version_from_elsewhere_is_refused_without_a_choice(
    path: Path, newer: Path
) -> None:
    report = fill(path, newer)
    assert [refused.kind for refused in report.refused] == ["ClashingId"]
    for hint in ("--replace", "--keep-both", "--as PREFIX"):
        assert hint in report.refused[0].reason
    assert str(path.parent) not in report.refused[0].reason  # a visitor learns no place
    assert stored(path) == {"shop.json": 4}


def test_it_is_asked_about_with_what_changed(path: Path, newer: Path) -> None:
    report = fill(path, newer, clash=OnClash.ASK)
    assert only(report) == ("shop.json", "shop.json", Kind.NAME, OnClash.ASK)
    assert report.asked == report.clashes
    assert report.clashes[0].changes == CHANGES
    assert (report.specs, report.refused, report.skipped) == ((), (), ())
    assert stored(path) == {"shop.json": 4}


def test_it_replaces_and_is_owned_by_its_source_from_then_on(path: Path, newer: Path) -> None:
    report = fill(path, newer, clash=OnClash.REPLACE)
    assert only(report) == ("shop.json", "shop.json", Kind.NAME, OnClash.REPLACE)
    assert report.clashes[0].changes == CHANGES
    assert stored(path) == {"shop.json": 6}
    fresh = path.parent / "fresh"
    fill(fresh, newer)
    assert contents(path) == contents(fresh)
    assert fill(path, newer).skipped == ("shop.json",)
    write(newer, {"shop.json": OLD})
    assert not fill(path, newer).refused
    assert stored(path) == {"shop.json": 4}
    assert fill(path, path.parent / "one").skipped == ("shop.json",)  # the same bytes


def test_both_are_kept_and_stay_so(path: Path, newer: Path) -> None:
    report = fill(path, newer, clash=OnClash.KEEP)
    assert only(report)[2:] == (Kind.NAME, OnClash.KEEP)
    assert stored(path) == {"2/shop.json": 6, "shop.json": 4}
    assert fill(path, newer).skipped == ("2/shop.json",)  # remembered without an option
    write(newer, {"shop.json": api("Shop")})
    assert not fill(path, newer).refused
    assert stored(path) == {"2/shop.json": 2, "shop.json": 4}
    assert fill(path, newer, prune=True).removed == ()


def test_it_is_skipped(path: Path, newer: Path) -> None:
    report = fill(path, newer, clash=OnClash.SKIP)
    assert only(report)[2:] == (Kind.NAME, OnClash.SKIP)
    assert report.skipped == ("shop.json",)
    assert stored(path) == {"shop.json": 4}


@pytest.mark.thorough
@pytest.mark.parametrize("on", [OnClash.REPLACE, OnClash.KEEP, OnClash.ASK])
@pytest.mark.parametrize("text", ["{", '{"a": 1}', ""])
def test_a_broken_new_version_takes_nothing_away(path: Path, on: OnClash, text: str) -> None:
    before = contents(path)
    broken = write(path.parent / "broken", {"shop.json": text})
    fill(path, broken, clash=on)
    assert contents(path) == before
    assert stored(path) == {"shop.json": 4}


def test_a_second_upload_of_a_name_is_asked_about(path: Path) -> None:
    fill(path, upload("api.json", OLD | {"info": {"title": "Other", "version": "1"}}))
    report = fill(
        path,
        upload("api.json", NEW | {"info": {"title": "Third", "version": "1"}}),
        clash=OnClash.ASK,
    )
    assert only(report) == ("api.json", "api.json", Kind.NAME, OnClash.ASK)
    for number in ("2", "3"):  # each upload that is kept gets a name of its own
        third = NEW | {"info": {"title": number, "version": "1"}}
        fill(path, upload("api.json", third), clash=OnClash.KEEP)
    assert set(stored(path)) == {"shop.json", "api.json", "2/api.json", "3/api.json"}
    assert fill(path, upload("api.json", third), clash=OnClash.KEEP).skipped


def test_a_second_copy_under_another_name_is_kept_and_told(path: Path) -> None:
    report = fill(path, write(path.parent / "copy", {"shop-v2.json": NEW}))
    assert only(report) == ("shop-v2.json", "shop.json", Kind.API, OnClash.KEEP)
    assert report.clashes[0].changes == CHANGES
    assert not report.refused
    (finding,) = [f for f in report.specs[0].findings if f.rule == "second-copy"]
    assert "shop.json" in finding.message
    assert stored(path) == {"shop-v2.json": 6, "shop.json": 4}


def test_a_second_copy_replaces_the_first(path: Path) -> None:
    copy = write(path.parent / "copy", {"shop-v2.json": NEW})
    report = fill(path, copy, clash=OnClash.REPLACE)
    assert report.removed == ("shop.json",)
    assert stored(path) == {"shop-v2.json": 6}
    fresh = path.parent / "fresh"
    fill(fresh, copy)
    assert contents(path) == contents(fresh)


@pytest.mark.parametrize("on", [OnClash.ASK, OnClash.SKIP])
def test_a_second_copy_waits_or_stays_out(path: Path, on: OnClash) -> None:
    report = fill(path, write(path.parent / "copy", {"shop-v2.json": NEW}), clash=on)
    assert only(report)[3] is on
    assert stored(path) == {"shop.json": 4}


def test_a_second_copy_that_breaks_takes_nothing_away(path: Path) -> None:
    bad = NEW | {"paths": {"/users": {"get": {"$ref": "../out.json"}}}}
    fill(
        path,
        write(path.parent / "copy", {"shop-v2.json": json.dumps(bad)[:-9]}),
        clash=OnClash.REPLACE,
    )
    assert stored(path) == {"shop.json": 4}


def test_other_apis_of_the_same_title_are_no_copies(path: Path) -> None:
    other = api("Shop", paths=("/a", "/b", "/users"))
    untitled = {**OLD, "info": {"version": "1"}}
    more = write(path.parent / "more", {"other.json": other, "untitled.json": untitled})
    assert fill(path, more).clashes == ()


def test_one_file_under_two_names(path: Path) -> None:
    shutil.copy(path.parent / "one" / "shop.json", path.parent / "one" / "again.json")
    report = fill(path, path.parent / "one")
    assert only(report) == ("again.json", "shop.json", Kind.FILE, OnClash.KEEP)
    assert [f.rule for f in report.specs[0].findings] == ["second-copy"]
    assert fill(path, path.parent / "one").clashes == ()  # once is enough


def test_two_names_of_one_run(tmp_path: Path) -> None:
    twice = write(tmp_path / "twice", {"a.json": OLD, "b.json": OLD})
    report = fill(tmp_path / "new", twice)
    assert only(report) == ("b.json", "a.json", Kind.FILE, OnClash.KEEP)
    assert set(stored(tmp_path / "new")) == {"a.json", "b.json"}
    fill(tmp_path / "newer", twice, clash=OnClash.SKIP)
    assert set(stored(tmp_path / "newer")) == {"a.json"}


def test_a_file_that_moved_within_its_folder(path: Path) -> None:
    one = path.parent / "one"
    (one / "new").mkdir()
    (one / "shop.json").rename(one / "new" / "shop.json")
    report = fill(path, one)
    assert only(report) == ("new/shop.json", "shop.json", Kind.FILE, OnClash.KEEP)
    assert report.vanished == ("shop.json",)
    assert fill(path, one, prune=True).removed == ("shop.json",)
    (one / "new" / "shop.json").rename(one / "shop.json")
    assert fill(path, one, clash=OnClash.REPLACE).removed == ("new/shop.json",)
    assert stored(path) == {"shop.json": 4}


def test_a_folder_that_moved_brings_its_files_along(path: Path) -> None:
    (path.parent / "one").rename(path.parent / "two")
    report = fill(path, path.parent / "two")
    assert (report.refused, report.clashes) == ((), ())
    write(path.parent / "two", {"shop.json": NEW})
    assert not fill(path, path.parent / "two").refused  # it owns the name now
    assert stored(path) == {"shop.json": 6}


def test_shared_files_of_two_apis_are_no_copies(tmp_path: Path) -> None:
    common = "components:\n  schemas:\n    X: {type: object}\n"
    refers = {"X": {"$ref": "models/common.yaml#/components/schemas/X"}}
    files = {f"{n}/api.json": api(n, schemas=refers) for n in ("a", "b")}
    shared = {f"{n}/models/common.yaml": common for n in ("a", "b")}
    report = fill(tmp_path / "new", write(tmp_path / "src", {**files, **shared}))
    assert (report.clashes, report.refused) == ((), ())


def test_a_run_that_stops_after_the_new_one_keeps_both(path: Path) -> None:
    copy = write(path.parent / "copy", {"shop-v2.json": NEW})
    from support.apis import Letters

    from core.index.embed.hashed import HashEmbedder

    for event in ingest(
        Store.open(path), [copy], embedder=HashEmbedder(), tokens=Letters(), clash=OnClash.REPLACE
    ):
        if getattr(event, "phase", "") == "stored":
            break
    assert set(stored(path)) == {"shop-v2.json", "shop.json"}
    assert fill(path, copy, clash=OnClash.REPLACE).clashes == ()


@pytest.mark.thorough
@pytest.mark.parametrize(
    "prefix",
    [
        "..",
        "../x",
        "a/../b",
        "/abs",
        ".",
        " ",
        "a b /c ",
        "a//b",
        "a:b",
        "a\\b",
        "a%20",
        "a\nb",
        "\0",
        "x" * 101,
        "/",
    ],
)
def test_an_unusable_prefix_is_refused_before_anything_is_read(path: Path, prefix: str) -> None:
    with pytest.raises(CallError, match="is not a usable prefix"):
        fill(path, path.parent / "one", prefix=prefix)


@pytest.mark.parametrize("prefix", ["", "v2", "team/billing", "team/", "über", "a b"])
def test_usable_prefixes(prefix: str) -> None:
    assert checked_prefix(prefix) == prefix
