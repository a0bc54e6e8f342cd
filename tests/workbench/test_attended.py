"""What a person may do with a workbench, and what is written down of it."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from support import tiny_specs

from core import Workbench
from core.errors import NotAllowed, SettingsError, UnknownId
from core.evaluate.audit.kept import KeptAudits
from core.evaluate.labelling.label_sets import LabelSets
from core.evaluate.runs.kept import Kept
from core.evaluate.runs.profiles import Profiles
from core.evaluate.runs.runs import Runs
from core.evaluate.sets.sample import Sample
from core.evaluate.tune.kept import Sweeps
from core.workbench.attended import (
    CHANGES,
    PARTS,
    READS,
    Person,
    attended,
    for_the_same,
    without_models,
)
from core.workbench.change_log import ChangeLog

ANN, LOOKS = Person("ann@example.org"), Person("bob@example.org", "Bob may look.")
CLASSES = (Workbench, Runs, Kept, LabelSets, Profiles, Sweeps, KeptAudits, ChangeLog)
IN_INSTANCES = {  # values that no class has
    "Workbench": {"settings"},
    "Runs": {"path", "keep"},
    "Profiles": {"path"},
    "ChangeLog": {"path"},
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("attended")
    (folder / "shop.json").write_text(json.dumps(tiny_specs.SHOP), "utf-8")
    with Workbench.open(folder / "store") as workbench:
        for _ in workbench.ingest([folder / "shop.json"]):
            pass
    return folder / "store"


@pytest.fixture
def workbench(store: Path) -> Iterator[Workbench]:
    with Workbench.open(store) as opened:
        opened.change_log.path.unlink(missing_ok=True)
        yield opened


def told(workbench: Workbench) -> list[tuple[str, str, str, str]]:
    """The log, the oldest first."""
    return [(e.who, e.what, e.of, e.came) for e in reversed(workbench.change_log.newest())]


def public(kind: type) -> set[str]:
    """Methods and properties, without the parts that a workbench hands out."""
    parts = {
        name
        for name, member in inspect.getmembers(kind, lambda m: isinstance(m, property))
        if getattr(member.fget, "__annotations__", {}).get("return") in PARTS
    }
    return {name for name in dir(kind) if not name.startswith("_")} - parts


@pytest.mark.parametrize("kind", CLASSES)
def test_every_method_is_a_reading_one_or_a_change(kind: type) -> None:
    reads, changes = {*READS[kind.__name__].split()}, CHANGES[kind.__name__].keys()
    assert public(kind) | IN_INSTANCES.get(kind.__name__, set()) == reads | changes
    assert not reads & changes


def test_the_classes_are_all_that_a_workbench_hands_out() -> None:
    assert {kind.__name__ for kind in CLASSES} == READS.keys() == CHANGES.keys()


@pytest.mark.parametrize(
    ("kind", "name", "change"),
    [(k, n, c) for k in CLASSES for n, c in CHANGES[k.__name__].items() if c.of],
)
def test_what_a_change_is_of_is_an_argument(kind: type, name: str, change: object) -> None:
    assert getattr(change, "of", "") in inspect.signature(getattr(kind, name)).parameters


@pytest.mark.parametrize(
    ("kind", "name"), [(k.__name__, n) for k in CLASSES for n in CHANGES[k.__name__]]
)
def test_whoever_may_look_changes_nothing(workbench: Workbench, kind: str, name: str) -> None:
    part = attended(workbench, LOOKS)
    if kind != "Workbench":
        part = next(
            getattr(part, each)
            for each, member in inspect.getmembers(Workbench, lambda m: isinstance(m, property))
            if getattr(member.fget, "__annotations__", {}).get("return") == kind
        )
    with pytest.raises(NotAllowed, match="Bob may look"):
        getattr(part, name)()
    assert not told(workbench)


def test_whoever_may_look_reads_everything(workbench: Workbench) -> None:
    looks = attended(workbench, LOOKS)
    assert looks.figures() == workbench.figures()
    assert looks.retrieve("delete an order").chunks
    assert looks.kept.golden() is None
    assert not looks.runs.newest()


def test_a_method_that_nobody_has_listed_is_a_change(
    workbench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Workbench, "burn", lambda self: None, raising=False)
    with pytest.raises(NotAllowed, match="Burn"):
        attended(workbench, LOOKS).burn()  # type: ignore[attr-defined]


def test_whoever_may_look_asks_no_model(workbench: Workbench) -> None:
    looks = attended(workbench, LOOKS)
    with pytest.raises(NotAllowed, match="Asking a language model"):
        looks.retrieve("delete an order", rerank="model", llm_model="any")
    assert looks.retrieve("delete an order", rerank="off").chunks
    settings = workbench.settings.replace(llm_model="any", rerank="model")
    assert without_models(settings) == workbench.settings


def test_a_change_is_written_down(workbench: Workbench) -> None:
    mine = attended(workbench, ANN)
    mine.profiles.save("lean", mine.settings)
    mine.kept.keep_golden(Sample("", "a question that nobody else shall read", ("x",)))
    mine.profiles.remove("lean")
    assert told(workbench) == [
        ("ann@example.org", "saving a profile", "lean", ""),
        ("ann@example.org", "saving a golden question", "", ""),
        ("ann@example.org", "deleting a profile", "lean", ""),
    ]
    workbench.kept.forget_golden("a question that nobody else shall read")


def test_what_takes_long_is_told_when_it_begins_and_when_it_ends(
    workbench: Workbench, store: Path
) -> None:
    for _ in attended(workbench, ANN).ingest([store.parent / "shop.json"]):
        pass
    path = str(store.parent / "shop.json")
    assert told(workbench) == [
        ("ann@example.org", "ingesting", path, "begun"),
        ("ann@example.org", "ingesting", "1 file unchanged", "done"),
    ]


def test_what_is_stopped_is_told(workbench: Workbench) -> None:
    with closing(attended(workbench, ANN).rebuild()) as steps:
        next(steps)
    assert [each[-1] for each in told(workbench)] == ["begun", "stopped"]


def test_what_is_refused_before_it_begins_is_not_told(workbench: Workbench) -> None:
    mine = attended(workbench, ANN)
    with pytest.raises(UnknownId):
        list(mine.remove(["nothing.json"]))
    with pytest.raises(UnknownId):
        mine.runs.delete("nothing")
    assert told(workbench) == []


def test_nothing_secret_of_an_address_is_written_down(workbench: Workbench) -> None:
    from core.workbench.attended import _named

    assert _named(["https://ann:key@example.org/a.json?token=1"]) == "https://example.org/a.json"
    assert _named(list("abcdefg")) == "a, b, c, d, e, and 2 more"


def test_another_workbench_of_the_store_is_the_same_persons(workbench: Workbench) -> None:
    for_the_same(attended(workbench, ANN), workbench).profiles.save("lean", workbench.settings)
    assert told(workbench)[0][0] == "ann@example.org"
    with pytest.raises(NotAllowed):
        for_the_same(attended(workbench, LOOKS), workbench).reembed()
    assert for_the_same(workbench, workbench) is workbench


def test_errors_of_the_workbench_stay_what_they_are(workbench: Workbench) -> None:
    with pytest.raises(SettingsError):
        attended(workbench, ANN).changed(top_k=-1)
    with pytest.raises(AttributeError):
        _ = attended(workbench, ANN)._embed  # not for callers
