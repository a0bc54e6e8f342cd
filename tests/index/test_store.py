"""A store on disk: opening it, reading from it, and what is wrong with it in one sentence."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from support.apis import Letters, api, contents, fill, write

from core.errors import CallError, StoreBusy, StoreDamaged, StoreError, StoreMismatch
from core.index.disk.files import FolderFiles
from core.index.disk.journal import Journal, write_journal
from core.index.disk.manifest import COPY, NAME, read_manifest
from core.index.disk.sqlite import ANSWERS, STATISTICS
from core.index.embed.hashed import HashEmbedder
from core.index.embed.paid import NAME as PAID
from core.index.snapshot.build import build
from core.index.store import Store
from core.index.written.questions import Questions
from core.model import ChunkType, Level

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "samples"
CREATE_USER = "shop.json:paths/users/post"


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("samples") / "store"
    fill(path, SAMPLES)
    return path


@pytest.fixture
def store(path: Path) -> Store:
    return Store.open(path)


def test_semantic_search(store: Store) -> None:
    (vector,) = HashEmbedder().embed(["create a user"])
    hits = store.semantic(vector, limit=5, where=None)
    assert len(hits) == 5
    assert list(hits) == sorted(hits, key=lambda hit: (-hit[1], hit[0]))
    assert all(-1.001 <= score <= 1.001 for _, score in hits)


def test_semantic_search_is_by_cosine(store: Store) -> None:
    chunk = store.chunks([CREATE_USER])[CREATE_USER]
    (vector,) = HashEmbedder().embed([chunk.text])
    (best, *_) = store.semantic(vector, limit=3, where=None)
    assert best == (CREATE_USER, pytest.approx(1.0, abs=1e-5))


def test_semantic_search_with_a_filter(store: Store) -> None:
    (vector,) = HashEmbedder().embed(["user"])
    where = {"type": "component", "source_file": "shop"}
    hits = store.semantic(vector, limit=100, where=where)
    found = store.chunks([id for id, _ in hits]).values()
    assert {(chunk.type, chunk.source_file) for chunk in found} == {(ChunkType.COMPONENT, "shop")}
    assert len(hits) == len([c for c in store.chunks_of("shop") if c.type is ChunkType.COMPONENT])


def test_a_filter_that_nothing_passes(store: Store) -> None:
    (vector,) = HashEmbedder().embed(["user"])
    assert list(store.semantic(vector, limit=5, where={"source_file": "nothing"})) == []


def test_a_search_for_nothing(store: Store) -> None:
    with pytest.raises(CallError, match="ask for one or more"):
        store.semantic(np.zeros(256, np.float32), limit=0, where=None)


def test_words_are_not_ranked(store: Store) -> None:
    assert store.arrays is None


def test_chunks_by_id(store: Store) -> None:
    ids = ["shop.json:components/schemas/User", "no.json:such", CREATE_USER, CREATE_USER]
    found = store.chunks(ids)
    assert list(found) == [ids[0], ids[2]]
    assert store.chunks([]) == {}
    create = found[CREATE_USER]
    assert (create.method, create.path, create.source_file) == ("POST", "/users", "shop")
    assert create.label == "POST /users"
    assert create.api_title


def test_more_ids_than_sqlite_takes(store: Store) -> None:
    ids = [f"shop.json:none/{n}" for n in range(40_000)]
    assert list(store.chunks([*ids, CREATE_USER])) == [CREATE_USER]


def test_chunks_of_a_file(store: Store, path: Path) -> None:
    chunks = store.chunks_of("ticketing")
    assert [c.id for c in chunks] == [id for id in contents(path) if id.startswith("ticketing")]
    assert store.chunks_of("nothing") == []


def test_every_chunk_is_written_out_at_every_level(store: Store, path: Path) -> None:
    for chunk in contents(path).values():
        both = store.renderings(chunk)
        for level in Level:
            text = store.rendering(chunk, level)
            assert text.endswith("\n") or level is Level.ID
            assert Letters().count(text) == chunk.token_count[level]
            assert both.get(level, text) == text


def test_the_full_json_of_an_element(store: Store) -> None:
    body = store.body(store.chunks([CREATE_USER])[CREATE_USER])
    assert body["operationId"]
    assert body["requestBody"]


def test_the_catalogue(store: Store) -> None:
    entries = {entry.file_id: entry for entry in store.catalog()}
    assert sorted(entries) == ["files/storage", "media", "notify", "shop", "ticketing"]
    assert entries["shop"].counts["operations"] == 26
    assert entries["shop"].endpoints
    assert entries["ticketing"].file == "ticketing.json"


def test_the_facts_of_a_file(store: Store) -> None:
    report = store.facts(store.manifest.entries["shop.json"]).report
    assert (report.file_id, report.version[:2], report.seconds) == ("shop", "3.", 0)


def test_rows_for_the_read_index(store: Store) -> None:
    files = list(store.files())
    assert [file.source_file for file in files] == sorted(store.manifest.apis)
    rows = [row for file in files for row in file.rows()]
    assert len(rows) == sum(entry.chunks for entry in store.manifest.entries.values())
    for chunk, vector in rows:
        assert vector == pytest.approx(HashEmbedder().embed([chunk.text])[0], abs=1e-6)


def test_reading_what_is_known_without_chroma(path: Path) -> None:
    code = f"""
