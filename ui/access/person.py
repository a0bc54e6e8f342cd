"""Who this session is, and whether they may change anything."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.errors import SettingsError
from core.exposed.people import Admitted
from core.workbench.attended import Person

READ_ONLY, LOGIN = "SPECLOUPE_READ_ONLY", "SPECLOUPE_LOGIN"  # what `specloupe app` tells the pages
OFF = ("", "0", "false", "no", "off")
SHOWS = "This server only shows the store: it was started with --read-only."
LOOKS = "You may look at the store, but not change it."


def is_read_only(environment: Mapping[str, str] = os.environ) -> bool:
    return environment.get(READ_ONLY, "").strip().lower() not in OFF


def claims(environment: Mapping[str, str] = os.environ) -> Mapping[str, Any] | None:
    """What Streamlit knows of who is logged in; None where nobody logs in. Raises SettingsError
    where somebody should and cannot: the pages stay closed then."""
    known: Mapping[str, Any] = st.user.to_dict()
    if "is_logged_in" in known:
        return known
    if environment.get(LOGIN):
        raise SettingsError("The secrets that say who may come in can no longer be read.")
    return None


def admitted() -> Admitted:
    """Who may come in; raises SettingsError."""
    return Admitted.of(st.secrets.to_dict()) or Admitted()


def person() -> Person | None:
    """Who this is; None for one who may not come in, or has not said who they are. Raises
    SettingsError."""
    known = claims()
    shows = SHOWS if is_read_only() else ""
    if known is None:
        return Person(why_not=shows)
    role = admitted().role(known) if known["is_logged_in"] else ""
    if not role:
        return None
    return Person(str(known["email"]), shows or ("" if role == "change" else LOOKS))


def may_change() -> bool:
    """Whether controls that change the store, or cost money, are of use to this session."""
    known = person()
    return known is not None and known.may_change


def why_not(what: str) -> bool:
    """Whether this session may change nothing; then it says why `what` is not here, in place of the
    controls."""
    known = person()
    if known is None or known.may_change:
        return False
    st.caption(f":material/lock: {what} is off. {known.why_not}")
    return True
