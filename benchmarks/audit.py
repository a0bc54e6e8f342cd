"""How far `specloupe audit` can be trusted: its time, and whether it agrees with the search.

    python -m benchmarks.audit --store STORE benchmarks/sets/learn_220.yaml

prints three things. The time and CPU of an audit of the whole store from nothing. On a sample of
operations, how often the audit's ranking and the shipped retrieval agree whether an operation is
among the first results for its own words (nothing is left out there, as the retrieval cannot).
And whether the audit's order agrees with labelled misses: the chance that an element that is missed
comes before one that is found, with an interval from resampling. `--fit` prints the weights of that
order for the sets that are given; those in use are of `learn_220.yaml`, and `kept_220.yaml` had no
part in them.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from core import Workbench
from core.evaluate.audit.audit import audit
from core.evaluate.audit.fields import audited, is_audited
from core.evaluate.audit.kept import KeptAudits
from core.evaluate.audit.matched import Matched, Posed, counted_terms
from core.evaluate.audit.questions import questions
from core.evaluate.audit.results import Audit
from core.evaluate.results import RunResult
from core.evaluate.sets.exchange import read
from core.evaluate.stop import never
from core.ids import element_of
from core.model import Level

SAMPLE = 200
RESAMPLED = 2_000
RIDGE = 5.0


def from_nothing(workbench: Workbench) -> Audit:
    reader, began, cpu = workbench._newest.reader(), time.perf_counter(), time.process_time()
    embed = workbench._embed().embed
    with tempfile.TemporaryDirectory() as folder:
        kept = KeptAudits(Path(folder) / "audits.sqlite")
        *_, found = audit(reader, settings=workbench.settings, embed=embed, kept=kept, stop=never)
    assert isinstance(found, Audit)
    wall, used = time.perf_counter() - began, time.process_time() - cpu
    print(f"{len(found.elements):,} elements: {wall:.1f} s, {used:.1f} s of CPU", flush=True)
    print(f"found {found.found:.3f}; among all APIs {found.found_overall:.3f}")
    for kind, (share, count) in found.by_kind().items():
        print(f"  {kind}: {share:.3f} of {count:,}")
    return found


def agreement(workbench: Workbench, **changes: object) -> None:
    """The first question of some operations, by both ways, with all of the text matched."""
    reader = workbench._newest.reader()
    matched, embed = Matched(reader, workbench.settings), workbench._embed().embed
    limit = workbench.settings.max_primary_results
    rows = list(range(len(reader)))
    random.Random(7).shuffle(rows)
    same = ours = theirs = count = 0
    for row, text in _asked(rows, matched):
        if count == SAMPLE:
            break
        count += 1
        terms, own = matched.terms_of(text), reader.text(row)
        counts, length = counted_terms(own, frozenset(terms))
        vector = embed([text])[0]
        posed = Posed(text, terms, False, row, vector, reader.vectors[row], counts, length)
        top = np.argsort(-matched.everywhere([posed])[0], kind="stable")[:50].tolist()
        ids = list(dict.fromkeys(element_of(reader.ids[at]) for at in top))[:limit]
        context = workbench.retrieve(
            text, min_score=0.0, per_resource=0, group_repeated=False, **changes
        )
        found = [each.chunk.element for each in context.primary_chunks]
        mine = reader.ids[row]
        ours, theirs = ours + (mine in ids), theirs + (mine in found)
        same += (mine in ids) == (mine in found)
    said = ", ".join(f"{name}={value}" for name, value in changes.items())
    print(
        f"{count} operations ({said}): agree on {same / count:.3f}; "
        f"found by the audit's ranking {ours / count:.3f}, by retrieval {theirs / count:.3f}",
        flush=True,
    )


def _asked(rows: Sequence[int], matched: Matched) -> Iterator[tuple[int, str]]:
    reader = matched.reader
    for row in rows:
        chunk = reader.chunk(row)
        if is_audited(chunk) and chunk.type.is_operation:
            element = audited(row, chunk, reader.texts[Level.COMPACT][row])
            if first := next(questions(0, element, matched.rarity), None):
                yield row, first.text


def with_labels(run: RunResult, found: Audit) -> None:
    """Whether missed elements come before found ones in the audit's order."""
    kinds = {e.id: e.kind for e in found.elements}
    chances = {e.id: e.likely_missed(len(a.elements)) for a in found.apis for e in a.elements}
    parts = (("operations", ("operation", "webhook")), ("schemas", ("schema",)))
    for name, wanted in (*parts, ("both", (*parts[0][1], *parts[1][1]))):
        known = {id: chance for id, chance in chances.items() if kinds[id] in wanted}
        print(f"{name}: {_compared(run, known)}", flush=True)


