"""Do everything to a store that can happen to one, and see after each step that nothing is lost.

    python benchmarks/torture.py --minutes 30 [--seed 7]

Random operations, some of them killed, on a full disk, beside a second process, or after files of
the store were damaged; then the store is mended, and all that it holds is compared with a model
(`benchmarks/life.py`). Prints what was tried; when something is lost, the shortest sequence of
steps that loses it, and exits with 1.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import math
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import chromadb.api.rust  # noqa: E402  # once, for all the processes that are forked
import chromadb.utils.embedding_functions  # noqa: E402, F401

from benchmarks.life import DAMAGES, UNITS, Broken, Label, Life, expected  # noqa: E402
from core.errors import SpecloupeError  # noqa: E402
from core.index.chroma.watch import worked  # noqa: E402

_OPERATIONS = (
    *("update", "update", "update", "prune", "rm"),
    *("re-embed", "rebuild", "eval", "sweep", "query", "label", "damage", "damage"),
)
_TROUBLES = ("none", "none", "kill", "kill", "full disk", "second process")
_IDLE_S = 180  # that neither a process nor those that it started do anything: they are stuck
_CPU_S = 300  # that it may use: it never ends
_LOOK_S, _LITTLE_S = 2, 0.1
_SHRINK_S = 600
_TROUBLED, _BROKEN = 3, 4  # how a forked process ends


@dataclass(frozen=True, slots=True)
class Step:
    """One operation, and what goes wrong during it."""

    operation: str
    trouble: str
    seed: int  # of all that is chosen in it

    def __str__(self) -> str:
        return f"{self.operation} ({self.trouble}, seed {self.seed})"


def steps(seed: int) -> Callable[[], Step]:
    chance = random.Random(seed)

    def following() -> Step:
        operation = chance.choice(_OPERATIONS)
        trouble = "none" if operation == "damage" else chance.choice(_TROUBLES)
        return Step(operation, trouble, chance.randrange(1 << 30))

    return following


class Torture:
    """One life, step by step."""

    def __init__(self, folder: Path) -> None:
        self._folder, self.life = folder, Life(folder)
        self._version = 1
        self.trials: Counter[str] = Counter()
        self.killed = 0
        for unit in UNITS:
            self.life.put(unit, 1)
        self._forked(self.life.ingest)
        self.life.model.ingested(ended=True, pruned=False)
        self._settle()

    def take(self, step: Step) -> None:
        """Raises Broken."""
        chance = random.Random(step.seed)
        call = self._prepared(step, chance)
        ended = self._troubled(call, step.trouble, chance)
        self._remember(step, ended)
        self.trials[step.operation if step.trouble == "none" else step.trouble] += 1
        self._settle()

    def _prepared(self, step: Step, chance: random.Random) -> Callable[[], None]:
        life, name = self.life, step.operation
        if name in ("update", "prune"):
            self._version += 1
            for unit in chance.sample(UNITS, chance.choice((1, 2))):
                if name == "prune" and unit != UNITS[0]:
                    life.take_away(unit)
                else:
                    life.put(unit, self._version)
            return lambda: life.ingest(prune=name == "prune")
        if name == "damage":
            self._damage(chance)
            return life.ingest
        self._unit, self._thumb = chance.choice(UNITS), chance.choice((None, 0, 1))
        unit, thumb = self._unit, self._thumb
        calls: dict[str, Callable[[], None]] = {
            "rm": lambda: life.remove(unit),
            "re-embed": life.convert,
            "rebuild": life.rebuild,
            "eval": life.evaluate,
            "sweep": lambda: life.evaluate(depths=(1, 2, 3)),
            "query": life.query,
            "label": lambda: life.label(unit, thumb),
        }
        return calls[name]

    def _damage(self, chance: random.Random) -> None:
        """Mending alone has to bring everything back; without the sources, all but originals."""
        name = chance.choice(sorted(DAMAGES))
        self._must(lambda: self.life.ingest(prune=True), "ingesting")
        self.life.model.ingested(ended=True, pruned=True)
        DAMAGES[name](self.life.store, chance)
        alone = "specs" not in name and chance.random() < 0.5
        what = f"{name}, {'without' if alone else 'with'} the sources"
        self.trials[what] += 1
        with self.life.sources_away() if alone else nullcontext():
            self._settle(what)

    def _troubled(self, call: Callable[[], None], trouble: str, chance: random.Random) -> bool:
        """Whether the operation came to its end."""
        if trouble == "kill":
            return self._forked(call, kill_after=chance.uniform(0, 1.5)) == 0
        if trouble == "full disk":
            return self._forked(call, largest=chance.choice((1_000, 20_000, 200_000))) == 0
        if trouble == "second process":
            other = self._start(self.life.ingest)
            status = self._forked(call)
            self._end(other)
            return status == 0
        return self._forked(call) == 0

    def _remember(self, step: Step, ended: bool) -> None:
        model = self.life.model
        if step.trouble == "second process":
            model.ingested(ended=False, pruned=False)
        if step.operation in ("update", "prune", "damage"):
            model.ingested(
                ended=ended and step.trouble != "second process",
                pruned=step.operation == "prune",
            )
        elif step.operation == "rm":
            model.removed(self._unit, ended=ended and step.trouble != "second process")
        elif step.operation == "label":
            model.labelled(self._unit, self._thumb, ended=ended)

    def _settle(self, what: str = "mending") -> None:
        for unit, versions in self.life.model.held.items():
            for version in versions:
                expected(unit, version)  # once, for all the processes that look
        self._must(self.life.mend, what)
        report = self._folder / "held.json"
        self._must(lambda: report.write_text(json.dumps(self._found())), f"looking after {what}")
        held, labels = json.loads(report.read_text())
        self.life.model.settled(held, {unit: (thumb, gold) for unit, (thumb, gold) in labels})

    def _found(self) -> tuple[Mapping[str, int], list[tuple[str, Label]]]:
        return self.life.held(), list(self.life.labels().items())

    def _must(self, call: Callable[[], object], what: str) -> None:
        status = self._forked(call)
        if status:
            said = self._said.read_text() if self._said.exists() else ""
            raise Broken(f"{what} ended with {status}: {said}")

    @property
    def _said(self) -> Path:
        return self._folder / "said.txt"

    def _forked(
        self, call: Callable[[], object], *, kill_after: float = 0, largest: int = 0
    ) -> int:
        pid = self._start(call, largest)
        if kill_after:
            time.sleep(kill_after)
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return self._end(pid)

    def _start(self, call: Callable[[], object], largest: int = 0) -> int:
        if pid := os.fork():
            return pid
        status = _BROKEN
        try:
            faulthandler.enable(self._stuck.open("w"))  # tells where it is when it is aborted
            if largest:
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a full disk, then, and no signal
                resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))
            call()
            status = 0
        except SpecloupeError as error:
            status = _TROUBLED
            with suppress(OSError):
                self._said.write_text(str(error))
        except BaseException:
            with suppress(OSError):
                self._said.write_text(traceback.format_exc())
        finally:
            os._exit(status)

    def _end(self, pid: int) -> int:
        """How it ended; raises Broken when it does not end. It may take its time on a machine that
        has none for it: what counts is whether it works."""
        idle_since, looked, before = time.monotonic(), time.monotonic(), -1.0
        while not (ended := os.waitpid(pid, os.WNOHANG))[0]:
            time.sleep(0.01)
            if time.monotonic() < looked + _LOOK_S:
                continue
            looked, used = time.monotonic(), _worked(pid)
            if not abs(used - before) < _LITTLE_S:
                idle_since, before = looked, used
            if looked > idle_since + _IDLE_S:
                raise self._stuck_in(pid, f"nothing was done for {_IDLE_S} seconds")
            if _CPU_S < used < math.inf:
                raise self._stuck_in(pid, f"{_CPU_S} seconds of the processor were not enough")
        status = os.waitstatus_to_exitcode(ended[1])
        self.killed += status == -signal.SIGKILL
        return status

    def _stuck_in(self, pid: int, said: str) -> Broken:
        os.kill(pid, signal.SIGABRT)
        os.waitpid(pid, 0)
        return Broken(f"a step is stuck: {said}\n{self._stuck.read_text()}")

    @property
    def _stuck(self) -> Path:
        return self._folder / "stuck.txt"


def _worked(pid: int) -> float:
    """What a process and those that it started have used of the processor; infinite when busy."""
    children = Path(f"/proc/{pid}/task/{pid}/children")
    try:
        started = children.read_text().split()
    except OSError:  # it has ended, or this system does not tell
        started = []
    return worked(pid) + sum(_worked(int(child)) for child in started)


def fails(sequence: Sequence[Step]) -> str:
    """What is lost when these steps are taken; "" when nothing is."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            torture = Torture(Path(folder))
            for step in sequence:
                torture.take(step)
        except Broken as error:
            return str(error)
    return ""


