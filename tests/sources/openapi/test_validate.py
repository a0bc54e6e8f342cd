import json

import pytest
from hypothesis import given
from support.json_values import OBJECTS

from core.read.document import Document
from core.read.limits import Limits
from core.sources.openapi.read import parse
from core.sources.openapi.validate import findings


def api(version: str, **more: object) -> Document:
    name = "swagger" if version == "2.0" else "openapi"
    value = {name: version, "info": {"title": "t", "version": "1"}, "paths": {}, **more}
    return parse(json.dumps(value, indent=1).encode(), "api")


@pytest.mark.parametrize("version", ["2.0", "3.0.3", "3.1.0", "3.2.0"])
def test_a_right_document_has_no_findings(version: str) -> None:
    assert findings(api(version)) == ()


@pytest.mark.parametrize("version", ["2.0", "3.0.3", "3.1.0", "3.2.0"])
def test_a_finding_says_what_and_where(version: str) -> None:
    [finding] = findings(api(version, info={"title": [1], "version": "1"}))
    assert (finding.rule, finding.pointer, finding.line) == ("oas-schema", "/info/title", 4)
    assert finding.message == 'the value is not of type "string"'


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0"])
def test_the_deepest_cause_is_told(version: str) -> None:
    operation = {"parameters": [{"name": "x"}], "responses": {"200": {"description": [5]}}}
    told = [
        (f.pointer, f.message) for f in findings(api(version, paths={"/a": {"get": operation}}))
    ]
    assert ("/paths/~1a/get/responses/200/description", 'the value is not of type "string"') in told
    assert ("/paths/~1a/get/parameters/0", '"in" is a required property') in told
    assert not any("nevaluated" in message for _, message in told)


def test_the_rest_is_counted() -> None:
    paths = {f"/{i}": {"get": 1} for i in range(9)}
    told = findings(api("3.0.3", paths=paths), limits=Limits(max_findings=4))
    assert len(told) == 5
    assert told[-1].message == "There are 5 more of these."


def test_an_unknown_version_is_said_not_to_be_checked() -> None:
    [finding] = findings(api("4.0.0"))
    assert finding.rule == "oas-version"
    assert (
        finding.message == "Version '4.0.0' is not one of 2.0, 3.0, 3.1, 3.2; it was not checked."
    )


def test_what_is_no_api_is_not_checked() -> None:
    assert findings(parse(b'{"a": 1}', "api")) == ()


def test_numbers_without_end_and_deep_schemas_are_no_trouble() -> None:
    schema: object = {"type": 5, "maximum": 10**30}
    for _ in range(100):
        schema = {"properties": {"x": schema}}
    for version in ("3.0.3", "3.1.0"):
        findings(api(version, components={"schemas": {"A": schema}}))


@pytest.mark.thorough
@given(OBJECTS)
def test_anything_can_be_checked(value: dict[str, object]) -> None:
    for version in ("2.0", "3.0.3", "3.1.0", "3.2.0"):
        findings(api(version, **value))
