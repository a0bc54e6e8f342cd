"""What was tried: by what it costs and finds, the best in words, and one combination in full."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core import Workbench
from core.evaluate.measures import MEASURE
from core.evaluate.tune.choose import TOKENS, Chosen, Grid, Moved, chosen, moved_labels
from core.evaluate.tune.measured import Row
from core.jobs import JOBS
from core.settings import KNOB, Settings
from core.story.tuning import of_grid
from core.text.markup import tag
from core.text.safe import markdown
from ui.access.person import may_change
from ui.evaluate.use_run import use_settings
from ui.locale.locale import WRITING, amount, counted, draw
from ui.shared.address import adjustable, as_text, link
from ui.shared.deck import download
from ui.shared.kinds import distinct_names
from ui.tune import charts
from ui.tune.told import change, gained, verdict
from ui.tune.work import make_baseline

METRIC, WITHIN, SHOWN = "tune metric", "tune tokens", "tune shown"
NO_LIMIT = "any number of tokens"
BUDGETS = (500, 1000, 1500, 2500, 4000, 8000, 16000)
USUAL = "context.recall"
MOST = 20  # labels listed


def frontier(grid: Grid, workbench: Workbench, sweep_id: str) -> None:
    """The whole result of a sweep, which has a question at least."""
    metric, within = _question(grid)
    found = _chosen(grid, len(grid.rows), metric, within)
    st.html(tag("p", verdict(found, grid, within), class_="sl-verdict", role="status"))
    shown = _shown(grid, found)
    names = [change(each) for each in grid.changes]
    spec = charts.scatter(found, shown, within, names, _baseline(workbench, sweep_id, metric))
    draw(spec, verdict(found, grid, within))
    st.caption(
        f"{counted(len(found.options), 'combination')} on "
        f"{counted(grid.values(metric).shape[1], 'question')}. The line joins what nothing beats "
        "for as few tokens, with 95% intervals; hollow points may be as good as the best."
    )
    _told(grid, found, shown, workbench, sweep_id)


def _baseline(workbench: Workbench, sweep_id: str, metric: str) -> charts.Spec | None:
    """The run that is marked, where it asked the same questions."""
    marked = workbench.runs.newest(baseline=True, limit=1)
    asked = workbench.sweeps.asked(sweep_id)
    if not marked or not asked or marked[0].name != asked.name:
        return None
    value, tokens = marked[0].metrics.get(metric), marked[0].metrics.get(TOKENS)
    return None if value is None or tokens is None else {"value": value, "tokens": tokens}


def _question(grid: Grid) -> tuple[str, float | None]:
    """The two selects: most of what, within how many tokens."""
    metrics = grid.metrics()
    left, right = st.columns(2)
    first = metrics.index(USUAL) if USUAL in metrics else 0
    metric = left.selectbox("Best", metrics, index=first, key=METRIC, format_func=_named)
    within = right.selectbox("within", (0, *BUDGETS), key=WITHIN, format_func=_limited)
    return metric, float(within) if within else None


def _limited(budget: int) -> str:
    return f"{amount(budget)} tokens a question" if budget else NO_LIMIT


def _named(metric: str) -> str:
    return f"{'most' if MEASURE[metric].higher_is_better else 'least'} {metric}"


@st.cache_resource(show_spinner="Comparing …", max_entries=16, hash_funcs={Grid: id})
def _chosen(grid: Grid, rows: int, metric: str, within: float | None) -> Chosen:
    return chosen(grid, metric, within)


def _shown(grid: Grid, found: Chosen) -> int:
    """The combination that is told in full: the best, unless another is chosen."""
    sign = 1 if MEASURE[found.metric].higher_is_better else -1
    order = sorted(found.options, key=lambda o: (-sign * o.value, o.tokens, o.at))
    best = found.best if found.best is not None else 0
    places = [best, *(option.at for option in order if option.at != best)]
    return st.selectbox(
        "Combination",
        places,
        key=f"{SHOWN} {id(grid)} {found.metric} {best}",
        format_func=lambda at: f"{'best: ' if at == found.best else ''}{change(grid.changes[at])}",
    )


def _told(grid: Grid, found: Chosen, at: int, workbench: Workbench, sweep_id: str) -> None:
    option, settings = found.options[at], grid.settings[at]
    st.markdown(f"## {markdown(change(grid.changes[at]).capitalize())}")
    wins, ties, losses = map(amount, (option.wins, option.ties, option.losses))
    of = f"better for {wins}, the same for {ties}, worse for {losses}"
    by_question = f" By question: {of}." if at else ""
    st.markdown(f"{markdown(gained(option, found))}{by_question}")
    with st.container(horizontal=True, vertical_alignment="center"):
        use_settings(settings, workbench, "shown")
        if may_change():
            _make_baseline(workbench, sweep_id, settings)
        asked = workbench.sweeps.asked(sweep_id)
        name = asked.name if asked else "settings"
        download(of_grid(name, grid, found, at, WRITING), "tuning")
    with st.expander("Command"):
        st.code(command(settings, workbench.settings), "bash")
    if at:
        moved = moved_labels(grid, at)
        left, right = st.columns(2, gap="large")
        with left:
            _labels("Labels won", moved["won"], settings, workbench.settings)
        with right:
            _labels("Labels lost", moved["lost"], settings, workbench.settings)


def _make_baseline(workbench: Workbench, sweep_id: str, settings: Settings) -> None:
    if st.button(
        "Make baseline",
        key="make baseline",
        icon=":material/star:",
        disabled=JOBS.running(workbench.store) is not None,
        help="Evaluates these settings on the same questions, saves the run, and marks it as what "
        "others are compared with.",
    ):
        make_baseline(workbench, sweep_id, settings)
        st.rerun()


def command(settings: Settings, base: Settings) -> str:
    """What evaluates these settings on the command line; `SET.yaml` stands for the question set."""
    options = [_option(name, value) for name, value in _changed(settings, base).items()]
    return " ".join(["specloupe eval SET.yaml", *options])


def _option(name: str, value: str) -> str:
    option = KNOB[name].option
    if not isinstance(KNOB[name].default, bool):
        return f"{option} {value}"
    return option if value == "true" else option.replace("--", "--no-", 1)


def _changed(settings: Settings, base: Settings) -> dict[str, str]:
    before, now = base.to_dict(), settings.to_dict()
    changed = (knob.name for knob in adjustable() if now[knob.name] != before[knob.name])
    return {name: str(as_text(now[name])) for name in changed}


def _labels(
    title: str,
    moved: Sequence[Moved],
    settings: Settings,
    base: Settings,
) -> None:
    """Each label as a link that asks its question with these settings."""
    st.markdown(f"### {title}: {amount(len(moved))}")
    names = distinct_names(group[0] for _, group in moved)
    for row, group in moved[:MOST]:
        st.page_link(
            "pages/query.py",
            label=f"{markdown(names[group[0]])}: {markdown(row.sample.query[:100])}",
            query_params=_link(row, group[0], settings, base, is_lost="lost" in title),
        )
    if len(moved) > MOST:
        st.caption(f"and {amount(len(moved) - MOST)} more")


def _link(
    row: Row, label: str, settings: Settings, base: Settings, *, is_lost: bool
) -> dict[str, Any]:
    asked = {"view": "Left out", "why": label} if is_lost else {}
    known = {knob.name: "" for knob in adjustable()}  # what the controls say now does not count
    return link(**{**known, "q": row.sample.query, **_changed(settings, base), **asked})
