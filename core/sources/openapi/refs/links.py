"""Which other files a document refers to, told by its bytes where that is possible."""

from __future__ import annotations

import re
from collections.abc import Callable

from core.errors import SpecError
from core.read.document import Document
from core.sources.openapi.refs.groups import linked

# Most documents refer to no other file, and their bytes show it. What only may be a reference
# counts as one here: then the document is parsed, and a closer look decides. Each pattern begins
# with plain characters, which makes the search fast; what it has taken it does not give back, or
# blanks without end would take time without end. Behind `#` outside quotes stands a comment.
_VALUE_OF_ITS_OWN = rb"""["']?+\s*+:\s*+(?:[>|#][^\n]*+\s*+)*+["']?+\s*+[^\s"'#]"""
_MAY_REFER = tuple(
    re.compile(pattern)
    for pattern in (
        rb"\$ref" + _VALUE_OF_ITS_OWN,
        rb"\$dynamicRef" + _VALUE_OF_ITS_OWN,
        rb"\$recursiveRef" + _VALUE_OF_ITS_OWN,
        rb"operationRef" + _VALUE_OF_ITS_OWN,
        rb"defaultMapping" + _VALUE_OF_ITS_OWN,
        rb"""(?:\$(?:dynamic|recursive)?[Rr]ef|operationRef|mapping|defaultMapping)["']?\s*+/[/*]""",
        rb"""mapping["']?\s*:\s*(?:\{[^{}]*:\s*["']?[^\s"'#{]|[^\s{])""",
        rb"""mapping["']?\s*+:\s*+\{[^{}]*+(?:\{|\}\w*["'])""",  # with braces in a value
        rb"""\$id["']?\s*:""",
        rb"""\$self["']?\s*:""",
        rb"\\u00(?:24|[67])",  # a key that is written with escapes
    )
)
_WIDE = re.compile(rb"\xff\xfe|\xfe\xff|.?\x00")  # UTF-16 and UTF-32


def links(data: bytes, parsed: Callable[[], Document], prefix: str = "") -> tuple[str, ...]:
    """What a document refers to and what it declares, as `groups.linked` names it.

    `data` are its bytes; it is parsed only when they hold what may be such a reference. `prefix`
    stands before the names of its root's files.
    """
    if not (_WIDE.match(data) or any(pattern.search(data) for pattern in _MAY_REFER)):
        return ()
    try:
        document = parsed()
    except SpecError:
        return ()  # it is refused with this error when it is cut
    return tuple(sorted(set(linked(document, prefix)) - {"", document.file}))