def _compared(run: RunResult, chances: Mapping[str, float]) -> str:
    labels = list(_labelled(run, chances))
    bad, good = (
        [chances[id] for id, missed in labels if missed is which] for which in (True, False)
    )
    draw, area = np.random.default_rng(7), _area(bad, good)
    areas = [
        _area(draw.choice(bad, len(bad)), draw.choice(good, len(good))) for _ in range(RESAMPLED)
    ]
    low, high = np.percentile(areas, (2.5, 97.5))
    return (
        f"{len(bad)} missed and {len(good)} found labels; a missed one comes before a found one "
        f"with chance {area:.3f} ({low:.3f} to {high:.3f}; 0.5 is chance)"
    )


def _labelled(run: RunResult, chances: Mapping[str, float]) -> Iterator[tuple[str, bool]]:
    """Each label and whether it was missed; of alternatives the one that is least likely to be."""
    for sample in run.samples:
        missed = {label for miss in sample.misses for label in miss.labels}
        for group in sample.gold:
            if known := [label for label in group if label in chances]:
                yield min(known, key=chances.__getitem__), bool(missed & {*group})


def _area(bad: Sequence[float] | np.ndarray, good: Sequence[float] | np.ndarray) -> float:
    more = np.asarray(bad)[:, None] - np.asarray(good)[None]
    return float(np.mean((more > 0) + 0.5 * (more == 0)))


def fitted(run: RunResult, found: Audit) -> None:
    """The weights of `Seen.likely_missed`, by a logistic regression with a little ridge."""
    rows = {
        e.id: (e.standing, np.log1p(e.words), np.log1p(len(a.elements)), float(e.kind == "schema"))
        for a in found.apis
        for e in a.elements
    }
    chances = {e.id: e.likely_missed(len(a.elements)) for a in found.apis for e in a.elements}
    labels = list(_labelled(run, chances))
    values, missed = np.array([rows[id] for id, _ in labels]), np.array([m for _, m in labels])
    spread = values.std(axis=0)
    scaled = np.column_stack([np.ones(len(values)), (values - values.mean(axis=0)) / spread])
    weights, ridge = np.zeros(scaled.shape[1]), RIDGE * np.diag([0, 1, 1, 1, 1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-scaled @ weights))
        slope = scaled.T @ (chance - missed) + ridge @ weights
        curve = (scaled * (chance * (1 - chance))[:, None]).T @ scaled + ridge
        weights -= np.linalg.solve(curve, slope)
    names = ("standing", "log words", "log rivals", "schema")
    print({name: round(float(w), 2) for name, w in zip(names, weights[1:] / spread, strict=True)})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", required=True)
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("sets", nargs="+")
    given = parser.parse_args()
    with Workbench.open(given.store, create=False) as workbench:
        found = from_nothing(workbench)
        *_, run = workbench.evaluate(
            [read(Path(file)) for file in given.sets], ragas=False, remedies=False
        )
        assert isinstance(run, RunResult)
        with_labels(run, found)
        if given.fit:
            fitted(run, found)
            return
        agreement(workbench, second_look="off")
        agreement(workbench, second_look="auto")


if __name__ == "__main__":
    main()
