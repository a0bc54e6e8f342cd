import json
import re
from dataclasses import replace

import pytest
from support import context_example as example

from core.counts import counts
from ui.graph.graph_view import (
    LETTERS,
    alternative,
    height_of,
    legend,
    network,
    page,
    shortened,
    vis_network,
)
from ui.graph.picture import Node, Picture, Role, picture

ATTACK = "</script><img src='https://evil.example/x' onerror=alert(1)> @@SCRIPT@@ href"


@pytest.fixture(scope="module")
def drawn() -> Picture:
    return picture(example.example())


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("User", "User"),
        ("AVeryLongNameOfASchema", "AVeryLongNameOfASch…"),
        ("POST /v1/charges/{charge}/refunds", "POST …harge}/refunds"),
    ],
)
def test_names_are_shortened_to_what_tells_most(name: str, shown: str) -> None:
    assert shortened(name) == shown
    assert len(shown) <= LETTERS


def test_pyvis_holds_every_node_and_line(drawn: Picture) -> None:
    data = network(drawn)
    assert {n["id"] for n in data["nodes"]} == {n.id for n in drawn.nodes}
    assert len(data["edges"]) == len(drawn.edges)
    assert all(edge["arrows"] == "to" for edge in data["edges"])
    assert {n["kind"] for n in data["nodes"]} <= set(data["kinds"])


def test_the_data_is_plain_json(drawn: Picture) -> None:
    assert json.loads(json.dumps(network(drawn))) == network(drawn)


def test_the_file_loads_nothing_from_anywhere(drawn: Picture) -> None:
    html = page(drawn, title="How do I create a user?", alt="A graph")
    assert not re.search(r"""(?:src|href)\s*=\s*["']?\s*(?:https?:)?//""", html)
    assert "@import" not in html
    assert "default-src 'none'" in html
    assert html.count("</script>") == 2
    assert "<!--" not in html  # it would change how a browser reads a script


def test_hostile_names_stay_text_in_the_file(drawn: Picture) -> None:
    nodes = tuple(replace(n, label=ATTACK, note=ATTACK) for n in drawn.nodes)
    html = page(replace(drawn, nodes=nodes), title=ATTACK, alt=ATTACK)
    assert "<img" not in html
    assert html.count("</script>") == 2
    written = re.search(r'<script type="application/json" id="picture">(.*?)</script>', html)
    assert written
    assert ATTACK in json.loads(written[1])["nodes"][0]["title"]


def test_the_script_is_the_one_that_pyvis_ships_without_its_source_map() -> None:
    assert "vis-network" in vis_network()[:300]
    assert "sourceMappingURL" not in vis_network()


def test_the_legend_names_what_is_drawn(drawn: Picture) -> None:
    for word in ("operation", "schema", "security", "cycle", "left out"):
        assert word in legend(drawn)
    assert "webhook" not in legend(drawn)


def test_there_is_a_sentence_for_those_who_cannot_see_it(drawn: Picture) -> None:
    context = example.example()
    made = counts(context.chunks, context.total_tokens)
    cut = sum(bool(left.via) for left in context.trace.left_out)
    said = alternative(drawn, made, cut=cut)
    assert said.startswith(f"A graph of 2 results and {made.references} chunks that they refer to.")
    assert f"{cut} references were left out, {cut} drawn." in said
    one = alternative(picture(context, cuts=1), made, cut=cut)
    assert f"{cut} references were left out, 1 drawn." in one  # as the page's summary counts them


def test_the_height_stays_on_a_screen(drawn: Picture) -> None:
    assert 300 <= height_of(drawn) <= 640
    tall = tuple(Node(f"a:{i}", "a", "other", Role.REFERENCE, 1, "", y=i * 58) for i in range(99))
    assert height_of(Picture(tall, (), (), 0)) == 640


def test_a_presenter_gets_a_larger_picture(drawn: Picture) -> None:
    assert height_of(drawn) < height_of(drawn, large=True) <= 900
