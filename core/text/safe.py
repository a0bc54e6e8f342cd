"""Text from outside, as data: one function for each place it is written to, one table for all.

A specification, a question, a file name or a server may hold anything. What of it could steer a
terminal, break or reorder lines, hide, or make a file invalid is in `_TABLE`; `terminal`,
`one_line`, `markdown`, `code`, `html`, `csv`, `xml` and `json` agree on it, and then escape what
means something in their own language.
"""

from __future__ import annotations

import re
from html import escape

_TABLE = (  # first and last character, and what they do
    (0x00, 0x1F),  # C0: escape sequences, bells, back spaces; tab and line feed are layout
    (0x7F, 0x9F),  # delete and C1, among it CSI, which begins an escape sequence in one byte
    (0x061C, 0x061C),  # Arabic letter mark: reorders what follows
    (0x180E, 0x180E),  # Mongolian vowel separator: not seen
    (0x200B, 0x200B),  # zero-width space; the joiners after it spell Persian and emoji, and stay
    (0x200E, 0x200F),  # left-to-right and right-to-left marks
    (0x2028, 0x2029),  # line and paragraph separators, which many programs take for a line's end
    (0x202A, 0x202E),  # bidirectional embeddings and overrides
    (0x2060, 0x206F),  # word joiner, invisible operators, isolates, deprecated format characters
    (0xD800, 0xDFFF),  # halves of a surrogate pair: not text, and UTF-8 cannot hold them
    (0xFDD0, 0xFDEF),  # noncharacters
    (0xFEFF, 0xFEFF),  # byte order mark
    (0xFFF9, 0xFFFB),  # interlinear annotations, which hide text
    *((plane + 0xFFFE, plane + 0xFFFF) for plane in range(0, 0x110000, 0x10000)),  # as FDD0
    (0xE0000, 0xE007F),  # tags: letters that nobody sees, and a language model reads
)
_HARMFUL = "".join(f"{chr(first)}-{chr(last)}" for first, last in _TABLE)
_UNSAFE = re.compile(f"[{_HARMFUL}]")
_UNSAFE_IN_LINES = re.compile(f"(?![\t\n])[{_HARMFUL}]")
_LINE_END = re.compile("\r\n?")
# What a labelled set may not hold: no keyboard writes it, so what wrote the set is at fault. All
# else of the table is data there, and made safe where it is shown.
_CONTROL = re.compile("(?![\t\n\r])[\x00-\x1f\x7f\ud800-\udfff]")
_SHOWN = "\N{REPLACEMENT CHARACTER}"

# What Markdown, or a forge that renders it, would take for markup, a link or a mention.
_MARKUP = re.compile(r"[\\`*_\[\]<>|~&$@]|:(?=//)|(?<=www)\.", re.IGNORECASE)
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_SPACES = re.compile(r"\s+")
# Markdown makes a link of a bare address, escaped or not; a word joiner, unseen, keeps it text.
_ADDRESS = re.compile(r"(?<=http)(?=s?://)|(?<=www)(?=\.)|(?=@)", re.IGNORECASE)
_JOINER = "\u2060"

_START = r"[=+\-@\t\r\n＝＋－＠]"  # full-width forms too: some locales compute them
_FORMULA = re.compile(f"^'*{_START}")  # what a spreadsheet would compute
_GUARDED = re.compile(f"^''*{_START}")


def terminal(text: str) -> str:
    """The text without anything that a terminal acts upon; its lines and tabs stay."""
    if text.isascii() and text.isprintable():  # most are, and several hundred come with an answer
        return text
    return _UNSAFE_IN_LINES.sub(_SHOWN, _LINE_END.sub("\n", text))


def one_line(text: str, limit: int = 300) -> str:
    """The text, shortened, as one line without anything that a terminal acts upon."""
    return _UNSAFE.sub(" ", shortened(text, limit))


def shortened(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


def markdown(text: str) -> str:
    """The text for a place that reads Markdown: shown as it is, on one line, never interpreted."""
    line = _SPACES.sub(" ", one_line(text, len(text))).strip()
    return _PUNCTUATION.sub(r"\\\1", _ADDRESS.sub(_JOINER, line))


def code(text: str, limit: int = 300) -> str:
    """The text on one line of Markdown, as a code element in which nothing is markup.

    Character references never are, and forges look for no mentions inside of code.
    """
    plain = one_line(text, limit)
    return f"<code>{_MARKUP.sub(lambda found: f'&#{ord(found[0])};', plain)}</code>"


def html(text: str) -> str:
    """The text for an HTML element or a quoted attribute; its lines stay."""
    return escape(terminal(text), quote=True)


def csv(text: str) -> str:
    """The text for a cell that is only read: no formula, nothing that a terminal acts upon."""
    return guard(terminal(text))


def guard(text: str) -> str:
    """The text, with an apostrophe before it where a spreadsheet would take it for a formula."""
    return "'" + text if _FORMULA.match(text) else text


def unguard(text: str) -> str:
    """The exact inverse of `guard`."""
    return text[1:] if _GUARDED.match(text) else text


def xml(text: str) -> str:
    """The text as XML may hold it; who writes the XML escapes its markup."""
    return terminal(text)


def json(text: str) -> str:
    """JSON for the eye: what a terminal would act upon as escapes; it means the same."""
    return _UNSAFE_IN_LINES.sub(json_escape, text)


def json_escape(found: re.Match[str]) -> str:
    """A character as JSON writes it in ASCII."""
    units = found[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def holds_control(text: str) -> bool:
    """Whether a text of a labelled set holds what has no place in one."""
    return _CONTROL.search(text) is not None
