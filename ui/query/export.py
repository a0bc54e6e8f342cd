"""Export a context as Markdown, JSON or chat messages, or as the call that reproduces it."""

from __future__ import annotations

import json

import streamlit as st

from core.exposed.folders import allowed
from core.model import KnowledgeContext
from core.settings import Settings
from core.text.safe import markdown
from ui.query import calls
from ui.shared.question import Request


def export(context: KnowledgeContext, request: Request, settings: Settings, *, store: str) -> None:
    """Each format with a button to copy it and one to download it."""
    forms = {
        "Markdown": (context.to_markdown(), "md", "text"),
        "JSON": (_pretty(context.to_dict()), "json", "json"),
        "Chat messages": (_pretty(context.to_messages()), "json", "json"),
        "Python": (calls.python_call(request, store=store), "py", "python"),
        "Command line": (calls.command(request, store=store), "sh", "bash"),
        "curl": (calls.curl(request, store=store), "sh", "bash"),
        "MCP": (calls.mcp_call(request, settings, store=store), "py", "python"),
        "LangChain": (calls.langchain(request, store=store), "py", "python"),
        "LlamaIndex": (calls.llamaindex(request, store=store), "py", "python"),
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


def _pretty(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)
