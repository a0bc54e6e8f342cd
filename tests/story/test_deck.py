from __future__ import annotations

import base64
import hashlib
import re

from core.story.deck import to_html
from core.story.slide import Deck, Slide
from core.text.markup import tag

DECK = Deck(
    "A <b>title</b>",
    (Slide("First", "One & two", tag("p", "picture")), Slide("Second", "<i>Three</i>", note="n")),
)


def test_every_slide_is_a_section_with_its_place() -> None:
    page = to_html(DECK)
    assert re.findall(r'class="step">([^<]+)<', page) == ["First · 1 of 2", "Second · 2 of 2"]
    assert "<h2>One &amp; two</h2><p>picture</p>" in page


def test_text_of_others_is_never_markup() -> None:
    page = to_html(DECK)
    assert "<i>" not in page
    assert "<title>A &lt;b&gt;title&lt;/b&gt;</title>" in page


def test_it_loads_nothing_and_runs_only_its_own_script() -> None:
    page = to_html(DECK)
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]+)"', page)
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert policy.startswith("default-src 'none'")
    assert f"'sha256-{digest}'" in policy
    assert not re.search(r"(?:src|href)=", page)
