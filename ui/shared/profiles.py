"""Named settings, beside the controls: applied, saved, exported to a file and imported."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from core import Workbench
from core.errors import SpecloupeError
from core.exposed.said import without_paths
from core.settings import PROFILES, Settings, Value, export, read_text
from core.text.safe import markdown
from ui.access.person import may_change, why_not
from ui.locale.locale import counted
from ui.shared.address import adjustable

SAID = "what became of a profile"
UPLOAD = "settings to bring back"
LARGEST = 100_000  # bytes of a settings file
FORMS = {".env": "env", "TOML": "toml", "JSON": "json"}


def profiles(workbench: Workbench, changes: Mapping[str, Value]) -> None:
    """A box that unfolds; `changes` are the controls' values that differ from the start."""
    box = st.expander("Profiles", icon=":material/bookmark:", key="profiles", on_change="rerun")
    if not box.open:
        return
    with box:
        try:
            _shipped()
            _kept(workbench)
            options: dict[str, Any] = dict(changes)
            settings = workbench.settings.replace(**options)
            _save(workbench, settings)
            _files(settings)
        except SpecloupeError as error:
            st.error(markdown(without_paths(error)))
        _bring_back()
        if said := st.session_state.pop(SAID, ""):
            st.caption(markdown(said))


def _shipped() -> None:
    """Those that nobody saved and nobody can delete."""
    name = st.selectbox(
        "Shipped profile", list(PROFILES), key="shipped profile", format_func=_wanted
    )
    st.button(
        "Start from it",
        icon=":material/restart_alt:",
        key="apply shipped profile",
        on_click=_use_shipped,
        args=(name,),
    )


def _wanted(name: str) -> str:
    return "APIs" if name == "apis" else name.capitalize()


def _use_shipped(name: str) -> None:
    use(Settings.from_values(PROFILES[name], "profile"))


def _kept(workbench: Workbench) -> None:
    known = workbench.profiles.all()
    if not known:
        st.caption(
            "No profiles yet. A profile saves all settings under a name, for everyone "
            "who uses this store."
        )
        return
    name = st.selectbox("Saved profile", list(known), key="profile")
    with st.container(horizontal=True):
        st.button("Apply", icon=":material/check:", on_click=use, args=(known[name],))
        if may_change():
            st.button(
                "Delete",
                icon=":material/delete:",
                type="tertiary",
                on_click=_remove,
                args=(workbench, name),
            )


def _save(workbench: Workbench, settings: Settings) -> None:
    if why_not("Saving profiles"):
        return
    name = st.text_input("Save these settings as", key="profile name", placeholder="lean context")
    st.button(
        "Save",
        icon=":material/save:",
        disabled=not (name or "").strip(),
        on_click=_keep,
        args=(workbench, name or "", settings),
    )


def _files(settings: Settings) -> None:
    form = st.segmented_control(
        "Export settings as", list(FORMS), default=".env", required=True, key="profile form"
    )
    style = FORMS[form or ".env"]
    st.download_button(
        f"Download {form}",
        export(settings, style),
        f"specloupe.{style}",
        icon=":material/download:",
        on_click="ignore",
    )


def _bring_back() -> None:
    st.file_uploader(
        "Import settings from a file",
        type=["env", "toml", "json", "txt"],
        key=UPLOAD,
        on_change=_take,
    )


def use(settings: Settings) -> None:
    """Set every control to a profile's value; for use as a callback."""
    values = settings.to_dict()
    for knob in adjustable():
        st.session_state[knob.name] = values[knob.name]


def _keep(workbench: Workbench, name: str, settings: Settings) -> None:
    _told(lambda: f"Saved as {workbench.profiles.save(name, settings)}.")


def _remove(workbench: Workbench, name: str) -> None:
    def removed() -> str:
        workbench.profiles.remove(name)
        return f"Deleted {name}."

    _told(removed)


def _take() -> None:
    """Set the controls from the uploaded file; settings that it does not have stay as they are."""
    if file := st.session_state[UPLOAD]:
        _told(lambda: brought(file.getvalue(), file.name))


def brought(data: bytes, name: str) -> str:
    """Set the controls from a settings file and return a sentence; raises SettingsError."""
    text = data[:LARGEST].decode("utf-8-sig", "replace")
    now = {knob.name: st.session_state[knob.name] for knob in adjustable()}
    said = {n: value for n, value in read_text(text, name).items() if n in now}
    use(Settings.from_values({**now, **said}, name))
    return f"{name}: {counted(len(said), 'setting')} imported."


def _told(act: Callable[[], str]) -> None:
    try:
        st.session_state[SAID] = act()
    except SpecloupeError as error:
        st.session_state[SAID] = without_paths(error)
