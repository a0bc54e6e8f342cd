"""What is chosen as a whole: a file for an API, a base for articles, a root for documents and code.

Five thousand files of one root must not count as five thousand APIs, neither in the choice, nor in
what is rare, nor in the score. What speaks for a home is said of each of its files alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.retrieve.reader import ArrayReader, FileScores


class Homes:
    """The homes of a reader's files, in the order of their first files."""

    def __init__(self, reader: ArrayReader) -> None:
        numbers: dict[tuple[str, str], int] = {}
        names: list[str] = []
        of_file: list[int] = []
        for file in reader.files:
            # a base may be called as an API's file is: they are two
            key = (file.home, "") if file.home else ("", file.source_file)
            if key not in numbers:
                numbers[key] = len(names)
                names.append(file.home or file.source_file)
            of_file.append(numbers[key])
        self.names: Sequence[str] = names
        self.of_file: NDArray[np.intp] = np.array(of_file, np.intp)
        self.of_many = _of_many(reader)
        self.is_shared = len(names) < len(of_file)  # whether one has several files

    def __len__(self) -> int:
        return len(self.names)

    def total(self, by_file: NDArray[np.int64]) -> NDArray[np.int64]:
        """By home: the sum over its files."""
        if not self.is_shared:
            return by_file
        total = np.zeros(len(self), by_file.dtype)
        np.add.at(total, self.of_file, by_file)
        return total

    def most(self, by_file: FileScores) -> FileScores:
        """By file: the most that any file of its home has."""
        if not self.is_shared:
            return by_file
        most = np.full(len(self), -np.inf, by_file.dtype)
        np.maximum.at(most, self.of_file, by_file)
        return most[self.of_file]

    def each_file(self, by_home: FileScores) -> FileScores:
        """By file, of what is known by home."""
        return by_home[self.of_file] if self.is_shared else by_home

    def each_home(self, by_file: FileScores) -> FileScores:
        """By home, of what all of its files have alike."""
        if not self.is_shared:
            return by_file
        _, first = np.unique(self.of_file, return_index=True)
        return by_file[first]


def _of_many(reader: ArrayReader) -> Mapping[str, tuple[str, ...]]:
    """The file ids of every home that is not a file by itself."""
    found: dict[str, list[str]] = {}
    for file in reader.files:
        if file.home:
            found.setdefault(file.home, []).append(file.source_file)
    return {home: tuple(files) for home, files in found.items()}
