"""What a parser hands back, and the bounds that every parser keeps."""

from __future__ import annotations

from dataclasses import dataclass

from core.deadline import Deadline
from core.errors import UnsafeSpec
from core.model import JSON
from core.read.document import Finding
from core.read.limits import Limits

_DIGITS = bytes.maketrans(bytes(range(256)), bytes(48 if 48 <= c < 58 else 32 for c in range(256)))


def has_digits(data: bytes, count: int) -> bool:
    """Whether this many digits are in a row."""
    return b"0" * count in data.translate(_DIGITS)


@dataclass(frozen=True, slots=True)
class Parsed:
    """Plain JSON values with text keys, and what was odd about their text."""

    value: JSON
    loader: str
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Bounds:
    """The limits of one file; each check raises UnsafeSpec with a sentence that names the file."""

    file: str
    limits: Limits
    deadline: Deadline

    def check_time(self) -> None:
        if self.deadline.passed:
            raise UnsafeSpec(
                self.file,
                f"reading it takes longer than {self.limits.parse_seconds} seconds "
                "(SPECLOUPE_PARSE_SECONDS).",
            )

    def check_nesting(self, depth: int) -> None:
        if depth > self.limits.max_nesting:
            raise self.too_deep()

    def check_nodes(self, nodes: int) -> None:
        if nodes > self.limits.max_nodes:
            raise UnsafeSpec(
                self.file,
                f"it holds more than {self.limits.max_nodes:,} values, aliases expanded "
                "(SPECLOUPE_MAX_NODES).",
            )

    def check_length(self, length: int) -> None:
        if length > self.limits.max_file_bytes:
            raise UnsafeSpec(
                self.file,
                f"it holds more than {self.limits.max_file_mb} MB of text, aliases expanded "
                "(SPECLOUPE_MAX_FILE_MB).",
            )

    def too_deep(self) -> UnsafeSpec:
        return UnsafeSpec(
            self.file,
            f"it is nested more than {self.limits.max_nesting} levels deep "
            "(SPECLOUPE_MAX_NESTING).",
        )

    def check(self, value: JSON) -> None:
        """Hold a parsed value to the bounds, level by level: no recursion at any depth."""
        level = [value] if isinstance(value, dict | list) else []
        nodes, depth = 1, 0
        while level:
            depth += 1
            self.check_nesting(depth)
            below = [v for c in level for v in (c.values() if isinstance(c, dict) else c)]
            nodes += len(below)
            self.check_nodes(nodes)
            level = [value for value in below if isinstance(value, dict | list)]
