"""Originals by content, the manifest and the journal: whole files, or none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import StoreDamaged, StoreError
from core.index.chroma.remote.server import CachedFiles
from core.index.disk.documents import Documents, ParsedDocuments, digest, path_of
from core.index.disk.files import FolderFiles, remove_file, write_whole
from core.index.disk.journal import NAME as JOURNAL
from core.index.disk.journal import Journal, Staged, clear_journal, read_journal, write_journal
from core.index.disk.manifest import Entry, Manifest, read_manifest, write_manifest
from core.read.document import Document


def entry(file: str, *, state: str = "s", chunker: str = "1") -> Entry:
    return Entry(
        file=file,
        file_id=file.partition(".")[0],
        root="/apis",
        prefix="",
        original="0" * 64,
        size=10,
        chunker=chunker,
        state=state,
        facts="1" * 64,
        chunks=3,
        version="3.0.0",
        api=("Title", "1"),
        counts={"operations": 2},
        unresolved=0,
        links=("b.json",),
    )


def test_bytes_come_back(tmp_path: Path) -> None:
    documents = Documents(FolderFiles(tmp_path))
    data = b"{}" * 1000
    name = documents.put(data)
    assert name == documents.put(data) == digest(data)
    assert documents.get(name, "a.json") == data
    (kept,) = (tmp_path / "specs").iterdir()
    assert kept.stat().st_size < 100


def test_sweeping(tmp_path: Path) -> None:
    documents = Documents(FolderFiles(tmp_path))
    documents.sweep([])  # there is nothing yet
    one, other = documents.put(b"one"), documents.put(b"other")
    (tmp_path / "specs" / ".draft").write_bytes(b"left by a kill")
    documents.sweep([other])
    assert [path.name for path in (tmp_path / "specs").iterdir()] == [f"{other}.zst"]
    with pytest.raises(StoreDamaged, match=r"Ingest a\.json again"):
        documents.get(one, "a.json")


@pytest.mark.parametrize("loss", ["removed", "damaged"])
def test_what_a_server_lost_is_put_there_again_although_it_is_cached(
    tmp_path: Path, loss: str
) -> None:
    server = FolderFiles(tmp_path / "server")
    documents = Documents(CachedFiles(server, FolderFiles(tmp_path / "here")))
    name = documents.put(b"one")
    documents.get(name, "a.json")  # and kept here
    if loss == "removed":
        documents.sweep([])
    else:
        server.write(path_of(name), b"other")
    documents.put(b"one")
    assert Documents(server).get(name, "a.json") == b"one"


def test_what_is_there_and_cannot_be_read_is_put_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def damaged(_: FolderFiles, name: str) -> bytes:
        raise StoreDamaged(name)

    documents = Documents(FolderFiles(tmp_path))
    (tmp_path / path_of(documents.put(b"one"))).write_bytes(b"")
    with monkeypatch.context() as patch:
        patch.setattr(FolderFiles, "read", damaged)
        name = documents.put(b"one")
    assert documents.get(name, "a.json") == b"one"


def document(file: str, size: int) -> Document:
    return Document(file, {}, file, size, "test", lambda _: 0)


def test_parsed_documents_are_kept_up_to_a_size() -> None:
    parsed: list[str] = []

    def get(file: str, size: int) -> None:
        kept.get(file, "v1", lambda: parsed.append(file) or document(file, size))  # type: ignore[func-returns-value]

    kept = ParsedDocuments(size=100)
    for file in ("a", "b", "a", "c", "a", "b"):
        get(file, 40)
    assert parsed == ["a", "b", "c", "b"]
    get("huge", 1000)
    get("huge", 1000)
    assert parsed[4:] == ["huge"]
    kept.get("huge", "v2", lambda: parsed.append("v2") or document("huge", 1))  # type: ignore[func-returns-value]
    assert parsed[5:] == ["v2"]


def test_parsed_documents_that_are_taken_or_forgotten_are_kept_no_longer() -> None:
    kept = ParsedDocuments(size=100)
    parsed: list[str] = []

    def parse(file: str) -> Callable[[], Document]:
        return lambda: parsed.append(file) or document(file, 45)  # type: ignore[func-returns-value]

    for file in ("a", "a", "b"):
        assert kept.get(file, "1", parse(file)).file == file
        assert kept.take(file, "1", parse(file)).file == file
    assert parsed == ["a", "a", "b"]
    assert kept.take("b", "1", parse("b")).file == "b"
    kept.get("c", "1", parse("c"))
    kept.forget()
    for file in ("c", "d", "c", "d"):  # the room of all that went is free again
        kept.get(file, "1", parse(file))
    assert parsed[3:] == ["b", "c", "c", "d"]


def test_manifest_there_and_back(tmp_path: Path) -> None:
    assert read_manifest(FolderFiles(tmp_path)) is None
    manifest = Manifest("hash:n1:256", 256).changed(put=[entry("b.json"), entry("a.json")])
    write_manifest(FolderFiles(tmp_path), manifest)
    assert read_manifest(FolderFiles(tmp_path)) == manifest
    assert list(manifest.entries) == ["a.json", "b.json"]
    assert manifest.by_id("a") == manifest.entries["a.json"]


def test_the_generation_is_the_content() -> None:
    one = Manifest("e", 4).changed(put=[entry("a.json"), entry("b.json")])
    other = Manifest("e", 4).changed(put=[entry("b.json")]).changed(put=[entry("a.json")])
    assert one.generation == other.generation
    different = [
        one.changed(drop=["a.json"]),
        one.changed(put=[entry("a.json", state="t")]),
        one.changed(put=[entry("a.json", chunker="2")]),
        Manifest("f", 4, one.entries),
        Manifest(),
    ]
    assert len({m.generation for m in (one, *different)}) == 6


def test_embedders_never_share_a_collection() -> None:
    assert Manifest("a", 4).collection != Manifest("b", 4).collection


def test_journal_there_and_back(tmp_path: Path) -> None:
    assert read_journal(FolderFiles(tmp_path)) is None
    staged = Staged("a.json", "/apis", "", "0" * 64, 12, ("b.json",))
    journal = Journal((staged,), ("c.json",), ("a", "c"))
    write_journal(FolderFiles(tmp_path), journal)
    assert read_journal(FolderFiles(tmp_path)) == journal
    clear_journal(FolderFiles(tmp_path))
    clear_journal(FolderFiles(tmp_path))
    assert read_journal(FolderFiles(tmp_path)) is None


@pytest.mark.parametrize("text", ["", "{}", '{"put": [{}], "drop": [], "file_ids": []}', "[]"])
def test_a_damaged_journal(tmp_path: Path, text: str) -> None:
    (tmp_path / JOURNAL).write_text(text)
    with pytest.raises(StoreDamaged, match=r"pending\.json is damaged: .*store check"):
        read_journal(FolderFiles(tmp_path))


@given(st.binary())
def test_writing_whole(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("files") / "deep" / "file"
    write_whole(path, b"before")
    write_whole(path, data)
    assert path.read_bytes() == data
    assert [other.name for other in path.parent.iterdir()] == ["file"]


def test_writing_that_fails_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    write_whole(tmp_path / "file", b"before")
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(StoreError, match=r"file cannot be written: No space left on device\."):
        write_whole(tmp_path / "file", b"after")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("file", b"before")]


def test_removing_what_cannot_be_removed(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(StoreError, match="folder cannot be written"):
        remove_file(tmp_path / "folder")
