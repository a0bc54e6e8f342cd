"""Two runs side by side: what changed, whether by more than chance, and what got worse."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import streamlit as st

from core import Workbench
from core.evaluate.compare.compare import (
    Comparison,
    Cost,
    Delta,
    Difference,
    LabelMove,
    QuestionChange,
)
from core.evaluate.measures import HEADLINE, MEASURE
from core.evaluate.report import report
from core.evaluate.report.tables import number, signed
from core.evaluate.results import RunResult, SampleResult
from core.story.comparison import of_comparison
from core.text import safe
from core.text.chance import p_value
from core.text.markup import Markup, join, table, tag
from ui.evaluate import charts, loaded
from ui.evaluate.figures import named_in_words, number_cell
from ui.evaluate.pick import pick
from ui.evaluate.questions import link, named, ranked_list
from ui.evaluate.use_run import use_run
from ui.locale.locale import WRITING, amount, counted, said
from ui.shared.deck import download
from ui.shared.paged import paged


def compared(saved: Sequence[RunResult], workbench: Workbench) -> None:
    """Choose two runs and see everything that differs."""
    if len(saved) < 2:
        st.info(
            "Comparing needs two runs. Change a setting on the left and run again, or use "
            "“Filtered vs. unfiltered” above.",
            icon=":material/compare_arrows:",
        )
        return
    before, after = _chosen(saved, workbench)
    metrics = _metrics()
    if before == after:
        st.info("Both are the same run. Choose another run to compare with.")
        return
    found = loaded.comparison(workbench, before, after, metrics)
    _unpaired(found)
    charts.changes(found.deltas)
    head = ("Metric", *map(number_cell, NUMBERS), "Win · tie · loss", number_cell("Detectable"))
    st.html(tag("div", table(head, map(_delta, found.deltas)), class_="sl-scroll"))
    st.caption(
        "p (Holm) is adjusted for the number of metrics. “Detectable” is the smallest difference "
        "that this set would reveal four times out of five."
    )
    _costs(found)
    _differs(found)
    first, second = (loaded.run(workbench, run_id) for run_id in (before, after))
    _changed(found, first, second, workbench)
    with st.container(horizontal=True):
        st.download_button(
            "Download comparison as Markdown",
            lambda: report.comparison_markdown(found),
            f"compare-{before}-{after}.md",
            "text/markdown",
            icon=":material/download:",
            on_click="ignore",
        )
        download(of_comparison(second.name, found, WRITING), f"compare-{before}-{after}")


METRICS = "metrics"  # in the address
ON_A_PAGE = 100
ANY = "All changed"
MOVES = {ANY: "", "Only lost": "lost", "Only gained": "gained"}  # labels, by the context
NUMBERS = ("Before", "After", "Change", "95% interval", "p", "p (Holm)")


def _chosen(saved: Sequence[RunResult], workbench: Workbench) -> tuple[str, str]:
    base, known = workbench.settings, {run.id: run for run in saved}
    baseline = next((run.id for run in saved if run.baseline), saved[1].id)
    left, right = st.columns(2)
    with right:
        after = pick("After", "after", saved, default=saved[0].id, base=base)
        use_run(known[after], workbench, "after")
    with left:
        start = baseline if baseline != after else next(r.id for r in saved if r.id != after)
        before = pick("Before", "before", saved, default=start, base=base)
        use_run(known[before], workbench, "before")
    return before, after


def _metrics() -> Sequence[str]:
    """Those to compare, kept in the address where they are not the usual ones."""
    if METRICS not in st.session_state:
        linked = dict.fromkeys(st.query_params.get_all(METRICS))
        st.session_state[METRICS] = [each for each in linked if each in MEASURE] or list(HEADLINE)
    chosen = st.multiselect(
        "Metrics",
        list(MEASURE),
        format_func=lambda name: f"{MEASURE[name].words} ({name})",
        key=METRICS,
        persist_state="session",
        help="Choose them before you look: each additional metric makes the Holm correction "
        "stricter.",
    )
    told = chosen if chosen != list(HEADLINE) else []
    if st.query_params.get_all(METRICS) != told:
        st.query_params[METRICS] = told
    return chosen or HEADLINE


def _unpaired(found: Comparison) -> None:
    if found.incomparable:
        st.warning(found.incomparable, icon=":material/timer_off:")
    if not found.same_set:
        st.warning(
            "The question sets differ. Only questions in both are compared.",
            icon=":material/difference:",
        )
    lost = [(found.only_before, "before"), (found.only_after, "after")]
    said = [
        f"{counted(len(ids), 'question')} only in the {where} run" for ids, where in lost if ids
    ]
    if said:
        st.caption(", ".join(said))


def _delta(delta: Delta) -> tuple[Markup | str, ...]:
    name, (low, high) = delta.metric, delta.interval
    verdict = charts.verdict(delta)
    kind = {"better": "sl-better", "worse": "sl-worse"}.get(verdict, "sl-note")
    sign = {"better": "▲ ", "worse": "▼ "}.get(verdict, "")
    change = tag(
        "div",
        f"{sign}{signed(name, delta.delta, amount)}",
        class_=f"sl-number {kind}",
        title=verdict,
    )
    return (
        named_in_words(name),
        *map(number_cell, (number(name, delta.before, amount), number(name, delta.after, amount))),
        change,
        number_cell(f"{signed(name, low, amount)} to {signed(name, high, amount)}"),
        *(number_cell(p_value(p, amount)) for p in (delta.p, delta.p_holm)),
        _outcomes(delta),
        number_cell(f"±{number(name, delta.detectable, amount)}" if delta.detectable else "–"),
    )


def _costs(found: Comparison) -> None:
    """Time, tokens and money, which are no matter of better and worse alone."""
    if not found.costs:
        return
    st.markdown("## What a question costs")
    head = ("Metric", *map(number_cell, ("Before", "After", "Change")))
    st.html(tag("div", table(head, map(_cost, found.costs)), class_="sl-scroll"))


def _cost(cost: Cost) -> tuple[Markup | str, ...]:
    name = cost.metric
    numbers = (
        number(name, cost.before, amount),
        number(name, cost.after, amount),
        signed(name, cost.delta, amount),
    )
    return named_in_words(name), *map(number_cell, numbers)


def _outcomes(delta: Delta) -> Markup:
    """Questions won, tied and lost: as numbers, and as a bar."""
    counts = {"win": delta.wins, "tie": delta.ties, "loss": delta.losses}
    whole = max(1, delta.questions)
    bar = join(
        tag("i", class_=f"sl-{name}", style=f"width:{100 * n / whole:.1f}%")
        for name, n in counts.items()
    )
    text = " · ".join(map(amount, counts.values()))
    return tag("div", tag("span", text), tag("span", bar, class_="sl-outcomes"), class_="sl-wtl")


def _differs(found: Comparison) -> None:
    st.markdown("## Differences between the runs")
    if not (found.settings or found.store):
        st.caption("The settings and the store are the same.")
        return
    rows = [*_rows("setting", found.settings), *_rows("store", found.store)]
    st.html(table(("", "Name", "Before", "After"), rows))


def _rows(kind: str, differences: Iterable[Difference]) -> Iterable[tuple[Markup | str, ...]]:
    for each in differences:
        yield tag("span", kind, class_="sl-note"), each.name, said(each.before), said(each.after)


@st.fragment
def _changed(found: Comparison, before: RunResult, after: RunResult, workbench: Workbench) -> None:
    st.markdown(f"## {counted(len(found.questions), 'question')} that changed, worst first")
    if not found.questions:
        st.caption("No question changed in these metrics.")
        return
    which = st.segmented_control(
        "Which", list(MOVES), default=ANY, key="moved", required=True, label_visibility="collapsed"
    )
    fits = [each for each in found.questions if _moved(each, MOVES[which or ANY])]
    if not fits:
        st.info("No questions match this filter.", icon=":material/filter_alt_off:")
        return
    shown = paged(
        fits, "page of changed", size=ON_A_PAGE, of=len(found.questions), what="changed question"
    )
    place = "" if shown[0] is found.questions[0] else f" {which} {shown[0].id}"
    columns = {each.metric: MEASURE[each.metric].words for each in found.deltas}
    event: Any = st.dataframe(
        [_question(question, found) for question in shown],
        column_config={"question": st.column_config.TextColumn(width="large"), **columns},
        key=f"changed {before.id} {after.id}{place}",
        on_select="rerun",
        selection_mode="single-row",
        hide_index=True,
        placeholder="",  # what did not change
        height=min(420, 38 + 35 * len(shown)),
        alt="The questions that changed, with the change of each metric",
    )
    rows = event.selection.rows
    if rows and rows[0] < len(shown):
        _side_by_side(shown[rows[0]], before, after, workbench)
    else:
        st.caption("Choose a row to see both ranked lists side by side.")


def _moved(question: QuestionChange, kind: str) -> bool:
    return not kind or any(move.kind == kind for move in question.moves)


def _question(question: QuestionChange, found: Comparison) -> dict[str, object]:
    """Cells that a spreadsheet would compute are guarded, for the table can be copied into one."""
    kinds = [move.kind for move in question.moves]
    labels = ", ".join(f"{kinds.count(k)} {k}" for k in ("lost", "gained", "moved") if k in kinds)
    changes = {d.metric: round(question.deltas.get(d.metric, 0.0), 4) or None for d in found.deltas}
    return {
        "id": safe.csv(question.id),
        "question": safe.csv(" ".join(question.query.split())),
        "labels": labels,
        **changes,
    }


def _side_by_side(
    question: QuestionChange, before: RunResult, after: RunResult, workbench: Workbench
) -> None:
    with st.container(border=True):
        st.html(tag("div", tag("strong", question.query), class_="sl-question"))
        if question.moves:
            st.html(join(map(_move, question.moves)))
        for place, name, run in zip(
            st.columns(2, gap="large"), ("Before", "After"), (before, after), strict=True
        ):
            sample = _same(question, run)
            with place:
                st.markdown(f"### {name}")
                link(sample, run, workbench, text="Open in Query")
                st.html(ranked_list(sample))


def _same(question: QuestionChange, run: RunResult) -> SampleResult:
    return next(s for s in run.samples if (s.id, s.query) == (question.id, question.query))


def _move(move: LabelMove) -> Markup:
    ranks = f"{_rank(move.rank_before)} → {_rank(move.rank_after)}"
    kind = {"gained": "sl-better", "lost": "sl-worse"}.get(move.kind, "sl-note")
    word = {"gained": "▲ now in the context", "lost": "▼ no longer in the context"}.get(
        move.kind, "moved"
    )
    return tag("div", named(move.labels), " ", tag("span", f"{word} · {ranks}", class_=kind))


def _rank(rank: int) -> str:
    return f"rank {rank}" if rank else "not ranked"
