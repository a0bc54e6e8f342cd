"""Write outside text as data into Markdown, HTML and a terminal."""

from __future__ import annotations

import html
import re

# what Markdown, or a forge that renders it, would take for markup, a link or a mention
MARKUP = re.compile(r"[\\`*_\[\]<>|~&$@]|:(?=//)|(?<=www)\.", re.IGNORECASE)
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def markdown_cell(text: str, limit: int = 300) -> str:
    """The text on one line, as a code element in which nothing is markup.

    Character references never are, and forges look for no mentions inside of code.
    """
    plain = one_line(text, limit)
    return f"<code>{MARKUP.sub(lambda found: f'&#{ord(found[0])};', plain)}</code>"


def html_text(text: object, limit: int = 2_000) -> str:
    """The text for an HTML element or a quoted attribute."""
    return html.escape(one_line(str(text), limit), quote=True)


def one_line(text: str, limit: int = 300) -> str:
    """The text without anything that a terminal acts upon, that breaks lines or turns them."""
    return CONTROL.sub(" ", shortened(text, limit))


def shortened(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
