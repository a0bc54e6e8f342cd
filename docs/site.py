"""Build the documentation as a site, in `site/`: `just site`. A broken link or anchor fails.

The pages are written for readers of the repository. On the site, links to pages outside `docs/`
lead to their copies, and links to other files are shown as the file's name.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PREPARED = ROOT / ".site"  # what `docs_dir` of zensical.toml names

# Path in the repository → name of its page on the site.
BESIDE = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "eval_sets/README.md": "eval-sets.md",
}

_LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)#:\s]+)(#[^)\s]*)?\)")


def prepare() -> None:
    """Write the pages of the site to `PREPARED`."""
    shutil.rmtree(PREPARED, ignore_errors=True)
    shutil.copytree(ROOT / "docs", PREPARED, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    for page in PREPARED.glob("*.md"):
        page.write_text(for_the_site(page.read_text(encoding="utf-8"), "docs"), encoding="utf-8")
    for path, name in BESIDE.items():
        text = for_the_site((ROOT / path).read_text(encoding="utf-8"), str(Path(path).parent))
        (PREPARED / name).write_text(text, encoding="utf-8")


def for_the_site(markdown: str, folder: str) -> str:
    """`markdown` of a page in `folder`, with links that lead somewhere on the site."""
    return _LINK.sub(lambda found: _link(found, folder), markdown)


def _link(found: re.Match[str], folder: str) -> str:
    label, target, anchor = found.groups(default="")
    path = (ROOT / folder / target).resolve()
    inside = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else target
    if inside in BESIDE:
        return f"[{label}]({BESIDE[inside]}{anchor})"
    if inside.startswith("docs/"):
        return f"[{label}]({inside.removeprefix('docs/')}{anchor})"
    return label if path.exists() else found[0]


if __name__ == "__main__":
    prepare()
    sys.exit(
        subprocess.run(
            ["zensical", "build", "--clean", "--strict"], cwd=ROOT, check=False
        ).returncode
    )
