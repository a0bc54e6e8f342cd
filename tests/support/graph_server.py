"""A graph database in memory that does what the queries of `core.graphdb` ask for, and no more.

What they ask for is in their text; whether a real server reads them so, `test_bolt.py` tests.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from core.errors import GraphUnavailable
from core.graphdb.server import Rows

Parameters = Mapping[str, Any]


@dataclass
class GraphServer:
    """`before` is called with each query, and may raise or change what is there."""

    uri: str = "bolt://memory"
    stores: dict[str, dict[str, Any]] = field(default_factory=dict)
    nodes: dict[str, dict[str, Any]] = field(default_factory=dict)  # by key
    relations: dict[tuple[str, str, str], dict[str, Any]] = field(default_factory=dict)
    before: Callable[[str], None] = lambda query: None
    asked: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def run(self, query: str, parameters: Parameters, seconds: float) -> Rows:
        self.seconds.append(seconds)
        return self.write(query, parameters)

    def write(self, query: str, parameters: Parameters) -> Rows:
        self.asked.append(query)
        self.before(query)
        return self._done(query, deepcopy(parameters))

    def close(self) -> None:
        self.asked.append("close")

    def _done(self, query: str, p: Parameters) -> Rows:
        if query.startswith("CREATE CONSTRAINT"):
            return []
        if query.startswith("MERGE (s:SpecloupeStore"):
            self.stores[p["store"]] = {"push": p["push"], "generation": ""}
            return [[p["store"]]]
        if query.startswith("UNWIND $keys"):
            return self._neighbours(p, inverse="<-[r]-" in query)
        store = self.stores.get(p["store"])
        if store is None or ("$push" in query and store["push"] != p["push"]):
            return [[0]] if "count(" in query else [[[]]] if "collect(" in query else []
        if "collect(n.key)" in query:
            return [[self._put(p["rows"], *re.findall(r"(MATCH|CREATE) \(n:([\w:]+)", query)[0])]]
        if "MERGE (a)" in query:
            return [[self._related(p, *re.findall(r"\(b:(\w+).*\[r:`(\w+)`\]", query)[0])]]
        if "DELETE" in query:
            return [[self._removed(query, p)]]
        if "SET s.generation" in query:
            store["generation"] = p["generation"]
            return [[p["store"]]]
        return [[store["generation"] if "s.generation" in query else p["store"]]]

    def _put(self, rows: list[dict[str, Any]], how: str, labels: str) -> list[str]:
        done = []
        for row in rows:
            if how == "CREATE":
                assert row["key"] not in self.nodes
                self.nodes[row["key"]] = {"labels": labels.split(":")}
            elif labels not in self.nodes.get(row["key"], {"labels": []})["labels"]:
                continue
            self.nodes[row["key"]].update(row)
            done.append(row["key"])
        return done

    def _related(self, p: Parameters, label: str, type: str) -> int:
        count = 0
        for row in p["rows"]:
            source, target = row["source"], row["target"]
            if source in self.nodes and label in self.nodes.get(target, {"labels": []})["labels"]:
                self.relations.setdefault((source, type, target), {}).update(row["said"])
                count += 1
        return count

    def _removed(self, query: str, p: Parameters) -> int:
        def old(said: Mapping[str, Any]) -> bool:
            return bool(said["generation"] != p["generation"])

        if "DETACH" not in query:
            gone = [
                k for k, r in self.relations.items() if old(r) and self._store(k[0]) == p["store"]
            ]
            for key in gone[: p["most"]]:
                del self.relations[key]
            return len(gone[: p["most"]])
        label = re.findall(r"\(n:(\w+)", query)[0]
        keys = [
            key
            for key, n in self.nodes.items()
            if label in n["labels"] and n["store"] == p["store"] and old(n)
        ][: p["most"]]
        for key in keys:
            del self.nodes[key]
        self.relations = {
            k: r for k, r in self.relations.items() if k[0] not in keys and k[2] not in keys
        }
        return len(keys)

    def _store(self, key: str) -> str:
        return str(self.nodes[key]["store"])

    def _neighbours(self, p: Parameters, *, inverse: bool) -> Rows:
        if p["store"] not in self.stores:
            return []
        found = []
        for key in p["keys"]:
            ends: dict[str, list[list[Any]]] = {}
            for (source, _, target), said in self.relations.items():
                own, other = (target, source) if inverse else (source, target)
                is_wanted = p["every"] or {*said["labels"]} & {*p["relations"]}
                is_wanted = is_wanted and "Chunk" in self.nodes[own]["labels"]
                if own == key and said["generation"] == p["generation"] and is_wanted:
                    told = [said["at"], said["labels"], said["places"]]
                    ends.setdefault(other, []).append(told)
            listed = [[self.nodes[o]["id"], self.nodes[o]["row"], said] for o, said in ends.items()]
            listed.sort(key=lambda each: each[1])
            if listed:
                found.append([self.nodes[key]["id"], listed[: p["limit"]]])
        return [[self.stores[p["store"]]["generation"], found]]


def gone(query: str) -> None:
    """What a server does that is not there."""
    raise GraphUnavailable("bolt://memory cannot be reached (ServiceUnavailable).")
