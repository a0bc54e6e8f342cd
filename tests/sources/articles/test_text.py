"""Content becomes plain text, and no part is longer than it may be."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.sources.articles.text import LONGEST, parts, plain


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("Plain text.\r\nNext line.", "Plain text.\nNext line."),
        ("# Head\n\n\n\nBody  here", "# Head\n\nBody here"),
        ("<h2>When</h2><p>In <b>two</b> days.</p>", "## When\n\nIn two days."),
        ("<p>a</p><script>alert('x')</script><style>p{}</style><p>b</p>", "a\n\nb"),
        ("<ul><li>one</li><li>two</li></ul>", "- one\n- two"),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("set <name> to 5", "set <name> to 5"),
        ("<p>fish &amp; chips</p>", "fish & chips"),
        ("<p>never closed <b>bold", "never closed bold"),
        ("<script>everything", ""),
        ("   ", ""),
        ("<html><head><title>t</title><meta charset=x><body><h1>A</h1><p>b", "# A\n\nb"),
        ("<head><title>t</title>text<p>b", "text\n\nb"),
        ("<html><head><title>t <b>t</b></title></head>a</html>", "a"),
        (
            "# Head\n\nPress <kbd>F1</kbd>.\n\n- one<br>\n- two",
            "# Head\n\nPress F1.\n\n- one\n\n- two",
        ),
        ("<p>two\nlines</p>\n\n## Head\n\ntext\nmore", "two lines\n\n## Head\n\ntext\nmore"),
        ("<div><pre>a = 1\nb = 2</pre>x\ny</div>", "a = 1\nb = 2\n\nx y"),
        ("<dl><dt>Red</dt><dd>a fault</dd></dl>", "Red\n\na fault"),
        ("<main>Hold <font color=red>it</font></main>", "Hold it"),
        ("<svg onload=alert(1)><text>a</text></svg>", "a"),
        ("press <button>Reset</button>", "press Reset"),
        ("save as <title>, then go on", "save as <title>, then go on"),
        ("<b>Save</b> as <title>, then go on", "Save as , then go on"),
        ("shown <!-- not this --> too", "shown too"),
        ("a --> b <!-- c", "a --> b <!-- c"),
        ("<p>a<![if x]>b<![ ]>c</p>", "abc"),
        ("<p>a <!-- b", "a <!-- b"),
    ],
)
def test_plain(content: str, expected: str) -> None:
    assert plain(content) == expected


@pytest.mark.parametrize("piece", ["<!--", "<a ", "<?", "<![if ", "</", "<a b='", "<", "<li>a "])
def test_what_nothing_ends_takes_linear_time(piece: str) -> None:
    started = time.process_time()
    plain(f"<p>{piece * (400_000 // len(piece))}")
    assert time.process_time() - started < 10  # it takes one


def words(text: str) -> list[str]:
    return text.split()


@given(st.lists(st.text(st.sampled_from("ab. \n#"), max_size=3000), max_size=4).map("\n\n".join))
def test_parts_hold_every_word_in_order_and_none_is_too_long(text: str) -> None:
    found = parts(text.strip())
    assert all(0 < len(part) <= LONGEST for part in found)
    assert "".join("".join(found).split()) == "".join(text.split())


def test_it_is_cut_at_headings_first() -> None:
    long = "word " * 300  # 1,500 characters
    found = parts(f"# One\n\n{long}\n\n# Two\n\n{long}".strip())
    assert [part[:5] for part in found] == ["# One", "# Two"]


def test_short_sections_stay_together() -> None:
    text = "# One\n\nA.\n\n# Two\n\nB."
    assert parts(text) == (text,)


def test_a_long_paragraph_is_cut_at_sentences() -> None:
    sentence = f"{'x' * 90} end."
    found = parts(" ".join([sentence] * 50))
    assert len(found) > 2
    assert all(part.endswith("end.") for part in found)


def test_seven_articles_of_fifty_kilobytes_give_some_twenty_parts() -> None:
    paragraph = "The cable is checked before the fan is. " * 8
    article = "\n\n".join(f"## Step {n}\n\n{paragraph.strip()}" for n in range(22))
    assert 20 <= 7 * len(parts(article[:7_200])) <= 30
