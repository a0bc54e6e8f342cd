"""Which document took another's place, and documents that contradict each other."""

from __future__ import annotations

from support.documents import files_of, read

from core.sources.documents.status import Standing, standings


def stand(**texts: str) -> dict[str, Standing]:
    documents = {f"{name}.md": read(f"{name}.md", text) for name, text in texts.items()}
    return dict(standings(documents, files_of(documents)))


def front(**values: str) -> str:
    lines = "".join(f"{key}: {value}\n" for key, value in values.items())
    return f"---\n{lines}---\nText.\n"


def test_what_another_supersedes_is_superseded_whatever_it_says() -> None:
    said = stand(
        a=front(id="A", status="approved"),
        b=front(id="B", status="approved", supersedes="A"),
        c=front(supersedes="b.md"),
    )
    assert {file: one.status for file, one in said.items()} == {
        "a.md": "superseded",
        "b.md": "superseded",
        "c.md": "",
    }
    assert not any(one.findings for one in said.values())


def test_a_circle_is_told_with_its_line_and_supersedes_none() -> None:
    said = stand(
        a=front(id="A", status="approved", supersedes="B"),
        b=front(id="B", status="draft", supersedes="C"),
        c=front(id="C", supersedes="A"),
        d=front(id="D", status="approved"),
        e=front(supersedes="[D, A]"),
    )
    assert [said[f"{name}.md"].status for name in "bcde"] == ["draft", "", "superseded", ""]
    assert said["a.md"].status == "superseded"  # by one outside of the circle
    (finding,) = said["b.md"].findings
    assert (finding.rule, finding.line) == ("supersedes-circle", 4)
    assert "b.md supersedes c.md supersedes a.md supersedes b.md" in finding.message
    assert not said["e.md"].findings


def test_a_document_that_supersedes_itself() -> None:
    said = stand(a=front(id="A", supersedes="A"))
    assert said["a.md"].status == ""
    assert [f.rule for f in said["a.md"].findings] == ["supersedes-circle"]


def test_two_with_one_id_are_told_at_both() -> None:
    said = stand(a=front(title="x", id="A"), b=front(id="A"), c=front(supersedes="A"))
    assert [(f.rule, f.line) for f in said["a.md"].findings] == [("duplicate-id", 3)]
    assert [(f.rule, f.line) for f in said["b.md"].findings] == [("duplicate-id", 2)]
    assert "also that of b.md; references to it mean a.md" in said["a.md"].findings[0].message
    assert [said[f"{name}.md"].status for name in "ab"] == ["superseded", ""]
