"""`specloupe ingest` and `specs rm`: what goes into the store, and out of it."""

from __future__ import annotations
