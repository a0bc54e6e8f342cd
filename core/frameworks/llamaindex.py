"""A store as a retriever of LlamaIndex."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

try:
    from llama_index.core.callbacks import CallbackManager
    from llama_index.core.retrievers import BaseRetriever
    from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
except ImportError as error:
    raise ImportError("LlamaIndex is an extra: install `specloupe[llamaindex]`.") from error

from core.frameworks.found import Found, found
from core.model import Where
from core.settings import Value
from core.workbench.workbench import Workbench


class SpecloupeRetriever(BaseRetriever):
    """The context for a question as nodes: results first, then what they refer to.

    `changes` are settings by name. A node has the chunk's id and says in its metadata what the
    chunk says of itself, its `depth` (0 for a result, else the references from one) and the way
    there, `via`; none of that gets into a prompt, for the text says it. Raises SpecloupeError.
    """

    def __init__(
        self,
        workbench: Workbench,
        *,
        k: int | None = None,  # nodes; the settings decide without it
        apis: Sequence[str] = (),
        filter_metadata: Where | None = None,
        callback_manager: CallbackManager | None = None,
        **changes: Value,
    ) -> None:
        super().__init__(callback_manager)
        self._workbench, self._k, self._apis = workbench, k, tuple(apis)
        self._filter, self._changes = filter_metadata, changes

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        results = found(
            self._workbench,
            query_bundle.query_str,
            k=self._k,
            apis=self._apis,
            filter_metadata=self._filter,
            changes=self._changes,
        )
        return [NodeWithScore(node=_node(each), score=each.score) for each in results]

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return await asyncio.to_thread(self._retrieve, query_bundle)


def _node(each: Found) -> TextNode:
    return TextNode(
        id_=each.id,
        text=each.text,
        metadata={**each.metadata},
        excluded_llm_metadata_keys=list(each.metadata),
        excluded_embed_metadata_keys=list(each.metadata),
    )
