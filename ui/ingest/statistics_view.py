"""Statistics on the questions answered from the store, by this server and altogether: those of
`specloupe serve`, of agents and of commands are among them."""

from __future__ import annotations

import streamlit as st

from core import Workbench
from core.errors import StoreError
from core.exposed.said import without_paths
from core.text.markup import table, tag
from core.text.money import dollars
from core.text.safe import markdown
from core.workbench.recorder import in_words, slowest_in_words
from core.workbench.running import Statistics
from ui.locale.locale import WRITING, amount, counted, percent
from ui.query.stages import stage_bar


def statistics(workbench: Workbench) -> None:
    """A box that unfolds, and reads the figures only then."""
    box = st.expander(
        "Query statistics",
        icon=":material/monitoring:",
        key="statistics",
        on_change="rerun",
    )
    if not box.open:
        return
    with box:
        try:
            asked = workbench.recorded()
        except StoreError as error:
            st.error(markdown(without_paths(error)), icon=":material/error:")
            return
        cells = [
            (name, tag("div", value, class_="sl-number"))
            for name, value in in_words(asked, WRITING)
        ]
        st.html(table(("The last 10,000 retrievals", ""), cells))
        if asked.stage_ms:
            st.caption("Where their time went, on average:")
            st.html(stage_bar(asked.stage_ms))
            st.html(
                table(
                    ("The slowest", "Took", "Most of it", "Came to"),
                    slowest_in_words(asked, WRITING),
                )
            )
        st.caption(_here(workbench))


def _here(workbench: Workbench) -> str:
    here = workbench.statistics()
    if not here.retrievals:
        return (
            "This server has not answered any questions yet. The text of questions is never kept."
        )
    return (
        f"This server has answered {counted(here.retrievals, 'question')}, half of them within "
        f"{amount(here.p50_ms)} ms. {percent(here.result_hit_rate)} of the results and "
        f"{percent(here.embedding_hit_rate)} of the vectors came from its caches. "
        f"{of_model(here)}{failures(here)}The text of questions is never kept."
    )


def failures(here: Statistics) -> str:
    """What failed here, by class and reason; "" where nothing did."""
    found = [
        *here.errors.items(),
        *((f"no knowledge, {why}", n) for why, n in here.knowledge_failures.items()),
    ]
    said = ", ".join(f"{name} ({amount(count)})" for name, count in found)
    return f"Failed here: {said}. " if said else ""


def of_model(here: Statistics) -> str:
    if not (here.model_calls or here.answer_hit_rate):
        return ""
    money = f" and {dollars(here.model_usd, amount)}" if here.model_usd else ""
    return (
        f"A language model was called {counted(here.model_calls, 'time')}, for "
        f"{amount(here.model_tokens)} tokens{money}; {percent(here.selection_hit_rate)} of its "
        f"choices of APIs and {percent(here.expansion_hit_rate)} of its added terms were known. "
    )
