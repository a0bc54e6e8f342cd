"""Exchange labelled sets with BEIR, TREC and ragas.

Their judgements know no groups of alternatives: on export every label becomes a relevant
document; on import all relevant documents are required, or any one is enough (`any_of`).
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from core.errors import EvalSetError
from core.evaluate.sets import sets
from core.evaluate.sets.gold import Gold
from core.evaluate.sets.sample import EvalSet, Sample
from core.model import Chunk

GRADE = r"-?[0-9]{1,4}"
SAFE = "/:{}()[]<>,;=&?#@!$'*+|~^`\"\\-._"  # what TREC tools leave alone; blanks and % are encoded


def trec_name(text: str) -> str:
    """The text without spaces, as columns of TREC files want it."""
    return quote(text, safe=SAFE) or "_"


def to_qrels(eval_set: EvalSet, gold_of: Callable[[Sample], Gold]) -> str:
    """TREC judgements: `query 0 element grade`, with resolved elements."""
    return "".join(
        f"{trec_name(sample.id)} 0 {trec_name(element)} {grade}\n"
        for sample in eval_set.samples
        for element, grade in _judged(gold_of(sample))
    )


def to_beir(eval_set: EvalSet, gold_of: Callable[[Sample], Gold]) -> tuple[str, str]:
    """The texts of BEIR's `queries.jsonl` and `qrels/test.tsv`."""
    queries = [{"_id": trec_name(sample.id), "text": sample.query} for sample in eval_set.samples]
    rows = [
        f"{trec_name(sample.id)}\t{trec_name(element)}\t{grade}"
        for sample in eval_set.samples
        for element, grade in _judged(gold_of(sample))
    ]
    qrels = "\n".join(["query-id\tcorpus-id\tscore", *rows]) + "\n"
    return "".join(json.dumps(query) + "\n" for query in queries), qrels


def to_corpus(chunks: Iterable[Chunk]) -> Iterator[str]:
    """The lines of BEIR's `corpus.jsonl`: a document an element, of the texts of its chunks.

    The chunks of a file come one after the other, in any order.
    """
    for _, members in groupby(chunks, key=lambda chunk: chunk.source_file):
        elements: dict[str, list[Chunk]] = {}  # by id, `User1` comes between `User` and its parts
        for chunk in members:
            elements.setdefault(chunk.element, []).append(chunk)
        for element, parts in elements.items():
            parts.sort(key=lambda chunk: (len(chunk.part), chunk.part))  # 2 before 10
            text = "\n".join(chunk.text for chunk in parts)
            document = {"_id": trec_name(element), "title": parts[0].label, "text": text}
            yield json.dumps(document) + "\n"


def _judged(gold: Gold) -> list[tuple[str, int]]:
    ordered = dict.fromkeys(element for group in gold.groups for element in group)
    grades = {element: gold.grade(element) for element in ordered}
    return list({**grades, **{e: g for e, g in gold.grades.items() if e not in grades}}.items())


def read(path: Path, *, any_of: bool = False) -> EvalSet:
    """The labelled set in a file, or in a folder in BEIR's layout; raises EvalSetError."""
    return from_beir(path, any_of=any_of) if os.path.isdir(path) else sets.read(path)


def from_beir(folder: Path, *, any_of: bool = False) -> EvalSet:
    """The set in BEIR's layout, `queries.jsonl` and `qrels/test.tsv` (or the one file there).

    Raises EvalSetError.
    """
    every = sorted((folder / "qrels").glob("*.tsv"))
    chosen = [path for path in every if path.name == "test.tsv"] or every
    if len(chosen) != 1 or not (folder / "queries.jsonl").is_file():
        raise EvalSetError(
            f"{folder}: a folder must contain BEIR's queries.jsonl and qrels/test.tsv."
        )
    questions, judgements = folder / "queries.jsonl", chosen[0]
    queries = read_queries(sets.text_of(questions), str(questions))
    qrels = sets.text_of(judgements)
    found = from_qrels(queries, qrels, name=str(judgements), any_of=any_of)
    return replace(found, name=folder.resolve().name)


