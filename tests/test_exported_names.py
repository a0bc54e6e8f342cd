"""What programs import from `core` is listed, sorted and there."""

from __future__ import annotations

import subprocess
import sys

import pytest

import core


def test_every_exported_name_is_there() -> None:
    assert list(core.__all__) == sorted(core.__all__)
    assert set(core.__all__) <= set(dir(core))
    for name in core.__all__:
        assert getattr(core, name) is not None


def test_every_value_of_a_home_is_exported() -> None:
    assert sorted(core._HOME) == sorted(core.__all__)


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(AttributeError, match="Wurkbench"):
        core.Wurkbench  # noqa: B018


def test_importing_core_stays_light() -> None:
    code = "import sys, core; print({'chromadb', 'numpy', 'httpx'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
