"""Tune: which settings are best within a number of tokens, and by more than luck?"""

import streamlit as st

from ui.evaluate import choose
from ui.shared.controls import setting_controls
from ui.shared.frame import ASSETS, frame, nothing_stored, said_plainly
from ui.shared.profiles import profiles
from ui.tune import progress
from ui.tune.budgets import budgets
from ui.tune.leaderboard import leaderboard
from ui.tune.threshold import threshold
from ui.tune.tried import tried

workbench = frame("Tune")
st.html(ASSETS / "evaluate.css")
with said_plainly():
    if workbench.is_empty:
        nothing_stored()
with st.sidebar, said_plainly():
    changes = setting_controls(workbench.settings)
    profiles(workbench, changes)

with st.container(horizontal=True, vertical_alignment="center"), said_plainly():
    eval_sets = choose.choose_sets(workbench)
with said_plainly():
    usable = choose.checked(eval_sets, workbench) and bool(eval_sets)
    progress.running(workbench)
tabs = st.tabs(
    ["Frontier", "Threshold", "Budgets", "Leaderboard"],
    key="tuned",
    on_change="rerun",
    bind="query-params",
)
questions = eval_sets if usable else ()
with said_plainly():
    if tabs[0].open:
        with tabs[0]:
            tried(workbench, questions, changes)
    if tabs[1].open:
        with tabs[1]:
            threshold(workbench, questions, changes)
    if tabs[2].open:
        with tabs[2]:
            budgets(workbench, questions, changes)
    if tabs[3].open:
        with tabs[3]:
            leaderboard(workbench)
