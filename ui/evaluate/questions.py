"""The questions of a run: a table, and for each row what was found and what was missed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from core import Workbench
from core.evaluate.measures import MEASURE
from core.evaluate.results import Cause, ContextElement, Miss, RunResult, SampleResult
from core.exposed.said import without_paths
from core.text import safe
from core.text.markup import Markup, join, table, tag
from ui.evaluate.query_link import query_link
from ui.locale.locale import amount, counted, retold
from ui.shared.cards import badge, made_bar, meter
from ui.shared.frame import ICONS
from ui.shared.kinds import short_name
from ui.shared.paged import paged
from ui.shared.words import steps

SHARES = {  # in the words that a narrow column has room for
    "search.recall@10": "in the first 10",
    "search.ndcg@10": "order of these",
    "context.recall": "in the context",
}
MOST = 30  # rows of a ranked list or a context
KINDS = ("All", "With missed labels", "Without an answer")
ON_A_PAGE = 100
AS_ASKED = "As asked"
ORDERS: Mapping[str, Callable[[SampleResult], float]] = {
    AS_ASKED: lambda sample: 0,
    "Most missed first": lambda sample: -len(sample.misses),
    "Least found first": lambda sample: sample.metrics.get("context.recall", 2),
    "Most tokens first": lambda sample: -sample.metrics.get("context.tokens", 0),
    "Slowest first": lambda sample: -sample.milliseconds,
}


@st.fragment
def questions(run: RunResult, workbench: Workbench) -> None:
    """The table with its filters; the chosen row unfolds below it."""
    matching, key = _filtered(run)
    if not matching:
        st.info("No questions match this filter.", icon=":material/filter_alt_off:")
        return
    found = paged(
        matching, "page of questions", size=ON_A_PAGE, of=len(run.samples), what="question"
    )
    if len(found) < len(matching):
        key += f" {found[0].id}"
    event: Any = st.dataframe(
        [_row(sample) for sample in found],
        column_config=_columns(),
        key=f"questions {run.id} {key}",
        on_select="rerun",
        selection_mode="single-row",
        hide_index=True,
        placeholder="–",  # what was not measured
        height=min(420, 38 + 35 * len(found)),
        alt="The questions of this run with their main metrics",
    )
    rows = event.selection.rows
    if rows and rows[0] < len(found):
        detail(found[rows[0]], run, workbench)
    else:
        st.caption("Select a row to see what was found.")


def detail(sample: SampleResult, run: RunResult, workbench: Workbench) -> None:
    """One question: its labels, the ranked list, and the context."""
    with st.container(border=True):
        left, right = st.columns([4, 1], vertical_alignment="center")
        left.html(tag("div", tag("strong", sample.query), class_="sl-question"))
        with right:
            link(sample, run, workbench, text="Open in Query")
        st.html(_understood(sample))
        _gold(sample, run, workbench)
        ranked, context = st.columns(2, gap="large")
        with ranked:
            st.markdown("### Ranked list")
            st.html(ranked_list(sample))
        with context:
            st.markdown("### Context")
            st.html(_context(sample))
        if sample.notes:
            with st.expander("What each stage did"):
                told = map(without_paths, sample.notes)
                st.html(join(tag("p", note, class_="sl-note") for note in told))


def link(
    sample: SampleResult, run: RunResult, workbench: Workbench, *, text: str, label: str = ""
) -> None:
    """A link that asks the same on the Query page; there, nothing is run that is saved."""
    st.page_link(
        "pages/query.py",
        label=text,
        icon=ICONS["Query"],
        query_params=query_link(sample, run, workbench.settings, label=label),
    )


def ranked_list(sample: SampleResult) -> Markup:
    """The elements in the order of the search, labelled ones marked."""
    if not sample.ranked:
        return tag("p", "The search found nothing.", class_="sl-note")
    gold = _members(sample)
    rows = (
        (f"{rank}", _element(element, element in gold), _score(score))
        for rank, (element, score) in enumerate(sample.ranked[:MOST], start=1)
    )
    return join([table(("Rank", "Element", "Score"), rows), _more(len(sample.ranked))])


def _filtered(run: RunResult) -> tuple[Sequence[SampleResult], str]:
    kind = st.segmented_control(
        "Which", KINDS, default=KINDS[0], key="which", required=True, label_visibility="collapsed"
    )
    search, part, order = st.columns([2, 1.4, 1.4], vertical_alignment="bottom")
    text = search.text_input(
        "Text",
        key="question text",
        placeholder="Search the questions",
        icon=":material/search:",
        label_visibility="collapsed",
    )
    names = ["", *run.slices]
    if st.session_state.get("slice") not in names:
        st.session_state["slice"] = ""
    chosen = part.selectbox(
        "Slice",
        names,
        key="slice",
        label_visibility="collapsed",
        format_func=lambda name: name or "all slices",
    )
    by = order.selectbox("Order", list(ORDERS), key="order", label_visibility="collapsed")
    found = [s for s in run.samples if _is(s, kind or KINDS[0], text or "", chosen or "")]
    key = f"{kind} {text} {chosen}" + (f" {by}" if by != AS_ASKED else "")
    return sorted(found, key=ORDERS[by]), key


def _is(sample: SampleResult, kind: str, text: str, slice_name: str) -> bool:
    fits = {KINDS[0]: True, KINDS[1]: bool(sample.misses), KINDS[2]: not sample.gold}[kind]
    what, _, name = slice_name.partition(": ")
    own = {"tag": sample.tags, "intent": (sample.intent,), "api": sample.apis}.get(what, (name,))
    return fits and name in own and text.casefold() in f"{sample.id} {sample.query}".casefold()


def _row(sample: SampleResult) -> dict[str, object]:
    """Cells that a spreadsheet would compute are guarded, for the table can be copied into one."""
    return {
        "id": safe.csv(sample.id),
        "question": safe.csv(" ".join(sample.query.split())),
        **{name: _rounded(sample, name) for name in SHARES},
        "missed": len(sample.misses),
        "search.mrr": _rounded(sample, "search.mrr"),
        "context.tokens": sample.metrics.get("context.tokens"),
        "ms": round(sample.milliseconds),
        "intent": sample.intent,
    }


def _rounded(sample: SampleResult, name: str) -> float | None:
    """To two digits, for a column writes as many as there are."""
    value = sample.metrics.get(name)
    return value and round(value, 2)


def _columns() -> dict[str, Any]:
    config = st.column_config
    shares = {
        name: config.ProgressColumn(
            words,
            help=f"{MEASURE[name].words}. {MEASURE[name].help} `{name}`",
            min_value=0,
            max_value=1,
            format="localized",
            width=132,
        )
        for name, words in SHARES.items()
    }
    return {
        "id": config.TextColumn(width=70),
        "question": config.TextColumn(width=310),
        **shares,
        "search.mrr": config.NumberColumn(
            "1 / rank", format="localized", help=f"{MEASURE['search.mrr'].help} `search.mrr`"
        ),
        "missed": config.NumberColumn(width=70, help="Labels missing from the context"),
        "context.tokens": config.NumberColumn(
            "tokens", format="localized", help="`context.tokens`"
        ),
        "ms": config.NumberColumn(format="localized", help="Retrieval time in milliseconds"),
    }


def _understood(sample: SampleResult) -> Markup:
    facts = {
        "id": sample.id,
        "labelled": sample.intent,
        "understood": sample.understood,
        "APIs": ", ".join(sample.apis),
        "tags": ", ".join(sample.tags),
        "ms": amount(sample.milliseconds),
    }
    shown = (tag("span", f"{name} ", tag("b", value)) for name, value in facts.items() if value)
    return tag("div", *shown, class_="sl-reason sl-note")


def _gold(sample: SampleResult, run: RunResult, workbench: Workbench) -> None:
    if not sample.gold:
        got = counted(len(sample.context), "element")
        st.caption(f"This question has no answer, so a good context is empty. This one has {got}.")
        return
    missed = {frozenset(miss.labels): miss for miss in sample.misses}
    for group in sample.gold:
        miss = missed.get(frozenset(group)) or _overlapping(group, sample.misses)
        row, place = st.columns([4, 1], vertical_alignment="center")
        row.html(_group(group, sample, miss))
        if miss:
            with place:
                link(sample, run, workbench, text="Why not?", label=miss.labels[0])


def _overlapping(group: Sequence[str], misses: Sequence[Miss]) -> Miss | None:
    return next((miss for miss in misses if set(group) & set(miss.labels)), None)


def _group(group: Sequence[str], sample: SampleResult, miss: Miss | None) -> Markup:
    rank = sample.known_rank(tuple(group))
    place = f"rank {rank}" if rank else "not ranked"
    if not miss:
        said = tag("span", f"✓ in the context · {place}", class_="sl-in")
    else:
        said = tag("span", "✗ ", miss_words(miss), class_="sl-out")
    return tag("div", tag("div", named(group)), said, class_="sl-gold")


def cause_words(cause: Cause) -> str:
    """The cause in the pages' words; saved runs keep the internal name."""
    return "ranked below the results" if cause is Cause.RANKED_PAST_K else cause.value


