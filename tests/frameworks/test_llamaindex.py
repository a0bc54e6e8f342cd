"""The retriever by itself and inside a query engine of LlamaIndex.

LlamaIndex publishes no tests for retrievers; those of its own integrations ask for the base class.
"""

from __future__ import annotations

import warnings

import pytest
from support.coroutines import finished

from core import SettingsError, UnknownId, Workbench
from core.frameworks.found import found

pytestmark = pytest.mark.long  # the import alone takes four seconds

QUESTION = "write users of Shop"


def test_a_retriever_of_llamaindex(workbench: Workbench) -> None:
    with warnings.catch_warnings():  # of LlamaIndex's own models, as they are imported
        warnings.simplefilter("ignore")
        from llama_index.core.base.base_retriever import BaseRetriever
        from llama_index.core.llms import MockLLM
        from llama_index.core.query_engine import RetrieverQueryEngine
        from llama_index.core.schema import MetadataMode, QueryBundle

        from core.frameworks.llamaindex import SpecloupeRetriever

    retriever = SpecloupeRetriever(workbench)
    assert isinstance(retriever, BaseRetriever)
    nodes = retriever.retrieve(QUESTION)
    expected = found(workbench, QUESTION, changes={})
    assert [(n.node_id, n.text, n.score) for n in nodes] == [
        (each.id, each.text, each.score) for each in expected
    ]
    assert {each.metadata["depth"] for each in nodes} > {0}
    assert len(SpecloupeRetriever(workbench, k=2).retrieve(QUESTION)) == 2
    assert nodes[0].metadata["label"] == "POST /users"
    assert nodes[0].node.get_content(MetadataMode.LLM) == nodes[0].text

    assert finished(retriever.aretrieve(QueryBundle(QUESTION))) == nodes
    narrowed = SpecloupeRetriever(
        workbench, apis=["bank"], filter_metadata={"type": "operation"}, max_depth=0, min_score=0.0
    ).retrieve(QUESTION)
    assert narrowed
    assert {each.metadata["source_file"] for each in narrowed} == {"bank"}
    assert {each.metadata["type"] for each in narrowed} == {"operation"}

    engine = RetrieverQueryEngine.from_args(retriever, llm=MockLLM(max_tokens=8))
    assert [each.node_id for each in engine.query(QUESTION).source_nodes] == [
        each.node_id for each in nodes
    ]

    with pytest.raises(SettingsError, match="depht"):
        SpecloupeRetriever(workbench, max_depht=1).retrieve(QUESTION)
    with pytest.raises(UnknownId, match="Did you mean shop"):
        SpecloupeRetriever(workbench, apis=["shp"]).retrieve(QUESTION)
