"""Which Specloupe this is: the installed version, and the commit where it is a checkout."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from platform import platform, python_version

_GIT = Path(__file__).parents[1] / ".git"


def _installed() -> str:
    try:
        return version("specloupe")
    except PackageNotFoundError:  # run from a checkout without being installed
        return "0"


__version__ = _installed()


def code_version() -> str:
    """The version, and the first twelve digits of the commit where this is a checkout."""
    commit = checked_out(_GIT)
    return f"{__version__}+{commit[:12]}" if commit else __version__


def in_a_report() -> str:
    """What a report about a mistake should say: the first line for eyes, the rest for who looks."""
    libraries = ", ".join(f"{name} {version(name)}" for name in ("chromadb", "numpy", "streamlit"))
    system = f"Python {python_version()}, {platform()}"
    return f"specloupe {code_version()}\n{system}\n{libraries}\n"


def checked_out(git: Path) -> str:
    """The commit that is checked out below a `.git` folder; "" where there is none."""
    try:
        head = _text(git / "HEAD")
        ref = head.removeprefix("ref: ")
        if ref == head:
            return head
        return _text(git / ref) if (git / ref).exists() else _packed(git, ref)
    except (OSError, ValueError):  # an installed package, or a worktree's `.git` file
        return ""


def _packed(git: Path, ref: str) -> str:
    lines = _text(git / "packed-refs").splitlines()
    return next((line.split()[0] for line in lines if line.endswith(f" {ref}")), "")


def _text(file: Path) -> str:
    return file.read_text(encoding="ascii").strip()
