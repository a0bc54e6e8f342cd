from __future__ import annotations

import csv
import io
import json
import re
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import EvalSetError
from core.evaluate.sets import sets
from core.evaluate.sets.sample import EvalSet, Sample
from core.text import safe

YAML = """\
name: small
samples:
- id: one
  query: How do I create a user?
  relevant:
  - shop.json POST /users
  - shop.json schemas/User
  grades:
    shop.json POST /users: 2
  apis: [shop]
  intent: endpoint
  tags: [plain]
- id: two
  query: any of these
  alternatives:
  - - a.json GET /x
    - b.json GET /x
- id: three
  query: nothing answers this
  tags: no-answer
"""
SMALL = (
    Sample(
        "one",
        "How do I create a user?",
        relevant=("shop.json POST /users", "shop.json schemas/User"),
        grades={"shop.json POST /users": 2},
        apis=("shop",),
        intent="endpoint",
        tags=("plain",),
    ),
    Sample("two", "any of these", alternatives=(("a.json GET /x", "b.json GET /x"),)),
    Sample("three", "nothing answers this", tags=("no-answer",)),
)
CSV = """\
id,query,relevant,alternatives,grades,apis,intent,tags
one,How do I create a user?,"shop.json POST /users
shop.json schemas/User",,shop.json POST /users=2,shop,endpoint,plain
two,any of these,,a.json GET /x | b.json GET /x,,,,
three,nothing answers this,,,,,,no-answer
"""


def parse(text: str, file: str = "set.yaml") -> EvalSet:
    return sets.parse(text.encode(), file)


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("small.yaml", YAML),
        ("small.json", sets.dump(EvalSet("small", SMALL), ".json")),
        ("small.json", json.dumps([sample.to_dict() for sample in SMALL])),
        ("small.jsonl", sets.dump(EvalSet("small", SMALL), ".jsonl")),
        ("small.csv", CSV),
    ],
    ids=["yaml", "json", "json-list", "jsonl", "csv"],
)
def test_every_format_gives_the_same_samples(file: str, text: str) -> None:
    found = parse(text, file)
    assert found.samples == SMALL
    assert found.name == "small"
    assert found.content_hash == EvalSet("other name", SMALL).content_hash


TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20).filter(
    lambda text: text.strip() == text and text
)
LISTS = st.lists(TEXT, max_size=3).map(tuple)
SAMPLES = st.builds(
    Sample,
    id=TEXT,
    query=TEXT,
    relevant=LISTS,
    alternatives=st.lists(LISTS.filter(bool), max_size=2).map(tuple),
    grades=st.dictionaries(TEXT, st.integers(0, 100), max_size=2),
    apis=LISTS,
    intent=st.sampled_from(["", "endpoint", "schema"]),
    reference=TEXT,
    tags=LISTS,
)


@pytest.mark.thorough
@pytest.mark.parametrize("suffix", [".yaml", ".json", ".jsonl", ".csv"])
@given(samples=st.lists(SAMPLES, min_size=1, max_size=3).map(tuple))
def test_writing_and_reading_is_a_round_trip(suffix: str, samples: tuple[Sample, ...]) -> None:
    written = sets.dump(EvalSet("set", samples), suffix)
    assert parse(written, f"set{suffix}").samples == samples


@given(st.text(max_size=12))
def test_a_guarded_cell_is_no_formula_and_is_read_back(text: str) -> None:
    guarded = safe.guard(text)
    assert not guarded.startswith(("=", "+", "-", "@", "\t", "\r"))
    assert safe.unguard(guarded) == text


@pytest.mark.parametrize("text", ["1e3", "0o7", "NO", "null", "2026-01-01", "- x", "a: b", "#x"])
def test_texts_that_look_like_something_else_stay_texts_in_yaml(text: str) -> None:
    samples = (Sample(text, text, tags=(text,)),)
    assert parse(sets.dump(EvalSet("set", samples), ".yaml")).samples == samples


