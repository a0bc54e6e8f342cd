"""A mapping that nobody can change, for values that many hold: chunks are cached and shared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Frozen(dict[K, V]):
    """Equal to a dict of the same items; a copy is made with `dict(…)` or `|`.

    A dict, and not a `MappingProxyType`, so that orjson writes it, `dataclasses.asdict` copies it
    and a worker process gets it: chunks are pickled on their way through an ingest.
    """

    __slots__ = ()

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("This mapping is frozen: make a changed copy, with `dict(…)` or `|`.")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[dict[K, V]]]:
        return type(self), (dict(self),)
