"""`specloupe ingest` and `specs rm`: what goes into the store, and out of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

import click

from core.cli.shared.opened import changing
from core.cli.shared.options import (
    SettingsCommand,
    effective,
    json_option,
    profile_option,
    quiet_option,
    store_option,
)
from core.cli.shared.out import line, print_json
from core.cli.shared.paid import agrees, tell_cost
from core.cli.shared.progress import At, clear, is_quiet, last_of, shown
from core.cli.shared.streams import can_answer
from core.present import to_dict
from core.text.plural import counted
from core.workbench.workbench import Workbench

if TYPE_CHECKING:
    from core.index.second.fill import Filled
    from core.index.write.clash import Clash
    from core.index.write.report import IngestEvent, IngestReport, Refused
    from core.index.written.fill import Written

yes_option = click.option(
    "--yes", is_flag=True, help="Agree to what a model or a paid embedder costs."
)
T = TypeVar("T")
_SHOWN = 10  # unresolved references a file; `--json` has all


@click.command(cls=SettingsCommand)
@click.argument("sources", nargs=-1, required=True, metavar="PATH|URL…")
@click.option(
    "--as", "prefix", default="", metavar="PREFIX", help="Prefix for the name of every file."
)
@click.option(
    "--format",
    "formats",
    multiple=True,
    metavar="NAME",
    help="Read files of these formats: api, article, code, document, or all. By default a folder "
    "with API descriptions gives these alone, one without any gives what is recognised.",
)
@click.option(
    "--prune",
    is_flag=True,
    help="Also remove stored specifications that the sources no longer contain.",
)
@click.option(
    "--replace",
    "clash",
    flag_value="replace",
    help="Replace what is stored with a newer version or a second copy of an API.",
)
@click.option(
    "--keep-both",
    "clash",
    flag_value="keep",
    help="Keep both the stored specification and the new version or copy.",
)
@click.option(
    "--skip",
    "clash",
    flag_value="skip",
    help="Skip the new version or second copy; keep what is stored.",
)
@click.option(
    "--second-look",
    is_flag=True,
    help="Also compute and store the second-look vectors, and wait for that to finish.",
)
@click.option(
    "--doc-expansion",
    type=click.Choice(("off", "model")),
    help="model: also have a language model write questions that each operation and schema "
    "answers, once you agreed to what that costs. [DOC_EXPANSION; off]",
)
@yes_option
@click.option("--embedder", metavar="NAME", help="The embedding model.")
@profile_option
@quiet_option
@json_option
@store_option
def ingest(
    sources: tuple[str, ...],
    prefix: str,
    formats: tuple[str, ...],
    prune: bool,
    clash: str | None,
    second_look: bool,
    doc_expansion: str | None,
    yes: bool,
    embedder: str | None,
    profile: str | None,
    as_json: bool,
    store: str,
) -> int:
    """Read specifications into the store: files, folders, zip archives or URLs.

    Unchanged specifications are skipped. On a terminal you are asked what to do with a new version
    of a stored specification or a second copy of an API; elsewhere a second copy is kept, and
    reported. Exit status 1 if any input was refused. Source code that no person wrote (binary,
    minified, larger than 1 MB) is left out, which is no failure.
    """
    given = {"embedder": embedder, "profile": profile, "doc_expansion": doc_expansion}
    settings = effective(None, given).settings
    can_ask = can_answer() and not as_json
    on = clash or ("ask" if can_ask else "tell")
    with changing(store, settings=settings, create=True) as workbench:
        asked = workbench.ingest(sources, prefix=prefix, prune=prune, clash=on, formats=formats)
        report = follow(asked, can_ask=can_ask and not yes)
        if as_json:
            print_json(to_dict(report))
        else:
            _print(report)
        refused = bool(report.refused)
        for choice, files in _chosen(report.asked).items():
            again = workbench.ingest(
                sources, prefix=prefix, clash=choice, only=files, formats=formats
            )
            _print(report := follow(again, can_ask=can_ask and not yes))
            refused |= bool(report.refused)
        if second_look:
            _look_twice(workbench)
        elif (lacking := _lacking(workbench)) and not is_quiet():
            line(lacking, err=True)
        is_written = settings.doc_expansion == "off" or _write_questions(workbench, agreed=yes)
    return 1 if refused or not is_written else 0


def _write_questions(workbench: Workbench, *, agreed: bool) -> bool:
    """Have the questions written that are missing, with progress on stderr, once somebody agreed to
    the cost; whether nothing is left to write."""
    cost, usd = workbench.writing_cost()
    vectors = workbench.question_vectors_cost()
    if cost.calls:
        tell_cost(cost, usd)
    if vectors:
        line(f"At most: {vectors}", err=True)
    is_free = not (cost.calls or vectors)
    if not (is_free or agrees(agreed)):
        line("No question was written: --yes agrees to the cost.", err=True)
        return False
    for _ in shown(workbench.write_questions(), _written):
        pass
    done = workbench.written_questions()
    line(f"{done.done:,} of {done.total:,} operations and schemas have questions.", err=True)
    return done.done == done.total


def _written(now: Written) -> At:
    failed = f", {now.failed:,} failed" if now.failed else ""
    said = f"{now.done:,} of {counted(now.total, 'element')} with questions{failed}"
    return At(now.done, now.total, said)


def _look_twice(workbench: Workbench) -> None:
    """Store the second vectors that are missing, with progress on stderr."""
    for _ in shown(workbench.second_look(), _filled):
        pass
    line(_second_look(workbench), err=True)


def _filled(now: Filled) -> At:
    said = f"{now.done:,} of {counted(now.total, 'text')} with a second vector"
    return At(now.done, now.total, said)


def _lacking(workbench: Workbench) -> str:
    """What to do about second vectors that are missing; "" where none are."""
    now = workbench.looked_twice()
    if now is None or now.done == now.total:
        return ""
    return (
        f"{now.total - now.done:,} of {now.total:,} chunks have no second vector yet: the app adds "
        "them in the background, `specloupe index second-look` does it now."
    )


def _second_look(workbench: Workbench) -> str:
    now = workbench.looked_twice()
    if now is None:
        return "There is no second look: it is off, the store is empty, or its embedder needs none."
    return f"{now.done:,} of {now.total:,} chunks have a second vector."


def _chosen(asked: Sequence[Clash]) -> dict[str, list[str]]:
    """What to do with each clash: its files, by the choice made."""
    chosen: dict[str, list[str]] = {}
    for clash in asked:
        line(f"{clash.file} {_how(clash)}.", err=True)
        _changes(clash)
        choices = click.Choice(["replace", "keep", "skip"])
        choice = click.prompt("What to do", type=choices, default="keep", err=True)
        chosen.setdefault(choice, []).append(clash.file)
    return chosen


def _how(clash: Clash) -> str:
    return {
        "name": "differs from the file of this name that came from another source",
        "file": f"is the same file as {clash.other}, which is in the store",
        "api": f"has the title and most of the content of {clash.other}, which is in the store",
    }[clash.kind]


def _changes(clash: Clash) -> None:
    for what in ("added", "removed", "changed"):
        names = getattr(clash.changes, what)
        for name in names[:_SHOWN]:
            line(f"  {what}: {name}", err=True)
        if len(names) > _SHOWN:
            line(f"  … and {len(names) - _SHOWN} more {what}", err=True)


@click.group()
def specs() -> None:
    """Manage the specifications in the store."""


@specs.command(name="rm")
@click.argument("file_ids", nargs=-1, required=True, metavar="FILE_ID…")
@quiet_option
@store_option
def rm(file_ids: tuple[str, ...], store: str) -> None:
    """Remove specifications from the store."""
    with changing(store) as workbench:
        _print(follow(workbench.remove(file_ids)))


@click.command()
@click.option("--embedder", required=True, metavar="NAME", help="The embedding model.")
@yes_option
@quiet_option
@store_option
def reembed(embedder: str, yes: bool, store: str) -> None:
    """Re-embed the store with another model. Queries use the old vectors until that is complete.

    What an embedder that is paid for costs is said first.
    """
    settings = effective(None, {"embedder": embedder}).settings
    with changing(store, settings=settings) as workbench:
        steps = agreed(workbench.reembed(), can_ask=can_answer() and not yes)
        events = list(shown(steps, place))
    line(f"{sum(bool(event.file) for event in events)} files converted to {embedder}")


@click.group()
def index() -> None:
    """Manage the read index."""


@index.command()
@quiet_option
@store_option
def rebuild(store: str) -> int:
    """Rebuild the read index from the store. Specifications chunked by another version of Specloupe
    are re-chunked first, from the stored originals.
    """
    with changing(store) as workbench:
        if workbench.is_outdated:
            done = follow(workbench.rechunk())
            for refused in done.refused:
                line(f"{refused.file}: {refused.reason}", err=True)
            line(f"Re-chunked {len(done.specs)} files.")
            if done.refused:
                return 1
        else:
            for _ in shown(workbench.rebuild(), place):
                pass
    line("The read index is rebuilt.")
    return 0


@index.command(name="second-look")
@quiet_option
@store_option
def second_look(store: str) -> None:
    """Compute and store any missing second-look vectors.

    You can stop it at any time; the next run resumes where it left off. One CPU core is left free.
    """
    with changing(store) as workbench:
        _look_twice(workbench)


@index.command()
@yes_option
@click.option("--forget", is_flag=True, help="Remove all written questions instead.")
@store_option
def questions(yes: bool, forget: bool, store: str) -> int:
    """Have a language model write questions for the operations and schemas that have none.

    LLM_MODEL names the model. They help where a question has other words than the specification.
    You can stop it at any time; the next run resumes where it left off. Exit status 1 if some could
    not be written.
    """
    with changing(store) as workbench:
        if forget:
            workbench.forget_questions()
            line("The written questions are removed.", err=True)
            return 0
        return 0 if _write_questions(workbench, agreed=yes) else 1


def agreed(events: Iterator[T], *, can_ask: bool) -> Iterator[T]:
    """The same events; says what embedding costs, and on a terminal asks before it begins."""
    from core.index.write.report import IngestEvent, Phase

    for event in events:
        if isinstance(event, IngestEvent) and event.phase is Phase.PRICED:
            clear()  # the bar stands where this is written
            line(event.reason, err=True)
            if can_ask and not click.confirm("Go on?", default=True, err=True):
                raise click.Abort
            continue
        yield event


def follow(
    events: Iterator[IngestEvent | IngestReport], *, can_ask: bool | None = None
) -> IngestReport:
    """Show progress, and return the report; asks about a cost, unless it shall not, where somebody
    can answer."""
    from core.index.write.report import IngestReport

    asks = can_answer() if can_ask is None else can_ask
    last = last_of(agreed(events, can_ask=asks), place)
    assert isinstance(last, IngestReport)
    return last


def place(event: IngestEvent | IngestReport) -> At | None:
    """How far an ingestion is; nothing of its report."""
    from core.index.write.report import IngestEvent

    if not isinstance(event, IngestEvent):
        return None
    files = f"{event.done:,} of {counted(event.total, 'file')}"
    return At(event.done, event.total, f"{files} · {event.phase} {event.file}".strip())


_MANY = {"articles", "modules"}  # what the files of a source are counted by


def _print(report: IngestReport) -> None:
    for spec in report.specs:
        if _MANY & spec.counts.keys():  # a source has many: they are counted at the end
            for finding in spec.findings:
                place = f"{spec.file}:{finding.line}" if finding.line else spec.file
                line(f"{place}: {finding.message}")
            continue
        line(f"{spec.file}  {_held(spec.counts)}, {spec.references} references")
        for missing in spec.unresolved[:_SHOWN]:
            place = f"{missing.file}:{missing.line}" if missing.line else missing.file
            hint = f"; did you mean {missing.nearest[0]}?" if missing.nearest else ""
            line(f"  {place}: {missing.kind} {missing.ref} {missing.reason}{hint}")
        _more(len(spec.unresolved), "unresolved references")
        for finding in spec.findings[:_SHOWN]:
            place = f"{spec.file}:{finding.line}" if finding.line else spec.file
            line(f"  {place}: {finding.message}")
        _more(len(spec.findings), "findings")
        if spec.gaps:
            gaps = ", ".join(_gap(*each) for each in spec.gaps.items())
            line(f"  documentation: {gaps}")
    for clash in report.clashes:
        if clash.taken not in ("ask", "tell"):
            did = {"replace": "replaced", "keep": "both kept", "skip": "skipped"}[clash.taken]
            line(f"{did}: {clash.file} {_how(clash)}")
        if clash.taken == "replace":
            _changes(clash)
    _not_taken("refused", report.refused)
    _not_taken("left out", report.not_source)
    for title in ("repaired", "removed", "vanished"):
        for file in getattr(report, title):
            line(f"{title}: {file}")
    for file in report.left_out[:_SHOWN]:
        line(f"left out: {file}: --format all reads it as well")
    _more(len(report.left_out), "files that --format all reads as well")
    if report.vanished:
        line("--prune removes them from the store.")
    line(_summary(report))


def _not_taken(what: str, files: Sequence[Refused]) -> None:
    """Each file with the reason, and how many more there are of one that has many."""
    told: Counter[str] = Counter()
    for one in files:
        told[one.reason] += 1
        if told[one.reason] <= _SHOWN:
            line(f"{what}: {one.file}: {one.reason}", err=True)
    for reason, count in told.items():
        if count > _SHOWN:
            line(f"{what}: {count - _SHOWN} more: {reason}", err=True)


def _held(counts: Mapping[str, int]) -> str:
    if "sections" in counts:
        return counted(counts["sections"], "section")
    return f"{counts.get('operations', 0)} operations, {counts.get('components', 0)} components"


def _gap(gap: str, count: int) -> str:
    """`1 operation without summary`."""
    return f"{count:,} {gap}" if count != 1 else f"1 {gap.replace('s ', ' ', 1)}"


def _more(count: int, what: str) -> None:
    if count > _SHOWN:
        line(f"  … and {count - _SHOWN} more {what}")


def _summary(report: IngestReport) -> str:
    left_out = len(report.not_source)
    parts = [
        f"{len(report.specs)} read",
        f"{len(report.skipped)} unchanged",
        f"{len(report.refused)} refused",
        f"{len(report.removed)} removed",
        *([f"{left_out} left out"] if left_out else []),
    ]
    return f"{', '.join(parts)}; {report.chunks} chunks in the store; {report.seconds:.1f} s"
