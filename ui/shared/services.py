"""Everything that outlives one run of a page: the opened store, and values read from it."""

from __future__ import annotations

import gc
import os
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path

import streamlit as st

from core import Workbench
from core.errors import SpecloupeError
from core.examples import DEMO, DEMO_NEEDS, Example, is_answered
from core.examples import examples as made_from
from core.exposed.folders import allowed
from core.model import JSON, CatalogEntry, Chunk, Home
from core.settings import Effective, Settings, resolve
from ui.access.person import is_read_only
from ui.shared import second_look

SAMPLES = Path(__file__).parents[2] / "samples"
READ_S = 2.5  # until the first page is drawn, which importing at the same time would delay
CHOOSING_S = 2.0  # of looking for a first question that is answered


def store_name(environment: Mapping[str, str] = os.environ) -> str:
    """The store that this server works on; a link never chooses another."""
    return environment.get("SPECLOUPE_STORE") or ".specloupe"


def told_store(environment: Mapping[str, str] = os.environ) -> str:
    """The store as a call on a page names it: its place where visitors may read folders of this
    machine, and otherwise one that whoever copies the call fills in."""
    place = store_name(environment)
    if allowed(environment):
        return place
    return "http://HOST:PORT" if "://" in place else f"PATH/TO/{Path(place).name}"


def workbench(base: Settings) -> Workbench:
    """The opened store, shared by all sessions; raises StoreError.

    Unless an embedder is asked for, it is the one that the store was built with.
    """
    opened = _opened(store_name(), base)
    asked = _resolved(os.environ).origin["embedder"] != "default"
    if asked or opened.embedder in ("", base.embedder):
        return opened
    return _opened(store_name(), base.replace(embedder=opened.embedder))


def embedders(workbench: Workbench, environment: Mapping[str, str] = os.environ) -> list[str]:
    """The embedders available here: those shipped, an endpoint with a key, and the store's own."""
    could = ["static", "minilm", *["openai"] * bool(environment.get("OPENAI_API_KEY"))]
    return list(dict.fromkeys([*could, workbench.embedder]))


