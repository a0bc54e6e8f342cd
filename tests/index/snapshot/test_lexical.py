from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.index.snapshot import lexical_writer
from core.index.snapshot.arrays import ArrayWriter, open_arrays
from core.index.snapshot.lexical import LexicalIndex
from core.index.snapshot.lexical_writer import LexicalWriter
from core.index.snapshot.snapshot import StoredFile
from core.retrieve.lookups.words_used import WordsUsed

on_disk = settings(deadline=None, max_examples=40)  # each example writes files
WORDS = ["user", "order", "page", "card", "stem"]  # each its own stem

documents = st.lists(st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join), max_size=12)
queries = st.lists(st.sampled_from([*WORDS, "unknown"]), max_size=5)


def indexed(texts: Sequence[str]) -> LexicalIndex:
    with TemporaryDirectory() as folder, TemporaryDirectory() as scratch:
        writer = ArrayWriter(Path(folder))
        lexical = LexicalWriter(writer, Path(scratch))
        lexical.add(texts[:2])
        lexical.add(texts[2:])
        lexical.finish()
        writer.finish({})
        return LexicalIndex(open_arrays(Path(folder)))


def copied(index: LexicalIndex, rows: Sequence[slice]) -> LexicalIndex:
    with TemporaryDirectory() as folder, TemporaryDirectory() as scratch:
        writer = ArrayWriter(Path(folder))
        lexical = LexicalWriter(writer, Path(scratch))
        for part in rows:
            lexical.copy(index, part)
        lexical.finish()
        writer.finish({})
        return LexicalIndex(open_arrays(Path(folder)))


def naive(texts: Sequence[str], query: Sequence[str]) -> list[float]:
    """BM25 word for word as it is defined."""
    split = [text.split() for text in texts]
    average = sum(map(len, split)) / len(split) if any(split) else 1
    scores = []
    for words in split:
        counts, score = Counter(words), 0.0
        for term in set(query):
            holding = sum(term in other for other in split)
            idf = math.log(1 + (len(split) - holding + 0.5) / (holding + 0.5))
            norm = 1.2 * (1 - 0.75 + 0.75 * len(words) / average)
            score += idf * counts[term] * 2.2 / (counts[term] + norm)
        scores.append(score)
    return scores


def test_a_score_computed_by_hand() -> None:
    # 3 rows of 2, 1 and 3 terms, 2 on average; "order" is in rows 0 and 2: idf = ln(1 + 1.5/2.5)
    index = indexed(["order card", "card", "order order page"])
    idf = math.log(1.6)
    expected = [idf * 2.2 / (1 + 1.2), 0, idf * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 1.5))]
    np.testing.assert_allclose(index.scores(["order"]), expected, rtol=1e-6)


@on_disk
@given(documents, queries)
def test_scores_are_those_of_the_definition(texts: list[str], query: list[str]) -> None:
    scores = indexed(texts).scores(query)
    assert scores.dtype == np.float32
    np.testing.assert_allclose(scores, naive(texts, query), rtol=1e-5)


@on_disk
@given(documents, queries)
def test_no_score_exceeds_the_best(texts: list[str], query: list[str]) -> None:
    index = indexed(texts)
    shares = index.shares(query)
    assert all(index.scores(query) <= index.best(query) * (1 + 1e-5))
    assert all((shares >= 0) & (shares <= 1))
    assert ((shares > 0) == (index.scores(query) > 0)).all()


def test_the_row_with_most_of_the_only_word_has_the_whole_share() -> None:
    assert indexed(["card card", "card order page", "page"]).shares(["card"]).max() == 1


def test_unknown_words_lower_every_share() -> None:
    index = indexed(["card order", "page"])
    np.testing.assert_allclose(index.shares(["card", "zebra"]), index.shares(["card"]) / 2)


@on_disk
@given(documents, queries, st.integers(0, 12))
def test_local_scores_are_those_of_each_file_alone_but_for_the_average(
    texts: list[str], query: list[str], cut: int
) -> None:
    """What retrieval adds to the index: a word's rarity inside the row's own file."""
    texts = [f"{text} {' '.join(['page'] * (8 - len(text.split())))}" for text in texts]
    cut = min(cut, len(texts))
    bounds = np.array([0, cut, len(texts)])
    files = [StoredFile(f"{at}.json", str(at), "", *bounds[at : at + 2].tolist()) for at in (0, 1)]
    reader: Any = SimpleNamespace(lexicon=indexed(texts), bounds=bounds, files=files, derived={})
    both = [*naive(texts[:cut], query), *naive(texts[cut:], query)]
    for found in WordsUsed(reader).scores([query, query[:1], query[::-1]], local=1)[::2]:
        np.testing.assert_allclose(found, both, rtol=1e-5)


@on_disk
@given(documents, st.integers(1, 7))
def test_the_size_of_a_block_changes_nothing(texts: list[str], size: int) -> None:
    whole = indexed(texts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lexical_writer, "_BLOCK", size)
        assert same(indexed(texts), whole)


@pytest.mark.thorough
@on_disk
@given(documents, st.integers(0, 12), st.integers(0, 12))
def test_copied_rows_are_as_if_indexed(texts: list[str], first: int, second: int) -> None:
    start, stop = sorted(min(n, len(texts)) for n in (first, second))
    kept = [slice(0, start), slice(stop, len(texts))]
    assert same(copied(indexed(texts), kept), indexed([*texts[:start], *texts[stop:]]))


def test_a_term_that_fills_a_long_text_is_counted_up_to_a_byte() -> None:
    index = indexed(["card " * 300, "page"])
    posted = index.postings("card")
    assert posted is not None
    assert posted.rows.tolist() == [0]
    assert index.lengths.tolist() == [300, 1]


def test_postings_of_an_unknown_term() -> None:
    assert indexed(["card"]).postings("zebra") is None


def same(one: LexicalIndex, other: LexicalIndex) -> bool:
    return (
        list(one.vocabulary) == list(other.vocabulary)
        and one.lengths.tolist() == other.lengths.tolist()
        and all((a == b).all() for a, b in zip(one.table, other.table, strict=True))
    )
