"""A gate for a build, made from a run: its bounds, the command, and files to copy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePath

import streamlit as st

from core.evaluate.compare.ci import USUAL, Gate, bound, github, gitlab, shell
from core.evaluate.compare.gate import Check
from core.evaluate.measures import MEASURE, Measure
from core.evaluate.report import report
from core.evaluate.results import RunResult
from core.evaluate.sets.sets import SUFFIXES
from core.text.markup import Markup, table, tag
from core.text.safe import markdown
from ui.evaluate.figures import named_in_words
from ui.evaluate.use_run import settings_of
from ui.locale.locale import retold, short

Form = tuple[Callable[[Gate], str], str, str]  # writes it, its file, its language
FORMS: Mapping[str, Form] = {
    "Command": (shell, "gate.sh", "bash"),
    "GitHub Actions": (github, "retrieval.yml", "yaml"),
    "GitLab CI": (gitlab, ".gitlab-ci.yml", "yaml"),
}
BASELINE = "baseline.json"
DROP = 0.02  # of a share, that passes
UNTOLD = ("ms",)  # units that depend on the machine


def gate(run: RunResult) -> None:
    """Everything to choose on the left, what to copy on the right."""
    if run.out_of_time:
        st.warning(run.out_of_time, icon=":material/timer_off:")
    left, right = st.columns([1, 1.3], gap="large")
    with left:
        made = _chosen(run)
        st.html(table(("", "Metric", "This run", "Required"), map(_check, made.checked(run, run))))
        st.caption(
            "The same questions over the same specifications give the same figures, so a bound "
            "close to today's fails only when something has changed."
        )
    with right:
        _files(made, run)


def _chosen(run: RunResult) -> Gate:
    path = st.text_input("Question set in your repository", _path(run), key="gate set")
    specs = st.text_input("Specifications in your repository", "specs", key="gate specs")
    known = [name for name in run.metrics if MEASURE[name].unit not in UNTOLD]
    metrics = st.multiselect(
        "Metrics that decide",
        known,
        default=[name for name in USUAL if name in known],
        format_func=lambda name: f"{MEASURE[name].words} ({name})",
        key=f"gate metrics {run.id}",
    )
    values = {name: _bound(MEASURE[name], run) for name in metrics}
    shares = [name for name in metrics if MEASURE[name].unit == "share"]
    drops = st.toggle(
        "Also fail when a share drops below this run's",
        key="gate drops",
        help=f"Save this run as {BASELINE} in your repository, and again when it may change.",
    )
    up = {name: value for name, value in values.items() if MEASURE[name].higher_is_better}
    return Gate(
        (path or "set.yaml",),
        specs or ".",
        settings_of(run),
        under=up,
        over={name: value for name, value in values.items() if name not in up},
        baseline=BASELINE,
        drops=dict.fromkeys(shares, DROP) if drops else {},
    )


def _bound(measure: Measure, run: RunResult) -> float:
    share = measure.unit == "share"
    side = "at least" if measure.higher_is_better else "at most"
    return st.number_input(
        f"{measure.words}, {side}",
        0.0,
        1.0 if share else None,
        bound(measure.name, run.metrics[measure.name]),
        step=0.01 if share else 10.0,
        format="%.2f" if share else "%.0f",
        key=f"gate {measure.name} {run.id}",
        help=f"{measure.help} `{measure.name}`",
    )


def _path(run: RunResult) -> str:
    """Where the set may lie, by the name of the run's."""
    name = PurePath(run.name.replace("/", "-")).name or "set"
    return f"eval_sets/{name if name.endswith(SUFFIXES) else f'{name}.yaml'}"


def _check(check: Check) -> tuple[Markup | str, ...]:
    mark = tag("span", "✓" if check.passed else "✗", class_="sl-in" if check.passed else "sl-out")
    return mark, named_in_words(check.metric), short(check.value, 4), retold(check.rule)


def _files(made: Gate, run: RunResult) -> None:
    chosen = st.segmented_control(
        "For", list(FORMS), default="Command", key="gate form", required=True
    )
    write, file, language = FORMS[chosen or "Command"]
    text = write(made)
    st.code(text, language, wrap_lines=True)
    with st.container(horizontal=True):
        st.download_button(
            f"Download {markdown(file)}",
            text,
            file,
            "text/plain",
            icon=":material/download:",
            on_click="ignore",
        )
        if made.drops:
            st.download_button(
                f"Download {markdown(BASELINE)}",
                lambda: report.write(run, "json"),
                BASELINE,
                "application/json",
                icon=":material/download:",
                on_click="ignore",
            )
    st.caption(
        "Exit status 0 if every bound holds, 1 if one fails. `docs/evaluation.md` says more."
    )
