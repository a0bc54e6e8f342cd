"""A handful of documents beside an API, in one store: all relations, a history, two versions."""

from __future__ import annotations

from pathlib import Path

from support.apis import api, write
from support.stores import opened

from core import Workbench

FILES = {
    "docs/requirements/refunds.md": "---\nid: REQ-1\nstatus: approved\nversion: '1.3'\n"
    "subsystem: payments\n---\n# Refund rules\nMoney is returned within thirty days.\n",
    "docs/design/refunds.md": "---\nid: DES-1\nstatus: approved\nversion: '2.0'\n"
    "subsystem: payments\nimplements: REQ-1\nupdated: 2026-03-01\n---\n# Refund design\n"
    "Refunds are booked on a ledger.\n\n## Limits\nA refund never exceeds the captured amount; "
    "the call is [list](../../shop.json#/paths/~1users/get).\n",
    "docs/architecture/payments.md": "---\nid: ARCH-1\nstatus: approved\nversion: '2.0'\n"
    "subsystem: payments\nsatisfies: REQ-1\nsupersedes: ARCH-0\n---\n# Payments\n"
    "Payments and refunds go to a provider.\n",
    "docs/architecture/payments-old.md": "---\nid: ARCH-0\nstatus: approved\nversion: '1.0'\n"
    "---\n# Old payments\nPayments and refunds were charged at once.\n",
    "docs/adr/polling.md": "---\nid: ADR-1\nstatus: proposed\nsubsystem: orders\n---\n# Polling\n"
    "Partners poll for payments, see [the design](../design/refunds.md#limits).\n",
    "docs/code/ledger.md": "---\nid: CODE-1\ntype: code\nreferences: DES-1\n---\n# Ledger code\n"
    "The ledger of refunds in Python.\n",
    "docs/guide.md": "# Guide\nHow to read these documents.\n",
}
REQ, DES = "docs/requirements/refunds.md:document", "docs/design/refunds.md:document"
LIMITS = "docs/design/refunds.md:section/limits"
ARCH, OLD = "docs/architecture/payments.md:document", "docs/architecture/payments-old.md:document"
ADR, CODE = "docs/adr/polling.md:document", "docs/code/ledger.md:document"
GUIDE = "docs/guide.md:document"
CALL = "shop.json:paths/users/get"


def made(folder: Path) -> Workbench:
    """The store, open."""
    write(folder / "in", {**FILES, "shop.json": api("Shop")})
    workbench = opened(folder / "store")
    for _ in workbench.ingest([folder / "in"], formats=("all",)):
        pass
    return workbench
