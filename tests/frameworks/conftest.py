"""Two small APIs in a store, whose operations refer to schemas."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.apis import api, write
from support.stores import ingested, opened

from core import Workbench


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    folder = tmp_path_factory.mktemp("frameworks")
    user = {"type": "object", "properties": {"card": {"$ref": "#/components/schemas/Card"}}}
    schemas = {"User": user, "Card": {"type": "object"}}
    paths = ["/users", "/cards", "/orders"]
    files = {f"{n}.json": api(n.title(), paths=paths, schemas=schemas) for n in ("shop", "bank")}
    with opened(folder / "store") as shared:
        ingested(shared, write(folder / "in", files))
        yield shared