def shortest(sequence: Sequence[Step]) -> list[Step]:
    """As few of the steps as still lose something, found by leaving out one after the other."""
    kept, end = list(sequence), time.monotonic() + _SHRINK_S
    if fails(kept[-1:]):
        return kept[-1:]
    for step in sequence[:-1]:
        fewer = [one for one in kept if one is not step]
        if time.monotonic() > end:
            break
        if fails(fewer):
            kept = fewer
    return kept


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--minutes", type=float, default=2)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    end, following = time.monotonic() + 60 * options.minutes, steps(options.seed)
    began = time.monotonic()
    taken: list[Step] = []
    folder = Path(tempfile.mkdtemp(prefix="torture-"))
    try:
        torture = Torture(folder)
        while time.monotonic() < end:
            taken.append(following())
            print(f"{len(taken)} {taken[-1]}", file=sys.stderr, flush=True)
            torture.take(taken[-1])
        minutes = f"{(time.monotonic() - began) / 60:.1f} minutes"
        print(f"{len(taken)} steps in {minutes}, {torture.killed} kills, nothing lost", end=" ")
        print(f"(seed {options.seed}):")
        for name, count in sorted(torture.trials.items()):
            print(f"  {count:5} {name}")
        return 0
    except Broken as error:
        print(f"Lost after {len(taken)} steps (seed {options.seed}): {error}")
        print("The shortest sequence that was found:")
        for step in shortest(taken):
            print(f"  {step}")
        return 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