REFUSED = [
    ("set.yaml", "samples: 7", "set.yaml: it holds no list of `samples`"),
    ("set.yaml", "samples:\n- just text", "set.yaml:2: a sample has names and values"),
    ("set.yaml", "samples:\n- id: a\n  query: ' '", "set.yaml:3: query: a sample needs a question"),
    ("set.yaml", "samples:\n- id: a", "set.yaml:2: query: a sample needs a question"),
    (
        "set.yaml",
        "samples:\n- query: q\n  relevent: [x]",
        "set.yaml:2: there is no key 'relevent'; write 'relevant'",
    ),
    (
        "set.yaml",
        "samples:\n- query: q\n  intent: guess",
        "set.yaml:3: intent: 'guess' is not one of",
    ),
    (
        "set.yaml",
        "samples:\n- query: q\n  alternatives: [a, b]",
        "set.yaml:3: alternatives: this is not a list of groups",
    ),
    (
        "set.yaml",
        "samples:\n- query: q\n  relevant:\n  - a\n  - {b: c}",
        "set.yaml:5: relevant: expected text, not dict",
    ),
    ("set.yaml", "samples:\n- query: q\n  grades: {a: -1}", "not a whole number from 0 to 100"),
    ("set.yaml", "samples:\n- query: q\n  grades: {a: 999}", "999 is above 100"),
    ("set.yaml", 'samples:\n- query: "a\\x07b"', "set.yaml:2: query: the text holds a control"),
    ("set.yaml", "samples: [", "set.yaml: "),
    ("set.jsonl", '{"query": "q"}\n{"query": ', "set.jsonl:2: this is not a JSON value"),
    ("set.jsonl", '\n\n{"query": 7, "tags": [null, true]}', "set.jsonl:3: tags: expected text"),
    ("set.csv", 'query,tags\n"a\nb",x\nc,d,e,f\n', "set.csv:4: the row has 4 cells, the header 2"),
    ("set.csv", "query,relevant\nq,[1\n", "set.csv:2: relevant: this is not a list or an object"),
    ("set.csv", "query,grades\nq,label\n", "set.csv:2: grades: 'label' is not LABEL=GRADE"),
    ("set.csv", 'query\n"open', "set.csv:2: this is not CSV"),
    ("set.txt", "query", "an eval set is a file that ends in"),
    ("set.jsonl", '{"query": ' + "[" * 100_000, "set.jsonl:1: this is not a JSON value"),
    ("set.json", '[{"query": 1' + "0" * 50_000 + "}]", "longer than 20000 characters"),
]


@pytest.mark.parametrize(("file", "text", "message"), REFUSED)
def test_hostile_input_is_refused_in_a_sentence(file: str, text: str, message: str) -> None:
    with pytest.raises(EvalSetError) as caught:
        parse(text, file)
    assert message in str(caught.value)
    assert str(caught.value).endswith(".")


def test_bytes_that_are_no_text_are_refused_with_their_line() -> None:
    with pytest.raises(EvalSetError, match=r"set\.csv:2: this is not UTF-8 text"):
        sets.parse(b"query\n\xff\xfe", "set.csv")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"query": "x" * 20_001}, "longer than 20000 characters"),
        ({"query": "q", "relevant": ["a"] * 501}, "more than 500 entries"),
        ({"query": "q", "alternatives": [["a"] * 300] * 2}, "more than 500 labels"),
        ({"query": "q", "grades": {str(n): 1 for n in range(501)}}, "list of up to 500"),
        ({"query": "q", "id": 10**30}, "the number is too large"),
    ],
    ids=["text", "labels", "groups", "grades", "number"],
)
def test_bounds(row: dict[str, object], message: str) -> None:
    with pytest.raises(EvalSetError, match=message):
        sets.of_values("set", [row])


def test_too_many_questions_and_bytes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sets, "MAX_SAMPLES", 2)
    with pytest.raises(EvalSetError, match="more than 2 questions"):
        parse('{"query": "q"}\n' * 5, "set.jsonl")
    monkeypatch.setattr(sets, "MAX_BYTES", 10)
    with pytest.raises(EvalSetError, match="larger than"):
        parse(YAML)


@given(st.binary(max_size=200), st.sampled_from(sets.SUFFIXES))
def test_any_bytes_are_read_or_refused(data: bytes, suffix: str) -> None:
    with suppress(EvalSetError):
        sets.parse(data, f"set{suffix}")


JSONISH = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@pytest.mark.thorough
@given(st.dictionaries(st.sampled_from(list(Sample.__dataclass_fields__)), JSONISH))
def test_any_value_is_a_sample_or_refused(row: dict[str, object]) -> None:
    try:
        (sample,) = sets.of_values("set", [row]).samples
    except EvalSetError:
        return
    assert sample.query.strip()
    assert all(isinstance(label, str) for label in sample.labels)


def test_keys_that_mean_nothing_are_kept_apart(tmp_path: Path) -> None:
    path = tmp_path / "set.json"
    path.write_text('{"samples": [{"query": "q", "author": "me"}]}')
    found = sets.read(path)
    assert found.ignored == ("author",)
    assert found.samples == (Sample("q001", "q"),)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(EvalSetError, match=r"absent\.yaml: it cannot be read"):
        sets.read(tmp_path / "absent.yaml")


@pytest.mark.parametrize(
    ("text", "file"),
    [
        ("- id: a\n  query: x\n  relevant: [a]\n  relevant: []", "set.yaml"),
        ('[{"id": "a", "query": "x",\n"relevant": ["a"], "relevant": []}]', "set.json"),
        ('{"id": "a", "query": "x", "relevant": ["a"], "relevant": []}', "set.jsonl"),
        ("id,query,relevant,relevant\na,x,a,\n", "set.csv"),
    ],
    ids=["yaml", "json", "jsonl", "csv"],
)
def test_a_key_that_is_there_twice_would_lose_gold_so_it_is_refused(text: str, file: str) -> None:
    with pytest.raises(EvalSetError, match=rf"{file}:\d: .*relevant"):
        parse(text, file)


