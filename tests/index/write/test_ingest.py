"""Ingestion: what a store holds afterwards depends on its sources alone."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from support.apis import Letters, api, contents, fill, run, write

from core.errors import EmbeddingError, StoreBusy, StoreError, StoreMismatch, UnknownId
from core.index.disk.journal import Journal, write_journal
from core.index.disk.lock import STORE, locked
from core.index.disk.manifest import write_manifest
from core.index.embed.hashed import HashEmbedder
from core.index.snapshot import build
from core.index.snapshot.snapshot import Snapshot
from core.index.store import Store
from core.index.write.ingest import ingest, rechunk, remove
from core.index.write.report import IngestReport, Phase
from core.read.document import ChunkedSpec, Document
from core.read.files.find import from_bytes
from core.read.limits import Limits
from core.sources.openapi.chunk import chunk_specs

SAMPLES = Path(__file__).parents[3] / "samples"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return write(tmp_path / "apis", {"shop.json": api("Shop"), "pets/pets.json": api("Pets")})


def drop(path: Path, *file_ids: str) -> IngestReport:
    *_, report = remove(Store.open(path), file_ids, embedder=HashEmbedder(), tokens=Letters())
    assert isinstance(report, IngestReport)
    return report


def files(path: Path) -> list[str]:
    return list(Store.open(path).manifest.entries)


def test_a_folder_of_samples(path: Path) -> None:
    events, report = run(path, SAMPLES)
    assert [spec.file for spec in report.specs] == [
        "files/models/common.yaml",
        "files/storage.yaml",
        "media.yaml",
        "notify.yaml",
        "shop.json",
        "ticketing.json",
    ]
    assert report.chunks == report.written == len(contents(path))
    assert not report.refused
    assert [e.done for e in events if e.phase is Phase.STORED] == [1, 2, 3, 4, 5, 6]
    assert Phase.INDEX in {event.phase for event in events}
    stored = next(e for e in events if e.file == "shop.json" and e.phase is Phase.STORED)
    assert stored.found["operations"] == 26


def test_every_reference_has_its_inverse(path: Path) -> None:
    fill(path, SAMPLES)
    chunks = contents(path)
    for chunk in chunks.values():
        assert all(chunk.id in chunks[target].referenced_by for target in chunk.ref_ids)
        assert all(chunk.id in chunks[source].ref_ids for source in chunk.referenced_by)


def test_ingesting_twice_changes_nothing(path: Path, source: Path) -> None:
    fill(path, source)
    before = (path / "manifest.json").read_bytes(), contents(path)
    events, report = run(path, source)
    assert report.skipped == ("pets/pets.json", "shop.json")
    assert (report.specs, report.written, report.changed) == ((), 0, False)
    assert {event.phase for event in events} == {Phase.SKIPPED}
    assert ((path / "manifest.json").read_bytes(), contents(path)) == before


def test_a_then_b_then_a_is_a(path: Path, tmp_path: Path, source: Path) -> None:
    fill(path, source)
    first, generation = contents(path), Store.open(path).generation
    changed = api("Shop", paths=["/orders"], schemas={"Order": {"type": "string"}})
    write(source, {"shop.json": changed})
    report = fill(path, source)
    assert [spec.file for spec in report.specs] == ["shop.json"]
    assert contents(path) != first
    write(source, {"shop.json": api("Shop")})
    assert fill(path, source).generation == generation
    assert contents(path) == first


def test_a_changed_spec_leaves_nothing_of_the_old(path: Path, source: Path) -> None:
    write(source, {"shop.json": api(paths=["/a", "/b"], schemas={"User": {}, "Gone": {}})})
    fill(path, source)
    write(source, {"shop.json": api(paths=["/b"], schemas={"User": {"title": "new"}})})
    fill(path, source)
    chunks = contents(path)
    assert [id for id in chunks if id.startswith("shop.json")] == [
        "shop.json:components/schemas/User",
        "shop.json:info",
        "shop.json:paths/b/get",
        "shop.json:paths/b/post",
    ]
    user = chunks["shop.json:components/schemas/User"]
    assert user.referenced_by == ("shop.json:paths/b/get", "shop.json:paths/b/post")
    assert list(chunks["shop.json:paths/b/get"].ref_ids) == [user.id]


def test_another_order_of_keys_writes_no_rows(path: Path, source: Path) -> None:
    fill(path, source)
    before = contents(path)
    turned = dict(reversed(api("Shop").items()))
    write(source, {"shop.json": json.dumps(turned, indent=4)})
    report = fill(path, source)
    assert [spec.file for spec in report.specs] == ["shop.json"]
    assert report.written == 0
    assert contents(path) == before
    assert fill(path, source).skipped == ("pets/pets.json", "shop.json")


def test_equal_texts_are_embedded_once(path: Path, tmp_path: Path) -> None:
    class Counting(HashEmbedder):
        seen: list[str] = []  # noqa: RUF012  # of this one test

        def embed(self, texts: Sequence[str], /) -> NDArray[np.float32]:
            self.seen += texts
            return super().embed(texts)

    write(tmp_path / "apis", {f"{n}.json": api("Same") for n in range(3)})
    report = fill(path, tmp_path / "apis", embedder=Counting())
    assert len(Counting.seen) == len(set(Counting.seen)) == report.embedded
    assert report.written == 3 * report.embedded


def test_removing(path: Path, source: Path) -> None:
    fill(path, source)
    report = drop(path, "shop")
    assert report.removed == ("shop.json",)
    assert files(path) == ["pets/pets.json"]
    assert all(id.startswith("pets/") for id in contents(path))
    fill(path, source)
    assert files(path) == ["pets/pets.json", "shop.json"]


def test_removing_what_is_not_there(path: Path, source: Path) -> None:
    fill(path, source)
    with pytest.raises(UnknownId, match=r"no file 'shoop' in this store\. Did you mean shop"):
        drop(path, "pets/pets", "shoop")
    assert files(path) == ["pets/pets.json", "shop.json"]


@pytest.mark.parametrize("committed", [False, True], ids=["before", "after"])
def test_removing_after_a_kill_is_told_as_removing(
    path: Path, source: Path, committed: bool
) -> None:
    """Killed between the journal and its end, before or after the manifest was written."""
    fill(path, source)
    store = Store.open(path)
    ids = ("pets/pets", "shop")
    gone = ("pets/pets.json", "shop.json")
    write_journal(store.place.files, Journal(put=(), drop=gone, file_ids=ids))
    if committed:
        write_manifest(store.place.files, store.manifest.changed(put=[], drop=gone))
    report = drop(path, "pets/pets", "shop.json")
    assert report.removed == gone
    assert files(path) == []


def test_a_name_that_was_never_there_is_unknown_after_a_kill_too(path: Path, source: Path) -> None:
    fill(path, source)
    journal = Journal(put=(), drop=("shop.json",), file_ids=("shop",))
    write_journal(Store.open(path).place.files, journal)
    with pytest.raises(UnknownId, match="no file 'shoop'"):
        drop(path, "shop", "shoop")
    assert drop(path, "shop").removed == ("shop.json",)


def test_removing_everything_leaves_an_empty_store(path: Path, source: Path) -> None:
    fill(path, source)
    report = drop(path, "shop", "pets/pets")
    assert (report.chunks, Store.open(path).is_empty) == (0, True)
    assert fill(path, source).written


COMMON = {"components": {"schemas": {"Id": {"type": "string"}, "Name": {"type": "string"}}}}


def linked(ref: str = "models/common.yaml#/components/schemas/Id") -> dict[str, object]:
    return {**api("Main", schemas={"Thing": {"properties": {"id": {"$ref": ref}}}})}


class TestSeveralFiles:
    @pytest.fixture
    def split(self, tmp_path: Path) -> Path:
        files = {"main.json": linked(), "models/common.yaml": COMMON, "other.json": api("Other")}
        return write(tmp_path / "split", files)

    def test_a_reached_file_is_cut(self, path: Path, split: Path) -> None:
        assert not fill(path, split).refused
        chunks = contents(path)
        thing, id = "main.json:components/schemas/Thing", "models/common.yaml:components/schemas/Id"
        assert list(chunks[thing].ref_ids) == [id]
        assert chunks[id].referenced_by == (thing,)

    def test_what_a_changed_file_is_linked_with_is_cut_again(self, path: Path, split: Path) -> None:
        fill(path, split)
        write(split, {"main.json": linked("models/common.yaml#/components/schemas/Name")})
        report = fill(path, split)
        assert [spec.file for spec in report.specs] == ["main.json", "models/common.yaml"]
        chunks = contents(path)
        assert chunks["models/common.yaml:components/schemas/Id"].referenced_by == ()
        assert chunks["models/common.yaml:components/schemas/Name"].referenced_by

    def test_a_vanished_file_is_kept_until_it_is_pruned(self, path: Path, split: Path) -> None:
        fill(path, split)
        (split / "models/common.yaml").unlink()
        report = fill(path, split)
        assert (report.vanished, report.removed) == (("models/common.yaml",), ())
        assert contents(path)["main.json:components/schemas/Thing"].ref_ids
        report = fill(path, split, prune=True)
        assert (report.vanished, report.removed) == ((), ("models/common.yaml",))
        assert contents(path)["main.json:components/schemas/Thing"].ref_ids == {}
        assert Store.open(path).manifest.entries["main.json"].unresolved == 1

    def test_a_file_that_comes_later_resolves_what_waited(self, path: Path, split: Path) -> None:
        common = (split / "models/common.yaml").read_text()
        (split / "models/common.yaml").unlink()
        fill(path, split)
        assert Store.open(path).manifest.entries["main.json"].unresolved == 1
        write(split, {"models/common.yaml": common})
        report = fill(path, split)
        assert report.skipped == ("main.json", "other.json")
        assert Store.open(path).manifest.entries["main.json"].unresolved == 0
        assert contents(path)["main.json:components/schemas/Thing"].ref_ids

    def test_a_library_stays_when_its_last_user_goes(self, path: Path, split: Path) -> None:
        fill(path, split)
        report = drop(path, "main")
        assert report.removed == ("main.json",)
        assert files(path) == ["models/common.yaml", "other.json"]

    def test_what_is_no_library_goes_with_its_last_user(self, path: Path, split: Path) -> None:
        write(split, {"main.json": linked("part.json#/Id"), "part.json": {"Id": {}}})
        fill(path, split)
        report = drop(path, "main")
        assert report.removed == ("main.json", "part.json")
        assert files(path) == ["models/common.yaml", "other.json"]

    def test_it_does_not_matter_how_a_state_was_reached(self, tmp_path: Path, split: Path) -> None:
        one, other = tmp_path / "one", tmp_path / "other"
        fill(one, split)
        fill(other, split / "main.json")
        fill(other, split)
        assert contents(one) == contents(other)
        assert Store.open(one).generation == Store.open(other).generation

    def test_a_single_file_prunes_nothing(self, path: Path, split: Path) -> None:
        fill(path, split)
        report = fill(path, split / "main.json", prune=True)
        assert (report.removed, report.skipped) == ((), ("main.json", "models/common.yaml"))


BROKEN = [
    ("cut.json", '{"openapi": "3.0.0", "paths": {', "CutOff", ""),
    ("notes.yaml", "just some notes", "NotAnApi", "plain text"),
    ("package.json", '{"name": "x", "dependencies": {}}', "NotAnApi", "a package.json"),
    ("empty.yaml", "", "UnreadableSpec", "empty"),
]


@pytest.mark.parametrize(("name", "text", "kind", "words"), BROKEN, ids=[b[0] for b in BROKEN])
def test_what_is_broken_is_refused_and_the_rest_goes_on(
    path: Path, source: Path, name: str, text: str, kind: str, words: str
) -> None:
    write(source, {name: text})
    events, report = run(path, source)
    assert [(r.file, r.kind) for r in report.refused] == [(name, kind)]
    assert words in report.refused[0].reason
    assert files(path) == ["pets/pets.json", "shop.json"]
    assert max(event.done for event in events) == max(event.total for event in events) == 3


def test_a_broken_new_version_leaves_the_old_one(path: Path, source: Path) -> None:
    fill(path, source)
    before, generation = contents(path), Store.open(path).generation
    write(source, {"shop.json": '{"openapi": "3.0.0", "paths": {'})
    report = fill(path, source)
    assert [refused.file for refused in report.refused] == ["shop.json"]
    assert (contents(path), report.generation) == (before, generation)
    document = Store.open(path).document("shop.json")
    assert document
    assert document.is_api


def test_the_bounds_hold_for_new_input_only(path: Path, source: Path) -> None:
    fill(path, source)
    write(source, {"shop.json": api("New")})
    report = fill(path, source, limits=Limits(max_nesting=10))
    assert [(r.file, r.kind) for r in report.refused] == [("shop.json", "UnsafeSpec")]
    assert "SPECLOUPE_MAX_NESTING" in report.refused[0].reason
    assert files(path) == ["pets/pets.json", "shop.json"]


def test_a_mistake_of_ours_stops_one_file_only(
    path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(documents: Mapping[str, Document], **options: Any) -> Iterator[ChunkedSpec]:
        if any(document.value["info"]["title"] == "New" for document in documents.values()):
            raise KeyError("oh")
        return chunk_specs(documents, **options)

    fill(path, source)
    before = contents(path)
    write(source, {"shop.json": api("New"), "more.json": api("More")})
    monkeypatch.setattr("core.sources.openapi.chunk.chunk_specs", failing)
    report = fill(path, source)
    assert [refused.file for refused in report.refused] == ["shop.json"]
    assert "Specloupe failed on it (KeyError: 'oh'). Please report" in report.refused[0].reason
    after = contents(path)
    assert {id: chunk for id, chunk in after.items() if id in before} == before
    assert len(after) == 12


def test_a_version_that_is_no_api_any_more_is_removed(path: Path, source: Path) -> None:
    fill(path, source)
    write(source, {"shop.json": {"name": "x", "dependencies": {}}})
    report = fill(path, source)
    assert [(r.file, r.kind) for r in report.refused] == [("shop.json", "NotAnApi")]
    assert report.removed == ("shop.json",)


def test_a_missing_file_and_an_empty_folder(path: Path, source: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    report = fill(path, tmp_path / "nowhere", tmp_path / "empty", source)
    assert [refused.kind for refused in report.refused] == ["UnreadableSpec", "UnreadableSpec"]
    assert len(report.specs) == 2


def test_the_same_name_from_two_roots(path: Path, tmp_path: Path) -> None:
    one = write(tmp_path / "one", {"shop.json": api("One")})
    other = write(tmp_path / "other", {"shop.json": api("Other")})
    report = fill(path, one, other)
    assert [(r.file, r.kind) for r in report.refused] == [("shop.json", "ClashingId")]
    assert "--as PREFIX" in report.refused[0].reason
    assert fill(path, other).refused  # in a later run as well
    assert not fill(path, other, prefix="other").refused
    titles = {entry.file_id: entry.name for entry in Store.open(path).catalog()}
    assert titles == {"shop": "One", "other/shop": "Other"}


def test_one_file_id_from_two_roots(path: Path, tmp_path: Path) -> None:
    fill(path, write(tmp_path / "one", {"shop.json": api("One")}))
    fill(path, write(tmp_path / "other", {"shop.yaml": api("Other")}))
    ids = {entry.file: entry.file_id for entry in Store.open(path).manifest.entries.values()}
    assert ids == {"shop.json": "shop", "shop.yaml": "shop.yaml"}


def test_a_file_id_passes_from_a_file_that_goes_to_one_that_comes(
    path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.index.write.update._ROWS", 1)  # the new one is written before
    write(source, {"shop.yaml": api("Old"), "pets/pets.json": api("Pets")})
    (source / "shop.json").unlink()
    fill(path, source)
    (source / "shop.yaml").unlink()
    write(source, {"shop.json": api("New", paths=["/new"])})
    report = fill(path, source, prune=True)
    assert report.removed == ("shop.yaml",)
    found = contents(path)
    assert "shop.json:paths/new/get" in found
    assert not [id for id in found if id.startswith("shop.yaml")]
    assert fill(path, source).repaired == ()


def test_a_neighbour_with_the_same_file_id(path: Path, source: Path) -> None:
    fill(path, source)
    write(source, {"shop.yaml": api("Yaml")})
    fill(path, source)
    entries = Store.open(path).manifest.entries
    assert [e.file_id for e in entries.values()] == ["pets/pets", "shop.json", "shop.yaml"]
    assert {chunk.source_file for chunk in contents(path).values()} == {
        "pets/pets",
        "shop.json",
        "shop.yaml",
    }


def test_prefixes_do_not_prune_each_other(path: Path, source: Path) -> None:
    fill(path, source, prefix="a")
    report = fill(path, source, prefix="b", prune=True)
    assert report.removed == ()
    assert files(path) == [
        "a/pets/pets.json",
        "a/shop.json",
        "b/pets/pets.json",
        "b/shop.json",
    ]


def test_the_same_file_twice_in_one_call(path: Path, source: Path) -> None:
    events, report = run(path, source, source / "shop.json", source)
    assert len(report.specs) == 2
    assert {event.total for event in events if event.phase is not Phase.INDEX} == {2}


def test_what_cannot_be_a_path_is_told(path: Path) -> None:
    report = fill(path, "a" * 5000, "a\0b", "")
    assert [one.reason for one in report.refused] == [
        "it names no file, folder or URL.",
        "it cannot be the name of a file.",
        "it cannot be read: File name too long.",
    ]


def test_one_file_that_we_fail_on_stops_no_other(path: Path, tmp_path: Path) -> None:
    odd = api(schemas={"A": {"$ref": 'b"c.json#/x'}})
    report = fill(path, write(tmp_path / "specs", {"odd.json": odd, "shop.json": api()}))
    assert [spec.file for spec in report.specs] == ["odd.json", "shop.json"]


def test_bytes_that_are_here_already(path: Path) -> None:
    report = fill(path, from_bytes("shop.json", json.dumps(api()).encode()))
    assert [spec.file for spec in report.specs] == ["shop.json"]


def test_an_embedder_that_fails_leaves_the_store_as_it_was(path: Path, source: Path) -> None:
    class Failing(HashEmbedder):
        def embed(self, texts: Sequence[str], /) -> NDArray[np.float32]:
            raise EmbeddingError("no network")

    fill(path, source)
    before = contents(path)
    write(source, {"shop.json": api("New")})
    with pytest.raises(EmbeddingError):
        fill(path, source, embedder=Failing())
    assert contents(path) == before
    assert [spec.file for spec in fill(path, source).specs] == ["shop.json"]


class Other(HashEmbedder):
    dimensions = 32


def test_another_embedder_is_refused(path: Path, source: Path) -> None:
    fill(path, source)
    with pytest.raises(StoreMismatch, match=r"hash:n1:256.*EMBEDDER=hash.*specloupe reembed"):
        fill(path, source, embedder=Other())


def test_an_empty_store_takes_any_embedder(path: Path, source: Path) -> None:
    fill(path, source)
    drop(path, "shop", "pets/pets")
    fill(path, source, embedder=Other())
    assert Store.open(path).dimensions == 32
    assert len(contents(path)) == 8


def test_another_chunker_cuts_everything_again(
    path: Path, source: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fill(path, source)
    monkeypatch.setattr("core.sources.openapi.source.OpenApi.version", "next")
    with pytest.raises(StoreMismatch, match="chunked by another version"):
        Store.open(path).check(HashEmbedder().fingerprint)
    report = fill(path, write(tmp_path / "more", {"more.json": api("More")}))
    assert [spec.file for spec in report.specs] == ["more.json"]
    Store.open(path).check(HashEmbedder().fingerprint)
    assert {entry.chunker for entry in Store.open(path).manifest.entries.values()} == {"next"}


def test_what_another_chunker_cut_is_cut_anew_from_what_the_store_keeps(
    path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(path, source)
    before = contents(path)
    shutil.rmtree(source)
    monkeypatch.setattr("core.sources.openapi.source.OpenApi.version", "next")
    with Store.open(path) as store:
        *events, report = rechunk(store, embedder=HashEmbedder(), tokens=Letters())
    assert isinstance(report, IngestReport)
    assert (report.refused, report.removed) == ((), ())
    assert max(event.done for event in events) == len(report.specs) == 2
    assert contents(path) == before
    Store.open(path).check(HashEmbedder().fingerprint)


def test_one_writer_at_a_time(path: Path, source: Path) -> None:
    with locked(path, STORE), pytest.raises(StoreBusy, match="try again when it is done"):
        fill(path, source)
    assert fill(path, source).written


@pytest.mark.thorough
@pytest.mark.parametrize("steps", range(1, 17))
def test_stopping_anywhere_leaves_every_spec_whole(path: Path, source: Path, steps: int) -> None:
    fill(path, source)
    old = contents(path)
    write(source, {"shop.json": api("New"), "more.json": api("More")})
    stopped = ingest(Store.open(path), [source], embedder=HashEmbedder(), tokens=Letters())
    for _, _ in zip(range(steps), stopped, strict=False):
        pass
    stopped.close()
    store = Store.open(path)
    assert store.is_whole
    kept = contents(path)
    assert {chunk.source_file for chunk in kept.values()} == set(store.manifest.apis)
    if "more.json" not in store.manifest.entries:
        assert kept == old
    assert fill(path, source).chunks == 12


def test_the_read_index_follows(path: Path, source: Path) -> None:
    generation = fill(path, source).generation
    store = Store.open(path)
    opened = Snapshot.open(path / "index", rendering=store.rendering)
    assert (opened.generation, len(opened)) == (generation, 8)


def test_whoever_hears_of_a_step_can_read(path: Path, source: Path) -> None:
    before = fill(path, source).generation
    write(source, {"shop.json": api("New")})
    seen = []
    for _ in ingest(Store.open(path), [source], embedder=HashEmbedder(), tokens=Letters()):
        seen.append(build.current(path / "index", Store.open(path)).generation)
    assert (seen[0], seen[-1]) == (before, Store.open(path).generation)
    assert len(set(seen)) == 2


@pytest.mark.parametrize("inside", ["", "deep/down"])
def test_a_store_that_cannot_be_written(tmp_path: Path, source: Path, inside: str) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(StoreError, match="--store"):
        fill(tmp_path / "file" / inside, source)


def test_a_full_disk_is_one_sentence(
    path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(StoreError, match=r"cannot be written: No space left on device\. Check"):
        fill(path, source)
