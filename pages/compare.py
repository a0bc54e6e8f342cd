"""Compare: what do the intent filter or other settings change in a context, and is it better?"""

import streamlit as st

from ui.compare import asked, progress, work
from ui.compare.many import many_questions
from ui.compare.one import answer, diff, one_question
from ui.compare.sides import choose_kind, differing, sides_of, use_sides
from ui.query.nothing_found import nothing_found
from ui.shared.frame import ASSETS, frame, nothing_stored, said_plainly
from ui.shared.question import ask, narrowed

workbench = frame("Compare")
st.html(ASSETS / "browse.css")
with said_plainly():
    if workbench.is_empty:
        nothing_stored()

with st.container(horizontal=True, vertical_alignment="center"):
    kind = choose_kind()
    what = asked.choose_what()
request = ask(workbench, suggest=False) if what == asked.ONE else narrowed(workbench)
if request is None:
    st.info(
        "Ask a question above to see the context that each side produces.",
        icon=":material/compare_arrows:",
    )
    st.stop()
with said_plainly():
    sides = sides_of(kind, request, workbench.settings)
    for side in sides:
        side.settings(workbench.settings)
    if len(sides) == 2:  # otherwise each side explains itself under its name
        st.html(diff(differing(sides, workbench)))
    use_sides(sides, workbench)

if what == asked.ONE:
    with said_plainly():
        answers = [answer(side, request.query, workbench) for side in sides]
        one_question(answers)
        last = answers[-1]
        if not any(each.context.chunks for each in answers):
            least = last.side.settings(workbench.settings).min_score
            nothing_found(last.context, least=least)
    st.stop()

with said_plainly():
    labelled = asked.from_set(workbench) if what == asked.SET else None
samples = labelled.samples if labelled else asked.pasted() if what == asked.LIST else ()
with said_plainly():
    ready = bool(samples) and not progress.is_running(workbench)
    if st.button("Compare", type="primary", icon=":material/play_arrow:", disabled=not ready):
        job = work.start(workbench, samples, sides, labelled=labelled is not None)
        progress.follow(job)
outcome = progress.outcome(workbench)
if outcome is None:
    st.stop()
if (outcome.samples, outcome.sides) != (samples, sides):
    st.caption("These results are for other questions or settings. Press Compare to update them.")
many_questions(outcome)
