"""Kinds of source: what reads, links, chunks and renders each."""
