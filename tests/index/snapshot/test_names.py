"""A name leads to all rows that are called so, and a read index that is older to the same ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.index.snapshot.arrays import ArrayWriter, open_arrays
from core.index.snapshot.names import Names, write_names
from core.index.snapshot.texts import Texts, write_texts

ROWS = [  # ids and operationIds
    ("a.json:components/schemas/Pet Shop", ""),
    ("a.json:components/schemas/Pet Shop:part-2", ""),
    ("a.json:components/schemas/a%3Ab", ""),
    ("a.json:info", ""),
    ("a.json:paths/pets/get", "listPets"),
    ("a.json:paths/pets/post", ""),
    ("b.json:components/schemas/LISTPETS", ""),
    ("b.json:paths/straße/get", "Straße"),
    ("b.json:webhooks/new Pet/post", "petMade"),
    ("b.json:webhooks/petSold/post", "PetSold"),
]


@pytest.fixture(params=["new", "old"])
def names(tmp_path: Path, request: pytest.FixtureRequest) -> Names:
    """Of a read index; an old one has no table of names."""
    ids, operation_ids = zip(*ROWS, strict=True)
    writer = ArrayWriter(tmp_path)
    write_texts(writer, "ids", ids)
    write_texts(writer, "operation_ids", operation_ids)
    if request.param == "new":
        write_names(writer, ids, operation_ids)
    writer.finish({})
    arrays = open_arrays(tmp_path)
    return Names(arrays, Texts(arrays, "ids"), Texts(arrays, "operation_ids"))


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("listpets", [4, 6]),
        ("pet shop", [0]),
        ("A:B", [2]),
        ("STRASSE", [7]),
        ("new pet", [8]),
        ("PetMade", [8]),
        ("petsold", [9]),
        ("pets", []),
        ("info", []),
        ("", []),
        ("\ud800", []),
    ],
)
def test_a_name_in_any_case_leads_to_its_rows(names: Names, name: str, rows: list[int]) -> None:
    assert names.rows(name) == rows


def test_rows_are_called_as_it_is_written(names: Names) -> None:
    assert names.of(2) == ("a:b",)
    assert names.of(3) == ()
    assert names.of(8) == ("petMade", "new Pet")


def test_names_with_blanks_are_known(names: Names) -> None:
    assert names.with_blanks() == [0, 8]


def test_every_name_is_given_for_each_row(names: Names) -> None:
    wanted = ["pet shop", "a:b", "listpets", "listpets", "strasse", "petmade", "new pet"]
    assert list(names.all()) == [*wanted, "petsold"]
