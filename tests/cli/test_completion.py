from __future__ import annotations

import os
import subprocess
import sys

import pytest

from core.cli import run
from core.cli.completion import SHELLS


@pytest.mark.parametrize("shell", SHELLS)
def test_each_shell_gets_a_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", shell]) == 0
    assert "_SPECLOUPE_COMPLETE" in capsys.readouterr().out


def test_what_the_script_asks_for_is_answered() -> None:
    asked = {
        "_SPECLOUPE_COMPLETE": "bash_complete",
        "COMP_WORDS": "specloupe doc",
        "COMP_CWORD": "1",
    }
    command = [sys.executable, "-c", "from core.cli import main; main()"]
    done = subprocess.run(
        command, env=os.environ | asked, capture_output=True, text=True, check=False
    )
    assert done.stdout == "plain,doctor\n"
