"""Error messages for a page: the same sentence, without the paths of the server.

The command line shows full paths to the person who runs it. Others read a page too, so it names
the store and the file but not where on the server they are.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from core.errors import SpecloupeError
from core.exposed.folders import allowed

PROJECT = Path(__file__).parents[2]
# Where machines keep files; a message may name one that is not known here.
TOPS = (
    "etc",
    "home",
    "nix",
    "opt",
    "private",
    "proc",
    "root",
    "srv",
    "tmp",
    "usr",
    "var",
    "Users",
    "Volumes",
)
METHODS = ("GET", "PUT", "POST", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "QUERY")
# A path of an API may begin with such a word too: it follows its method, or is inside an id.
BEGINS = rf"{''.join(rf'(?<!{method} )' for method in METHODS)}(?:(?<![\w}}.~/:-])|(?<=file://))"
ENDS = r"(?![\w-]|\.\w)"
BELOW = r"(?:[/\\][^\s'\"`,;:<>|()\[\]]*)"
OF_A_MACHINE = rf"(?:/(?:{'|'.join(TOPS)})(?=/)|[A-Za-z]:(?=[/\\])|\\\\(?=\w))"


def without_paths(said: SpecloupeError | str, environment: Mapping[str, str] = os.environ) -> str:
    """The text with the store by its name, and every other file of this machine by its own."""
    text = str(said)
    for store in _store(environment):
        text = re.sub(BEGINS + store + ENDS, _escaped(_name(environment)), text)
    known = "|".join((*_folders(environment), OF_A_MACHINE))
    whole = rf"(?<=(['\"`]))(?:{known}){ENDS}[^'\"`\n]*(?=\1)"  # in quotes a name may have spaces
    return re.sub(rf"{whole}|{BEGINS}(?:{known}){ENDS}{BELOW}?", _last, text)


def _last(path: re.Match[str]) -> str:
    """The name of a file; full stops that end the sentence stay."""
    text = path[0].rstrip(".")
    return re.split(r"[/\\]", text.rstrip("/\\"))[-1] + path[0][len(text) :]


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\")


def _name(environment: Mapping[str, str]) -> str:
    return Path(_place(environment)).name or "the store"


def _place(environment: Mapping[str, str]) -> str:
    return environment.get("SPECLOUPE_STORE") or ".specloupe"


def _store(environment: Mapping[str, str]) -> Iterator[str]:
    place = _place(environment)
    if "://" not in place:
        yield from _written(Path(place))
        yield re.escape(place)


def _folders(environment: Mapping[str, str]) -> Iterator[str]:
    """What this server is known to have, as patterns, the longest first."""
    settings = environment.get("SPECLOUPE_SETTINGS")
    own = (Path.home(), Path.cwd(), PROJECT, Path(sys.prefix), Path(tempfile.gettempdir()))
    named = (*allowed(environment), *([Path(settings).parent] if settings else ()))
    store = Path(_place(environment)).absolute().parent
    found = {text for folder in (*own, *named, store) for text in _written(folder)}
    yield from sorted(found, key=lambda text: (-len(text), text))


def _written(folder: Path) -> list[str]:
    """The ways in which a message may write a folder, the longest first; none of the root's."""
    places = {folder.absolute(), folder.resolve(), folder}
    texts = {str(place) for place in places if place.is_absolute() and place != place.parent}
    forms = {form for text in texts for form in (text, repr(text)[1:-1], shlex.quote(text))}
    return [re.escape(form) for form in sorted(forms, key=lambda form: (-len(form), form))]
