"""Where people log in, and what they are told who may not come in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import streamlit as st

from core.text.safe import markdown
from core.workbench.attended import Person
from ui.access.person import claims, person
from ui.access.uploads import admit
from ui.manners.manners import mind

IN, OUT = "Log in", "Log out"


def entered() -> Person:
    """Who this is; everybody else gets the page to log in, or to leave, and the run ends. Raises
    SettingsError."""
    known = person()
    if known is None:
        said = claims() or {}
        if said.get("is_logged_in"):
            _refused(str(said.get("email") or ""))
        _ask()
    if known.may_change:
        admit()
    return known


def _ask() -> NoReturn:
    mind(asks=True)
    st.header("Who are you?", anchor=False)
    st.markdown("This workbench is open to a team. Log in to see it.")
    for provider in providers(st.secrets.get("auth", {})):
        label = f"{IN} with {provider}" if provider else IN
        if st.button(markdown(label), key=f"log in {provider}", type="primary"):
            st.login(provider or None)
    st.stop()


def _refused(address: str) -> NoReturn:
    who = f"**{markdown(address)}**" if address else "This account has no address, so it"
    st.header("Not for this account", anchor=False)
    st.markdown(
        f"{who} may not use this workbench. Ask whoever runs it to add the address, or log out and "
        "use another account."
    )
    st.button(OUT, icon=":material/logout:", on_click=st.logout)
    st.stop()


def providers(auth: Mapping[str, Any]) -> Sequence[str]:
    """The names of those that people can log in with; "" is the one without a name."""
    named = [name for name, value in auth.items() if isinstance(value, Mapping)]
    named = [name for name in named if name != "client_kwargs"]
    return named or [""]


def leave(known: Person) -> None:
    """Who is logged in, and the way out; nothing where nobody logs in."""
    if not known.name:
        return
    with st.popover(markdown(known.name.partition("@")[0]), icon=":material/person:", key="person"):
        st.caption(markdown(known.name))
        st.caption(known.why_not or "You may look at the store and change it.")
        st.button(OUT, icon=":material/logout:", on_click=st.logout)
