"""What a document mentions of other files, and what it calls itself."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from core.read.document import Document
from core.read.names import join
from core.read.written import written
from core.sources.files import DECLARED, SELF_NAMED, Files, Home, name_of_target
from core.sources.openapi.refs.resolve import Identified, identified

_OUTWARD = r"((?:[^\"#\\]|\\.)(?:[^\"\\]|\\.)*)"  # in JSON; begins with no `#`
_KEYS = r"\$ref|operationRef|\$dynamicRef|\$recursiveRef|defaultMapping"
_REF = re.compile(rf'"(?:{_KEYS})":"{_OUTWARD}"')
_MAPPING = re.compile(r'"mapping":\{((?:[^{}"]|"(?:[^"\\]|\\.)*+")*+)\}')
_VALUE = re.compile(rf':"{_OUTWARD}"')
_FOLDERS = 20  # of the names that a document gives itself
_IDENTIFIED = re.compile(r'"\$(?:id|self)":"')


def files_of(documents: Mapping[str, Document]) -> Files:
    """Documents as the files of one root."""
    links = {file: set(linked(document)) for file, document in documents.items()}
    return Files(dict.fromkeys(documents, Home()), links)


def linked(document: Document, prefix: str = "") -> Iterator[str]:
    """The names of the files that a document refers to, existing or not, and what it declares.

    One that gives itself a name has SELF_NAMED among them, and each name behind DECLARED.
    """
    text = written(document.value)
    refs = set(_mentioned(text))
    bases = {""}
    if _IDENTIFIED.search(text):
        yield SELF_NAMED
        names = identified(document.value)
        bases |= _bases(names)
        for uri in names.resources:
            yield DECLARED + name_of_target(uri, document.file, prefix)
    for ref in refs:
        for base in bases:
            uri = join(base, ref) if base else ref
            yield name_of_target(uri.partition("#")[0], document.file, prefix)


def _bases(names: Identified) -> set[str]:
    """What the relative references of a document may be relative to, folder by folder."""
    return set(sorted({uri[: uri.rfind("/") + 1] for uri in names.bases.values()})[:_FOLDERS])


def _mentioned(text: str) -> Iterator[str]:
    """The references of a document, given as `written`, that may lead to other files."""
    refs = set(_REF.findall(text))
    for values in _MAPPING.findall(text) if '"mapping":{' in text else ():
        refs.update(_VALUE.findall(values))
    for ref in refs:
        plain = json.loads(f'"{ref}"') if "\\" in ref else ref
        yield plain.partition("#")[0]
