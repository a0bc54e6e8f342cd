"""Documents that are read together: whole, and packed."""

from __future__ import annotations

import pytest
from support.code import read

from core.index.write.held import Held

TEXT = "def f(): return g()\n"


def held() -> Held:
    made = Held()
    made.put("a.py", read(TEXT, "a.py"), packed=True)
    made.put("b.py", read(TEXT, "b.py"), packed=False)
    return made


def test_what_was_packed_is_as_it_was() -> None:
    documents = held()
    assert [*documents] == ["a.py", "b.py"]
    assert len(documents) == 2
    for file in documents:
        assert documents[file].value == read(TEXT, file).value
        assert documents[file].content_hash == read(TEXT, file).content_hash
    assert documents["a.py"] is not documents["a.py"]
    assert documents["b.py"] is documents["b.py"]


def test_some_of_them() -> None:
    part = held().among(["a.py"])
    assert [*part] == ["a.py"]
    assert part["a.py"].value == read(TEXT, "a.py").value
    with pytest.raises(KeyError):
        part["b.py"]


def test_what_is_dropped_is_not_there() -> None:
    documents = held()
    for file in ("a.py", "b.py", "c.py"):
        documents.drop(file)
    assert "a.py" not in documents
    assert len(documents) == 0
