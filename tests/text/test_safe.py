"""Attacks × sinks: whatever the text, and wherever it goes, nothing of the table gets through."""

from __future__ import annotations

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.read.files.filenames import visible
from core.text import safe
from core.text.markup import tag

ATTACKS = {
    "escape sequence": "\x1b[2J\x1b]0;title\x07",
    "CSI in one byte": "\x9b2J",
    "back spaces": "safe\b\b\b\bevil",
    "carriage return": "safe\revil",
    "null and delete": "a\0b\x7fc",
    "next line": "a\x85b",
    "line separator": "a\u2028b\u2029c",
    "right-to-left override": "gpj\u202eexe.",
    "isolates": "\u2066a\u2069",
    "marks": "\u200ea\u200fb\u061c",
    "byte order mark": "\ufeffa",
    "zero width": "a\u200bb\u2060c\u180ed",
    "annotation": "\ufff9a\ufffab\ufffb",
    "half a surrogate": "a\ud800b\udfff",
    "noncharacters": "\ufdd0\ufdef\ufffe\uffff\U0001fffe\U0010ffff",
    "tags": "a\U000e0001\U000e0041\U000e007f",
    "markup": "<script>alert('1')</script> & \"quoted\"",
    "formula": '=HYPERLINK("x")',
    "tab and formula": "\t=1",
    "table cell": "a | b `c` [d](javascript:x)",
    "rows": "a\n| b |\r\n# c",
}
SINKS: dict[str, Callable[[str], str]] = {
    "terminal": safe.terminal,
    "one_line": safe.one_line,
    "markdown": lambda text: safe.markdown(text).replace("\u2060", ""),  # its own joiner
    "code": safe.code,
    "html": safe.html,
    "csv": safe.csv,
    "xml": safe.xml,
    "json": lambda text: safe.json(json.dumps(text, ensure_ascii=False)),
    "element": lambda text: tag("p", text, title=text),
}
ONE_LINE = ("one_line", "markdown", "code", "json")
STEERS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufdd0-\ufdef\ufeff\ufff9-\ufffb\ufffe\uffff\U0001fffe\U0001ffff\U0010fffe"
    "\U0010ffff\U000e0000-\U000e007f]"
)

everything = st.text(st.characters(exclude_categories=()), max_size=60)


def harmless(sink: str, text: str) -> None:
    written = SINKS[sink](text)
    assert not STEERS.search(written)
    if sink in ONE_LINE:
        assert not set(written) & set("\t\n\r")


@pytest.mark.thorough
@pytest.mark.parametrize("sink", SINKS)
@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS.keys())
def test_no_attack_gets_through(sink: str, attack: str) -> None:
    harmless(sink, attack)


@pytest.mark.thorough
@pytest.mark.parametrize("sink", SINKS)
@given(text=everything)
def test_nothing_of_the_table_gets_through(sink: str, text: str) -> None:
    harmless(sink, text)


@pytest.mark.parametrize("sink", ["terminal", "one_line", "html", "csv", "xml"])
@pytest.mark.parametrize(
    "text", ["Grüße, 日本語", "می\u200cخواهم", "👩\u200d💻", "a\xa0b\u3000c", "co\xadop", "x²"]
)
def test_what_people_write_stays(sink: str, text: str) -> None:
    assert SINKS[sink](text) == text


def test_lines_and_tabs_are_layout() -> None:
    assert safe.terminal("a\tb\nc\r\nd\re\x7f\x9b") == "a\tb\nc\nd\ne��"
    assert safe.one_line("a\tb\nc") == "a b c"
    assert safe.one_line("abcdef", 4) == "abc…"


class _Text(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


@given(everything)
def test_html_is_read_back_as_the_same_text(text: str) -> None:
    read = _Text(f"<p>{safe.html(text)}</p>")
    assert read.tags == ["p"]
    assert read.text == safe.terminal(text)


@given(everything)
def test_xml_is_read_back_as_the_same_text(text: str) -> None:
    element = ET.Element("a")
    element.text = safe.xml(text)
    assert (ET.fromstring(ET.tostring(element)).text or "") == safe.terminal(text)


@given(everything)
def test_a_cell_is_read_back_and_is_not_a_formula(text: str) -> None:
    out = io.StringIO(newline="")
    csv.writer(out).writerow([safe.csv(text), "end"])
    ((cell, _),) = csv.reader(io.StringIO(out.getvalue(), newline=""))
    assert safe.unguard(cell) == safe.terminal(text)
    assert not cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"))


@given(everything)
def test_json_for_the_eye_means_the_same(text: str) -> None:
    written = safe.json(json.dumps({text: [text]}, ensure_ascii=False, indent=1))
    assert json.loads(written) == json.loads(json.dumps({text: [text]}))


@given(everything)
def test_a_file_name_shows_whatever_the_table_has(text: str) -> None:
    assert not STEERS.search(visible(text))


@pytest.mark.parametrize("text", ["a\x00b", "\x1b[2J", "\ud800", "\x7f"])
def test_a_control_character_in_a_question_is_found(text: str) -> None:
    assert safe.holds_control(text)


@pytest.mark.parametrize("text", ["a\tb\r\nc", "می\u200cخواهم", "\ufeffa", "\x9b", "日本語"])
def test_what_is_typed_or_pasted_is_not_a_control_character(text: str) -> None:
    assert not safe.holds_control(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a*b*", r"a\*b\*"),
        ("$x$", r"\$x\$"),
        (":red[x]", r"\:red\[x\]"),
        ("[a](javascript:x)", r"\[a\]\(javascript\:x\)"),
        ("two\n# lines", r"two \# lines"),
        ("<script>", r"\<script\>"),
        ("https://a.b", "http\u2060s\\:\\/\\/a\\.b"),
        ("www.a.b", "www\u2060\\.a\\.b"),
        ("a@b.c", "a\u2060\\@b\\.c"),
    ],
)
def test_text_on_a_page_is_not_markdown(text: str, shown: str) -> None:
    assert safe.markdown(text) == shown
