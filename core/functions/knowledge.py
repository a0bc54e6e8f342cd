"""The articles that a support message is answered from; unlike the other functions these never
raise."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Any

from core.functions.opened import workbench
from core.knowledge.answer import empty_sources
from core.model import JSON

_LOG = logging.getLogger("specloupe.knowledge")


def retrieve_knowledge(
    intent: str, message: str, metadata: Mapping[str, Any] | None = None
) -> dict[str, JSON]:
    """As `Workbench.retrieve_knowledge`; where no store can be opened the answer is empty too, and
    the reason is logged."""
    try:
        opened = workbench()
    except ValueError as error:
        _LOG.warning("No answer from articles: %s", error)
        return empty_sources()
    return opened.retrieve_knowledge(intent, message, metadata)


async def aretrieve_knowledge(
    intent: str, message: str, metadata: Mapping[str, Any] | None = None
) -> dict[str, JSON]:
    """`retrieve_knowledge` in a thread."""
    return await asyncio.to_thread(retrieve_knowledge, intent, message, metadata)
