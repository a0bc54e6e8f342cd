"""Stores of small APIs whose answers tell which version of a store gave them."""

from __future__ import annotations

import shutil
from pathlib import Path

from support.apis import api, write

from core import Workbench
from core.model import JSON, KnowledgeContext
from core.settings import Settings

# The embedder for tests; no time-out, because a shared machine stalls now and then.
QUICK = Settings.from_values({"embedder": "hash", "timeout_ms": 600_000, "log_stats": False})
QUESTIONS = (
    "write users of Shop",
    "read cards",
    "schema User",
    "Which operation writes /orders?",
    "error 404 of cards",
)
NAMES = ("Bank", "Cinema", "Shop")


def opened(store: Path, **changes: bool | int | float | str) -> Workbench:
    return Workbench.open(store, settings=QUICK.replace(**changes))


def ingested(workbench: Workbench, source: Path) -> None:
    for _ in workbench.ingest([source]):
        pass


def copied(store: Path, target: Path) -> Path:
    """A copy of a store without statistics and drafts, which whoever has it open may write."""
    ignore = shutil.ignore_patterns("statistics.sqlite*", ".*.*")
    return Path(shutil.copytree(store, target, ignore=ignore))


def version(folder: Path, number: int) -> Path:
    """Sources in which every API, and every path of it, says which version it is."""
    paths = [f"/v{number}/{name}" for name in ("users", "cards", "orders")]
    user = {"type": "object", "title": f"v{number}", "properties": {"card": _ref("Card")}}
    card = {"type": "object", "title": f"v{number}", "properties": {"owner": _ref("User")}}
    files = {
        f"{name.lower()}.json": api(name, paths=paths, schemas={"User": user, "Card": card})
        for name in NAMES
    }
    return write(folder, files)


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


def plain(context: KnowledgeContext, *, without: tuple[str, ...] = ()) -> dict[str, JSON]:
    """A context as JSON values, but for what it took and these figures."""
    values = context.to_dict()
    for key in ("milliseconds", *without):
        del values["retrieval_stats"][key]
    return values
