"""Pick a saved run: chosen from a list, named by a link, or the one just made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from core.evaluate.results import RunResult
from core.settings import Settings
from ui.evaluate.saved import title
from ui.shared.listed import listed


def pick(label: str, key: str, saved: Sequence[RunResult], *, default: str, base: Settings) -> str:
    """A list of the runs; gives the id of the chosen one and keeps it in the address."""
    return listed(
        label,
        key,
        _titles(saved, base),
        default=default,
        label_visibility="visible" if key != "run" else "collapsed",
    )


def _titles(saved: Sequence[RunResult], base: Settings) -> dict[str, str]:
    """Titles by id; of runs that share one, the end of the id is said too."""
    titles = {run.id: title(run, base) for run in saved}
    counts = Counter(titles.values())
    return {
        run.id: f"{titles[run.id]} · {run.id[-6:]}"
        if counts[titles[run.id]] > 1
        else titles[run.id]
        for run in saved
    }