def from_qrels(
    queries: Mapping[str, str], qrels: str, *, name: str, any_of: bool = False
) -> EvalSet:
    """A set from questions by id and judgements in TREC or BEIR columns.

    Questions that are not judged are left out, as BEIR's tools do; one whose judgements are all 0
    has no answer. Raises EvalSetError naming the line.
    """
    judged: dict[str, dict[str, int]] = {}
    given: dict[tuple[str, str], tuple[int, int]] = {}  # line and grade of what was judged
    for line, query_id, element, grade in _judgements(qrels, name):
        if query_id not in queries:
            raise EvalSetError(f"{name}:{line}: there is no question {query_id[:100]!r}.")
        before, earlier = given.setdefault((query_id, element), (line, grade))
        if earlier != grade:  # one of the two would be lost without a word
            raise EvalSetError(
                f"{name}:{line}: {element[:100]!r} is judged {grade} for the question "
                f"{query_id[:100]!r}, and {earlier} in line {before}; keep one of the two."
            )
        judged.setdefault(query_id, {})[element] = max(0, grade)
    rows = [_row(qid, queries[qid], judged[qid], any_of) for qid in queries if qid in judged]
    return sets.of_values(name, rows)


def read_queries(text: str, name: str) -> dict[str, str]:
    """Questions by id: BEIR's JSON lines, or `id<TAB>question` lines."""
    queries: dict[str, str] = {}
    for line, row in enumerate(text.split("\n"), start=1):  # U+2028 breaks no line of JSON
        if row.strip():
            query_id, query = _query(row, f"{name}:{line}")
            if trec_decoded(query_id) in queries:
                raise EvalSetError(f"{name}:{line}: the question {query_id[:100]!r} occurs twice.")
            queries[trec_decoded(query_id)] = query
    return queries


def trec_decoded(text: str) -> str:
    """The inverse of `trec_name`; what that cannot have written stays as it is."""
    try:
        return unquote(text, errors="strict")
    except UnicodeDecodeError:
        return text


def _query(row: str, place: str) -> tuple[str, str]:
    if not row.lstrip().startswith("{"):
        query_id, tab, query = row.partition("\t")
        if not tab:
            raise EvalSetError(f"{place}: write a question after its id and a tab.")
        return query_id.strip(), query.strip()
    value = _json(row, place)
    query_id, query = value.get("_id", value.get("id")), value.get("text")
    if not isinstance(query_id, str | int) or not isinstance(query, str):
        raise EvalSetError(f"{place}: a question of BEIR has an `_id` and a `text`.")
    return str(query_id), query


def _judgements(text: str, name: str) -> Iterator[tuple[int, str, str, int]]:
    """Line, query, document and grade; of BEIR's three columns or TREC's four."""
    for line, row in enumerate(text.split("\n"), start=1):  # U+2028 may stand in an id
        cells = _columns(row)
        if not row.strip() or cells[:2] == ["query-id", "corpus-id"]:
            continue
        if not _is_judgement(cells):
            raise EvalSetError(
                f"{name}:{line}: this is not a judgement: write `query 0 document grade` with "
                "spaces between, or `query<TAB>document<TAB>grade`."
            )
        yield line, trec_decoded(cells[0]), trec_decoded(cells[-2]), int(cells[-1])


def _columns(row: str) -> list[str]:
    """Columns by tabs, so that ids may contain spaces; by spaces if that gives no judgement."""
    tabbed = [cell.strip() for cell in row.split("\t")]
    is_header = tabbed[:2] == ["query-id", "corpus-id"]
    return tabbed if is_header or _is_judgement(tabbed) else row.split()


def _is_judgement(cells: Sequence[str]) -> bool:
    return len(cells) in (3, 4) and all(cells) and bool(re.fullmatch(GRADE, cells[-1]))


def _row(query_id: str, query: str, judged: Mapping[str, int], any_of: bool) -> dict[str, Any]:
    relevant = [element for element, grade in judged.items() if grade > 0]
    gold = {"alternatives": [relevant]} if any_of and relevant else {"relevant": relevant}
    grades = {element: grade for element, grade in judged.items() if grade > 1}
    return {"id": query_id, "query": query, "grades": grades, **gold}


def to_ragas(eval_set: EvalSet, gold_of: Callable[[Sample], Gold]) -> str:
    """The JSON lines of a ragas `EvaluationDataset`, with one reference id per group of labels."""
    return "".join(
        json.dumps(
            {
                "user_input": sample.query,
                "reference": sample.reference or None,
                "reference_context_ids": [group[0] for group in gold_of(sample).groups],
            },
            ensure_ascii=False,
        )
        + "\n"
        for sample in eval_set.samples
    )


def _json(text: str, place: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise EvalSetError(f"{place}: this is not JSON: {error}.") from error
