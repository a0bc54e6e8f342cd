"""A document by its chunk, its own id, its path and its file id."""

from __future__ import annotations

from pathlib import Path

from support.larkfield import ADR, DES, LIMITS, made

from core.retrieve.documents.names import chunk_id_of


def test_each_name_of_a_document(tmp_path: Path) -> None:
    with made(tmp_path) as workbench:
        reader = workbench._newest.reader()
        for name in (DES, "DES-1", "docs/design/refunds.md", "docs/design/refunds"):
            assert chunk_id_of(name, reader) == DES
        assert chunk_id_of("ADR-1", reader) == ADR
        assert chunk_id_of(LIMITS, reader) == LIMITS
        assert chunk_id_of("nowhere.md", reader) == "nowhere.md"
