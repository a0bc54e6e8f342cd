from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.text.words import index_terms, query_terms, runs, terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("userId", ["user", "id", "userid"]),
        ("movie_id", ["movi", "id", "movieid"]),
        ("movieId", ["movi", "id", "movieid"]),
        ("pull-requests", ["pull", "request", "pullrequest"]),
        ("GitHub", ["git", "hub", "github"]),
        ("GoDaddy", ["go", "daddi", "godaddi"]),
        ("HTTPServer", ["http", "server", "httpserver"]),
        ("OAuth2", ["auth", "oauth2"]),
        ("oauth2", ["oauth", "oauth2"]),
        ("GET /users/{user_id}/posts", ["get", "user", "user", "id", "userid", "post"]),
        ("the state of an order", ["state", "order"]),
        ("404", ["404"]),
        ("/me/all", ["me", "all"]),
        ("Creación creacion", ["creacion", "creacion"]),
        ("日本 ñ", ["日", "本", "日本"]),
        ("a b _ -- {}", []),
        ("", []),
    ],
    ids=str,
)
def test_terms(text: str, expected: list[str]) -> None:
    assert list(index_terms(text)) == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("How do I create a user?", ("creat", "user")),
        ("how can we refund a charge", ("refund", "charg")),
        ("Which endpoint lets me list all domains?", ("list", "all", "domain")),
        ("What is the operation to cancel an order?", ("cancel", "order")),
        ("Which API calls do I need to send mail?", ("send", "mail")),
        ("I'd like to upload a file, please", ("upload", "file")),
        ("I’m looking for invoices", ("invoic",)),
        ("Is there a way to pause a job?", ("paus", "job")),
        ("show me my playlists", ("playlist",)),
        ("What payment methods exist?", ("payment", "method", "exist")),
        ("Which API keys exist?", ("api", "key", "exist")),
        ("user users USER", ("user",)),
        ("GET /show/me", ("get", "show", "me")),
    ],
    ids=str,
)
def test_a_question_loses_what_only_asks(query: str, expected: tuple[str, ...]) -> None:
    assert query_terms(query) == expected


def test_a_question_of_nothing_but_fillers_keeps_its_words() -> None:
    assert query_terms("Which endpoint?") == ("endpoint",)


@given(st.text())
@example("Ꭰ")  # Cherokee, whose case is folded to capitals
def test_terms_are_without_case_and_found_again(text: str) -> None:
    for run in runs(text):
        assert all(term == term.casefold() for term in terms(run))
        assert list(index_terms(run)) == list(terms(run))


@given(st.from_regex(r"[a-z]{2,8}", fullmatch=True), st.from_regex(r"[a-z]{2,8}", fullmatch=True))
def test_the_ways_to_join_two_words_agree(first: str, second: str) -> None:
    camel, snake = first + second.capitalize(), f"{first}_{second}"
    assert terms(camel) == terms(snake) == terms(f"{first}-{second}")
