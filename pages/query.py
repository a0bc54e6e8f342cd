"""Query: which context does a question get, and why is each chunk included or left out?"""

import streamlit as st

from ui.evaluate import golden
from ui.query import context_view
from ui.query.answer_view import answer_panel
from ui.query.by_model import by_model
from ui.query.export import export
from ui.query.nothing_found import nothing_found
from ui.query.overrule import which_api
from ui.shared import services
from ui.shared.address import follow_renamed
from ui.shared.frame import frame, nothing_stored, said_plainly
from ui.shared.question import answered, asked

workbench = frame("Query")
with said_plainly():
    if workbench.is_empty:
        nothing_stored()

request = asked(workbench)

with said_plainly():
    settings = workbench.settings.replace(**request.changes)
    context = answered(request, workbench)
context_view.summary(context, budget=settings.token_limit)

follow_renamed("view")
names = ["Context", "Left out", "Export", "Label", *["Answer"] * bool(settings.llm_model)]
tabs = st.tabs(names, key="view", on_change="rerun", bind="query-params")
if tabs[0].open:
    with tabs[0]:
        wide, narrow = st.container(key="answer").columns([2.6, 1], gap="large")
        with wide, said_plainly():
            which_api(context)
            if context.primary_chunks:
                context_view.cards(context, workbench)
            else:
                nothing_found(context)
        with narrow:
            context_view.reading(context, workbench)
            by_model(context)
            context_view.follow_up(context, workbench)
if tabs[1].open:
    with tabs[1]:
        context_view.why_not(context, workbench)
        context_view.left_out(context)
if tabs[2].open:
    with tabs[2]:
        export(context, request, settings, store=services.told_store())
if tabs[3].open:
    with tabs[3], said_plainly():
        golden.label(context, workbench)
if len(tabs) > 4 and tabs[4].open:
    with tabs[4], said_plainly():
        answer_panel(context, settings, workbench)
