"""The generated pages of the docs say what the code says."""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from click import Context

from core.cli import specloupe
from core.evaluate.sets.sets import read

ROOT = Path(__file__).parents[1]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "SECURITY.md",
    *sorted((ROOT / "docs").glob("*.md")),
]


@pytest.mark.thorough
def test_the_generated_pages_are_current() -> None:
    """In a process of its own: a command that has run keeps the help option of that call."""
    command = [sys.executable, str(ROOT / "docs" / "generate.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), "run `just docs`"


def test_links_between_pages_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_path_and_module_that_a_page_names_is_there(page: Path) -> None:
    """In backquotes, such as `core/model.py` or `benchmarks.quality`."""
    names = set(re.findall(r"`([^`\n]+)`", page.read_text(encoding="utf-8")))
    missing = [name for name in names if _is_ours(name) and not _is_there(name)]
    assert not missing


OURS = re.compile(r"(core|ui|pages|tests|benchmarks|docs|tools|eval_sets)[./][\w./-]+")


def _is_ours(name: str) -> bool:
    return bool(OURS.fullmatch(name))


def _is_there(name: str) -> bool:
    module, _, attribute = name.rpartition(".")
    return (ROOT / name).exists() or _is_module(name) or _holds(module, attribute)


def _is_module(name: str) -> bool:
    place = ROOT / name.replace(".", "/")
    return place.is_dir() or place.with_suffix(".py").exists()


def _holds(module: str, attribute: str) -> bool:
    found = "/" not in module and _is_module(module)
    return found and hasattr(importlib.import_module(module), attribute)


def test_the_site_has_every_page() -> None:
    """A page that is in no menu is found by nobody."""
    site = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))
    listed = set(re.findall(r"[\w-]+\.md", str(site["project"]["nav"])))
    pages = {path.name for path in (ROOT / "docs").glob("*.md")}
    assert pages | {"contributing.md", "changelog.md", "eval-sets.md", "security.md"} == listed


def test_the_checklist_of_a_pull_request_is_that_of_the_guide() -> None:
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    template = (ROOT / ".github" / "pull_request_template.md").read_text(encoding="utf-8")
    assert _points(template) == _points(
        guide.replace("[CHANGELOG.md](CHANGELOG.md)", "CHANGELOG.md")
    )


def _points(text: str) -> list[str]:
    """Of a checklist, whatever the lines they are broken into."""
    return [" ".join(one.split()) for one in re.findall(r"- \[ \] (.+(?:\n      .+)*)", text)]


def test_the_licences_name_every_package_that_is_installed() -> None:
    """`just licences` writes the page after the lock has changed."""
    lock = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))
    (own,) = (one for one in lock["package"] if one["name"] == "specloupe")
    page = (ROOT / "docs" / "licences.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^\| ([\w.-]+) \|", page, re.MULTILINE))
    extras = (one for group in own["optional-dependencies"].values() for one in group)
    assert {one["name"] for one in (*own["dependencies"], *extras)} <= named


def test_the_tour_prints_what_the_readme_prints() -> None:
    """Whose commands are run, in `tests/test_readme.py`."""
    tour, readme = (
        _commands((ROOT / page).read_text(encoding="utf-8"))
        for page in ("docs/tour.md", "README.md")
    )
    assert len(tour.keys() & readme.keys()) >= 3
    for command in tour.keys() & readme.keys():
        assert tour[command] <= readme[command], command


def _commands(page: str) -> dict[str, set[str]]:
    """What stands below each command of a page."""
    blocks = "".join(re.findall(r"```console\n(.*?)```", page, re.DOTALL))
    found = (part.splitlines() for part in blocks.split("$ ")[1:])
    return {command: set(shown) for command, *shown in found}


def test_the_sets_are_described_as_they_are() -> None:
    page = (ROOT / "eval_sets" / "README.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)\.yaml` \| [^|]+ \| (\d+)", page, re.MULTILINE))
    there = {path.stem: len(read(path).samples) for path in (ROOT / "eval_sets").glob("*.yaml")}
    assert {name: int(count) for name, count in rows.items()} == there


def _configured() -> list[dict[str, Any]]:
    """The servers that the configurations of docs/mcp.md name."""
    page = (ROOT / "docs" / "mcp.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```(json|toml)\n(.*?)```", page, re.DOTALL)
    read = [json.loads(text) if kind == "json" else tomllib.loads(text) for kind, text in blocks]
    return [server for block in read for servers in block.values() for server in servers.values()]


def test_configurations_for_agents_start_our_server_or_name_its_address() -> None:
    started = [each for each in _configured() if "command" in each]
    named = [each for each in _configured() if "url" in each]
    assert len(started) == 3
    assert len(named) == 2
    for each in started:
        assert each["command"] == "specloupe"
        _, command, rest = specloupe.resolve_command(Context(specloupe), each["args"])
        assert command is not None
        assert command.make_context("mcp", rest).params["transport"] == "stdio"
    assert {each["url"] for each in named} == {"http://HOST:8601/mcp"}
