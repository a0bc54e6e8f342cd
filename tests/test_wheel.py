"""The wheel holds the product and nothing else, and works from any folder in an environment of its
own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TOP = {"app.py", "core", "pages", "ui", "samples", "eval_sets", ".streamlit"}
NEEDED = (
    "core/py.typed",
    "core/index/embed/models/apistatic-256-int8/model.safetensors",
    "core/index/embed/models/apiminilm-6-int8/model.onnx",
    "ui/assets",
    "samples/shop.json",
    "eval_sets/samples.yaml",
    ".streamlit/config.toml",
)

pytestmark = pytest.mark.slow


def run(*command: str | Path, **more: object) -> str:
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **more)  # type: ignore[call-overload]
    assert done.returncode == 0, done.stderr
    return str(done.stdout)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    uv = shutil.which("uv")
    assert uv, "uv builds the wheel: pip install uv"
    folder = tmp_path_factory.mktemp("dist")
    run(uv, "build", "--quiet", "--wheel", "--out-dir", folder, cwd=ROOT)
    (built,) = folder.glob("*.whl")
    return built


def test_it_holds_the_product_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == TOP
    for needed in NEEDED:
        assert any(name.startswith(needed) for name in names), needed
    assert not [name for name in names if "test" in Path(name).name and name.endswith(".py")]
    assert not [name for name in names if "__pycache__" in name]


def test_it_works_from_any_folder(wheel: Path, tmp_path: Path) -> None:
    """With the packages of this environment, and with the wheel's own files alone."""
    site = tmp_path / "site"
    run(
        *(shutil.which("uv") or "uv", "pip", "install", "--quiet", "--no-deps"),
        *("--target", site, "--python", sys.executable, wheel),
    )
    home = tmp_path / "home"
    home.mkdir()
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "PYTHONPATH": str(site)}
    specloupe = [sys.executable, "-P", "-c", "from core.cli import main; main()"]
    store = ["--store", tmp_path / "store"]
    said = run(*specloupe, "ingest", site / "samples", *store, cwd=home, env=environment)
    assert "6 read, 0 unchanged, 0 refused" in said
    where = run(sys.executable, "-P", "-c", "import core; print(core.__file__)", env=environment)
    assert Path(where.strip()).is_relative_to(site)
    answer = run(*specloupe, "query", "how do I create a user", *store, cwd=home, env=environment)
    assert "POST /users" in answer