import sys
from core.index.store import Store
from core.index.write.ingest import ingest
from support.apis import Letters, HashEmbedder
store = Store.open({str(path)!r})
assert len(store.catalog()) == 5
*_, report = ingest(store, [{str(SAMPLES)!r}], embedder=HashEmbedder(), tokens=Letters())
assert len(report.skipped) == 6, report
assert "chromadb" not in sys.modules
"""
    environment = {"PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}"}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)


def test_an_empty_store(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "new")
    assert store.is_empty
    assert store.is_whole
    assert store.catalog() == ()
    assert store.chunks(["a"]) == {}
    assert list(store.semantic(np.zeros(4, np.float32), limit=5, where=None)) == []
    assert not (tmp_path / "new").exists()


def test_a_generation_that_has_passed(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "store")
    assert store.is_current()
    fill(store, SAMPLES / "shop.json")
    assert not store.is_current()
    assert store.is_empty  # it stays with what it has read
    assert Store.open(tmp_path / "store").is_current()


def test_a_file_in_the_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "store").write_text("x")
    with pytest.raises(StoreError, match="is a file, not a folder: choose another with --store"):
        Store.open(tmp_path / "store")


def test_somebody_elses_folder(tmp_path: Path) -> None:
    (tmp_path / "thesis.doc").write_text("x")
    with pytest.raises(
        StoreDamaged, match=r"not a Specloupe store: it contains 'thesis\.doc'\. Choose"
    ):
        Store.open(tmp_path)


def test_a_folder_with_saved_runs_only(tmp_path: Path) -> None:
    (tmp_path / "runs.sqlite").write_text("x")
    (tmp_path / ".gitignore").write_text("*")
    assert Store.open(tmp_path).is_empty


def test_a_lost_manifest(tmp_path: Path) -> None:
    fill(tmp_path / "store", SAMPLES / "shop.json")
    (tmp_path / "store" / NAME).unlink()
    with pytest.raises(StoreDamaged, match=r"is missing\. `specloupe store check` puts its copy"):
        Store.open(tmp_path / "store")
    Questions(tmp_path / "store" / "written").put({1: ["Who?"]}, "m")
    for name in (ANSWERS, STATISTICS, PAID):
        (tmp_path / "store" / name).write_text("x")
    with pytest.raises(StoreDamaged, match=r"is missing\. `specloupe store check` puts its copy"):
        Store.open(tmp_path / "store")
    (tmp_path / "store" / COPY).unlink()
    with pytest.raises(StoreDamaged, match=r"its manifest\.json is missing\. Move the store away"):
        Store.open(tmp_path / "store")
    (tmp_path / "store" / NAME).mkdir()
    with pytest.raises(StoreDamaged, match=r"its manifest\.json is missing"):
        Store.open(tmp_path / "store")


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"format": 1, "specs": [{}]}', '"x"'])
def test_a_damaged_manifest(tmp_path: Path, text: str) -> None:
    (tmp_path / NAME).write_text(text)
    with pytest.raises(StoreDamaged, match=r"manifest\.json is damaged: move the store away"):
        Store.open(tmp_path)


@pytest.mark.parametrize("key", ["original", "counts", "state", "file_id"])
def test_a_manifest_that_has_changed(tmp_path: Path, key: str) -> None:
    fill(tmp_path, SAMPLES / "shop.json")
    text = (tmp_path / NAME).read_text()
    at = text.index(":", text.index(f'"{key}"')) + 4
    (tmp_path / NAME).write_text(text[:at] + text[at:].replace("a", "b", 1))
    with pytest.raises(StoreDamaged, match=r"manifest\.json is damaged"):
        Store.open(tmp_path)


def test_a_manifest_from_before_there_was_a_seal(tmp_path: Path) -> None:
    fill(tmp_path, SAMPLES / "shop.json")
    values = json.loads((tmp_path / NAME).read_text())
    del values["seal"]
    (tmp_path / NAME).write_text(json.dumps(values))
    assert Store.open(tmp_path).chunks_of("shop")


def test_a_newer_manifest(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text('{"format": 999}')
    with pytest.raises(StoreMismatch, match="by a newer Specloupe: update this one"):
        Store.open(tmp_path)


def test_a_lost_chroma_folder(tmp_path: Path) -> None:
    fill(tmp_path / "store", SAMPLES / "shop.json")
    for file in sorted((tmp_path / "store" / "chroma").rglob("*"), reverse=True):
        file.unlink() if file.is_file() else file.rmdir()
    with pytest.raises(StoreDamaged, match="cannot be used"):
        Store.open(tmp_path / "store").chunks(["a"])


def test_a_lost_original(tmp_path: Path) -> None:
    fill(tmp_path / "store", SAMPLES / "shop.json")
    store = Store.open(tmp_path / "store")
    chunk = store.chunks([CREATE_USER])[CREATE_USER]
    original = tmp_path / "store" / "specs" / f"{store.manifest.entries['shop.json'].original}.zst"
    original.write_bytes(original.read_bytes()[:-40])
    with pytest.raises(
        StoreDamaged, match=r"is damaged\. Ingest shop\.json again from where it came from"
    ):
        store.body(chunk)
    original.unlink()
    with pytest.raises(StoreDamaged, match=r"which belongs to 'shop\.json', is missing\. Ingest"):
        store.body(chunk)
    other = next(original.parent.iterdir())
    other.rename(original)  # whole, and of something else
    with pytest.raises(StoreDamaged, match="is damaged"):
        store.body(chunk)


@pytest.mark.parametrize("folder", [False, True], ids=["cut", "folder"])
def test_a_lost_catalogue_entry_names_its_file_and_what_mends_it(
    tmp_path: Path, folder: bool
) -> None:
    fill(tmp_path / "store", SAMPLES / "shop.json", SAMPLES / "media.yaml")
    store = Store.open(tmp_path / "store")
    facts = tmp_path / "store" / "specs" / f"{store.manifest.entries['shop.json'].facts}.zst"
    facts.unlink()
    facts.mkdir() if folder else facts.write_bytes(b"")
    with pytest.raises(StoreDamaged, match=r"belongs to 'shop\.json', .*Ingest shop\.json again"):
        store.catalog()


@pytest.mark.thorough
def test_what_another_process_has_written_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = write(tmp_path / "apis", {"a.json": api("One")})
    fill(tmp_path / "store", source)
    with Store.open(tmp_path / "store") as before:
        assert list(before.rows("a"))  # Chroma is open from now on
        monkeypatch.setattr("core.index.write.commit._LARGE", 0)
        fill(tmp_path / "store", write(source, {"a.json": api("Two", paths=["/orders"])}))
        with Store.open(tmp_path / "store") as after:
            assert sum(map(len, after.rows("a"))) == after.manifest.entries["a.json"].chunks


def test_rows_that_are_not_what_was_written(tmp_path: Path) -> None:
    fill(tmp_path / "store", SAMPLES / "shop.json", SAMPLES / "media.yaml")
    with Store.open(tmp_path / "store") as store:
        vectors = HashEmbedder().embed(["something else"])
        store._rows._rows.update(
            ids=[CREATE_USER], documents=["something else"], embeddings=vectors
        )
        with pytest.raises(
            StoreDamaged, match=r"stored data of 'shop\.json' is corrupt.*store check"
        ):
            store.chunks_of("shop")
        with pytest.raises(StoreDamaged, match=r"shop\.json"):
            build(tmp_path / "index", store)
        assert store.chunks_of("media")
        write_journal(store.place.files, Journal((), (), ("shop",)))
        with pytest.raises(StoreBusy, match="being written to"):  # half old, half new
            store.chunks_of("shop")


def test_vectors_that_are_not_what_was_written(tmp_path: Path) -> None:
    fill(tmp_path / "store", SAMPLES / "shop.json")
    with Store.open(tmp_path / "store") as store:
        store._rows._rows.update(ids=[CREATE_USER], embeddings=[[0.5] * 256])
        with pytest.raises(StoreDamaged, match=r"shop\.json"):
            build(tmp_path / "index", store)


def test_another_embedder(store: Store) -> None:
    store.check("hash:n1:256")
    with pytest.raises(StoreMismatch, match=r"EMBEDDER=hash, or .*reembed --embedder static"):
        store.check("static:m:n1:256")


def test_the_manifest_says_what_is_there(path: Path) -> None:
    manifest = read_manifest(FolderFiles(path))
    assert manifest
    assert (manifest.embedder, manifest.dimensions) == ("hash:n1:256", 256)
    shop = manifest.entries["shop.json"]
    assert (shop.root, shop.prefix, shop.links) == (str(SAMPLES), "", ())
    assert manifest.entries["files/storage.yaml"].links == ("files/models/common.yaml",)
    assert (path / NAME).stat().st_size < 10_000
