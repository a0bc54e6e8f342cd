import pytest

from core.text.chance import p_told, p_value


@pytest.mark.parametrize(
    ("p", "digits", "value", "told"),
    [
        (0.0123, 3, "0.012", "p = 0.012"),
        (0.001, 3, "0.001", "p = 0.001"),
        (0.0001, 3, "<0.001", "p < 0.001"),
        (0.0001, 2, "<0.01", "p < 0.01"),
        (1.0, 2, "1.00", "p = 1.00"),
    ],
)
def test_no_chance_is_told_as_none(p: float, digits: int, value: str, told: str) -> None:
    assert p_value(p, digits=digits) == value
    assert p_told(p, digits=digits) == told
