"""What references say: their words, their legend, and a picture of some of them alone."""

from __future__ import annotations

import pytest

from ui.graph.picture import Edge, Line, Picture, Role, node, placed
from ui.graph.relations import (
    RELATIONS,
    colours,
    drawn_relations,
    in_words,
    legend,
    only,
    relation_of,
)

RESULT, DESIGN, CODE, PLAIN = "a.md:document", "b.md:document", "c.py:module", "s.json:info"


def picture(*edges: tuple[str, str, str, Line]) -> Picture:
    """From each source to its target, with labels."""
    nodes = [
        node(RESULT, Role.PRIMARY, 0, ""),
        *(node(id, Role.REFERENCE, 1, "") for id in (DESIGN, CODE, PLAIN)),
    ]
    lines = [Edge(source, target, line, used) for source, target, used, line in edges]
    there, columns = placed(nodes, lines)
    return Picture(there, tuple(lines), columns, 0)


DRAWN = picture(
    (RESULT, DESIGN, "IMPLEMENTS, REFERENCES", Line.FOLLOWED),
    (RESULT, CODE, "calls", Line.ALSO),
    (RESULT, PLAIN, "responses.200", Line.FOLLOWED),
)


@pytest.mark.parametrize(
    ("used", "word"),
    [
        ("IMPLEMENTS, REFERENCES", "implements"),
        ("supersedes", "reference"),
        ("serves, named", "serves"),
        ("responses.200", "reference"),
        ("", "reference"),
    ],
)
def test_a_line_has_the_first_relation_that_it_is_labelled_with(used: str, word: str) -> None:
    assert relation_of(Edge("a", "b", Line.FOLLOWED, used)).word == word


def test_labels_are_told_in_words() -> None:
    assert in_words(["SATISFIES", "requestBody"]) == "satisfies, requestBody"
    assert in_words([]) == ""


def test_the_legend_has_what_is_drawn_and_nothing_where_all_are_plain() -> None:
    assert drawn_relations(DRAWN) == ["reference", "implements", "calls"]
    assert len(legend(DRAWN)) == 3
    assert legend(picture((RESULT, PLAIN, "responses.200", Line.FOLLOWED))) == []


def test_some_relations_alone_leave_the_results_and_what_they_lead_to() -> None:
    kept = only(DRAWN, ["calls"])
    assert {each.id for each in kept.nodes} == {RESULT, CODE}
    assert [edge.used for edge in kept.edges] == ["calls"]
    assert only(DRAWN, drawn_relations(DRAWN)) is DRAWN


def test_what_was_left_out_stays_drawn() -> None:
    cut = picture((RESULT, DESIGN, "", Line.CUT), (RESULT, CODE, "calls", Line.FOLLOWED))
    assert {edge.line for edge in only(cut, []).edges} == {Line.CUT}


def test_each_relation_differs_from_the_others_in_each_theme() -> None:
    assert len(colours()) == len(RELATIONS) - 1
    for theme in ("light", "dark"):
        assert len({look[theme] for look in colours().values()}) == len(colours())
