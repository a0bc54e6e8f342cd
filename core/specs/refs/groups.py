"""Which files of a root belong together because one refers to another."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from core.specs.document import Document
from core.specs.refs.resolve import target_file
from core.specs.written import written

_OUTWARD = r"((?:[^\"#\\]|\\.)(?:[^\"\\]|\\.)*)"  # in JSON; begins with no `#`
_REF = re.compile(
    rf'"(?:\$ref|operationRef|defaultMapping|\$dynamicRef|\$recursiveRef)":"{_OUTWARD}"'
)
_MAPPING = re.compile(r'"mapping":\{([^{}]*)\}')
_VALUE = re.compile(rf':"{_OUTWARD}"')
_IDENTIFIED = re.compile(r'"\$(?:id|self)":"')


def groups(documents: Mapping[str, Document]) -> list[list[str]]:
    """The files, sorted, in groups that no reference leaves; too large a group does no harm."""
    leader = {file: file for file in sorted(documents)}

    def find(file: str) -> str:
        while leader[file] != file:
            leader[file] = file = leader[leader[file]]
        return file

    identified = ""
    for file in leader if len(leader) > 1 else ():
        text = written(documents[file].value)
        for other in mentioned(text, file):
            if other in leader:
                first, second = sorted((find(file), find(other)))
                leader[second] = first
        if identifies(text):  # may be named from anywhere by what it calls itself
            first, second = sorted((find(file), find(identified or file)))
            leader[second] = identified = first
    together: dict[str, list[str]] = {}
    for file in leader:
        together.setdefault(find(file), []).append(file)
    return list(together.values())


def identifies(text: str) -> bool:
    """Whether a document, given as `written`, calls itself or a part of it by a URI."""
    return bool(_IDENTIFIED.search(text))


def mentioned(text: str, file: str) -> Iterator[str]:
    """The files that a document, given as `written`, refers to, existing or not; "" is none."""
    refs = set(_REF.findall(text))
    for values in _MAPPING.findall(text) if '"mapping":{' in text else ():
        refs.update(_VALUE.findall(values))
    for ref in refs:
        plain = json.loads(f'"{ref}"') if "\\" in ref else ref
        yield target_file(plain.partition("#")[0], file)
