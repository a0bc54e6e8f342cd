"""Many files of one home count as one; a file without a home is one by itself."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.testing import assert_array_equal

from core.index.snapshot.snapshot import StoredFile
from core.retrieve.lookups.homes import Homes


@dataclass
class Reader:
    files: tuple[StoredFile, ...]


def homes(*files: tuple[str, str]) -> Homes:
    """Of files with their homes, one row each."""
    each = enumerate(files)
    stored = (StoredFile(f"{name}.json", name, "", n, n + 1, home) for n, (name, home) in each)
    return Homes(Reader(tuple(stored)))  # type: ignore[arg-type]


MIXED = homes(("a", "kb"), ("b", "kb"), ("shop", ""), ("c", "kb"))
APIS = homes(("shop", ""), ("bank", ""))


def test_files_of_one_home_count_once() -> None:
    assert (len(MIXED), list(MIXED.names)) == (2, ["kb", "shop"])
    assert MIXED.of_many == {"kb": ("a", "b", "c")}
    assert_array_equal(MIXED.of_file, [0, 0, 1, 0])


def test_what_speaks_for_a_home_is_said_of_all_its_files() -> None:
    most = MIXED.most(np.array([0.1, 0.4, 0.3, 0.2], np.float32))
    assert_array_equal(most, np.array([0.4, 0.4, 0.3, 0.4], np.float32))
    assert_array_equal(MIXED.each_home(most), np.array([0.4, 0.3], np.float32))
    assert_array_equal(MIXED.each_file(np.array([1, 2], np.float32)), [1, 1, 2, 1])
    assert_array_equal(MIXED.total(np.array([5, 6, 7, 8])), [19, 7])


def test_where_every_file_is_a_home_nothing_is_added_up() -> None:
    values = np.array([0.2, 0.1], np.float32)
    assert not APIS.is_shared
    assert APIS.of_many == {}
    for same in (APIS.most, APIS.each_file, APIS.each_home):
        assert same(values) is values
    counts = np.array([3, 4])
    assert APIS.total(counts) is counts


def test_a_base_may_be_called_as_an_api_is() -> None:
    assert len(homes(("a", "shop"), ("shop", ""))) == 2
