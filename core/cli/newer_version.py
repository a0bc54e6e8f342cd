"""`specloupe audit --newer`: what a newer version would find, lose and move, and a gate for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from core.cli.shared.out import line, lines, print_json
from core.cli.shared.progress import is_quiet
from core.errors import CallError, SpecError
from core.evaluate.audit.report import versions_as_json
from core.evaluate.audit.versions import Fate, Versions
from core.evaluate.report import tables
from core.evaluate.sets.exchange import read
from core.read.document import SourceFile
from core.read.files.find import discover
from core.workbench.workbench import Workbench

LISTED = 20  # elements and questions that are printed
MOVES = ("lost", "gained", "moved")  # of labels, worst first


def tried(workbench: Workbench, newer: Path, apis: Sequence[str], sets: Sequence[Path]) -> Versions:
    """The outcome; what is done meanwhile is said on stderr."""
    if len(apis) > 1:
        raise CallError("--newer takes the place of one API: name it with one --api ID.")
    asked = [read(path) for path in sets]
    last: str | Versions = ""
    for last in workbench.versions(_source(newer), api="".join(apis), eval_sets=asked):
        if isinstance(last, str) and not is_quiet():
            line(last, err=True)
    assert isinstance(last, Versions)
    return last


def _source(path: Path) -> SourceFile:
    found = list(discover(str(path)))
    wrong = next((each for each in found if isinstance(each, SpecError)), None)
    if wrong:
        raise wrong
    if len(found) != 1 or not isinstance(found[0], SourceFile):
        raise CallError(f"--newer: {path} has to be one specification.")
    return found[0]


def tell(versions: Versions, *, as_json: bool) -> None:
    if as_json:
        print_json(versions_as_json(versions))
    else:
        lines(tables.as_text(_tables(versions)))


def gate(versions: Versions, most: int | None, least: float | None) -> int:
    """1 where more is lost, or less found in the newer version, than is allowed."""
    failed = False
    if most is not None:
        failed = versions.lost > most
        said = "FAILED" if failed else "ok"
        line(f"{said}: lost {versions.lost}, at most {most} allowed", err=True)
    if least is not None:
        share = versions.after.found(versions.limit)
        is_less = share is None or share < least
        failed = failed or is_less
        line(
            f"{'FAILED' if is_less else 'ok'}: found {percent(share)}, at least {least:.1%} wanted",
            err=True,
        )
    return int(failed)


def _tables(versions: Versions) -> list[tables.Table]:
    listed = [each for each in versions.changes if each.fate is not Fate.NEW][:LISTED]
    return [
        tables.Table(
            f"A newer version of {tables.Outside(versions.api)}",
            ("element", "count"),
            [(fate.value, f"{len(versions.of(fate)):,}") for fate in Fate],
            [*_said(versions)],
        ),
        tables.Table(
            "Elements, the worst first",
            ("element", "", "before", "now", "question"),
            [
                (
                    tables.Outside(each.id),
                    each.fate.value,
                    percent(each.before),
                    percent(each.after),
                    tables.Outside(each.query),
                )
                for each in listed
            ],
        ),
        tables.Table(
            "Labels that the newer version has nothing for",
            ("set", "question", "label"),
            [
                tuple(map(tables.Outside, (each.set, each.question, each.label)))
                for each in versions.gone[:LISTED]
            ],
        ),
        tables.Table(
            "Labels of questions, the lost ones first",
            ("question", "label", "", "rank before", "rank now"),
            [*_moves(versions)][:LISTED],
        ),
    ]


def _said(versions: Versions) -> Iterator[str]:
    before, after = versions.before, versions.after
    found = [percent(each.found(versions.limit)) for each in (before, after)]
    counts = f"{len(before.elements):,} and {len(after.elements):,} elements"
    yield f"Its own questions found {found[0]} before, and find {found[1]} now ({counts})."
    if versions.labelled:
        moved = ", ".join(f"{versions.moved(kind)} {kind}" for kind in MOVES)
        yield f"Labels of questions: {moved}."


def _moves(versions: Versions) -> Iterator[Sequence[str]]:
    asked = versions.labelled.questions if versions.labelled else ()
    moves = [(question.query, move) for question in asked for move in question.moves]
    for query, move in sorted(moves, key=lambda each: MOVES.index(each[1].kind)):
        ranks = [str(rank or "–") for rank in (move.rank_before, move.rank_after)]
        yield (tables.Outside(query), tables.Outside(move.labels[0]), move.kind, *ranks)


def percent(share: float | None) -> str:
    return "none" if share is None else f"{share:.1%}"
