"""The audit of a store: what is asked, what is found, what is kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from support.stores import ingested, opened

from core import Workbench
from core.errors import StoreDamaged, UnknownId
from core.evaluate.audit.audit import Progress
from core.evaluate.audit.findings import Cause, findings
from core.evaluate.audit.report import as_json
from core.evaluate.audit.results import Answer, ApiSeen, Audit, Seen
from core.evaluate.stop import Stopped

OK = {"responses": {"200": {"description": "OK"}}}


def spec(title: str, **summaries: str) -> dict[str, object]:
    paths = {f"/{name}": {"get": {"summary": said, **OK}} for name, said in summaries.items()}
    paths["/bare"] = {"get": {**OK}}
    card = {"type": "object", "description": "A plastic card", "properties": {"pin": {}, "no": {}}}
    return {
        "openapi": "3.0.3",
        "info": {"title": title, "version": "1"},
        "paths": paths,
        "components": {"schemas": {"Card": card}},
    }


TWINS = {f"twin{n}": "Show the weather of tomorrow" for n in range(8)}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "specs"
    folder.mkdir()
    zoo = spec("Zoo", animals="List every animals entry", tickets="Buy some tickets today", **TWINS)
    (folder / "zoo.json").write_text(json.dumps(zoo))
    (folder / "bank.json").write_text(json.dumps(spec("Bank", loans="Ask for loans at a bank")))
    return folder


@pytest.fixture
def workbench(source: Path, tmp_path: Path) -> Iterator[Workbench]:
    with opened(tmp_path / "store") as made:
        ingested(made, source)
        yield made


def done(workbench: Workbench, *apis: str, fresh: bool = False) -> Audit:
    *_, last = workbench.audit(apis, fresh=fresh)
    assert isinstance(last, Audit)
    return last


def element(audit: Audit, name: str) -> Seen:
    return next(each for each in audit.elements if name in each.id)


def test_every_operation_and_schema_is_asked(workbench: Workbench) -> None:
    steps = list(workbench.audit())
    audit = steps[-1]
    assert isinstance(audit, Audit)
    assert [type(each) for each in steps[:-1]] == [Progress, Progress]
    assert steps[-2].done == steps[-2].total == workbench.figures().chunks
    assert [api.api for api in audit.apis] == ["bank", "zoo"]
    assert len(audit.elements) == 2 + 11 + 2
    assert {kind for kind, _ in audit.by_kind().items()} >= {"summary", "description", "properties"}


def test_what_its_name_tells_is_found_and_what_only_its_summary_tells_is_not(
    workbench: Workbench,
) -> None:
    audit = done(workbench)
    animals = element(audit, "paths/animals")
    assert animals.answers[0].rank == 1
    assert animals.answers[0].overall >= 1
    twin = element(audit, "paths/twin0")
    assert twin.answers[0].kind == "summary"
    assert twin.answers[0].rank > 5  # its own words are left out, and the others' are not
    assert "twin" in twin.answers[0].ahead[0]
    causes = {(finding.id, finding.cause) for finding in findings(audit)}
    assert (twin.id, Cause.HIDDEN) in causes
    assert (element(audit, "bank.json:paths/bare").id, Cause.UNDOCUMENTED) in causes
    assert (animals.id, Cause.NEVER) not in causes


def test_twins_crowd_each_other_out(workbench: Workbench) -> None:
    audit = done(workbench, "zoo")
    assert max(each.crowds for each in audit.elements if "twin" in each.id) > 0
    assert element(audit, "paths/animals").crowds == 0


def test_the_worst_come_first(workbench: Workbench) -> None:
    audit = done(workbench)
    rivals = {e.id: len(api.elements) for api in audit.apis for e in api.elements}
    chances = [each.likely_missed(rivals[each.id]) for each in audit.worst()]
    assert chances == sorted(chances, reverse=True)
    assert {each.id for each in audit.worst()} == rivals.keys()


def test_what_is_likely_missed() -> None:
    found, missed = (
        Seen("i", "operation", (Answer("summary", "a", rank),), words=20) for rank in (1, 9)
    )
    assert missed.likely_missed(10) > found.likely_missed(10)
    assert found.likely_missed(100) > found.likely_missed(10)
    assert replace(found, words=2).likely_missed(10) > found.likely_missed(10)


def test_the_standing_by_hand() -> None:
    answers = (Answer("summary", "a", 1, overall=4), Answer("shortened", "b", 2))
    assert Seen("i", "operation", answers).standing == pytest.approx((1 + 1 / 4 + 1 / 2) / 7)
    assert Seen("i", "schema", answers[1:]).standing == pytest.approx(1 / 2 / 5)


def test_what_has_not_changed_is_not_asked_again(workbench: Workbench, source: Path) -> None:
    first = done(workbench)
    again = done(workbench)
    assert again.reused == 2
    assert again.apis == first.apis
    (source / "bank.json").write_text(json.dumps(spec("Bank", loans="Ask the bank for money")))
    for _ in workbench.ingest([source / "bank.json"], clash="replace"):
        pass
    assert workbench.audited().missing == 1
    after = done(workbench)
    assert (after.reused, after.outdated) == (1, 1)
    assert element(after, "bank.json:paths/loans").answers[0].query == "Ask the bank for money"
    assert done(workbench, fresh=True).outdated == 0


def test_what_is_no_api_is_not_audited(workbench: Workbench, source: Path) -> None:
    (source / "why.md").write_text("# Why\n\nBecause we need loans.\n")
    for _ in workbench.ingest([source], formats=("all",)):
        pass
    assert workbench.audited().missing == 2
    assert [api.api for api in done(workbench).apis] == ["bank", "zoo"]


def test_another_setting_that_ranks_asks_again(workbench: Workbench) -> None:
    done(workbench)
    *_, last = workbench.audit(keyword_weight=0.9)
    assert isinstance(last, Audit)
    assert last.reused == 0


@pytest.mark.parametrize("mode", ["semantic", "exact"])
def test_vectors_or_words_alone(workbench: Workbench, mode: str) -> None:
    *_, last = workbench.audit(mode=mode)
    assert isinstance(last, Audit)
    assert element(last, "paths/animals").answers[0].rank == 1


def test_an_unknown_api_is_refused(workbench: Workbench) -> None:
    with pytest.raises(UnknownId, match="zoo"):
        list(workbench.audit(["zo"]))


def test_stopped_it_keeps_what_is_done(workbench: Workbench) -> None:
    begun = workbench.audit()
    assert isinstance(next(begun), Progress)
    begun.close()  # type: ignore[attr-defined]
    assert len(workbench.audited().apis) == 1
    with pytest.raises(Stopped):
        list(workbench.audit(stop=lambda: True))
    assert len(done(workbench).apis) == 2


def test_two_audits_from_nothing_are_equal(workbench: Workbench) -> None:
    assert done(workbench, fresh=True).apis == done(workbench, fresh=True).apis


def test_an_empty_audit_has_no_share(tmp_path: Path) -> None:
    empty = Audit((), 5, 4000, 3, "")
    assert (empty.found, empty.found_overall, empty.by_kind()) == (None, None, {})
    assert as_json(empty, [])["found"] is None


def test_as_json(workbench: Workbench) -> None:
    audit = done(workbench)
    values = json.loads(json.dumps(as_json(audit, findings(audit))))
    assert values["found"] == audit.found
    assert values["apis"]["zoo"]["elements"] == 12
    assert values["findings"][0].keys() >= {"id", "cause", "said", "remedy", "query", "twin"}


def test_what_is_kept_reads_back_and_what_is_damaged_says_so(workbench: Workbench) -> None:
    audit = done(workbench)
    assert ApiSeen.from_dict(audit.apis[0].to_dict()) == audit.apis[0]
    with pytest.raises(StoreDamaged, match="--fresh"):
        ApiSeen.from_dict({"api": "x"})
