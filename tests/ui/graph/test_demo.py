"""The question over the samples that needs every kind of material, drawn as one graph."""

from __future__ import annotations

from collections.abc import Iterator

import networkx as nx
import pytest
from support.samples import SAMPLES

from core import Workbench
from core.examples import DEMO, DEMO_NEEDS
from core.model import ChunkType, KnowledgeContext
from core.settings import Settings
from ui.graph.picture import picture
from ui.graph.relations import drawn_relations

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    store = tmp_path_factory.mktemp("demo") / "store"
    with Workbench.open(store, settings=Settings(log_stats=False)) as made:
        for _ in made.ingest([SAMPLES], formats=("all",)):
            pass
        yield made


@pytest.fixture(scope="module")
def context(workbench: Workbench) -> KnowledgeContext:
    return workbench.retrieve(DEMO)


def test_its_answer_has_an_operation_an_article_a_decision_and_a_function(
    workbench: Workbench, context: KnowledgeContext
) -> None:
    assert workbench.has(DEMO_NEEDS)
    results = {item.chunk.id: item.chunk for item in context.primary_chunks}
    needed = [results[id] for id in DEMO_NEEDS]
    said = [(chunk.type, chunk.kind) for chunk in needed]
    assert [type for type, _ in said] == [
        ChunkType.OPERATION,
        ChunkType.CODE,
        ChunkType.DOCUMENT,
        ChunkType.ARTICLE,
    ]
    assert said[1][1] == "function"
    assert said[2][1] == "decision"


def test_they_are_drawn_as_one_graph(context: KnowledgeContext) -> None:
    drawn = picture(context)
    graph = nx.Graph((edge.source, edge.target) for edge in drawn.edges)
    assert {*DEMO_NEEDS} <= nx.node_connected_component(graph, DEMO_NEEDS[0])
    assert {"reference", "refers to", "sends"} <= {*drawn_relations(drawn)}
