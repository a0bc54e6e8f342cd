"""Plain values, as JSON gives them, into frozen dataclasses: one converter for all of them.

A field that a class does not have is passed over, for a newer version may have written it; one that
is missing has the default of its class.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from cattrs import Converter

T = TypeVar("T")

_MOST = 3  # faults that a message names


def structure(kind: type[T], values: object) -> T:
    """The values as an instance of `kind`; raises ValueError, which names the fields at fault."""
    from cattrs import BaseValidationError, transform_error

    if not isinstance(values, Mapping):
        raise ValueError(f"expected an object, not {type(values).__name__}")
    try:
        return _converter().structure(values, kind)
    except BaseValidationError as error:
        faults = transform_error(error, format_exception=_said)
        raise ValueError("; ".join(faults[:_MOST])) from error
    except (TypeError, KeyError, AttributeError, OverflowError) as error:
        raise ValueError(_said(error, None)) from error


@cache
def _converter() -> Converter:
    from cattrs import Converter  # not before something is read: it takes a moment to import

    converter = Converter()
    converter.register_structure_hook(str, _text)
    converter.register_structure_hook(float, _number)
    return converter


def _text(value: Any, kind: type[str]) -> str:
    if kind is not str:
        return kind(value)  # an enum, whose members are texts
    if isinstance(value, str):
        return value
    if isinstance(value, int | float):
        return str(value)
    raise TypeError(f"expected text, not {type(value).__name__}")


def _number(value: Any, _: object) -> float:
    """NaN would pass, or fail, every comparison that a gate or a test makes with it."""
    number = float(value)
    if not isfinite(number):
        raise ValueError(f"{number} is not a finite number")
    return number


def _said(error: BaseException, _: object) -> str:
    if isinstance(error, KeyError):
        return f"{error.args[0]} is missing"
    return str(error) or type(error).__name__
