"""Knowledge: what the articles are for, what they lack, and where they come from."""

import streamlit as st

from core.text.markup import figure, tag
from ui.knowledge import gaps, synced
from ui.knowledge.coverage_table import coverage_table
from ui.knowledge.try_it import try_it
from ui.locale.locale import amount
from ui.shared.frame import frame, nothing_stored, said_plainly

workbench = frame("Knowledge")
with said_plainly():
    if workbench.is_empty:
        nothing_stored()
    found = workbench.knowledge()
    sources = tuple(workbench.synced())
if not found.articles:
    st.info(
        "There are no knowledge articles in the store. `specloupe sync URL` brings over those of a "
        "host (`GET /api/kb/articles`), `specloupe sync FILE` those of a file.",
        icon=":material/menu_book:",
    )
    synced.synced(sources) if sources else None
    st.stop()

figures = [
    figure(amount(found.articles), "articles"),
    figure(amount(len(found.intents)), "intents"),
    figure(amount(len(found.products)), "products"),
]
if found.without_intent:
    figures.append(figure(amount(found.without_intent), "without an intent"))
st.html(tag("div", *figures, figure(synced.newest(sources), "last sync"), class_="sl-facts"))

st.subheader("Coverage by intent and product")
coverage_table(found)
left, right = st.columns(2)
with left:
    st.subheader("Gaps, the worst first")
    gaps.of_base(found)
with right:
    st.subheader("What messages lacked")
    gaps.of_messages(workbench.knowledge_answered())
st.subheader("Try a message")
try_it(workbench, found)
st.subheader("Last sync")
synced.synced(sources)
