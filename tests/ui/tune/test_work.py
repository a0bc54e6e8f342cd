"""What is tried, as it was typed."""

import pytest

from core.errors import CallError, SettingsError
from core.settings import KNOB, Settings
from ui.tune.asked import suggested, told
from ui.tune.frontier import command
from ui.tune.work import ALL, MOST, SINGLE, combined, values_of


def test_values_are_those_of_the_setting() -> None:
    assert values_of("min_score", ["0.2", " .2", "1"]) == (0.2, 1.0)
    assert values_of("spelling", ["off", "true"]) == (False, True)
    with pytest.raises(SettingsError, match="Min score: 7"):
        values_of("min_score", ["7"])


def test_values_are_combined_or_tried_one_at_a_time() -> None:
    axes = {"max_depth": (1, 2), "min_score": (0.1, 0.2, 0.3)}
    assert len(combined(axes, ALL)) == 6
    assert combined(axes, SINGLE)[0] == {"max_depth": 1}
    assert len(combined(axes, SINGLE)) == 5
    with pytest.raises(CallError, match="1,024 combinations are more than 1,000"):
        combined({"a": range(32), "b": range(32)}, ALL)  # type: ignore[dict-item]
    assert MOST == 1000


def test_what_is_suggested_holds_the_value_as_it_is() -> None:
    base = Settings(min_score=0.25).to_dict()
    for name, knob in KNOB.items():
        if knob.group != "engine":
            values = suggested(knob, base[name])
            assert base[name] in values
            assert len(values) == len(set(values))
            assert [knob.parse(value, name) for value in values] == list(values)


def test_the_command_gives_the_same_settings() -> None:
    tuned = Settings(max_depth=1, min_score=0.2, spelling=False)
    said = "specloupe eval SET.yaml --min-score 0.2 --max-depth 1 --no-spelling"
    assert sorted(command(tuned, Settings()).split()) == sorted(said.split())


def test_what_a_click_costs_is_told() -> None:
    assert told(5, 0, 0, 1) == "5 combinations. Choose a question set to try them on."
    said = told(1, 2, 1, 3)
    assert said.startswith("1 combination, 2 more are left out because other settings")
    assert said.endswith("on 1 question, each of which is searched 3 times.")
