"""Questions are written once for each text, kept at once, and taken into use by its rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from support.sources import MemorySource, operation, vector

from core.errors import ModelError
from core.index.embed.hashed import HashEmbedder
from core.index.second.table import open_table, pointed
from core.index.snapshot.build import current
from core.index.snapshot.products import quantise
from core.index.snapshot.snapshot import Snapshot
from core.index.written.fill import (
    Written,
    fill,
    forget_all,
    lacking,
    publish,
    so_far,
    unsearched,
)
from core.index.written.look import WrittenLook
from core.index.written.questions import Questions

EMBEDDER = HashEmbedder()
NAMES = [f"n{at:02}" for at in range(10)]


@dataclass
class Writer:
    """Asks where the text is; `wrong` are the texts that it fails for, and the reason."""

    wrong: dict[str, str] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def __call__(self, text: str) -> Sequence[str]:
        self.asked.append(text)
        if text in self.wrong:
            raise ModelError(self.wrong[text], "It failed.")
        return [f"Where is {text}?", f"Who needs {text}?"]


def snapshot(folder: Path, texts: Sequence[str], generation: str = "1") -> Snapshot:
    rows = [
        (operation("a.json", NAMES[at], text=text), vector(1, 0, 0, 0))
        for at, text in enumerate(texts)
    ]
    return current(folder / "index", MemorySource(rows=rows, generation=generation))


def texts(count: int = len(NAMES)) -> list[str]:
    return [f"text {name}" for name in NAMES[:count]]


def written(folder: Path, reader: Snapshot, writer: Writer, at_once: int = 1) -> list[Written]:
    steps = fill(folder / "written", reader, EMBEDDER, writer, model="m", at_once=at_once)
    return list(steps)


def look(folder: Path, reader: Snapshot) -> WrittenLook:
    table = open_table(folder / "written", EMBEDDER.fingerprint)
    assert table
    return WrittenLook(reader, table, folder / "written")


@pytest.mark.parametrize("at_once", [1, 3, 50])
def test_every_text_gets_its_questions(at_once: int, tmp_path: Path) -> None:
    reader, writer = snapshot(tmp_path, texts()), Writer()
    *_, last = written(tmp_path, reader, writer, at_once)
    assert last == Written(10, 10) == so_far(tmp_path / "written", reader)
    assert sorted(writer.asked) == texts()
    near = look(tmp_path, reader)
    assert near.known.all()
    asked = EMBEDDER.embed(["Where is text n03?"])
    assert int(near.cosines(asked)[0].argmax()) == 3
    assert near.nearest(3, asked) == "Where is text n03?"
    assert near.nearest(3, EMBEDDER.embed(["Who needs text n03?"])) == "Who needs text n03?"


def test_only_what_changed_is_asked_again(tmp_path: Path) -> None:
    written(tmp_path, snapshot(tmp_path, texts()), Writer())
    later, writer = snapshot(tmp_path, ["text new", *texts()[1:8]], "2"), Writer()
    *_, last = written(tmp_path, later, writer)
    assert writer.asked == ["text new"]
    assert last == Written(8, 8)
    assert len(Questions(tmp_path / "written").keys()) == 8  # what is gone is forgotten


def test_equal_texts_are_asked_once_and_both_have_the_questions(tmp_path: Path) -> None:
    reader, writer = snapshot(tmp_path, ["same", "same", "other"]), Writer()
    written(tmp_path, reader, writer)
    assert sorted(writer.asked) == ["other", "same"]
    same = look(tmp_path, reader).cosines(EMBEDDER.embed(["Where is same?"]))[0]
    assert same[0] == same[1] > same[2]


def test_stopped_it_is_in_use_and_goes_on_from_there(tmp_path: Path) -> None:
    reader, writer = snapshot(tmp_path, texts()), Writer()
    steps = fill(tmp_path / "written", reader, EMBEDDER, writer, model="m", at_once=2)
    for step in steps:
        if step.done == 4:
            break
    steps.close()
    assert int(look(tmp_path, reader).known.sum()) == 4
    *_, last = written(tmp_path, reader, writer)
    assert last == Written(10, 10)
    assert len(writer.asked) == 10


def test_after_a_kill_nothing_that_was_written_is_asked_again(tmp_path: Path) -> None:
    reader, writer = snapshot(tmp_path, texts()), Writer()
    steps = fill(tmp_path / "written", reader, EMBEDDER, writer, model="m", at_once=2)
    for step in steps:
        if step.done == 6:
            break
    kept = dict(Questions(tmp_path / "written").all())  # all that a kill leaves
    steps.close()
    other = tmp_path / "killed"
    Questions(other / "written").put(kept, "m")
    assert not pointed(other / "written")
    later = Writer()
    assert written(other, reader, later)[-1] == Written(10, 10)
    assert len(later.asked) == 4


def test_what_fails_is_counted_and_asked_again_the_next_time(tmp_path: Path) -> None:
    reader, writer = snapshot(tmp_path, texts()), Writer({"text n03": "nonsense"})
    assert written(tmp_path, reader, writer)[-1] == Written(9, 10, 1)
    assert not look(tmp_path, reader).known[3]
    assert look(tmp_path, reader).nearest(3, EMBEDDER.embed(["Where is text n03?"])) == ""
    assert written(tmp_path, reader, Writer())[-1] == Written(10, 10)


@pytest.mark.parametrize("reason", ["budget", "paused", "refused"])
def test_an_end_is_raised_and_what_was_written_is_in_use(reason: str, tmp_path: Path) -> None:
    reader, writer = snapshot(tmp_path, texts()), Writer({"text n05": reason})
    with pytest.raises(ModelError, match="It failed"):
        written(tmp_path, reader, writer)
    assert len(writer.asked) == 6
    assert int(look(tmp_path, reader).known.sum()) == 5


def test_forgotten_there_are_none(tmp_path: Path) -> None:
    reader = snapshot(tmp_path, texts())
    written(tmp_path, reader, Writer())
    forget_all(tmp_path / "written")
    assert so_far(tmp_path / "written", reader) == Written(0, 10)
    assert open_table(tmp_path / "written") is None


class Counting(HashEmbedder):
    """Remembers what it was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        self.asked += texts
        return super().embed(texts)


