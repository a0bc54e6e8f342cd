"""`specloupe audit`: what can be found of the store, without labels, and a gate for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import orjson

from core.cli import newer_version
from core.cli.shared.opened import opened
from core.cli.shared.options import (
    SettingsCommand,
    json_option,
    quiet_option,
    settings_options,
    store_option,
)
from core.cli.shared.out import line, lines, print_json, write
from core.cli.shared.progress import At, last_of
from core.errors import CallError
from core.evaluate.audit.audit import Progress
from core.evaluate.audit.findings import Finding, by_cause, findings
from core.evaluate.audit.overlay import overlay
from core.evaluate.audit.report import as_json as audit_json
from core.evaluate.audit.results import Audit
from core.evaluate.report import tables
from core.ids import Id
from core.text.plural import counted
from core.workbench.workbench import Workbench

LISTED = 20  # findings that are printed
NECESSARY = (
    "A necessary test and no sufficient one: what is not found by its own words is hardly found by "
    "other people's, and what is found here may still be missed."
)


@click.command(cls=SettingsCommand)
@click.option("--api", "apis", multiple=True, metavar="ID", help="Audit this API; may be repeated.")
@click.option(
    "--min-found",
    type=click.FloatRange(0, 1),
    metavar="SHARE",
    help="Exit 1 if a smaller share of the questions find their element.",
)
@click.option(
    "--overlay",
    "overlay_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write drafts that would mend one API, as an OpenAPI Overlay.",
)
@click.option(
    "--newer",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Try a newer version of a specification, before it replaces the one in the store: of the "
    "file of the same name, or of --api ID.",
)
@click.option(
    "--set",
    "sets",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="EVAL_SET",
    help="With --newer, also ask these labelled questions; may be repeated.",
)
@click.option(
    "--max-lost",
    type=click.IntRange(0),
    metavar="COUNT",
    help="With --newer, exit 1 if more elements and labels are lost.",
)
@click.option("--fresh", is_flag=True, help="Ask again what has not changed, too.")
@quiet_option
@json_option
@store_option
@settings_options
def audit(
    apis: Sequence[str],
    min_found: float | None,
    overlay_file: Path | None,
    newer: Path | None,
    sets: Sequence[Path],
    max_lost: int | None,
    fresh: bool,
    as_json: bool,
    store: str,
    settings_file: Path | None,
    **given: object,
) -> int:
    """Ask every operation and schema what it should answer, and see whether it is found.

    No labels are needed. The questions are made from its own summary, description, parameters and
    properties, each matched without that field, and from these shortened, misspelt and in other
    words. What has not changed since the last audit is not asked again.
    """
    if newer:
        with opened(store, settings_file, given) as workbench:
            tried = newer_version.tried(workbench, newer, apis, sets)
        newer_version.tell(tried, as_json=as_json)
        return newer_version.gate(tried, max_lost, min_found)
    if sets or max_lost is not None:
        raise CallError("--set and --max-lost need --newer FILE.")
    with opened(store, settings_file, given) as workbench:
        found = _followed(workbench.audit(apis, fresh=fresh))
        listed = findings(found)
        if overlay_file:
            _write_overlay(overlay_file, found, listed, workbench)
    if as_json:
        print_json(audit_json(found, listed))
    else:
        lines(tables.as_text(_tables(found, listed)))
        line(NECESSARY, err=True)
    if found.outdated:
        line(
            f"Ranks among all APIs are of an earlier state of the store for "
            f"{counted(found.outdated, 'API')}; --fresh asks again.",
            err=True,
        )
    return _gate(found, min_found)


def _gate(found: Audit, least: float | None) -> int:
    if least is None:
        return 0
    share = found.found
    passed = share is not None and share >= least
    said = "nothing could be asked" if share is None else f"{share:.3f}"
    line(f"{'ok' if passed else 'FAILED'}: found {said}, at least {least:.3f} wanted", err=True)
    return 0 if passed else 1


def _followed(steps: Iterator[Progress | Audit]) -> Audit:
    """The audit; how far it is, is shown."""
    last = last_of(steps, _place)
    assert isinstance(last, Audit)
    return last


def _place(step: Progress | Audit) -> At | None:
    if isinstance(step, Audit):
        return None
    return At(step.done, step.total, f"{step.done / max(1, step.total):.0%} asked")


def _write_overlay(
    path: Path, found: Audit, listed: Sequence[Finding], workbench: Workbench
) -> None:
    if len(found.apis) != 1:
        raise CallError("--overlay: an Overlay is for one document; name its API with --api ID.")
    files = {Id.parse(element.id).document for element in found.elements}
    drafts = overlay(listed, next(iter(files), found.apis[0].api), workbench.show)
    write(path, orjson.dumps(drafts, option=orjson.OPT_INDENT_2).decode() + "\n", is_json=True)


def _tables(found: Audit, listed: Sequence[Finding]) -> list[tables.Table]:
    apis = sorted(found.apis, key=lambda api: (_or_0(api.found(found.limit)), api.api))
    kinds = [(kind, f"{share:.1%}", f"{n:,}") for kind, (share, n) in found.by_kind().items()]
    causes = [(cause.value, f"{n:,}") for cause, n in by_cause(listed).items()]
    head = f"Audit of {counted(len(found.elements), 'element')}, {counted(len(apis), 'API')}"
    wide = found.found_overall
    notes = [f"Found by {_percent(found.found)} of the questions when their API alone is searched"]
    if wide is not None:
        notes[0] += f"; by {wide:.1%} of the operations’ own words among all APIs"
    return [
        tables.Table(head, ("question from", "found", "questions"), kinds, [f"{notes[0]}."]),
        tables.Table("Findings", ("finding", "elements"), causes),
        tables.Table(
            "APIs, the least found first",
            ("API", "found", "elements"),
            [
                (tables.Outside(api.api), _percent(api.found(found.limit)), str(len(api.elements)))
                for api in apis[:LISTED]
            ],
        ),
        tables.Table(
            f"The first {LISTED} of {counted(len(listed), 'finding')}",
            ("element", "finding", "what would mend it"),
            [
                tuple(map(tables.Outside, (each.id, each.cause, each.remedy)))
                for each in listed[:LISTED]
            ],
        ),
    ]


def _percent(share: float | None) -> str:
    return "none" if share is None else f"{share:.1%}"


def _or_0(share: float | None) -> float:
    return share or 0.0
