from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from core.index.snapshot.arrays import Arrays, ArrayWriter, open_arrays
from core.index.snapshot.texts import PackedTexts, PackedWriter, Texts, write_texts

on_disk = settings(deadline=None, max_examples=40)  # each example writes files
texts = st.lists(st.text(st.characters(codec="utf-8"), max_size=20), max_size=60)


def stored(folder: Path, values: list[str]) -> Arrays:
    writer = ArrayWriter(folder)
    write_texts(writer, "plain", values)
    packed = PackedWriter(writer, "packed")
    for text in values:
        packed.add(text.encode())
    packed.finish()
    writer.finish({})
    return open_arrays(folder)


@on_disk
@given(texts)
def test_texts_come_back(values: list[str]) -> None:
    with TemporaryDirectory() as folder:
        arrays = stored(Path(folder), values)
    plain, packed = Texts(arrays, "plain"), PackedTexts(arrays, "packed")
    assert list(plain) == values
    assert [packed[i] for i in range(len(packed))] == values


@on_disk
@given(texts, st.text(st.characters(codec="utf-8"), max_size=3))
def test_ascending_texts_are_found(values: list[str], other: str) -> None:
    ascending = sorted(set(values))
    with TemporaryDirectory() as folder:
        plain = Texts(stored(Path(folder), ascending), "plain")
    assert [plain.find(text) for text in ascending] == list(range(len(ascending)))
    assert plain.find(other) == (ascending.index(other) if other in ascending else -1)


def test_a_text_that_utf8_cannot_write_is_not_found(tmp_path: Path) -> None:
    assert Texts(stored(tmp_path, ["a"]), "plain").find("\ud800") == -1