def test_only_new_questions_are_embedded(tmp_path: Path) -> None:
    folder, first = tmp_path / "written", Counting()
    questions = Questions(folder)
    questions.put({7: ["One?", "Two?"], 9: ["Two?"]}, "m")
    assert lacking(folder, first) == ["One?", "Two?"]
    publish(folder, first)
    assert first.asked == ["One?", "Two?"]
    before = pointed(folder)
    publish(folder, again := Counting())
    assert (again.asked, pointed(folder)) == ([], before)
    questions.put({8: ["Three?"]}, "m")
    questions.forget([7])
    assert lacking(folder, again) == ["Three?"]
    assert unsearched(folder, EMBEDDER.fingerprint) == 1
    publish(folder, again)
    assert unsearched(folder, EMBEDDER.fingerprint) == 0
    assert unsearched(folder, "another") == 2
    assert again.asked == ["Three?"]
    table = open_table(folder, EMBEDDER.fingerprint)
    assert table
    assert table.keys.tolist() == [8, 9]
    fresh = quantise(EMBEDDER.embed(["Three?", "Two?"]))
    assert np.array_equal(table.vectors.rows, fresh.rows)
    assert np.array_equal(table.vectors.scales, fresh.scales)


def test_another_embedder_makes_the_vectors_anew_and_asks_nothing(tmp_path: Path) -> None:
    class Other(HashEmbedder):
        fingerprint = "other:1"

    reader, writer = snapshot(tmp_path, texts()), Writer()
    written(tmp_path, reader, writer)
    publish(tmp_path / "written", Other())
    assert open_table(tmp_path / "written", EMBEDDER.fingerprint) is None
    assert open_table(tmp_path / "written", "other:1")
    assert len(writer.asked) == 10


def test_the_cosine_of_a_row_is_that_of_its_nearest_question(tmp_path: Path) -> None:
    reader = snapshot(tmp_path, texts())
    written(tmp_path, reader, Writer())
    asked = EMBEDDER.embed(["where do I find n02", "who"])
    found = look(tmp_path, reader).cosines(asked)
    said = dict(Questions(tmp_path / "written").all())
    for row in range(len(reader)):
        each = EMBEDDER.embed(said[int(reader.text_keys[row])])
        np.testing.assert_allclose(found[:, row], (asked @ each.T).max(axis=1), atol=0.02)