def base_settings(environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings that controls start from; raises SettingsError.

    They come from the file that SPECLOUPE_SETTINGS names, the environment, and the defaults.
    """
    return _resolved(environment).settings


def _resolved(environment: Mapping[str, str]) -> Effective:
    file = environment.get("SPECLOUPE_SETTINGS")
    return resolve({}, file=Path(file) if file else None, environment=environment)


@st.cache_resource(show_spinner="Opening the store …", max_entries=4)
def _opened(store: str, settings: Settings) -> Workbench:
    workbench = Workbench.open(store, settings=settings)
    threading.Thread(target=_warm, args=(workbench,), daemon=True).start()
    return workbench


def _warm(workbench: Workbench) -> None:
    with suppress(SpecloupeError):  # the page meets the same error and shows it
        workbench.warm()
        if not is_read_only():
            second_look.begin(workbench)


@cache
def preload() -> None:
    """Import what draws graphs while the first page is read; it takes a second or two."""
    later = threading.Timer(READ_S, _prepare)
    later.daemon = True
    later.start()


def _prepare() -> None:
    for name in ("pandas", "pyvis.network"):  # Streamlit's components want the first
        import_module(name)
    settle()


def settle() -> None:
    """Take what lives as long as the server out of the sight of the garbage collector.

    Streamlit collects after every run of a page; over a large store that takes 0.1 s, in which no
    page is sent.
    """
    gc.collect()
    gc.freeze()


def catalog(workbench: Workbench) -> Sequence[CatalogEntry]:
    """What is stored, by file id; read again when the store changes."""
    return _catalog(workbench, workbench.store, workbench.generation)


def homes(workbench: Workbench) -> Sequence[Home]:
    """What is chosen as a whole beside APIs, by name; read again when the store changes."""
    return _homes(workbench, workbench.store, workbench.generation)


def source_of(workbench: Workbench) -> Mapping[str, str]:
    """The name of the home that a file is a part of, by file id; APIs stand for themselves."""
    return _source_of(workbench, workbench.store, workbench.generation)


def files(workbench: Workbench) -> Mapping[str, str]:
    """The files of documents and source code, by file id."""
    return _files(workbench, workbench.store, workbench.generation)


def languages(workbench: Workbench) -> Mapping[str, int]:
    """How many chunks of source code are in each language."""
    return _languages(workbench, workbench.store, workbench.generation)


def shown(workbench: Workbench, chunk_id: str) -> tuple[Chunk, JSON]:
    """A chunk and its full JSON; raises UnknownId."""
    return _shown(workbench, workbench.store, workbench.generation, chunk_id)


def examples(workbench: Workbench) -> tuple[str, ...]:
    """Questions that what is stored can answer."""
    return _examples(workbench, workbench.store, workbench.generation)


def demo(workbench: Workbench) -> str:
    """The question over all kinds of the samples; "" where the store does not have them all."""
    return _demo(workbench, workbench.store, workbench.generation)


def tags(workbench: Workbench, apis: tuple[str, ...]) -> Mapping[str, int]:
    """How many chunks have each tag; of these APIs, else of all."""
    return _tags(workbench, workbench.store, workbench.generation, apis)


# Frozen values are shared and not copied for each session, as `cache_data` would do.
@st.cache_resource(show_spinner=False, max_entries=4)
def _catalog(_workbench: Workbench, store: str, generation: str) -> tuple[CatalogEntry, ...]:
    return tuple(_workbench.catalog())


@st.cache_resource(show_spinner=False, max_entries=4)
def _homes(_workbench: Workbench, store: str, generation: str) -> Sequence[Home]:
    return _workbench.homes()


@st.cache_resource(show_spinner=False, max_entries=4)
def _source_of(_workbench: Workbench, store: str, generation: str) -> Mapping[str, str]:
    return {file_id: home.name for home in _workbench.homes() for file_id in home.file_ids}


@st.cache_resource(show_spinner=False, max_entries=4)
def _files(_workbench: Workbench, store: str, generation: str) -> Mapping[str, str]:
    named = {file_id: file for file, file_id in _workbench.files().items()}
    homes = (home for home in _workbench.homes() if home.kind in ("document", "code"))
    return {file_id: named[file_id] for home in homes for file_id in home.file_ids}


@st.cache_resource(show_spinner=False, max_entries=4)
def _languages(_workbench: Workbench, store: str, generation: str) -> Mapping[str, int]:
    return _workbench.languages()


@st.cache_resource(show_spinner="Choosing a first question …", max_entries=4)
def _examples(_workbench: Workbench, store: str, generation: str) -> tuple[str, ...]:
    until = time.monotonic() + CHOOSING_S

    def answered(example: Example) -> bool:
        if _workbench.embedder == "openai":
            return True  # an endpoint may cost money, so only people's own questions are sent to it
        if time.monotonic() > until:
            return False
        try:
            return is_answered(example, _workbench.retrieve(example.question))
        except SpecloupeError:  # the page asks next, meets the same error and shows it
            return True

    return made_from(catalog(_workbench), answered)


@st.cache_data(show_spinner=False, max_entries=4)
def _demo(_workbench: Workbench, store: str, generation: str) -> str:
    return DEMO if _workbench.has(DEMO_NEEDS) else ""


@st.cache_data(show_spinner=False, max_entries=2048)
def _shown(_workbench: Workbench, store: str, generation: str, chunk_id: str) -> tuple[Chunk, JSON]:
    return _workbench.show(chunk_id)


@st.cache_resource(show_spinner=False, max_entries=32)
def _tags(
    _workbench: Workbench, store: str, generation: str, apis: tuple[str, ...]
) -> Mapping[str, int]:
    return _workbench.tags(apis)
