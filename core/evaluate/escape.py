"""Write outside text as data into Markdown and HTML."""

from __future__ import annotations

import html
import re

# what Markdown, or a forge that renders it, would take for markup, a link or a mention
MARKUP = re.compile(r"[\\`*_\[\]<>|~&$@]|:(?=//)|(?<=www)\.", re.IGNORECASE)
CONTROL = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def markdown_cell(text: str, limit: int = 300) -> str:
    """The text on one line, as a code element in which nothing is markup.

    Character references never are, and forges look for no mentions inside of code.
    """
    plain = CONTROL.sub(" ", shortened(text, limit))
    return f"<code>{MARKUP.sub(lambda found: f'&#{ord(found[0])};', plain)}</code>"


def html_text(text: object, limit: int = 2_000) -> str:
    """The text for an HTML element or a quoted attribute."""
    return html.escape(CONTROL.sub(" ", shortened(str(text), limit)), quote=True)


def shortened(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
