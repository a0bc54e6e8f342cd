"""Labelled sets are in the store at once; neither two people nor a kill lose anything."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import CallError, EvalSetError, StoreDamaged
from core.evaluate.labelling.judgement import Judgement
from core.evaluate.labelling.label_sets import LabelSets
from core.evaluate.labelling.sources import pasted
from core.evaluate.labelling.versions import Origin, Status
from core.evaluate.sets.labels import Labels
from core.evaluate.sets.sample import Sample
from core.index.disk.items import FileItems

X, Y = Judgement((("x",),)), Judgement((("y",),))
FILE = b"# ours\nsamples:\n- {id: a, query: why?, relevant: [x]}\n- {id: b, query: how?}\n"
NOTHING = Labels([])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store" / "labels.sqlite"


@pytest.fixture
def kept(path: Path) -> LabelSets:
    return LabelSets(FileItems(path))


def test_nothing_is_there_at_first_and_reading_makes_no_file(kept: LabelSets, path: Path) -> None:
    assert kept.names() == ()
    assert kept.read("mine").labelled == ()
    assert not path.parent.exists()


def test_questions_keep_their_order_and_are_asked_once(kept: LabelSets) -> None:
    assert kept.add("mine", pasted("- why?\n2. how?\n\nWhy?\nwhere? "), Origin.PASTED) == 3
    assert kept.add("mine", pasted("WHY?\nwho?"), Origin.THUMBS_DOWN) == 1
    queries = [each.question.sample.query for each in kept.read("mine")]
    assert queries == ["why?", "how?", "where?", "who?"]
    assert kept.names() == ("mine",)
    assert kept.read("other").labelled == ()


def test_an_id_that_is_taken_becomes_another(kept: LabelSets) -> None:
    kept.add("mine", [Sample("a", "why?"), Sample("a", "how?")], Origin.MISSED)
    ids = [each.question.sample.id for each in kept.read("mine")]
    assert ids[0] == "a"
    assert len(set(ids)) == 2


@pytest.mark.parametrize("name", ["", " ", "a\nb", "x" * 101, "a\x07"])
def test_a_name_that_is_none_is_refused(kept: LabelSets, name: str) -> None:
    with pytest.raises(CallError, match="needs a name"):
        kept.add(name, pasted("why?"), Origin.PASTED)
    assert kept.names() == ()


def test_what_no_set_can_hold_is_refused_as_a_whole(kept: LabelSets) -> None:
    with pytest.raises(EvalSetError):
        kept.add("mine", [Sample("a", "why?"), Sample("b", "a\x07b")], Origin.PASTED)
    with pytest.raises(CallError, match="5,000"):
        kept.add("mine", pasted("\n".join(map(str, range(5_001)))), Origin.PASTED)
    assert kept.names() == ()


def test_an_upload_counts_and_is_kept_for_its_comments(kept: LabelSets) -> None:
    assert kept.add_file("mine", "ours.yaml", FILE) == 2
    found = kept.read("mine")
    assert (found.file, found.data) == ("ours.yaml", FILE)
    assert found.counts(NOTHING) == {Status.OPEN: 1, Status.CONFLICT: 0, Status.LABELLED: 1}
    assert [sample.id for sample in found.eval_set(NOTHING).samples] == ["a"]
    kept.say("mine", found.labelled[1], Y, by="ann", done=True)
    assert len(kept.read("mine").eval_set(NOTHING).samples) == 2
    with pytest.raises(EvalSetError):
        kept.add_file("bad", "bad.yaml", b"samples: 7")
    kept.forget("mine")
    assert kept.names() == ()
    assert kept.add("mine", pasted("why?"), Origin.PASTED) == 1
    assert kept.read("mine").labelled[0].versions == ()
    assert kept.read("mine").file == ""


def test_choosing_is_replaced_and_what_was_done_is_history(kept: LabelSets) -> None:
    kept.add("mine", pasted("why?"), Origin.PASTED)

    def now():
        return kept.read("mine").labelled[0]

    kept.say("mine", now(), X, by="ann", shown=["x", "y"])
    first = kept.say("mine", now(), Y, by="ann", done=True)
    kept.say("mine", now(), X, by="ann")
    last = kept.say("mine", now(), X.toggled("y"), by="ann", done=True)
    assert [v.id for v in now().versions] == [first.id, last.id]
    assert now().of("ann") == (last,)


def test_two_windows_of_one_person_are_a_conflict_that_is_told(kept: LabelSets) -> None:
    kept.add("mine", pasted("why?"), Origin.PASTED)
    seen = kept.read("mine").labelled[0]
    for what in (X, Y):  # the second does not know of the first
        kept.say("mine", seen, what, by="ann", done=True)
    now = kept.read("mine").labelled[0]
    assert [v.judgement for v in now.conflicts] == [X, Y]
    assert kept.read("mine").counts(NOTHING)[Status.CONFLICT] == 1
    assert kept.read("mine").eval_set(NOTHING).samples == ()
    kept.settle("mine", now, Y, by="ben")
    (sample,) = kept.read("mine").eval_set(NOTHING).samples
    assert sample.relevant == ("y",)


def label_many(path: Path, by: str) -> None:
    kept = LabelSets(FileItems(path))
    for labelled in kept.read("mine"):
        kept.say("mine", labelled, X, by=by)
        kept.say("mine", kept.read("mine").labelled[0], Y, by=by, done=True)


@pytest.mark.thorough
def test_several_processes_lose_nothing_of_each_other(kept: LabelSets, path: Path) -> None:
    kept.add("mine", pasted("\n".join(f"why {n}?" for n in range(5))), Origin.PASTED)
    spawn = multiprocessing.get_context("spawn")
    people = [spawn.Process(target=label_many, args=(path, by)) for by in ("ann", "ben")]
    for person in people:
        person.start()
    for person in people:
        person.join()
    first, *others = kept.read("mine")
    assert first.people == ("ann", "ben")
    assert sum(v.done for v in first.versions) == 10
    assert [len(each.versions) for each in others] == [2] * 4


def test_a_kill_between_two_writes_loses_nothing(kept: LabelSets, path: Path) -> None:
    kept.add("mine", pasted("why?"), Origin.PASTED)
    kept.say("mine", kept.read("mine").labelled[0], X, by="ann")

    class Killed(FileItems):
        def delete(self, kind: str, key: str) -> None:
            os.kill(os.getpid(), 9)

    def say_and_die() -> None:
        dying = LabelSets(Killed(path))
        dying.say("mine", dying.read("mine").labelled[0], Y, by="ann", done=True)

    worker = multiprocessing.get_context("fork").Process(target=say_and_die)
    worker.start()
    worker.join()
    assert worker.exitcode == -9
    now = kept.read("mine").labelled[0]
    assert len(now.versions) == 2  # the one that was to be deleted is still there, and replaced
    assert [v.judgement for v in now.of("ann")] == [Y]


@pytest.mark.parametrize("harm", ["key = '['", "value = x'789c030000000001'"])
def test_a_damaged_row_is_named(kept: LabelSets, path: Path, harm: str) -> None:
    kept.add("mine", pasted("why?"), Origin.PASTED)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(f"UPDATE items SET {harm}")
    with pytest.raises(StoreDamaged, match="label-question"):
        kept.read("mine")
