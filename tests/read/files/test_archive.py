import io
import stat
import struct
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from core.errors import SpecError, UnreadableSpec
from core.read.document import SourceFile
from core.read.files.find import discover, from_bytes
from core.read.limits import Limits

API = b'{"openapi": "3.0.0"}'


def packed(
    *members: tuple[str | zipfile.ZipInfo, bytes], method: int = zipfile.ZIP_DEFLATED
) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in members:
            archive.writestr(name, data, method)
    return buffer.getvalue()


def outcome(data: bytes, limits: Limits | None = None) -> dict[str, str]:
    """What became of each member: its text, or why it was not read."""
    found = list(from_bytes("apis.zip", data, limits=limits))
    return {item.file: text(item) for item in found}


def text(item: SourceFile | SpecError) -> str:
    if isinstance(item, SpecError):
        return item.reason
    try:
        return item.read().decode()
    except SpecError as error:
        return error.reason


def test_members_have_the_archive_as_prefix(tmp_path: Path) -> None:
    data = packed(
        ("b.json", API),
        ("a/c.yaml", b"a: 1"),
        ("readme.md", b""),
        ("__MACOSX/x.json", b""),
        (".git/x.json", b""),
    )
    (tmp_path / "apis").write_bytes(data)  # told by content, not by its name
    sources = list(discover(str(tmp_path / "apis"), prefix="p"))
    assert [s.file for s in sources] == ["p/apis/a/c.yaml", "p/apis/b.json"]
    assert all(isinstance(s, SourceFile) and s.root == str(tmp_path / "apis") for s in sources)


def test_a_name_that_leads_out_is_refused_and_the_others_are_read() -> None:
    data = packed(
        ("ok.json", API),
        ("../slip.json", API),
        ("a/../../slip.json", API),
        ("..\\slip.json", API),
        ("/etc/x.json", API),
        ("C:\\x.json", API),
        ("new\nline.json", API),
    )
    result = outcome(data)
    assert result.pop("apis.zip/ok.json") == API.decode()
    assert result.pop("apis.zip/new%0Aline.json") == API.decode()
    assert len(result) == 4  # two of the five have the same name when their dots are shown
    for reason in result.values():
        assert "leads out" in reason or "absolute path" in reason


def test_a_bomb_is_refused_before_it_is_unpacked() -> None:
    data = packed(("bomb.json", b" " * 50_000_000), ("ok.json", API))
    tracemalloc.start()
    result = outcome(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert result == {
        "apis.zip/bomb.json": "it unpacks to more than 200 times its size (SPECLOUPE_MAX_RATIO).",
        "apis.zip/ok.json": API.decode(),
    }
    assert peak < 5_000_000


def test_a_member_that_lies_about_its_size_gives_no_more_than_it_says() -> None:
    data = bytearray(packed(("bomb.json", b" " * 50_000_000)))
    at = data.index(b"PK\x01\x02") + 24  # the unpacked size in the directory
    data[at : at + 4] = struct.pack("<I", 100)
    tracemalloc.start()
    assert "damaged" in outcome(bytes(data))["apis.zip/bomb.json"]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5_000_000


def test_the_bounds_hold_for_each_member_and_for_all() -> None:
    half = b" " * 700_000
    data = packed(("a.json", half), ("b.json", half), ("c.json", b"{}"), method=zipfile.ZIP_STORED)
    limits = Limits(max_expanded_mb=1)
    reasons = {
        f.file: f.reason for f in from_bytes("z", data, limits=limits) if isinstance(f, SpecError)
    }
    assert list(reasons) == ["z/b.json", "z/c.json"]
    assert "unpacks to more than 1 MB" in reasons["z/b.json"]
    big = packed(("a.json", half * 2), method=zipfile.ZIP_STORED)
    assert "larger than 1 MB" in outcome(big, Limits(max_file_mb=1))["apis.zip/a.json"]


def test_too_many_members_are_refused_whole() -> None:
    data = packed(*((f"{i}.json", API) for i in range(30)))
    assert "more than 20 files" in outcome(data, Limits(max_files=20))["apis.zip"]


def test_a_count_that_lies_does_not_help() -> None:
    data = bytearray(packed(*((f"{'x' * 600}{i}.json", b"") for i in range(40))))
    at = data.rindex(b"PK\x05\x06")
    data[at + 8 : at + 12] = struct.pack("<HH", 1, 1)
    assert "more than 20 files" in outcome(bytes(data), Limits(max_files=20))["apis.zip"]


def test_links_and_encrypted_and_oddly_packed_members_are_refused() -> None:
    link = zipfile.ZipInfo("link.json")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    data = packed((link, b"/etc/passwd"), ("ok.json", API))
    assert outcome(data)["apis.zip/link.json"] == "it is a link; it was not read."
    assert (
        "compression"
        in outcome(packed(("a.json", API), method=zipfile.ZIP_LZMA))["apis.zip/a.json"]
    )
    locked = bytearray(packed(("a.json", API)))
    locked[locked.index(b"PK\x01\x02") + 8] |= 1
    assert "encrypted" in outcome(bytes(locked))["apis.zip/a.json"]


@pytest.mark.filterwarnings("ignore:Duplicate name")  # the writer warns; the reader has to cope
def test_a_member_that_is_there_twice_is_told() -> None:
    found = list(from_bytes("z", packed(("a.json", API), ("a.json", b"{}"))))
    assert isinstance(found[0], SourceFile)
    assert found[0].read() == API
    assert isinstance(found[1], UnreadableSpec)


@pytest.mark.parametrize("cut", [4, 30, 60, -1, -23], ids=str)
def test_a_damaged_archive_is_one_sentence(cut: int) -> None:
    result = outcome(packed(("a.json", API))[:cut])
    assert list(result) == ["apis.zip"]
    assert "damaged" in result["apis.zip"]


def test_damage_inside_a_member_is_told_when_it_is_read() -> None:
    data = bytearray(packed(("a.json", API * 9), method=zipfile.ZIP_STORED))
    data[60] ^= 1
    [source] = from_bytes("z", bytes(data))
    assert isinstance(source, SourceFile)
    with pytest.raises(UnreadableSpec, match=r"z/a\.json: the archive is damaged"):
        source.read()


def test_an_archive_without_specifications_is_told() -> None:
    assert "holds no .json" in outcome(packed(("a.txt", b"")))["apis.zip"]
    assert "holds no .json" in outcome(packed())["apis.zip"]
