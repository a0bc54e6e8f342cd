"""`specloupe sync`: the articles of a host, as it has them now."""

from __future__ import annotations

import os
import re

import click

from core.cli.ingest import agreed, place, yes_option
from core.cli.shared.opened import changing
from core.cli.shared.options import (
    effective,
    json_option,
    print_json_line,
    profile_option,
    quiet_option,
    store_option,
)
from core.cli.shared.out import line
from core.cli.shared.progress import At, shown
from core.cli.shared.streams import can_answer
from core.index.sync.sync import SyncReport
from core.index.write.report import IngestEvent
from core.present import to_dict

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
_SHORTEST = 10.0  # seconds


@click.command()
@click.argument("source", metavar="URL|FILE")
@click.option(
    "--every",
    metavar="[TIME]",
    is_flag=False,
    flag_value="1d",
    help="Sync again after this time (90s, 30m, 24h, 1d), or daily when none is given, until "
    "stopped.",
)
@click.option(
    "--token-env",
    metavar="NAME",
    help="Environment variable with the token, which is sent to this host alone.",
)
@click.option(
    "--allow-empty", is_flag=True, help="Remove all articles when the host has none any more."
)
@click.option(
    "--as", "prefix", default="", metavar="PREFIX", help="Prefix for the name of every article."
)
@click.option(
    "--check-urls",
    is_flag=True,
    help="Afterwards ask each article's link whether it leads to a page, and report those that do "
    "not.",
)
@click.option("--embedder", metavar="NAME", help="The embedding model.")
@yes_option
@profile_option
@quiet_option
@json_option
@store_option
def sync(
    source: str,
    every: str | None,
    token_env: str | None,
    allow_empty: bool,
    prefix: str,
    check_urls: bool,
    embedder: str | None,
    yes: bool,
    profile: str | None,
    as_json: bool,
    store: str,
) -> None:
    """Bring over the knowledge articles of a host (GET /api/kb/articles) or of a file.

    New and changed articles are embedded, the others are left alone, and what the host no longer
    has is removed. An answer that is not complete changes nothing: exit status 1. What a paid
    embedder costs is said before each run, and asked about where somebody can answer.
    """
    token = os.environ.get(token_env, "") if token_env else ""
    if token_env and not token:
        raise click.UsageError(f"--token-env: the environment has no {token_env}.")
    settings = effective(None, {"embedder": embedder, "profile": profile}).settings
    with changing(store, settings=settings, create=True) as workbench:
        steps = workbench.sync(
            source,
            every=seconds(every) if every else None,
            token=token,
            prefix=prefix,
            allow_empty=allow_empty,
        )
        can_ask = can_answer() and not (yes or every or as_json)
        for step in shown(agreed(steps, can_ask=can_ask), _place):
            if not isinstance(step, SyncReport):
                continue
            if as_json:
                print_json_line(to_dict(step))
            else:
                _print(step)
            for link in workbench.broken_links() if check_urls else ():
                line(f"broken link: {link.article}: {link.url}: {link.reason}", err=True)


def _place(step: IngestEvent | SyncReport) -> At | None:
    return None if isinstance(step, SyncReport) else place(step)


def seconds(text: str) -> float:
    """A time as people write it; raises click.BadParameter."""
    found = re.fullmatch(r"(?<![\d.])(\d++(?:\.\d++)?)\s*+([smhd])", text.strip().lower())
    wanted = float(found[1]) * _UNITS[found[2]] if found else 0.0
    if wanted < _SHORTEST:
        raise click.BadParameter(f"{text!r} is no time of 10 s or more, such as 30m or 24h.")
    return wanted


def _print(report: SyncReport) -> None:
    for refused in report.refused:
        line(f"refused: {refused.file}: {refused.reason}", err=True)
    said = ", ".join(f"{count} {name}" for name, count in report.counts.items())
    due = f"; next at {report.next_run}" if report.next_run else ""
    line(f"{said}; {report.seconds:.1f} s{due}")
