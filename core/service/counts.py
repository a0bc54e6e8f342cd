"""The folder in which worker processes share their counts, as `prometheus_client` wants it named.

It must be in the environment before `prometheus_client` is imported, so nothing here imports that.
"""

from __future__ import annotations

import os

_FOLDER = "PROMETHEUS_MULTIPROC_DIR"


def share_counts_in(folder: str) -> None:
    """Worker processes that start from here on count together."""
    os.environ[_FOLDER] = folder


def are_shared() -> bool:
    return _FOLDER in os.environ
