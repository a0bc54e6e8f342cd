"""The catalogue entry and the report of a file, as they are kept beside its original."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import orjson

from core.index.disk.records import read_catalog
from core.index.disk.values import only_fields
from core.model import CatalogEntry, UnresolvedRef
from core.read.document import Finding, SpecReport


@dataclass(frozen=True, slots=True)
class Facts:
    catalog: CatalogEntry | None  # None for a file that is no API description
    report: SpecReport


def pack_facts(facts: Facts) -> bytes:
    """Equal facts give equal bytes: how long a file took is left out."""
    report = replace(facts.report, seconds=0.0)
    return orjson.dumps({"catalog": facts.catalog, "report": report})


def unpack_facts(packed: bytes) -> Facts:
    values = orjson.loads(packed)
    catalog = values["catalog"]
    return Facts(catalog and read_catalog(orjson.dumps(catalog)), _report(values["report"]))


def _report(values: Mapping[str, Any]) -> SpecReport:
    unresolved = tuple(
        UnresolvedRef(**{**only_fields(UnresolvedRef, item), "nearest": tuple(item["nearest"])})
        for item in values["unresolved"]
    )
    findings = tuple(Finding(**only_fields(Finding, item)) for item in values["findings"])
    return SpecReport(
        **{**only_fields(SpecReport, values), "unresolved": unresolved, "findings": findings}
    )
