"""The retriever under LangChain's own tests, and what they do not ask."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from typing import Any

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.documents import Document
from langchain_tests.integration_tests import RetrieversIntegrationTests
from support.coroutines import finished

from core import SettingsError, UnknownId, Workbench
from core.frameworks.langchain import SpecloupeRetriever

QUESTION = "write users of Shop"
pytestmark = pytest.mark.slow  # the import alone takes two seconds


class TestStandard(RetrieversIntegrationTests):
    """LangChain's own; none is left out or changed."""

    @pytest.fixture(autouse=True)
    def over(self, workbench: Workbench) -> None:
        self.workbench = workbench

    @property
    def retriever_constructor(self) -> type[SpecloupeRetriever]:
        return SpecloupeRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"workbench": self.workbench}

    @property
    def retriever_query_example(self) -> str:
        return QUESTION


def test_documents_are_the_context(workbench: Workbench) -> None:
    context = workbench.retrieve(QUESTION)
    documents = SpecloupeRetriever(workbench=workbench).invoke(QUESTION)
    assert [each.id for each in documents] == [item.chunk.id for item in context.chunks]
    assert [each.page_content for each in documents] == [item.text for item in context.chunks]
    assert context.referenced_chunks, "something that a result refers to"
    for document, item in zip(documents, context.chunks, strict=True):
        said = document.metadata
        assert (said["depth"], said["via"]) == (item.depth, list(item.via))
        result = context.holder(item.via[0]) if item.via else item
        assert result is not None
        assert said["score"] == result.score


def test_a_question_may_be_narrowed_on_its_own(workbench: Workbench) -> None:
    """In place of what narrows the others."""
    retriever = SpecloupeRetriever(workbench=workbench, apis=["bank"])
    found = retriever.invoke(QUESTION, apis=["shop"], filter_metadata={"type": "operation"}, k=3)
    context = workbench.retrieve(
        QUESTION,
        apis=["shop"],
        filter_metadata={"type": "operation"},
        max_total_chunks=3,
        max_primary_results=3,
    )
    assert [each.id for each in found] == [item.chunk.id for item in context.chunks]
    with pytest.raises(UnknownId):
        retriever.invoke(QUESTION, apis=["nowhere"])


def test_a_field_that_it_has_not_is_refused(workbench: Workbench) -> None:
    """Settings are in `settings`; one beside them would change nothing."""
    with pytest.raises(ValueError, match="max_depth"):
        SpecloupeRetriever(workbench=workbench, max_depth=1)  # type: ignore[call-arg]


def test_what_narrows_a_question_holds(workbench: Workbench) -> None:
    retriever = SpecloupeRetriever(
        workbench=workbench,
        apis=["bank"],
        filter_metadata={"type": "operation"},
        settings={"max_depth": 0},
    )
    found = retriever.invoke(QUESTION, min_score=0.0)
    assert found
    assert {each.metadata["source_file"] for each in found} == {"bank"}
    assert {each.metadata["type"] for each in found} == {"operation"}
    deeper = retriever.invoke(QUESTION, min_score=0.0, max_depth=2)
    assert {each.metadata["depth"] for each in deeper} > {0}


def test_asynchronously_the_same(workbench: Workbench) -> None:
    retriever = SpecloupeRetriever(workbench=workbench)

    async def all_of_them() -> list[list[Document]]:
        return list(await asyncio.gather(*(retriever.ainvoke(QUESTION, k=n) for n in (1, 2))))

    assert finished(all_of_them()) == [retriever.invoke(QUESTION, k=n) for n in (1, 2)]


def test_it_is_a_runnable(workbench: Workbench) -> None:
    chain = SpecloupeRetriever(workbench=workbench, k=1) | (lambda found: found[0].page_content)
    one, other = chain.batch([QUESTION, "read cards"])
    assert "/users" in one
    assert "/cards" in other


def test_wrong_questions_are_our_errors_and_reach_callbacks(workbench: Workbench) -> None:
    class Heard(BaseCallbackHandler):
        errors: list[BaseException] = []  # noqa: RUF012

        def on_retriever_error(self, error: BaseException, **more: Any) -> None:
            self.errors.append(error)

    retriever = SpecloupeRetriever(workbench=workbench)
    heard: Any = {"callbacks": [Heard()]}
    with pytest.raises(SettingsError, match="depht"):
        retriever.invoke(QUESTION, heard, max_depht=1)
    with pytest.raises(SettingsError):
        retriever.invoke(QUESTION, heard, k=0)
    with pytest.raises(UnknownId, match="Did you mean shop"):
        SpecloupeRetriever(workbench=workbench, apis=["shp"]).invoke(QUESTION, heard)
    assert [type(error) for error in Heard.errors] == [SettingsError, SettingsError, UnknownId]


@pytest.mark.parametrize(
    ("missing", "module", "extra"),
    [
        ("langchain_core", "langchain", "specloupe[langchain]"),
        ("llama_index", "llamaindex", "specloupe[llamaindex]"),
    ],
)
def test_without_the_extra_it_says_what_to_install(missing: str, module: str, extra: str) -> None:
    code = f"import sys; sys.modules[{missing!r}] = None; import core.frameworks.{module}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode
    assert f"install `{extra}`" in done.stderr


def test_neither_is_imported_with_the_functions() -> None:
    code = "import core.functions, sys; print({'langchain_core', 'llama_index'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
