"""The catalogue entry and the report of a file, as they are kept beside its original."""

from __future__ import annotations

from dataclasses import dataclass, replace

import orjson

from core.convert import structure
from core.model import CatalogEntry
from core.read.document import SpecReport


@dataclass(frozen=True, slots=True)
class Facts:
    catalog: CatalogEntry | None  # None for a file that is no API description
    report: SpecReport


def pack_facts(facts: Facts) -> bytes:
    """Equal facts give equal bytes: how long a file took is left out."""
    report = replace(facts.report, seconds=0.0)
    return orjson.dumps({"catalog": facts.catalog, "report": report})


def unpack_facts(packed: bytes) -> Facts:
    return structure(Facts, orjson.loads(packed))
