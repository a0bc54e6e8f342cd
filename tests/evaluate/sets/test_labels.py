from __future__ import annotations

import pytest
from support.retrieved import ERRORS, A, B, C, D, E, F, chunk, labels

from core.evaluate.sets.labels import Labels, UnknownLabel
from core.ids import element_of

ODD = (
    "a b/api.json:paths/v1/users%3Abatch/post",
    "a b/api.json:components/schemas/Big User",
    "slack.json:info",
    "slack.json:webhooks/newPet/post",
)


@pytest.mark.parametrize(
    ("label", "element"),
    [
        (A, A),
        ("shop.json POST /users", A),
        ("shop.json post /users", A),
        ("shop POST /users", A),  # the file id
        ("shop.json schemas/User", D),
        ("shop.json components/schemas/User", D),
        ("shop.json paths/users/get", B),
        ("GET /orders", C),  # only one API has it
        ("schemas/Letter", F),
    ],
)
def test_a_label_means_an_element(label: str, element: str) -> None:
    assert labels().resolve(label) == element


def test_the_apis_of_the_sample_decide_where_a_label_names_no_file() -> None:
    assert labels().resolve("POST /users", apis=["mail"]) == E
    with pytest.raises(UnknownLabel, match="is in 2 APIs, so write the file before it") as e:
        labels().resolve("POST /users")
    assert e.value.nearest == ("mail.json POST /users", "shop.json POST /users")


@pytest.mark.parametrize(
    ("label", "element"),
    [
        ("a b/api.json schemas/Big User", ODD[1]),
        ("slack.json info", ODD[2]),
        ("slack info", ODD[2]),
    ],
)
def test_odd_names(label: str, element: str) -> None:
    assert Labels(map(chunk, ODD)).resolve(label) == element


def test_paths_with_a_colon() -> None:
    (facts,) = map(chunk, ODD[:1])
    from dataclasses import replace

    known = Labels([replace(facts, path="/v1/users:batch", method="POST")])
    assert known.resolve("a b/api.json POST /v1/users:batch") == ODD[0]
    assert known.resolve(ODD[0]) == ODD[0]
    assert known.resolve("POST /v1/users:batch") == ODD[0]


def test_an_unknown_label_names_the_nearest() -> None:
    with pytest.raises(UnknownLabel) as caught:
        labels().resolve("shop.json POST /user")
    assert caught.value.nearest[0] == "shop.json POST /users"
    assert "Did you mean 'shop.json POST /users'" in str(caught.value)


@pytest.mark.parametrize("label", [ERRORS, f"{A}:examples"], ids=["existing", "imagined"])
def test_a_part_is_no_label(label: str) -> None:
    with pytest.raises(UnknownLabel, match="names a part; a label names a whole element"):
        labels().resolve(label)


@pytest.mark.parametrize("label", ["", " ", "x" * 1000, ":::", "shop.json", "shop.json "])
def test_nonsense_is_unknown(label: str) -> None:
    with pytest.raises(UnknownLabel):
        labels().resolve(label)


@pytest.mark.parametrize("chunk_id", [A, ERRORS, D, f"{D}:part-2"])
def test_the_element_of_a_chunk(chunk_id: str) -> None:
    assert element_of(chunk_id) == chunk(chunk_id).element


def test_the_parts_of_an_element_are_known() -> None:
    assert labels().elements[A].parts == ("", "errors")
