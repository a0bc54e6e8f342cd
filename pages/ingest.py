"""Ingest."""

from ui.frame import frame

workbench = frame("Ingest")
