"""What `benchmarks.latency` measures of peers: the same questions, vectors and rows, in Chroma.

graph-retriever's Chroma adapter asks for an enumeration that chromadb no longer has, so the search
is written out here. Its edges come from a dictionary, which is faster than any layout in Chroma's
metadata. Both peers read a copy of the store's rows with Chroma's default configuration.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory
from typing import Any

import chromadb
from graph_retriever.content import Content
from graph_retriever.edges import Edges, IdEdge
from graph_retriever.strategies import Eager
from langchain_chroma import Chroma
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_graph_retriever import GraphRetriever
from langchain_graph_retriever._conversion import METADATA_EMBEDDING_KEY
from langchain_graph_retriever.adapters.chroma import ChromaAdapter

from benchmarks.reading import UNCACHED, Timings
from core import Workbench
from core.index.embed.embedder import Embedder, open_embedder
from core.index.snapshot.build import current
from core.index.snapshot.snapshot import Snapshot
from core.index.store import Store

RESULTS, DEPTH = UNCACHED.max_primary_results, UNCACHED.max_depth
UNBOUNDED = 1_000_000
WIDEST = {"max_total_chunks": 200, "token_limit": 200_000, "min_score": 0.0}
VECTORS_ALONE = {  # what the peers do: one vector, no reading of the question
    "mode": "semantic",
    "query_analysis": False,
    "clauses": False,
    "spelling": False,
    "identifiers": False,
    "intent_filter": "off",
    "api_filter": "off",
    "verb_boost": 0.0,
    "producer_share": 0.0,
    "second_look": "off",  # that is a second vector, by a second model
}
FILTER = {"type": "component"}
DEFAULT_EF = 100  # Chroma's


class Embedding(Embeddings):
    """Our embedder as LangChain takes one."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [vector.tolist() for vector in self._embedder.embed(texts)]

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]


class Adapter(ChromaAdapter):
    """The Chroma adapter for a chromadb without `IncludeEnum`."""

    def _search(
        self, embedding: list[float], k: int = 4, filter: Any = None, **options: Any
    ) -> list[Document]:
        found = self.vector_store._collection.query(
            query_embeddings=[embedding],
            n_results=k,
            where=filter,
            include=["documents", "metadatas", "embeddings"],
        )
        columns = (found[key][0] for key in ("ids", "documents", "metadatas", "embeddings"))
        return [
            Document(id=id, page_content=text, metadata={METADATA_EMBEDDING_KEY: v.tolist(), **m})
            for id, text, m, v in zip(*columns, strict=True)
        ]


def peers(store: Path, questions: Sequence[str]) -> dict[str, float]:
    """Times of the peers and of ours, and how much of the closure of the results each returns."""
    opened = Store.open(store)
    snapshot = current(opened.index, opened)
    ours = {
        "ours_semantic": {"mode": "semantic"},
        "ours_semantic_unbounded": {"mode": "semantic", **WIDEST},
        "ours_vectors_alone": VECTORS_ALONE,
        "ours_vectors_alone_unbounded": {**VECTORS_ALONE, **WIDEST},
    }
    with TemporaryDirectory() as scratch, Workbench.open(store, settings=UNCACHED) as workbench:
        workbench.warm()
        chroma = _chroma(opened, Path(scratch))
        plain = chroma.as_retriever(search_kwargs={"k": RESULTS})
        graph = _graph_retriever(chroma, snapshot)
        only = chroma.as_retriever(search_kwargs={"k": RESULTS, "filter": {**FILTER}})
        asks: dict[str, Callable[[str], Any]] = {
            "langchain_chroma": plain.invoke,
            "langchain_chroma_filtered": only.invoke,
            "graph_retriever": graph.invoke,
            "graph_retriever_filtered": lambda query: graph.invoke(query, filter={**FILTER}),
            "ours_vectors_alone_filtered": lambda query: workbench.retrieve(
                query, filter_metadata=FILTER, **VECTORS_ALONE
            ),
        }
        for name, changes in ours.items():
            asks[name] = lambda query, changes=changes: workbench.retrieve(query, **changes)
        timings = {name: Timings() for name in asks}
        shares: dict[str, list[float]] = {name: [] for name in asks}
        for ask in asks.values():
            ask("warm")
        for question in questions:
            for name, ask in asks.items():
                shares[name].append(_share(timings[name].time(ask, question), snapshot))
    figures = {k: v for name, t in timings.items() for k, v in t.figures(name).items()}
    figures |= {f"{name}_closure": mean(values) for name, values in shares.items()}
    taken = {name: median(t.wall) for name, t in timings.items()}
    return figures | {
        "graph_retriever_by_ours_unbounded": taken["graph_retriever"]
        / taken["ours_semantic_unbounded"],
        "graph_retriever_by_ours_vectors_alone_unbounded": taken["graph_retriever"]
        / taken["ours_vectors_alone_unbounded"],
        "ours_by_langchain_chroma": taken["ours_semantic"] / taken["langchain_chroma"],
        "ours_vectors_alone_by_langchain_chroma": taken["ours_vectors_alone"]
        / taken["langchain_chroma"],
    }


def _chroma(store: Store, scratch: Path) -> Chroma:
    shutil.copytree(store.place.local / "chroma", scratch / "chroma")
    client = chromadb.PersistentClient(str(scratch / "chroma"))
    rows = client.get_collection(store.manifest.collection, embedding_function=None)
    rows.modify(configuration={"hnsw": {"ef_search": DEFAULT_EF}})
    embedding = Embedding(open_embedder(UNCACHED.embedder, os.environ))
    return Chroma(rows.name, embedding, client=client)


def _graph_retriever(chroma: Chroma, snapshot: Snapshot) -> GraphRetriever:
    targets = {
        id: frozenset(map(IdEdge, snapshot.ref_ids(row))) for row, id in enumerate(snapshot.ids)
    }

    def edges(content: Content) -> Edges:
        return Edges({IdEdge(content.id)}, set(targets[content.id]))

    strategy = Eager(start_k=RESULTS, select_k=UNBOUNDED, adjacent_k=UNBOUNDED, max_depth=DEPTH)
    return GraphRetriever(store=Adapter(chroma), edges=edges, strategy=strategy)


def _share(answer: Any, snapshot: Snapshot) -> float:
    """How much of what its results lead to within the depth an answer holds; 1 when nothing."""
    if isinstance(answer, list):
        returned = {document.id for document in answer}
        results = [d.id for d in answer if d.metadata.get("_depth", 0) == 0][:RESULTS]
    else:
        returned = {item.chunk.id for item in answer.chunks}
        results = [item.chunk.id for item in answer.primary_chunks]
    wanted = closure(results, snapshot)
    return len(wanted & returned) / len(wanted) if wanted else 1.0


def closure(results: Collection[str], snapshot: Snapshot) -> set[str]:
    """Every chunk within the depth of some, without these."""
    reached = level = set(results)
    for _ in range(DEPTH):
        rows = [row for row in map(snapshot.row, level) if row is not None]
        level = {id for row in rows for id in snapshot.ref_ids(row)} - reached
        reached = reached | level
    return {id for id in reached - set(results) if snapshot.row(id) is not None}


def main() -> None:
    _, store, asked = sys.argv[1:]
    questions = json.loads(Path(asked).read_text(encoding="utf-8"))
    print(json.dumps(peers(Path(store), questions)))


if __name__ == "__main__":
    main()
