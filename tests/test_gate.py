"""What other projects run in their builds, as far as Bash goes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
SPECIFICATION = str(ROOT / "samples" / "shop.json")
QUESTIONS = """\
samples:
- query: How do I create a user?
  relevant: [shop.json POST /users]
"""
GH = """\
#!/bin/sh
printf '%s\\n' "$*" >> "$CALLS"
case "$*" in *--jq*) printf '%s' "$LAST" ;; esac
"""


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what `gate/run.sh` left of a run that passes: the baseline of the rest."""
    folder = tmp_path_factory.mktemp("gate")
    (folder / "questions.yaml").write_text(QUESTIONS)
    done = _run(folder, ["--fail-under=search.hit@10=1"], folder / "first")
    assert done.returncode == 0, done.stderr
    return folder


def _run(
    folder: Path, options: list[str], out: Path, **more: str
) -> subprocess.CompletedProcess[str]:
    given = {
        "GATE_SPECIFICATIONS": f"  {SPECIFICATION}\n\n",
        "GATE_SETS": "questions.yaml\n",
        "GATE_OPTIONS": "\n".join(options),
        "GATE_OUT": str(out),
        "RETRIEVAL_SECOND_LOOK": "off",
    }
    return _bash(f"bash {ROOT}/gate/run.sh", folder, given | more)


def _bash(script: str, folder: Path, given: dict[str, str]) -> subprocess.CompletedProcess[str]:
    path = f"{folder}/bin:{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {"PATH": path, "HOME": str(folder), "LANG": "C.UTF-8", **given}
    command = ["bash", "-euo", "pipefail", "-c", script]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.long
def test_the_gate_leaves_a_summary_a_report_and_a_run(ran: Path) -> None:
    left = {path.name for path in (ran / "first").iterdir()}
    assert {"gate.md", "gate.xml", "run.json"} <= left


@pytest.mark.long
def test_the_gate_fails_below_a_bound_and_says_what_was_lost(ran: Path) -> None:
    summary, outputs = ran / "summary.md", ran / "outputs"
    done = _run(
        ran,
        ["--fail-under=search.hit@10=1", "--min-score=1"],
        ran / "second",
        GATE_BASELINE=str(ran / "first" / "run.json"),
        GITHUB_STEP_SUMMARY=str(summary),
        GITHUB_OUTPUT=str(outputs),
    )
    assert "### Retrieval gate" in summary.read_text()
    assert "#### Lost: 1" in summary.read_text()
    assert f"run={ran}/second/run.json" in outputs.read_text()
    assert done.returncode in (0, 1)


@pytest.mark.long
def test_the_gate_fails_with_a_bound_that_does_not_hold(ran: Path) -> None:
    assert _run(ran, ["--fail-over=context.tokens=1"], ran / "third").returncode == 1


@pytest.mark.long
@pytest.mark.parametrize(("last", "method"), [("", "POST"), ("77", "PATCH")])
def test_one_comment_is_kept_up_to_date(ran: Path, last: str, method: str) -> None:
    (ran / "bin").mkdir(exist_ok=True)
    stand_in = ran / "bin" / "gh"
    stand_in.write_text(GH)
    stand_in.chmod(0o755)
    calls = ran / f"calls-{method}"
    given = {
        "GATE_OUT": str(ran / "first"),
        "GATE_PULL": "5",
        "GITHUB_REPOSITORY": "a/b",
        "CALLS": str(calls),
        "LAST": last,
    }
    done = _bash(f"bash {ROOT}/gate/comment.sh", ran, given)
    assert done.returncode == 0, done.stderr
    assert f"--method {method}" in calls.read_text()
    assert (ran / "first" / "comment.md").read_text().startswith("<!-- specloupe")


@pytest.mark.long
def test_the_job_of_gitlab_runs(ran: Path) -> None:
    job = yaml.safe_load((ROOT / "gate" / "gitlab.yml").read_text())[".retrieval-gate"]
    script = "\n".join(line for line in job["script"] if not line.startswith("pip install"))
    given = {
        **job["variables"],
        "GATE_SPECIFICATIONS": SPECIFICATION,
        "GATE_SETS": "questions.yaml",
        "GATE_OPTIONS": "--fail-under search.hit@10=1",
        "RETRIEVAL_SECOND_LOOK": "off",
    }
    done = _bash(script, ran, given)
    assert done.returncode == 0, done.stderr
    assert all((ran / name).exists() for name in job["artifacts"]["paths"])


def test_the_action_gives_its_script_every_variable_that_it_reads() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    given = {name for step in action["runs"]["steps"] for name in step.get("env", {})}
    scripts = "".join((ROOT / "gate" / name).read_text() for name in ("run.sh", "comment.sh"))
    assert set(re.findall(r"\$\{?(GATE_\w+)", scripts)) <= given


def test_the_hook_looks_at_question_sets() -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    sets = [path.relative_to(ROOT).as_posix() for path in (ROOT / "eval_sets").glob("*.yaml")]
    assert sets
    assert all(re.match(hook["files"], path) for path in sets)
