"""What a reference says: how each relation is called and drawn, and which ones are shown."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from core.text.markup import Markup, tag
from ui.graph.picture import Edge, Line, Picture, Role, placed


@dataclass(frozen=True, slots=True)
class Relation:
    """One kind of reference; the colours are tuned to each background."""

    label: str  # as references have it; "" is a reference within an API
    word: str  # what a person reads
    light: str
    dark: str
    dash: str = "solid"  # so that colour is never the only difference: solid, dashed or dotted


RELATIONS = (
    Relation("", "reference", "#8a94a3", "#66758a"),
    Relation("IMPLEMENTS", "implements", "#2F6B2F", "#8FD08F"),
    Relation("SATISFIES", "satisfies", "#9B1E45", "#F490AC", "dashed"),
    Relation("REFERENCES", "refers to", "#0068A8", "#5AB4F0"),
    Relation("SUPERSEDES", "supersedes", "#8A3B12", "#F0A080", "dotted"),
    Relation("BELONGS_TO", "belongs to", "#5C6470", "#A6AFBB", "dotted"),
    Relation("calls", "calls", "#1F6F8B", "#7CC4DE"),
    Relation("imports", "imports", "#3E6B5A", "#8FCBB2", "dashed"),
    Relation("inherits", "inherits", "#8A4B2A", "#E0A985", "dotted"),
    Relation("serves", "serves", "#985A00", "#F2B134"),
    Relation("sends", "sends", "#A8487E", "#EE9CC8", "dashed"),
    Relation("named", "named alike", "#7A6A00", "#E3D44A", "dotted"),
)
PLAIN = RELATIONS[0]
RELATION = {each.label: each for each in RELATIONS[1:]}
OTHERS = (Line.CUT, Line.IMPACT)  # these lines say something else


def relation_of(edge: Edge) -> Relation:
    """The first relation that an edge is labelled with, or a reference within an API."""
    known = (RELATION[each] for each in edge.used.split(", ") if each in RELATION)
    return next(known, PLAIN)


def in_words(labels: Iterable[str]) -> str:
    """The labels of a reference as a person reads them."""
    return ", ".join(RELATION[each].word if each in RELATION else each for each in labels)


def drawn_relations(picture: Picture) -> list[str]:
    """The words of the relations in a picture, in their order."""
    there = {relation_of(edge) for edge in picture.edges if edge.line not in OTHERS}
    return [each.word for each in RELATIONS if each in there]


def only(picture: Picture, words: Collection[str]) -> Picture:
    """With the lines of these relations alone; what none leads to or from any more goes, but for
    the results."""
    edges = [e for e in picture.edges if e.line in OTHERS or relation_of(e).word in words]
    if len(edges) == len(picture.edges):
        return picture
    touched = {id for edge in edges for id in (edge.source, edge.target)}
    nodes = [n for n in picture.nodes if n.role is Role.PRIMARY or n.id in touched]
    there, columns = placed(nodes, edges)
    return replace(picture, nodes=there, edges=tuple(edges), columns=columns)


def legend(picture: Picture) -> list[Markup]:
    """A line and a word for each relation, where a picture has more than plain references."""
    words = drawn_relations(picture)
    if {*words} <= {PLAIN.word}:
        return []
    return [_swatch(each) for each in RELATIONS if each.word in words]


def _swatch(each: Relation) -> Markup:
    style = f"border-top: 2px {each.dash} light-dark({each.light}, {each.dark})"
    return tag("span", tag("i", class_="sl-line", style=style), each.word, class_="sl-note")


def colours() -> dict[str, dict[str, str]]:
    """By word, as the picture's script reads them; plain references have the lines' own."""
    return {
        each.word: {"light": each.light, "dark": each.dark, "dash": each.dash}
        for each in RELATION.values()
    }
