import pytest

from core.text.plural import counted, noun_of


@pytest.mark.parametrize(
    ("count", "said"),
    [(0, "0 chunks"), (1, "1 chunk"), (2, "2 chunks"), (1200, "1,200 chunks")],
)
def test_a_number_has_its_noun(count: int, said: str) -> None:
    assert counted(count, "chunk") == said


def test_some_nouns_have_a_form_of_their_own() -> None:
    assert counted(2, "query", "queries") == "2 queries"
    assert [noun_of(n, "was", "were") for n in (1, 2)] == ["was", "were"]
