"""No page shows where on its machine the server keeps its files; everything else stays readable."""

from __future__ import annotations

import ast
import shlex
import tempfile
from pathlib import Path

import pytest

from core import errors
from core.exposed.said import without_paths

ROOT = Path(__file__).parents[2]


def every_class(base: type[errors.SpecloupeError]) -> list[type[errors.SpecloupeError]]:
    return [base, *(found for each in base.__subclasses__() for found in every_class(each))]


CLASSES = every_class(errors.SpecloupeError)


def raised(kind: type[errors.SpecloupeError], text: str) -> errors.SpecloupeError:
    if issubclass(kind, errors.SpecError):
        return kind(text, f"it cannot be read from {text}.")
    if kind is errors.UnknownId:
        return errors.UnknownId("file", text, (text,))
    said = f"{text}: it cannot be read ({text!r}). `specloupe ingest X --store {text}` mends."
    if issubclass(kind, errors.NotAllowed | errors.ModelError):
        return kind("reading", said)
    return kind(said)


@pytest.mark.thorough
@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("where", ["/data/of a team/acme", "/acme", "/opt/acme/(x)+[y]/it's"])
@pytest.mark.parametrize("file", ["", "/runs.sqlite", "/index/g-1a2b/chunks.bin"])
def test_no_error_tells_where_the_store_is(
    kind: type[errors.SpecloupeError], where: str, file: str
) -> None:
    environment = {"SPECLOUPE_STORE": f"{where}/store"}
    said = without_paths(raised(kind, f"{where}/store{file}"), environment)
    assert "store" + file in said
    for secret in ("/data", "of a team", "acme", "(x)+[y]", "it's"):
        assert secret not in said


@pytest.mark.thorough
@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize(
    "folder",
    [
        "/home/acme/own",
        "/root/.cache/acme",
        "/etc/acme.d",
        "/var/lib/acme",
        "/srv/acme",
        "/mnt/acme/specs",
        r"C:\Users\acme",
        tempfile.gettempdir() + "/acme",
        str(ROOT / "acme"),
        str(Path.home() / "acme"),
    ],
)
def test_no_error_tells_another_folder(kind: type[errors.SpecloupeError], folder: str) -> None:
    environment = {
        "SPECLOUPE_STORE": "/mnt/acme/store",
        "SPECLOUPE_SETTINGS": "/etc/acme.d/settings.toml",
    }
    said = without_paths(raised(kind, f"{folder}/model.bin"), environment)
    assert "model.bin" in said
    assert "acme" not in said


@pytest.mark.parametrize("quoted", [repr, shlex.quote, lambda text: f"`{text}`"])
def test_a_name_with_blanks_in_quotes_is_one(quoted) -> None:
    said = without_paths(f"no {quoted('/home/acme/My own/a b.yaml')} here", {})
    assert said in {f"no {quoted('a b.yaml')} here", "no 'a b.yaml' here"}


def test_a_store_is_named_however_it_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    monkeypatch.chdir(tmp_path)
    for given in (str(tmp_path / "link"), "link", "../" + tmp_path.name + "/link"):
        environment = {"SPECLOUPE_STORE": given}
        for written in (given, str(tmp_path / "link"), str(tmp_path / "real")):
            said = without_paths(f"The store {written} is busy.", environment)
            assert said == "The store link is busy."


@pytest.mark.parametrize(
    "said",
    [
        "There is no operation 'POST /home/{id}' in this store.",
        "shop.json GET /var/x is not there: did you mean GET /usr/x?",
        "There is no chunk 'shop.json:/home/paths' in this store.",
        "https://example.com/home/spec.yaml answered with 404.",
        "http://chroma:8000 cannot be reached (refused). Check the address; then try again.",
        "paths/users/{id}/home/get does not resolve.",
        "/users/{id} and /storehouse are paths of an API.",
        "Set EMBEDDER=static, and/or read docs/settings.md.",
    ],
)
def test_what_is_no_path_of_the_machine_stays(said: str) -> None:
    assert without_paths(said, {"SPECLOUPE_STORE": "/store"}) == said


def test_every_page_tells_errors_through_it() -> None:
    """What is caught never becomes text but here."""
    for path in (*(ROOT / "ui").rglob("*.py"), *(ROOT / "pages").rglob("*.py")):
        for handler in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(handler, ast.ExceptHandler) and handler.name:
                written = {node for node in ast.walk(handler) if _is(node, "str", "plain", "repr")}
                written |= {n for n in ast.walk(handler) if isinstance(n, ast.FormattedValue)}
                told = names(*(n for n in ast.walk(handler) if _is(n, "without_paths", "type")))
                told |= names(*(n for n in ast.walk(handler) if isinstance(n, ast.Attribute)))
                for name in names(*written) - told:
                    assert name.id != handler.name, f"{path.name}:{name.lineno}"


def names(*nodes: ast.AST) -> set[ast.Name]:
    return {name for node in nodes for name in ast.walk(node) if isinstance(name, ast.Name)}


def _is(node: ast.AST, *functions: str) -> bool:
    return (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in functions
    )
