"""A folder of source code, from its files to what is found and shown."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from support.apis import api, write
from support.stores import opened

from core import Workbench
from core.index.write.commit import Batch, Committer
from core.index.write.report import IngestReport
from core.model import Level
from core.sources.code.outline import Definition, Outline
from core.sources.code.pieces import Piece, pieces

HIDDEN = "hunter2-secret"
FILES = {
    "cart.py": 'def add(item):\n    """Put an item into the cart."""\n    return save(item)\n\n'
    f'def save(item):\n    password = "{HIDDEN}"\n    return item\n',
    "web/app.ts": "import { b } from './b';\nexport function draw() { b(); }\n",
    "web/b.ts": "export function b() {}\n",
    "web/min.js": "a=1;" * 4_000,
    "build/out.py": "x = 1\n",
    "empty/__init__.py": "",
    "other/__init__.py": "",
    ".gitignore": "build/\n",
    ".env": f"PASSWORD={HIDDEN}\n",
    "keys.pem": f"-----BEGIN PRIVATE KEY-----\n{HIDDEN}\n",
    "README": "no ending\n",
}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "code" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "code"


def ingest(workbench: Workbench, source: Path, **how: object) -> IngestReport:
    *_, report = workbench.ingest([source], **how)  # type: ignore[arg-type]
    assert isinstance(report, IngestReport)
    return report


def test_code_is_found_shown_and_related(source: Path, tmp_path: Path) -> None:
    with opened(tmp_path / "store") as workbench:
        report = ingest(workbench, source)
        assert [spec.file for spec in report.specs] == [
            *("cart.py", "empty/__init__.py", "other/__init__.py", "web/app.ts", "web/b.ts")
        ]
        assert [refused.file for refused in report.not_source] == ["web/min.js"]
        assert report.clashes == ()  # two empty files are nothing to ask about
        context = workbench.retrieve("put an item into the cart")
        assert context.primary_chunks[0].chunk.id == "cart.py:function/add"
        chunk, text = workbench.look("cart.py:function/add", Level.JSON)
        assert chunk.ref_ids == {"cart.py:function/save": ("calls",)}
        assert text.startswith("cart.py:1-3\ndef add(item):")
        impact = workbench.impact("web/b.ts:function/b")
        assert "web/app.ts:function/draw" in {one.id for one in impact.operations}


def test_no_secret_is_kept_anywhere(source: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    with opened(store) as workbench:
        ingest(workbench, source)
        workbench.retrieve("password")
        shown = json.dumps([chunk.text for chunk in workbench.chunks()])
        assert HIDDEN not in shown
        assert "[secret]" in workbench.look("cart.py:function/save", Level.JSON)[1]
    for path in store.rglob("*"):
        assert not path.is_file() or HIDDEN.encode() not in path.read_bytes(), path


def test_a_change_in_one_file_changes_what_calls_it(source: Path, tmp_path: Path) -> None:
    with opened(tmp_path / "store") as workbench:
        ingest(workbench, source)
        (source / "web/b.ts").write_text("export function c() {}\n")
        (source / "empty/__init__.py").unlink()
        report = ingest(workbench, source, prune=True)
        assert report.removed == ("empty/__init__.py",)
        assert "cart.py" in report.skipped
        assert workbench.look("web/app.ts:function/draw")[0].ref_ids == {}
        assert ingest(workbench, source).skipped == (
            *("cart.py", "other/__init__.py", "web/app.ts", "web/b.ts"),
        )


MANY = {
    **{f"m{n}.py": f"from m{n + 1} import f{n + 1}\ndef f{n}(): f{n + 1}()\n" for n in range(6)},
    "m6.py": "def f6(): pass\n",
}


def chunks_of(workbench: Workbench) -> dict[str, object]:
    return {chunk.id: chunk for chunk in workbench.chunks()}


def test_a_root_is_stored_part_by_part_and_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {**MANY, "notes.md": "# Notes\n\nSee [it](m3.py#L2) and [that](m9.py).\n"}
    source = write(tmp_path / "in", texts)
    with opened(tmp_path / "whole") as workbench:
        ingest(workbench, source, formats=("all",))
        whole = chunks_of(workbench)
    monkeypatch.setattr("core.index.write.update._ROWS", 1)
    begun: list[list[str]] = []
    begin = Committer.begin

    def noted(self: Committer, batch: Batch) -> None:
        begun.append([spec.entry.file for spec in batch.specs])
        begin(self, batch)

    monkeypatch.setattr(Committer, "begin", noted)
    with opened(tmp_path / "parts") as workbench:
        report = ingest(workbench, source, formats=("all",))
        assert chunks_of(workbench) == whole
        (lost,) = report.specs[-1].unresolved
        assert lost.ref == "m9.py"
        assert ingest(workbench, source, formats=("all",)).skipped == tuple(sorted(texts))
        (source / "m6.py").write_text("def f6(): return 1\ndef g(): pass\n")
        assert [s.file for s in ingest(workbench, source, formats=("all",)).specs] == ["m6.py"]
    # the document is stored with the file that it leads to, all others one by one
    assert begun[:7] == [[f"m{n}.py"] for n in (0, 1, 2, 4, 5, 6)] + [["notes.md", "m3.py"]]


def test_one_that_we_fail_on_leaves_those_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(outline: Outline, one: Definition) -> Sequence[Piece]:
        if one.name == "f3":
            raise ZeroDivisionError("ours")
        return pieces(outline, one)

    source = write(tmp_path / "in", MANY)
    with opened(tmp_path / "store") as workbench:
        with monkeypatch.context() as patch:
            patch.setattr("core.sources.code.chunk.pieces", failing)
            report = ingest(workbench, source)
        assert [spec.file for spec in report.specs] == ["m0.py", "m1.py", "m2.py"]
        assert [one.file for one in report.refused] == ["m3.py", "m4.py", "m5.py", "m6.py"]
        assert "Please report this" in report.refused[0].reason
        assert workbench.retrieve("f0").primary_chunks
        assert len(ingest(workbench, source).specs) == 4


def test_beside_apis_code_is_read_when_it_is_asked_for(source: Path, tmp_path: Path) -> None:
    write(
        source,
        {"shop.json": {"openapi": "3.0.0", "info": {"title": "S", "version": "1"}, "paths": {}}},
    )
    with opened(tmp_path / "store") as workbench:
        report = ingest(workbench, source)
        assert [spec.file for spec in report.specs] == ["shop.json"]
        assert "cart.py" in report.left_out
        report = ingest(workbench, source, formats=("api", "code"))
        assert "cart.py" in [spec.file for spec in report.specs]


def test_a_function_is_linked_to_the_operation_that_it_serves(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    (source / "app.py").write_text(
        "@app.post('/v1/users')\ndef new_user(): pass\n\ndef again(): new_user()\n"
    )
    write(source, {"shop.json": api("Shop", paths=["/users"])})
    operation, function = "shop.json:paths/users/post", "app.py:function/new_user"
    with opened(tmp_path / "store") as workbench:
        ingest(workbench, source, formats=("all",))
        assert workbench.look(function)[0].ref_ids == {operation: ("serves",)}
        assert workbench.look(operation)[0].referenced_by == (function,)
        listed = {chunk.id: chunk for chunk in workbench.chunks()}
        assert listed[function].ref_ids == {operation: ("serves",)}
        assert listed[operation].referenced_by == (function,)
        assert workbench.show(function)[0] == listed[function]
        affected = {one.id: one.used for one in workbench.impact(operation).operations}
        assert affected == {function: ("serves",), "app.py:function/again": ("calls",)}
        write(source, {"other.json": api("Other", paths=["/users"])})
        ingest(workbench, source, formats=("all",))  # now it could be either
        assert workbench.look(function)[0].ref_ids == {}
        (source / "other.json").unlink()
        ingest(workbench, source, formats=("all",), prune=True)
        assert workbench.look(function)[0].ref_ids == {operation: ("serves",)}
