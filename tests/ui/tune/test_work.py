"""What is tried, as it was typed."""

import pytest
import streamlit as st

from core.errors import SettingsError
from core.settings import KNOB, Settings
from ui.tune.asked import Cost, shown, suggested, told
from ui.tune.frontier import command
from ui.tune.work import values_of


def test_values_are_those_of_the_setting() -> None:
    assert values_of("min_score", ["0.2", " .2", "1"]) == (0.2, 1.0)
    assert values_of("spelling", ["off", "true"]) == (False, True)
    with pytest.raises(SettingsError, match="Min score: 7"):
        values_of("min_score", ["7"])


@pytest.mark.parametrize(
    ("name", "text", "values"),
    [
        ("max_depth", "1..4", (1, 2, 3, 4)),
        ("token_limit", "1000..3000 by 1000", (1000, 2000, 3000)),
        ("token_limit", "1.000..3.000 by 1.000", (1000, 2000, 3000)),
        ("token_limit", "1,000..12,000 by 11000", (1000, 12000)),
        ("min_score", "0.1..0.3 by 0.1", (0.1, 0.2, 0.3)),
        ("min_score", "0..0.4", (0.0, 0.1, 0.2, 0.3, 0.4)),
        ("min_score", "0,1..0,3 by 0,1", (0.1, 0.2, 0.3)),
    ],
)
def test_a_range_is_its_values(name: str, text: str, values: tuple[float, ...]) -> None:
    assert values_of(name, [text]) == values
    assert values_of(name, [text, str(values[0])]) == values


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("mode", "exact..hybrid", "a range is of numbers"),
        ("max_depth", "1..3 by few", "is not a number"),
        ("max_depth", "1..3 by -1", "is not a range of at most 100 values"),
        ("min_score", "0.1..7", "Min score: 7"),
    ],
)
def test_what_is_no_range_is_refused(name: str, text: str, says: str) -> None:
    with pytest.raises(SettingsError, match=says):
        values_of(name, [text])


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
    assert told(Cost(5, 0, 0, 1)) == "5 combinations. Choose a question set to try them on."
    said = told(Cost(1, 2, 1, 3))
    assert said.startswith("1 combination, 2 more are left out because other settings")
    assert said.endswith("on 1 question, each of which is searched 3 times.")
    assert told(Cost(1, 0, 9, 1, 42.4)).endswith("searched once: about 42 s.")
    assert told(Cost(1, 0, 9, 1, 200)).endswith(": about 3 min.")


def test_values_are_written_as_the_sliders_write_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(st.context), "locale", property(lambda _: "de-DE"))
    assert [*map(shown, ("4000", "0.5", "hybrid"))] == ["4.000", "0,5", "hybrid"]
    assert values_of("token_limit", [shown("4000")]) == (4000,)