def test_merge_keys_of_yaml_are_no_repetition() -> None:
    found = parse("- &a {id: a, query: x, tags: t}\n- {<<: *a, id: b}")
    assert [(each.id, each.tags) for each in found.samples] == [("a", ("t",)), ("b", ("t",))]


def test_a_name_cannot_steer_a_terminal() -> None:
    assert parse('name: "a\\e[31m\\nb"\nsamples: []').name == "a [31m b"


@pytest.mark.parametrize("text", ["\n=1", "＝1", "'＠x"])
def test_odd_formulas_are_guarded_too(text: str) -> None:
    assert safe.guard(text) == f"'{text}"
    assert safe.unguard(f"'{text}") == text


LOST = [
    ("set.yaml", b"samples: [{query: f\xfcr}]", "set.yaml:1: this is not UTF-8 text"),
    ("set.yaml", b"samples:\n- {query: a}\n- {query: \x80}", "set.yaml:3: this is not UTF-8 text"),
    ("set.json", b'[{"query":\n"f\xfcr"}]', "set.json:2: this is not UTF-8 text"),
    ("set.yaml", b"- query: a\n---\n- query: b", "set.yaml:3: another YAML document begins here"),
    ("set.yml", b"- query: a\n...\n---\nquery: b", "set.yml:4: another YAML document begins"),
    ("set.yaml", b"- query: a\x01b", "Characters that YAML forbids were replaced"),
]


@pytest.mark.parametrize(("file", "data", "message"), LOST)
def test_what_would_be_lost_from_a_document_is_refused(
    file: str, data: bytes, message: str
) -> None:
    with pytest.raises(EvalSetError, match=re.escape(message)):
        sets.parse(data, file)


@pytest.mark.parametrize("text", ["- query: a\n---\n", "---\n- query: a\n...\n", "- query: a\n---"])
def test_a_document_that_is_empty_loses_nothing(text: str) -> None:
    assert [sample.query for sample in parse(text).samples] == ["a"]


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("told", [False, True])
def test_columns_may_be_divided_by_other_marks(mark: str, end: str, told: bool) -> None:
    rows = [("id", "query", "tags"), ("a", "what, if; x\t| y", "one"), ("b", '"so"', "")]
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=mark, lineterminator=end).writerows(rows)
    found = parse((f"sep={mark}{end}" if told else "") + out.getvalue(), "set.csv")
    assert [(s.id, s.query, s.tags) for s in found.samples] == [
        ("a", "what, if; x\t| y", ("one",)),
        ("b", '"so"', ()),
    ]
    assert found.place(1) == f"set.csv:{4 if told else 3}"


def test_a_quoted_header_and_marks_in_quotes() -> None:
    found = parse('"id";"query"\n"a";"x;y, ""z"""\n', "set.csv")
    assert found.samples == (Sample("a", 'x;y, "z"'),)


def test_columns_that_nothing_divides_are_told_in_words() -> None:
    with pytest.raises(EvalSetError, match="divided by commas, semicolons or tabs"):
        parse("id:query:relevant\na:b:c\n", "set.csv")


RAGAS_CELLS = {
    "json": """["a.json:x, y", "b"]""",
    "python": """['a.json:x, y', 'b']""",
    "both quotes": """['a.json:x, y', "b"]""",
    "over lines": """['a.json:x, y',\n 'b']""",
    "a tuple": """('a.json:x, y', 'b')""",
    "pipe": "a.json:x, y | b",
}


@pytest.mark.parametrize("cell", RAGAS_CELLS.values(), ids=RAGAS_CELLS)
@pytest.mark.parametrize("names", [("user_input", "reference_context_ids"), ("query", "relevant")])
def test_lists_in_the_columns_of_ragas_are_read_as_in_ours(
    names: tuple[str, str], cell: str
) -> None:
    out = io.StringIO(newline="")
    csv.writer(out).writerows([names, ("how?", cell)])
    assert parse(out.getvalue(), "set.csv").samples[0].relevant == ("a.json:x, y", "b")


@pytest.mark.parametrize("cell", ["['a' 'b']", "['a'\n 'b']", "['a', open('x')]", "[{'a'}]", "['a"])
def test_what_is_no_list_is_refused_in_words_about_lists(cell: str) -> None:
    out = io.StringIO(newline="")
    csv.writer(out).writerows([("user_input", "reference_context_ids"), ("how?", cell)])
    with pytest.raises(EvalSetError, match=r"set\.csv:2: relevant: this is not a list"):
        parse(out.getvalue(), "set.csv")