def miss_words(miss: Miss) -> str:
    """The cause, and the numbers behind it."""
    return (
        f"{cause_words(miss.cause)}: {retold(miss.detail)}"
        if miss.detail
        else cause_words(miss.cause)
    )


def _name(element: str) -> Markup:
    return tag("span", badge(element), " ", tag("strong", short_name(element)), title=element)


def _element(element: str, is_gold: bool) -> Markup:
    mark = tag("span", "✓ labelled", class_="sl-in sl-nowrap") if is_gold else ""
    return tag("span", _name(element), " ", mark)


def _score(score: float) -> Markup:
    return tag("span", amount(score, 2), meter(score), class_="sl-part")


def _context(sample: SampleResult) -> Markup:
    if not sample.context:
        return tag("p", "The context is empty.", class_="sl-note")
    gold = _members(sample)
    rows = (
        (
            join([_element(item.element, item.element in gold), _made(item)]),
            _how(item),
            _tokens(item),
        )
        for item in sample.context[:MOST]
    )
    return join([table(("Element", "How", "Tokens"), rows), _more(len(sample.context))])


def _made(item: ContextElement) -> Markup:
    """What the score of a result is made of; nothing for a reference, or where no run saved it."""
    if not item.shares:
        return Markup()
    return tag("div", made_bar(item.shares, item.score), class_="sl-reason")


def _how(item: ContextElement) -> Markup:
    score = f", score {amount(item.score, 2)}" if item.shares else ""
    how = f"result {item.rank}{score}" if item.rank else steps(item.depth)
    return tag("span", how, class_="sl-nowrap")


def _tokens(item: ContextElement) -> Markup:
    return tag("div", amount(item.tokens), class_="sl-number", title=item.level)


def _more(count: int) -> Markup:
    more = f"and {amount(count - MOST)} more" if count > MOST else ""
    return tag("p", more, class_="sl-note") if more else Markup()


def _members(sample: SampleResult) -> frozenset[str]:
    return frozenset(element for group in sample.gold for element in group)


def named(labels: Sequence[str]) -> Markup:
    """Labels of which any one would do, with their kinds."""
    return join(
        piece
        for number, label in enumerate(labels)
        for piece in (*([tag("span", " or ", class_="sl-note")] if number else []), _name(label))
    )
