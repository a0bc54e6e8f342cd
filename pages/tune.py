"""Tune: which settings are best within a number of tokens, and by more than luck?"""

import streamlit as st

from ui.evaluate import choose
from ui.shared.controls import setting_controls
from ui.shared.frame import ASSETS, frame, nothing_stored, said_plainly
from ui.shared.profiles import profiles
from ui.tune import asked, progress, work
from ui.tune.frontier import frontier

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
    base = workbench.changed(**changes)
    grid, refused = work.grid_of(workbench, changes, asked.asked(base))
    tried, questions = len(grid.changes) - 1, sum(len(each.samples) for each in eval_sets)
    st.caption(asked.told(tried, refused, questions, work.searches(grid)))
    ready = usable and tried > 0 and not progress.is_running(workbench)
    if st.button("Try", type="primary", icon=":material/play_arrow:", disabled=not ready):
        progress.follow(work.start(workbench, eval_sets, grid))
        st.rerun()
    filled = progress.outcome(workbench)
    if filled:
        frontier(filled, workbench)
    elif not progress.is_running(workbench):
        st.info(
            "Choose a question set and the values to try, and press Try. Every combination is then "
            "shown by what it costs and what it finds, beside the settings as they are.",
            icon=":material/tune:",
        )
