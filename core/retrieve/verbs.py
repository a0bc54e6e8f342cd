"""Which HTTP methods the verb of a question suggests."""

from __future__ import annotations

import re
from collections.abc import Iterator

_FAMILIES = {
    ("GET",): """
        check count display download export fetch find get list look query read retrieve search
        show view
    """,
    ("POST", "PUT"): """
        add approve book buy capture charge convert copy create fork generate import insert invite
        invoke make merge order pay play post publish refund register run schedule send start
        submit subscribe transfer trigger upload
    """,
    ("PATCH", "POST", "PUT"): """
        assign change disable edit enable mark modify move patch put rename reorder replace set
        update
    """,
    ("DELETE", "POST"): """
        cancel clear delete drop erase remove revoke unfollow unsubscribe wipe
    """,
}  # POST is what many APIs use for whatever is not reading


def _methods() -> Iterator[tuple[str, tuple[str, ...]]]:
    for methods, verbs in _FAMILIES.items():
        for verb in verbs.split():
            stem = verb.removesuffix("e")
            for form in (verb, f"{verb}s", f"{stem}ing", f"{verb}{verb[-1]}ing"):
                yield form, methods


_METHODS = dict(_methods())
_WORD = re.compile(r"[a-z]+")


def suggested_methods(text: str) -> tuple[str, ...]:
    """Those of the first verb in lower-case text that suggests any."""
    words = (_METHODS.get(word) for word in _WORD.findall(text))
    return next((methods for methods in words if methods), ())
