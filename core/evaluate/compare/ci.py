"""The gate of a build, as the command and the files that a team copies."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, floor

from core.evaluate.compare.gate import Check, check
from core.evaluate.measures import MEASURE
from core.evaluate.results import RunResult
from core.settings import KNOBS, NO_ANSWER, Knob, Settings, Value
from core.text.safe import one_line

LONGEST = 300  # characters of a path
USUAL = ("search.recall@10", "context.recall", "context.tokens")  # what a gate holds, at first
SPARE = 0.02  # of a share, that a bound leaves below today's figure
SPARE_SHARE = 0.1  # the same of what is no share
JUNIT, SUMMARY = "gate.xml", "gate.md"
NOT_ASKED = (*NO_ANSWER, "embedder")  # that belongs to the store


@dataclass(frozen=True, slots=True)
class Gate:
    """What a build checks."""

    sets: Sequence[str]  # paths in the repository
    specifications: str  # a path in the repository
    settings: Settings
    under: Mapping[str, float] = field(default_factory=dict)  # metric → the least that passes
    over: Mapping[str, float] = field(default_factory=dict)  # metric → the most that passes
    baseline: str = ""  # path of a run as JSON
    drops: Mapping[str, float] = field(default_factory=dict)  # metric → the largest drop

    def checked(self, run: RunResult, baseline: RunResult | None = None) -> tuple[Check, ...]:
        """How a run fares; raises as `check` does."""
        drops = self.drops if baseline else {}
        bounds = {"fail_under": self.under, "fail_over": self.over}
        return check(run, **bounds, baseline=baseline, max_drop=drops)


def bound(name: str, value: float) -> float:
    """A bound with a little room beside today's value, rounded so that it can be read."""
    if MEASURE[name].unit != "share":
        return float(ceil(value * (1 + SPARE_SHARE)))
    if MEASURE[name].higher_is_better:
        return max(0.0, floor(round((value - SPARE) * 100, 6)) / 100)
    return min(1.0, ceil(round((value + SPARE) * 100, 6)) / 100)


def ingestion(gate: Gate) -> list[str]:
    """The arguments of `specloupe` that fill the store; the second look is stored, or a busy
    machine would decide how much of it there is."""
    embedder = [] if gate.settings.embedder == Settings().embedder else [gate.settings.embedder]
    look = ["--second-look"] if gate.settings.second_look != "off" else []
    return ["ingest", _path(gate.specifications), *_pairs("--embedder", embedder), *look]


def evaluation(gate: Gate) -> list[str]:
    """The arguments of `specloupe` that check it."""
    bounds = (("--fail-under", gate.under), ("--fail-over", gate.over), ("--max-drop", gate.drops))
    embedder = [] if gate.settings.embedder == Settings().embedder else [gate.settings.embedder]
    return [
        "eval",
        *map(_path, gate.sets),
        "--no-ragas",
        "--no-remedies",
        *(["--baseline", _path(gate.baseline)] if gate.drops else []),
        *(
            word
            for option, wanted in bounds
            for name, value in wanted.items()
            for word in (option, f"{name}={value:g}")
        ),
        *_pairs("--embedder", embedder),
        *options(gate.settings),
        *("--junit", JUNIT, "--summary", SUMMARY),
    ]


def options(settings: Settings, base: Settings | None = None) -> list[str]:
    """The options that make `base`, or the defaults, into these settings."""
    now, before = settings.to_dict(), (base or Settings()).to_dict()
    return [
        word
        for knob in KNOBS
        if knob.name not in NOT_ASKED and now[knob.name] != before[knob.name]
        for word in _option(knob, now[knob.name])
    ]


def command(arguments: Sequence[str]) -> str:
    """One line of a shell."""
    return shlex.join(["specloupe", *arguments])


def shell(gate: Gate) -> str:
    """Both commands, an option a line."""
    return f"{command(ingestion(gate))}\n{_folded(evaluation(gate))}\n"


def github(gate: Gate) -> str:
    """A workflow of GitHub Actions."""
    return f"""\
name: retrieval
on: pull_request
jobs:
  gate:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: pip install uv && uv sync --locked
      - run: |
          uv run --no-sync {command(ingestion(gate))}
      - run: |
{_indented(f"uv run --no-sync {_folded(evaluation(gate))}", 10)}
      - if: always()
        run: cat {SUMMARY} >> "$GITHUB_STEP_SUMMARY"
"""


def gitlab(gate: Gate) -> str:
    """A job of GitLab CI."""
    return f"""\
retrieval:
  image: python:3.12
  script:
    - pip install uv && uv sync --locked
    - |
      uv run --no-sync {command(ingestion(gate))}
    - |
{_indented(f"uv run --no-sync {_folded(evaluation(gate))}", 6)}
  artifacts:
    when: always
    paths: [{SUMMARY}]
    reports:
      junit: {JUNIT}
"""


def _option(knob: Knob, value: Value) -> Iterator[str]:
    if isinstance(value, bool):
        yield knob.option if value else knob.option.replace("--", "--no-", 1)
        return
    yield knob.option
    yield f"{value:g}" if isinstance(value, float) else str(value)


def _pairs(option: str, values: Sequence[str]) -> Iterator[str]:
    for value in values:
        yield from (option, value)


def _folded(arguments: Sequence[str]) -> str:
    """An option a line, with what belongs to it."""
    words = ["specloupe"]
    for word in map(shlex.quote, arguments):
        words.append(f"\\\n  {word}" if word.startswith("--") else word)
    return " ".join(words)


def _indented(text: str, by: int) -> str:
    return "\n".join(f"{' ' * by}{line}" for line in text.splitlines())


def _path(text: str) -> str:
    """On one line, and no option whatever it begins with."""
    path = one_line(text, LONGEST)
    return f"./{path}" if path.startswith("-") else path
