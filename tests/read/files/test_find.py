import os
from pathlib import Path

import pytest

from core.errors import SpecError, UnreadableSpec, UnsafeSpec
from core.read.document import SourceFile
from core.read.files.find import discover, from_bytes
from core.read.limits import Limits

API = b'{"openapi": "3.0.0"}'


def write(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(API)


def shown(target: Path | str, *, prefix: str = "", limits: Limits | None = None) -> list[str]:
    """The files that can be read, and the sentences about the others."""
    found = discover(str(target), prefix=prefix, limits=limits)
    return [f.file if isinstance(f, SourceFile) and f.read() == API else str(f) for f in found]


def test_a_folder_gives_what_ends_like_a_specification(tmp_path: Path) -> None:
    write(tmp_path, "b.json", "a.YAML", "deep/er/c.yml", "notes.md", "deep/a.json")
    write(tmp_path, ".git/x.json", "node_modules/y.json", "deep/.cache/z.json")
    assert shown(tmp_path) == ["a.YAML", "b.json", "deep/a.json", "deep/er/c.yml"]


def test_hidden_files_of_a_folder_are_read_as_descriptions_alone(tmp_path: Path) -> None:
    write(tmp_path, "a.js", "a.json", ".eslintrc.js", ".env.py", ".api.json")
    found = discover(str(tmp_path), endings=(".json", ".js", ".py"))
    assert [one.file for one in found if isinstance(one, SourceFile)] == [
        ".api.json",
        "a.js",
        "a.json",
    ]


def test_a_store_inside_the_folder_is_left_out(tmp_path: Path) -> None:
    write(tmp_path, "a.json", "store/manifest.json", "store/lock", "store/index/g/header.json")
    assert shown(tmp_path) == ["a.json"]


def test_no_name_is_not_the_working_directory() -> None:
    assert shown("") == ["'': it names no file, folder or URL."]


def test_a_file_is_taken_whatever_it_is_called(tmp_path: Path) -> None:
    write(tmp_path, "spec.txt")
    [source] = discover(str(tmp_path / "spec.txt"))
    assert isinstance(source, SourceFile)
    assert (source.file, source.root) == ("spec.txt", str(tmp_path))


def test_a_prefix_stands_before_every_name(tmp_path: Path) -> None:
    write(tmp_path, "a.json")
    assert shown(tmp_path, prefix="v1/") == ["v1/a.json"]
    assert shown(tmp_path / "a.json", prefix="v1") == ["v1/a.json"]
    assert "leads out" in shown(tmp_path, prefix="../v1")[0]


def test_what_is_not_there_is_told(tmp_path: Path) -> None:
    assert shown(tmp_path / "gone") == [f"{tmp_path}/gone: there is no such file or folder."]
    assert shown(tmp_path) == [f"{tmp_path}: the folder holds no .json, .yaml or .yml file."]
    assert shown("/dev/null") == ["/dev/null: it is neither a file nor a folder."]
    assert len(shown("bad\0name")) == 1
    [refused] = discover("ftp://example.com/api.json")
    assert isinstance(refused, UnsafeSpec)


def test_a_file_that_vanishes_before_it_is_read_is_told(tmp_path: Path) -> None:
    write(tmp_path, "a.json")
    [source] = discover(str(tmp_path))
    (tmp_path / "a.json").unlink()
    assert isinstance(source, SourceFile)
    with pytest.raises(UnreadableSpec, match=r"a\.json: there is no such file"):
        source.read()


def test_links_out_of_the_folder_are_refused_and_links_inside_followed(tmp_path: Path) -> None:
    write(tmp_path, "outside.json", "root/a.json", "elsewhere/d.json")
    (tmp_path / "root" / "in.json").symlink_to("a.json")
    (tmp_path / "root" / "out.json").symlink_to("../outside.json")
    (tmp_path / "root" / "passwd.yaml").symlink_to("/etc/passwd")
    (tmp_path / "root" / "folder").symlink_to("../elsewhere")
    (tmp_path / "root" / "gone.json").symlink_to("nowhere.json")
    refused = "it is a link that leads out of the folder; it was not read."
    assert shown(tmp_path / "root") == [
        "a.json",
        "gone.json: there is no such file or folder.",
        "in.json",
        f"out.json: {refused}",
        f"passwd.yaml: {refused}",
    ]


def test_a_target_may_be_a_link_itself(tmp_path: Path) -> None:
    write(tmp_path, "root/a.json")
    (tmp_path / "link").symlink_to("root")
    (tmp_path / "file.json").symlink_to("root/a.json")
    assert shown(tmp_path / "link") == ["a.json"]
    assert shown(tmp_path / "file.json") == ["file.json"]


def test_a_file_that_becomes_a_link_is_not_followed(tmp_path: Path) -> None:
    write(tmp_path, "outside.json", "root/a.json")
    [source] = discover(str(tmp_path / "root"))
    (tmp_path / "root" / "a.json").unlink()
    (tmp_path / "root" / "a.json").symlink_to("../outside.json")
    assert isinstance(source, SourceFile)
    with pytest.raises(UnreadableSpec):
        source.read()


def test_queues_are_passed_by(tmp_path: Path) -> None:
    write(tmp_path, "a.json")
    os.mkfifo(tmp_path / "queue.json")
    assert shown(tmp_path) == ["a.json"]


def test_a_large_file_is_refused_before_it_is_in_memory(tmp_path: Path) -> None:
    with (tmp_path / "large.json").open("wb") as file:
        file.truncate(3_000_000_000)  # sparse: it takes no space
    [source] = discover(str(tmp_path), limits=Limits(max_file_mb=1))
    assert isinstance(source, SourceFile)
    with pytest.raises(UnsafeSpec, match=r"large\.json: it is larger than 1 MB"):
        source.read()


def test_too_many_files_end_the_search(tmp_path: Path) -> None:
    write(tmp_path, "a.json", "b.json", "c.json")
    found = shown(tmp_path, limits=Limits(max_files=2))
    assert found[:2] == ["a.json", "b.json"]
    assert "more than 2 files" in found[2]


def test_names_that_do_not_show_are_encoded(tmp_path: Path) -> None:
    write(tmp_path, "a\nb.json", "c:d%.json", "é.json")
    (tmp_path / os.fsdecode(b"\xff.json")).write_bytes(API)
    assert shown(tmp_path) == ["a%0Ab.json", "c:d%.json", "é.json", "%ED%B3%BF.json"]


@pytest.mark.parametrize("name", ["../a.json", "a/../../b.json", ".."])
def test_an_upload_stays_inside(name: str) -> None:
    [refused] = from_bytes(name, API)
    assert isinstance(refused, SpecError)
    assert "leads out" in str(refused)


def test_an_upload_is_a_source() -> None:
    [source] = from_bytes("folder/a.json", API, prefix="mine")
    assert isinstance(source, SourceFile)
    assert (source.file, source.read()) == ("mine/folder/a.json", API)
