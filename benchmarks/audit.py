"""How far `specloupe audit` can be trusted: its time, and whether it agrees with the search.

    python -m benchmarks.audit --store STORE benchmarks/sets/learn_220.yaml

prints three things. The time and CPU of an audit of the whole store from nothing. On a sample of
operations, how often the audit's ranking and the shipped retrieval agree whether an operation is
among the first results for its own words (nothing is left out there, as the retrieval cannot).
And whether elements that labelled questions miss stand worse in the audit than those that are
found: the chance that a missed one stands below a found one, with an interval from resampling. The
standing was chosen by `learn_220.yaml`; `kept_220.yaml` had no part in it.
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


def with_labels(workbench: Workbench, found: Audit, files: Sequence[str]) -> None:
    *_, run = workbench.evaluate([read(Path(file)) for file in files], ragas=False)
    assert isinstance(run, RunResult)
    for name, wanted in (("operations", ("operation", "webhook")), ("schemas", ("schema",))):
        standing = {e.id: e.standing for e in found.elements if e.kind in wanted}
        print(f"{name}: {_compared(run, standing)}", flush=True)
    print(f"both: {_compared(run, {e.id: e.standing for e in found.elements})}", flush=True)


def _compared(run: RunResult, standing: Mapping[str, float]) -> str:
    good: list[float] = []
    bad: list[float] = []
    for sample in run.samples:
        missed = {label for miss in sample.misses for label in miss.labels}
        for group in sample.gold:
            if known := [standing[label] for label in group if label in standing]:
                (bad if missed & {*group} else good).append(max(known))
    draw, area = np.random.default_rng(7), _area(bad, good)
    areas = [
        _area(draw.choice(bad, len(bad)), draw.choice(good, len(good))) for _ in range(RESAMPLED)
    ]
    low, high = np.percentile(areas, (2.5, 97.5))
    return (
        f"{len(bad)} missed and {len(good)} found labels; a missed one stands below a found one "
        f"with chance {area:.3f} ({low:.3f} to {high:.3f}; 0.5 is chance)"
    )


def _area(bad: Sequence[float] | np.ndarray, good: Sequence[float] | np.ndarray) -> float:
    less = np.asarray(bad)[:, None] - np.asarray(good)[None]
    return float(np.mean((less < 0) + 0.5 * (less == 0)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", required=True)
    parser.add_argument("sets", nargs="+")
    given = parser.parse_args()
    with Workbench.open(given.store, create=False) as workbench:
        found = from_nothing(workbench)
        with_labels(workbench, found, given.sets)
        agreement(workbench, second_look="off")
        agreement(workbench, second_look="auto")


if __name__ == "__main__":
    main()
