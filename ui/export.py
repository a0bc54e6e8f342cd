"""A context to take along: as Markdown, JSON, chat messages, and as the call that gives it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping

import streamlit as st

from core.model import KnowledgeContext
from core.settings import KNOB, Value

SYSTEM = "Answer from the API documentation below. Say so when it does not hold the answer."


def export(context: KnowledgeContext, changes: Mapping[str, Value], *, store: str) -> None:
    """Each form with a button that copies and one that downloads."""
    forms = {
        "Markdown": (context.to_markdown(), "md", "markdown"),
        "JSON": (_pretty(context.to_dict()), "json", "json"),
        "Chat messages": (_pretty(messages(context)), "json", "json"),
        "Python": (python_call(context.query, changes, store=store), "py", "python"),
        "Command line": (command(context.query, changes, store=store), "sh", "bash"),
    }
    form = st.segmented_control("Form", list(forms), default="Markdown", key="export form",
                                label_visibility="collapsed")  # fmt: skip
    text, suffix, language = forms[form or "Markdown"]
    st.download_button(f"Download {form or 'Markdown'}", text, f"context.{suffix}",
                       icon=":material/download:", on_click="ignore")  # fmt: skip
    st.code(text, language, height=480, wrap_lines=True)


def messages(context: KnowledgeContext) -> list[dict[str, str]]:
    """The context and the question as a chat model takes them."""
    return [
        {"role": "system", "content": f"{SYSTEM}\n\n{context.to_markdown()}"},
        {"role": "user", "content": context.query},
    ]


def python_call(query: str, changes: Mapping[str, Value], *, store: str) -> str:
    """The Python that gives the same context."""
    settings = "".join(f", {name}={value!r}" for name, value in changes.items())
    return (
        "from core import Workbench\n\n"
        f"workbench = Workbench.open({store!r})\n"
        f"context = workbench.retrieve({query!r}{settings})\n"
        "text = context.to_markdown()\n"
    )


def command(query: str, changes: Mapping[str, Value], *, store: str) -> str:
    """The command line that gives the same context."""
    options = [w for n, v in changes.items() for w in (KNOB[n].option, _plain(v))]
    return shlex.join(["specloupe", "query", query, "--store", store, *options]) + "\n"


def _plain(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _pretty(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)
