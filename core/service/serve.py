"""A server for the REST application, in one process or several that share the mapped index."""

from __future__ import annotations

import dataclasses
import json
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.service.counts import share_counts_in
from core.service.guard import Rules
from core.service.patience import UVICORN
from core.settings import resolve
from core.workbench.workbench import Workbench

if TYPE_CHECKING:
    from fastapi import FastAPI

_SERVED = "SPECLOUPE_SERVED"  # what worker processes are told
_TOKEN = "SPECLOUPE_SERVED_TOKEN"
_SILENT_S = 30  # that a worker may say nothing: one that starts on a busy machine is not stuck


@dataclass(frozen=True, slots=True)
class Served:
    """What is served, from where, and to whom."""

    store: str
    host: str
    port: int
    hosts: tuple[str, ...]
    origins: tuple[str, ...] = ()
    workers: int = 1
    most_concurrent: int = 32
    settings_file: str = ""
    profile: str = ""


def serve(served: Served, token: str) -> None:
    """Answer until somebody stops it; those at work then have ten seconds."""
    import uvicorn

    os.environ[_SERVED] = json.dumps(dataclasses.asdict(served))
    os.environ[_TOKEN] = token
    with tempfile.TemporaryDirectory(prefix="specloupe-metrics-") as counts:
        if served.workers > 1:
            share_counts_in(counts)
            # a thread of each process would keep freed memory of its own
            os.environ.setdefault("MALLOC_ARENA_MAX", "2")
        uvicorn.run(
            "core.service.serve:application",
            factory=True,
            host=served.host,
            port=served.port,
            workers=served.workers,
            timeout_worker_healthcheck=_SILENT_S,
            **UVICORN,
        )


def application() -> FastAPI:
    """What each worker runs."""
    from core.service.rest import rest

    served = Served(**json.loads(os.environ[_SERVED]))
    file = Path(served.settings_file) if served.settings_file else None
    found = resolve({}, file=file, environment=os.environ, profile=served.profile)
    workbench = Workbench.open(served.store, settings=found.settings, create=False, apart=True)
    os.environ["SPECLOUPE_STORE"] = workbench.store  # by whose name errors call it
    workbench.warm()
    rules = Rules(
        tuple(served.hosts),
        tuple(served.origins),
        os.environ[_TOKEN],
        most_concurrent=served.most_concurrent,
    )
    return rest(workbench, rules)
