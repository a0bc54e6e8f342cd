"""Evaluate: how good is retrieval with these settings, where does it fail, and what changed?"""

import streamlit as st

from ui.access.person import may_change, why_not
from ui.evaluate import choose, loaded, place, progress, work
from ui.evaluate.compared import compared
from ui.evaluate.figures import figures
from ui.evaluate.gate import gate
from ui.evaluate.missed import missed
from ui.evaluate.paid import paid
from ui.evaluate.pick import pick
from ui.evaluate.questions import questions
from ui.evaluate.saved import about, leaderboard
from ui.evaluate.take import take
from ui.evaluate.use_run import use_run
from ui.shared.address import follow_renamed
from ui.shared.controls import setting_controls
from ui.shared.frame import ASSETS, frame, nothing_stored, said_plainly
from ui.shared.profiles import profiles

workbench = frame("Evaluate")
st.html(ASSETS / "evaluate.css")
with said_plainly():
    if workbench.is_empty:
        nothing_stored()
    place.come_back()
    job = progress.arrive(workbench)
with st.sidebar, said_plainly():
    changes = setting_controls(workbench.settings)
    profiles(workbench, changes)

with st.container(horizontal=True, vertical_alignment="center"), said_plainly():
    eval_sets = choose.choose_sets(workbench)
    buttons = st.container(horizontal=True, vertical_alignment="center", width="content")
with said_plainly():
    ready = choose.checked(eval_sets, workbench) and bool(eval_sets) and not job
run_once = run_twice = by_both = ragas = False
with buttons:
    if not why_not("Running"):
        run_once = st.button(
            "Run", type="primary", icon=":material/play_arrow:", disabled=not ready
        )
        run_twice = st.button(
            "Filtered vs. unfiltered",
            icon=":material/filter_alt:",
            disabled=not ready,
            help="Asks every question twice, without and with "
            "the intent filter, and compares the two runs.",
        )
        by_both = bool(workbench.settings.llm_model) and st.button(
            "Rules vs. model",
            icon=":material/smart_toy:",
            disabled=not ready,
            help="Asks every question twice, by the rules alone and with the language model, and "
            "compares the two runs: quality, tokens, money and time.",
        )
        ragas = choose.with_ragas()
with said_plainly():
    agreed = paid(workbench, eval_sets, changes)
    if run_once or run_twice or by_both:
        variants = work.both_ways(changes) if run_twice else (changes,)
        variants = work.rules_and_model(workbench, changes) if by_both else variants
        st.session_state.pop(progress.OUTCOME, None)
        paying = {"budget": agreed.budget, "judge": agreed.judge}
        progress.follow(work.start(workbench, eval_sets, variants, ragas=ragas, **paying))
        st.rerun()
if job:
    progress.panel(job.id)
progress.outcome()

with said_plainly():
    saved = workbench.runs.newest()
    for run_id in workbench.runs.damaged():
        st.warning(
            f"The saved run {run_id} is damaged; the others are intact. "
            f"Run `specloupe runs rm {run_id}` to delete it.",
            icon=":material/heart_broken:",
        )
if not saved:
    if job:
        st.stop()
    how = (
        " Choose a question set that matches the APIs in this store, or upload your own, and press "
        "Run. Metrics, missed labels and comparisons will appear here."
    )
    st.info(
        f"No runs yet.{how if may_change() else ''}",
        icon=":material/monitoring:",
    )
    st.stop()

left, right = st.columns([1.5, 1], vertical_alignment="center")
with left:
    chosen = pick("Saved run", "run", saved, default=saved[0].id, base=workbench.settings)
picked = next(each for each in saved if each.id == chosen)
with right:
    use_run(picked, workbench, "run")
st.html(about(picked))
follow_renamed("part")
tabs = st.tabs(
    ["Figures", "Questions", "Missed labels", "Compare", "Saved runs", "Gate", "Export"],
    key="part",
    on_change="rerun",
    bind="query-params",
)
with said_plainly():
    run = loaded.run(workbench, chosen)
    if tabs[0].open:
        with tabs[0]:
            figures(run, next((each for each in saved if each.baseline), None))
    if tabs[1].open:
        with tabs[1]:
            questions(run, workbench)
    if tabs[2].open:
        with tabs[2]:
            missed(run, workbench)
    if tabs[3].open:
        with tabs[3]:
            compared(saved, workbench)
    if tabs[4].open:
        with tabs[4]:
            leaderboard(saved, workbench)
    if tabs[5].open:
        with tabs[5]:
            gate(run)
    if tabs[6].open:
        with tabs[6]:
            take(run)
place.keep()
