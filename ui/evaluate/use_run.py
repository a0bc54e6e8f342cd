"""Take the settings of a run: for this session, or as a profile for everyone."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core import Workbench
from core.errors import SettingsError, SpecloupeError
from core.evaluate.results import RunResult
from core.exposed.said import without_paths
from core.model import JSON
from core.settings import KNOB, Settings
from core.text.safe import markdown
from ui.access.person import may_change
from ui.evaluate.query_link import UNTOLD
from ui.shared.profiles import use

SAID = "what became of the settings of a run"


def settings_of(run: RunResult, changes: Mapping[str, JSON] | None = None) -> Settings:
    """The settings that a run was asked with, and these changes; what this version does not know,
    or allow, is as it is by default."""
    told = {**run.settings, **(changes or {})}
    known = {n: v for n, v in told.items() if n in KNOB and n not in UNTOLD and _is_valid(n, v)}
    try:
        return Settings.from_values(known, run.id)
    except SettingsError:  # each is valid, and together they are not
        return Settings()


def use_run(run: RunResult, workbench: Workbench, key: str) -> None:
    """The button, and a box that saves a profile; `key` tells several on a page apart."""
    use_settings(settings_of(run), workbench, key)


def use_settings(settings: Settings, workbench: Workbench, key: str) -> None:
    """Two ways to go on with some settings."""
    with st.container(horizontal=True, vertical_alignment="center", width="content"):
        st.button(
            "Use these settings",
            key=f"use {key}",
            icon=":material/check:",
            help="Sets the settings of this session on every page.",
            on_click=_used,
            args=(settings, key),
        )
        if may_change():
            _as_profile(settings, workbench, key)
        if said := st.session_state.pop(f"{SAID} {key}", ""):
            st.caption(markdown(said))


def _as_profile(settings: Settings, workbench: Workbench, key: str) -> None:
    with st.popover("Save as profile", icon=":material/bookmark_add:", key=f"save {key}"):
        name = st.text_input(
            "Name of the profile", key=f"profile of {key}", placeholder="lean context"
        )
        st.button(
            "Save profile",
            key=f"keep {key}",
            icon=":material/save:",
            disabled=not (name or "").strip(),
            on_click=_keep,
            args=(workbench, name or "", settings, key),
        )


def _used(settings: Settings, key: str) -> None:
    use(settings)
    st.session_state[f"{SAID} {key}"] = "This session now uses these settings."


def _keep(workbench: Workbench, name: str, settings: Settings, key: str) -> None:
    try:
        said = f"Saved as {workbench.profiles.save(name, settings)}."
    except SpecloupeError as error:
        said = without_paths(error)
    st.session_state[f"{SAID} {key}"] = said


def _is_valid(name: str, value: object) -> bool:
    try:
        KNOB[name].parse(value, name)
    except SettingsError:
        return False
    return True
