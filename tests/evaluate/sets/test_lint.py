from __future__ import annotations

import pytest
from support.retrieved import A, D, E, labels

from core.errors import EvalSetError
from core.evaluate.sets import lint, sets
from core.evaluate.sets.gold import resolved
from core.evaluate.sets.labels import Labels
from core.evaluate.sets.sample import EvalSet, Sample
from core.model import Chunk, ChunkType

HEAD = "samples:\n"


def found(text: str) -> list[tuple[str, str]]:
    report = lint.lint(sets.parse((HEAD + text).encode(), "set.yaml"), labels())
    return [(finding.rule, str(finding)) for finding in report.findings]


CASES = [
    ("- query: q\n  relevant: [shop.json POST /user]", "unknown-label", "set.yaml:3: error:"),
    ("- query: q\n  alternatives: [[schemas/Usr]]", "unknown-label", "'shop.json schemas/User'"),
    ("- query: q\n  grades: {schemas/Nope: 1}\n  tags: no-answer", "unknown-label", "Nope"),
    (f"- query: q\n  relevant: ['{A}:errors']", "part-label", "names a part"),
    ("- query: q", "no-labels", "has no label"),
    (f"- query: q\n  relevant: ['{A}']\n  alternatives: [[]]", "no-labels", "empty group"),
    (f"- query: q\n  relevant: ['{A}']\n  tags: no-answer", "contradiction", "and has labels"),
    (f"- query: q\n  relevant: ['{A}']\n  apis: mail", "contradiction", "labels are in shop"),
    (f"- query: q\n  relevant: ['{A}']\n  apis: [shop, mail]", "contradiction", "names mail"),
    ("- query: q\n  apis: absent\n  tags: no-answer", "contradiction", "not in the store"),
    (f"- query: q\n  relevant: ['{A}', '{A}']", "repeated-label", "more than one place"),
    (f"- query: q\n  relevant: ['{A}', shop.json POST /users]", "repeated-label", "than one place"),
    (f"- query: q\n  relevant: ['{A}']\n  grades: {{'{A}': 0}}", "odd-grade", "grade 0"),
    (
        f"- query: q\n  relevant: ['{A}']\n  grades: {{'{A}': 3, shop.json POST /users: 1}}",
        "odd-grade",
        "the grades 1 and 3",
    ),
    (f"- query: q\n  author: x\n  relevant: ['{A}']", "ignored-key", "'author'"),
]


@pytest.mark.parametrize(("text", "rule", "message"), CASES)
def test_each_rule_finds_its_case_and_nothing_else(text: str, rule: str, message: str) -> None:
    ((found_rule, finding),) = found(text)
    assert found_rule == rule
    assert message in finding


POST = Chunk(
    "s.json:paths/users/{id}/keys/post",
    "s.json:paths/users/{id}/keys/post",
    ChunkType.OPERATION,
    "s",
    method="POST",
    path="/users/{id}/keys",
    operation_id="addKey",
)
KEY = Chunk(
    "s.json:components/schemas/ApiKey",
    "s.json:components/schemas/ApiKey",
    ChunkType.COMPONENT,
    "s",
    component_kind="schemas",
)


@pytest.mark.parametrize(
    ("query", "tags", "leaks"),
    [
        ("what does addKey do?", (), True),
        ("POST /users/{id}/keys how?", (), True),
        ("fields of ApiKey", (), True),
        ("fields of ApiKey", ("identifier",), False),
        ("add a key, an api key", (), False),
        ("ApiKeys and addKeys", (), False),
    ],
)
def test_a_question_with_the_name_of_what_it_asks_for(
    query: str, tags: tuple[str, ...], leaks: bool
) -> None:
    sample = Sample("a", query, relevant=(POST.id, KEY.id), tags=tags)
    found = lint.beside(sample, [], Labels([POST, KEY]), name="set")
    assert [each.rule for each in found] == (["leak"] if leaks else [])


def test_one_question_is_looked_at_beside_the_others() -> None:
    sample = Sample("a", "how to add a key to a user", relevant=("nowhere",))
    others = [Sample("b", "something else"), Sample("c", "how to add a key to an user")]
    found = lint.beside(sample, others, Labels([POST, KEY]), name="set")
    assert [each.rule for each in found] == ["unknown-label", "near-duplicate"]


def test_repeated_ids_and_questions() -> None:
    text = (
        f"- id: a\n  query: How do I create a user?\n  relevant: ['{A}']\n"
        f"- id: a\n  query: how do I  create a user?\n  relevant: ['{A}']\n"
        f"- id: b\n  query: How do I create an user?\n  relevant: ['{A}']\n"
    )
    rules = [rule for rule, _ in found(text)]
    assert rules == ["duplicate-id", "duplicate-question", "near-duplicate"]


def test_a_clean_set_has_no_finding_and_is_summed_up() -> None:
    text = (
        f"- query: one\n  relevant: ['{A}', '{D}']\n  intent: endpoint\n  tags: [x, y]\n"
        f"- query: something else\n  alternatives: [['{A}', '{E}']]\n  tags: [x]\n"
        "- query: no way\n  tags: [no-answer]\n"
    )
    eval_set = sets.parse((HEAD + text).encode(), "set.yaml")
    report = lint.lint(eval_set, labels())
    assert report.findings == ()
    assert report.composition == lint.Composition(
        questions=3,
        without_answer=1,
        labels=3,
        tags={"x": 2, "no-answer": 1, "y": 1},
        intents={"(none)": 2, "endpoint": 1},
        apis={"shop": 2, "mail": 1},
    )
    lint.check(eval_set, labels())


def test_labels_are_counted_as_a_run_counts_them() -> None:
    """Asked for twice is two, alternatives are one, what another group implies is none."""
    text = (
        f"- query: one\n  relevant: ['{A}']\n"
        f"- query: other\n  relevant: ['{A}']\n  alternatives: [['{D}', '{E}'], ['{A}', '{E}']]\n"
    )
    eval_set = sets.parse((HEAD + text).encode(), "set.yaml")
    counted = sum(len(resolved(sample, labels()).groups) for sample in eval_set.samples)
    assert lint.lint(eval_set, labels()).composition.labels == counted == 3


def test_check_raises_the_first_error_and_counts_the_others() -> None:
    text = "- query: a\n  relevant: [nope]\n- query: b\n  relevant: [nope, never]\n"
    with pytest.raises(EvalSetError) as caught:
        lint.check(sets.parse((HEAD + text).encode(), "set.yaml"), labels())
    assert str(caught.value).startswith("set.yaml:3: q001: 'nope' is not in the store.")
    assert str(caught.value).endswith("(2 more: `specloupe lint` lists them)")


def test_an_empty_set_is_an_error() -> None:
    (finding,) = lint.lint(EvalSet("empty", ()), labels()).findings
    assert finding.rule == "empty-set"
    assert finding.is_error
    with pytest.raises(EvalSetError, match="has no questions"):
        lint.check(EvalSet("empty", ()), labels())
