from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.markup import Markup, join, link, marked, table, tag, unquoted
from core.text.safe import terminal


class Read(HTMLParser):
    """What a browser would see: the elements and the text between them."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[str] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


texts = st.text(alphabet=st.characters(exclude_characters="\r\0", exclude_categories=("Cs",)))


@given(texts)
def test_text_stays_text(text: str) -> None:
    read = Read(tag("p", text, title=text))
    assert read.elements == ["p"]
    assert read.text == terminal(text)


@given(texts, st.lists(texts.filter(bool), max_size=3))
def test_highlighting_adds_marks_and_changes_no_letter(text: str, words: list[str]) -> None:
    read = Read(marked(text, words))
    assert set(read.elements) <= {"mark"}
    assert read.text == terminal(text)


def test_markup_nests_without_being_escaped_again() -> None:
    assert tag("p", tag("b", "a<b"), " & ") == "<p><b>a&lt;b</b> &amp; </p>"
    assert isinstance(join(["<"]), Markup)


@pytest.mark.parametrize("name", ["href", "src", "onclick", "srcdoc", "id"])
def test_attributes_that_load_link_or_run_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=name):
        tag("p", **{name: "x"})


def test_a_cell_knows_its_heading_for_narrow_screens() -> None:
    made = table(("Where", ""), [("a <b>", tag("b", "x"))])
    assert '<td data-head="Where">a &lt;b&gt;</td><td><b>x</b></td>' in made


def test_a_phone_is_told_the_words_of_a_heading() -> None:
    made = table([tag("div", "A < B", title="x")], [["cell"]])
    assert '<td data-head="A &lt; B">cell</td>' in made


def test_text_that_is_shown_as_it_is_has_no_backticks() -> None:
    assert unquoted("Use `GET /users`, or ``id``.") == "Use GET /users, or id."


def test_a_link_leads_to_a_page_of_the_web_alone() -> None:
    assert link('https://a.example/x?a=1&b="2', "x<y") == (
        '<a href="https://a.example/x?a=1&amp;b=&quot;2" target="_blank" '
        'rel="noopener noreferrer">x&lt;y</a>'
    )


@pytest.mark.parametrize(
    "url",
    ["javascript:alert(1)", "data:text/html,x", "/local", "//host/x", "https:", "http://[", ""],
)
def test_other_addresses_are_no_link(url: str) -> None:
    assert link(url, "x") == "x"
