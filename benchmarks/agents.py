"""Ten tasks of several steps, solved through our tools and through a server that lists operations.

A task is: which operation does it, which schemas does it need, and which operations depend on one
of them. The agent is a script that makes the calls that each server allows and nothing more, so
calls and tokens are the least that a model needs. Tokens are those of our list of tools, of each
call's arguments and of each answer. What is right is found by walking the specifications' `$ref`s.

    uv run --locked --group dev python -m benchmarks.agents
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
from mcp.shared.memory import create_connected_server_and_client_session as connected

from core import Settings, Workbench
from core.model import JSON, ChunkType
from core.service.agents import agents
from core.tokens import counter

SAMPLES = Path(__file__).parents[1] / "samples"
TOKENS = counter("cl100k_base")


@dataclass(frozen=True, slots=True)
class Task:
    question: str
    operation: str  # its chunk id
    schema: str  # whose dependents are asked for


TASKS = tuple(
    Task(question, f"{file}:paths/{operation}", f"{file}:components/schemas/{schema}")
    for question, file, operation, schema in (
        ("Register a new customer account", "shop.json", "users/post", "Address"),
        ("Place an order", "shop.json", "orders/post", "Order"),
        (
            "Give money back for a payment",
            "shop.json",
            "payments/{payment_id}/refunds/post",
            "Refund",
        ),
        (
            "Change the stock of a product",
            "shop.json",
            "products/{product_id}/stock/put",
            "Product",
        ),
        ("Open a support ticket", "ticketing.json", "tickets/post", "Ticket"),
        ("Comment on a ticket", "ticketing.json", "tickets/{ticketId}/comments/post", "Comment"),
        ("Send one message to a recipient", "notify.yaml", "messages/post", "Message"),
        ("Subscribe a webhook to events", "notify.yaml", "subscriptions/post", "Subscription"),
        ("Make a new playlist", "media.yaml", "playlists/post", "Playlist"),
        (
            "Start a multipart upload",
            "files/storage.yaml",
            "buckets/{bucket}/uploads/post",
            "Upload",
        ),
    )
)


@dataclass(slots=True)
class Tally:
    """What a task took, and what is known at its end."""

    calls: int = 0
    tokens: int = 0
    found: set[str] = field(default_factory=set)  # operations that were named as fitting
    schemas: set[str] = field(default_factory=set)  # ids whose content was read
    dependents: set[str] = field(default_factory=set)

    def add(self, arguments: object, answer: str) -> None:
        self.calls += 1
        self.tokens += TOKENS.count(json.dumps(arguments)) + TOKENS.count(answer)

    def solves(self, task: Task, workbench: Workbench) -> bool:
        return (
            task.operation in self.found
            and needed(task.operation, workbench) <= self.schemas
            and dependents(task.schema, workbench) <= self.dependents
        )


def needed(id: str, workbench: Workbench) -> set[str]:
    """The schemas that an element refers to, directly and through others."""
    seen: set[str] = set()
    waiting = [id]
    while waiting:
        file = (at := waiting.pop()).partition(":")[0]
        for target in refs(workbench.show(at)[1]):
            if (ref := f"{file}:{target}") not in seen:
                seen.add(ref)
                waiting.append(ref)
    return {each for each in seen if ":components/schemas/" in each}


def refs(body: JSON) -> Iterator[str]:
    if isinstance(body, dict):
        ref = body.get("$ref")
        if isinstance(ref, str) and ref.startswith("#/components/"):
            yield "/".join(ref.removeprefix("#/").split("/")[:3])
        for value in body.values():
            yield from refs(value)
    elif isinstance(body, list):
        for value in body:
            yield from refs(value)


def operations(workbench: Workbench, file: str = "") -> list[str]:
    every = (c for c in workbench.chunks() if c.type is ChunkType.OPERATION and not c.part)
    return [c.id for c in every if c.id.startswith(f"{file}:") or not file]


def dependents(schema: str, workbench: Workbench) -> set[str]:
    return {
        id
        for id in operations(workbench, schema.partition(":")[0])
        if schema in needed(id, workbench)
    }


async def with_tools(task: Task, workbench: Workbench) -> Tally:
    """Search, take the context of what was found, ask who depends on the schema."""
    tally = Tally()
    async with connected(agents(workbench)._mcp_server) as client:
        listed = (await client.list_tools()).tools
        tally.tokens += TOKENS.count(json.dumps([t.model_dump(exclude_none=True) for t in listed]))

        async def call(name: str, **arguments: Any) -> list[str]:
            result = await client.call_tool(name, arguments)
            tally.add(arguments, result.content[0].text)  # type: ignore[union-attr]
            assert result.structuredContent is not None
            return list(result.structuredContent["ids"])

        tally.found.update(await call("search_api_docs", query=task.question, type="operation"))
        api, _, path = task.operation.partition(":paths/")
        path, _, method = path.rpartition("/")
        asked = f"{method.upper()} /{path}"
        found = await call("get_context", query=asked, apis=[api.rpartition(".")[0]])
        tally.schemas.update(found)
        for id in sorted(needed(task.operation, workbench) - tally.schemas):
            tally.schemas.update(await call("get_chunk", id=id))
        tally.dependents.update(await call("find_dependents", id=task.schema))
    return tally


def with_a_list(task: Task, workbench: Workbench) -> Tally:
    """List the operations, open one and each schema that it names; then all others of its file."""
    tally = Tally()
    listed = [f"{id} {workbench.look(id)[0].label}" for id in operations(workbench)]
    tally.add({}, "\n".join(listed))
    tally.found.update(operations(workbench))

    def opened(id: str) -> None:
        tally.add({"id": id}, json.dumps(workbench.show(id)[1]))
        tally.schemas.add(id)

    def with_all_it_needs(id: str) -> None:
        opened(id)
        for schema in sorted(needed(id, workbench) - tally.schemas):
            opened(schema)

    with_all_it_needs(task.operation)
    for other in operations(workbench, task.operation.partition(":")[0]):
        if other != task.operation:
            with_all_it_needs(other)
    tally.dependents = dependents(task.schema, workbench)  # all that it needs to know it has read
    return tally


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        Workbench.open(Path(folder) / "store", settings=Settings(log_stats=False)) as workbench,
    ):
        for _ in workbench.ingest([SAMPLES]):
            pass
        print("| task | calls | tokens | solved | of a list: calls | tokens |")
        print("|---|---:|---:|---|---:|---:|")
        rows = []
        for task in TASKS:
            ours, other = anyio.run(with_tools, task, workbench), with_a_list(task, workbench)
            rows.append((ours, other))
            solved = "yes" if ours.solves(task, workbench) else "no"
            figures = (
                f"{ours.calls} | {ours.tokens:,} | {solved} | {other.calls} | {other.tokens:,}"
            )
            print(f"| {task.question} | {figures} |", flush=True)
        calls, tokens, others, more = (
            sum(pick(*row) for row in rows)
            for pick in (
                lambda a, _: a.calls,
                lambda a, _: a.tokens,
                lambda _, b: b.calls,
                lambda _, b: b.tokens,
            )
        )
        print(f"| all | {calls} | {tokens:,} | | {others} | {more:,} |")


if __name__ == "__main__":
    main()
