import pytest

from core.errors import SettingsError
from core.read.limits import LIMIT_KNOBS, Limits


def test_the_environment_changes_what_it_names() -> None:
    limits = Limits.from_environment({"SPECLOUPE_MAX_FILE_MB": "7", "SPECLOUPE_MAX_NODES": " "})
    assert limits == Limits(max_file_mb=7)
    assert limits.max_file_bytes == 7_000_000


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SPECLOUPE_MAX_FILE_MB", "many"),
        ("SPECLOUPE_MAX_NESTING", "255"),
        ("SPECLOUPE_ALLOW_PRIVATE_NETWORK", "maybe"),
    ],
    ids=["no number", "out of bounds", "no truth value"],
)
def test_a_wrong_value_is_named(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=name):
        Limits.from_environment({name: value})


def test_private_networks_are_closed_unless_said_otherwise() -> None:
    assert not Limits().allow_private_network
    name = "SPECLOUPE_ALLOW_PRIVATE_NETWORK"
    assert Limits.from_environment({name: "true"}).allow_private_network


def test_every_bound_is_named_and_explained() -> None:
    for knob in LIMIT_KNOBS:
        assert knob.env.startswith("SPECLOUPE_")
        assert knob.help.endswith(".")
