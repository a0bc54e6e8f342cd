"""Turn published retrieval benchmarks into folders of specifications and eval sets of our format.

    python -m benchmarks.datasets restbench SOURCE TARGET    # spotify_oas.json, queries.json
    python -m benchmarks.datasets socbench SOURCE TARGET     # <domain>/<service>/openapi.json

Each target holds `specs/` and `eval.yaml`; SOCBench gives one target a domain, and `pooled`.
Then: `specloupe ingest TARGET/specs --store S` and `specloupe eval TARGET/eval.yaml --store S`.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.evaluate.sets import sets
from core.evaluate.sets.sample import EvalSet, Sample
from core.text.nearest import nearest

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")


def restbench(source: Path, target: Path) -> list[EvalSet]:
    """One API; every endpoint of a solution is required."""
    (spec,) = sorted(source.glob("*_oas.json"))
    queries = _json(source / "queries.json")
    specs = {spec.name: spec}
    rows = [(f"q{n:03}", q["query"], q["solution"]) for n, q in enumerate(queries, start=1)]
    return [_write(target, source.name, specs, _samples(rows, _endpoints(specs), []))]


def socbench(source: Path, target: Path) -> list[EvalSet]:
    """Each domain by itself, and all domains pooled.

    An endpoint that several services of the question's domain have may be answered by any of them.
    """
    domains = sorted(folder for folder in source.iterdir() if folder.is_dir())
    made = []
    pooled_specs: dict[str, Path] = {}
    pooled: list[Sample] = []
    for domain in domains:
        specs = {f"{s.parent.name}.json": s for s in sorted(domain.glob("*/openapi.json"))}
        rows = _domain_rows(domain)
        samples = _samples(rows, _endpoints(specs), [domain.name])
        made.append(_write(target / domain.name, domain.name, specs, samples))
        inside = {f"{domain.name}/{name}": spec for name, spec in specs.items()}
        pooled_specs |= inside
        pooled += _samples(rows, _endpoints(inside), [domain.name])
    made.append(_write(target / "pooled", f"{source.name}-pooled", pooled_specs, pooled))
    return made


def _domain_rows(domain: Path) -> list[tuple[str, str, list[str]]]:
    number = domain.name.split("-", 1)[0]
    queries = _json(domain / "queries.json")["queries"]
    return [(f"{number}-{n:03}", q["query"], q["endpoints"]) for n, q in enumerate(queries, 1)]


def _endpoints(specs: Mapping[str, Path]) -> dict[str, list[str]]:
    """`GET /path` → the labels of the files that have it."""
    found: dict[str, list[str]] = {}
    for file, spec in specs.items():
        for path, item in _json(spec)["paths"].items():
            for method in METHODS:
                if method in item:
                    endpoint = f"{method.upper()} {path}"
                    found.setdefault(endpoint, []).append(f"{file} {endpoint}")
    return found


def _samples(
    rows: Iterable[tuple[str, str, Sequence[str]]],
    endpoints: Mapping[str, list[str]],
    tags: Sequence[str],
) -> list[Sample]:
    samples = []
    for id, query, gold in rows:
        groups = [_found(endpoint, endpoints, id) for endpoint in dict.fromkeys(gold)]
        samples.append(
            Sample(
                id=id,
                query=query,
                relevant=tuple(group[0] for group in groups if len(group) == 1),
                alternatives=tuple(tuple(group) for group in groups if len(group) > 1),
                tags=tuple(tags),
            )
        )
    return samples


def _found(endpoint: str, endpoints: Mapping[str, list[str]], id: str) -> list[str]:
    """Its labels; for one that no specification has, those of the nearest, and it is said."""
    if endpoint in endpoints:
        return endpoints[endpoint]
    (close,) = nearest(endpoint, endpoints)
    print(f"{id}: no specification has {endpoint}; {close} is taken for it")
    return endpoints[close]


def _write(
    target: Path, name: str, specs: Mapping[str, Path], samples: Sequence[Sample]
) -> EvalSet:
    for file, spec in specs.items():
        place = target / "specs" / file
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(spec, place)
    eval_set = EvalSet(name, tuple(samples), str(target / "eval.yaml"))
    (target / "eval.yaml").write_text(sets.dump(eval_set, ".yaml"), encoding="utf-8")
    return eval_set


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


BENCHMARKS: Mapping[str, Callable[[Path, Path], list[EvalSet]]] = {
    "restbench": restbench,
    "socbench": socbench,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("benchmark", choices=BENCHMARKS)
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    options = parser.parse_args()
    for eval_set in BENCHMARKS[options.benchmark](options.source, options.target):
        print(f"{eval_set.file}: {len(eval_set.samples)} questions")


if __name__ == "__main__":
    main()
