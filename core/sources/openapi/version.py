"""Which chunker this is; apart from it, so that a reader of a store need not import it."""

from __future__ import annotations

CHUNKER = "6"  # of ids, texts, parts and renderings; what another made is to be chunked anew
