"""Export a context as Markdown, JSON or chat messages, or as the call that reproduces it."""

from __future__ import annotations

import json
import shlex

import streamlit as st

from core.exposed.folders import allowed
from core.model import KnowledgeContext
from core.settings import KNOB, Value
from core.text.safe import markdown
from ui.shared.question import Request


def export(context: KnowledgeContext, request: Request, *, store: str) -> None:
    """Each format with a button to copy it and one to download it."""
    forms = {
        "Markdown": (context.to_markdown(), "md", "text"),
        "JSON": (_pretty(context.to_dict()), "json", "json"),
        "Chat messages": (_pretty(context.to_messages()), "json", "json"),
        "Python": (python_call(request, store=store), "py", "python"),
        "Command line": (command(request, store=store), "sh", "bash"),
    }
    form = st.segmented_control(
        "Form", list(forms), default="Markdown", key="export form", label_visibility="collapsed"
    )
    text, suffix, language = forms[form or "Markdown"]
    st.download_button(
        f"Download {form or 'Markdown'}",
        text,
        f"context.{suffix}",
        icon=":material/download:",
        on_click="ignore",
    )
    st.code(text, language, height=480, wrap_lines=True)
    if language in ("python", "bash") and not allowed():
        st.caption(
            f"{markdown(store)} is a placeholder: pages show the store's location only if the app "
            "was started with `--allow-folders`."
        )


def python_call(request: Request, *, store: str) -> str:
    """Python code that gives the same context."""
    where = {"filter_metadata": request.where} if request.where else {}
    apis = {"apis": list(request.apis)} if request.apis else {}
    options = {**apis, **where, **request.changes}
    given = "".join(f", {name}={value!r}" for name, value in options.items())
    return (
        "from core import Workbench\n\n"
        f"workbench = Workbench.open({store!r})\n"
        f"context = workbench.retrieve({request.query!r}{given})\n"
        "text = context.to_markdown()\n"
    )


def command(request: Request, *, store: str) -> str:
    """A command that gives the same context."""
    options = [
        *(word for api in request.apis for word in ("--api", api)),
        *(word for key, value in request.where.items() for word in ("--where", f"{key}={value}")),
        *(word for name, value in request.changes.items() for word in _option(name, value)),
    ]
    return shlex.join(["specloupe", "query", request.query, "--store", store, *options]) + "\n"


def _option(name: str, value: Value) -> list[str]:
    option = KNOB[name].option
    if isinstance(value, bool):
        return [option if value else f"--no-{option[2:]}"]
    return [option, str(value)]


def _pretty(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)
