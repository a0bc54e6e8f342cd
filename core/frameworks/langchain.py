"""A store as a retriever of LangChain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

try:
    from langchain_core.callbacks import (
        AsyncCallbackManagerForRetrieverRun,
        CallbackManagerForRetrieverRun,
    )
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.runnables import run_in_executor
    from pydantic import ConfigDict
except ImportError as error:
    raise ImportError("LangChain is an extra: install `specloupe[langchain]`.") from error

from core.frameworks.found import Found, found
from core.workbench.workbench import Workbench


class SpecloupeRetriever(BaseRetriever):
    """The context for a question as documents: results first, then what they refer to.

    `invoke` and `ainvoke` take `k`, `apis`, `filter_metadata` and settings by name, for one
    question, in place of its own. A document's metadata say what the chunk says of itself, its
    `score`, its `depth` (0 for a result, else the references from one) and the way there, `via`.
    Raises SpecloupeError.
    """

    model_config = ConfigDict(extra="forbid")  # a setting beside `settings` would change nothing

    workbench: Workbench
    k: int | None = None  # documents; the settings decide without it
    apis: Sequence[str] = ()  # file ids; none means all
    filter_metadata: Mapping[str, Any] | None = None
    settings: Mapping[str, Any] = {}  # by name, where they differ from the workbench's

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun | None = None,
        k: int | None = None,
        apis: Sequence[str] | None = None,
        filter_metadata: Mapping[str, Any] | None = None,
        **changes: Any,
    ) -> list[Document]:
        results = found(
            self.workbench,
            query,
            k=self.k if k is None else k,
            apis=self.apis if apis is None else apis,
            filter_metadata=self.filter_metadata if filter_metadata is None else filter_metadata,
            changes={**self.settings, **changes},
        )
        return [_document(each) for each in results]

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun | None = None,
        **changes: Any,
    ) -> list[Document]:
        return await run_in_executor(None, self._get_relevant_documents, query, **changes)


def _document(each: Found) -> Document:
    metadata = {**each.metadata, "score": each.score}
    return Document(id=each.id, page_content=each.text, metadata=metadata)
