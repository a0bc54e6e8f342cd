"""What one window knows while it labels: plain values that a button's action changes whole.

Streamlit ends an action in its middle, at whatever reads or writes the session, when the next
button is pressed meanwhile, and begins that one's beside it. So these are no keys of the session:
an action gets them as an argument, and has them for itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from threading import RLock

import streamlit as st

from core.evaluate.labelling.judgement import Judgement
from core.evaluate.labelling.versions import Labelled, Version

WINDOW = "what this window labels"
Before = tuple[Judgement | None, bool]  # what was said, and whether it was finished


@dataclass(slots=True)
class Window:
    """Changes with every key."""

    at: str | None = None  # id of the question on the desk; None before the first
    own: dict[tuple[str, str], list[Version]] = field(default_factory=dict)  # by set, question
    undo: list[tuple[str, str, str, Before]] = field(default_factory=list)  # set, question, who
    begun: str = ""  # the set to go to, where an undo was in another one
    page: int = 0  # of candidates
    shown: str = ""  # the element whose text stands beside
    leaves_search: bool = False  # whether the search box is to be emptied
    said: str = ""  # what the last action came to
    failed: str = ""  # why it could not be done
    done: int = 0  # actions
    drafts: str = ""  # the job in which a model drafts questions
    lock: RLock = field(default_factory=RLock)

    def known(self, name: str, labelled: Labelled) -> Labelled:
        """A question as it is on the screen, with what was said here since it was drawn."""
        seen = {version.id for version in labelled.versions}
        since = (v for v in self.own.get((name, _id(labelled)), ()) if v.id not in seen)
        return replace(labelled, versions=(*labelled.versions, *since))

    def spoke(self, name: str, labelled: Labelled, said: Version, before: Before) -> None:
        """Remember what was said here, and how to take it back."""
        self.own.setdefault((name, _id(labelled)), []).append(said)
        self.undo.append((name, _id(labelled), said.by, before))

    def leave(self, to: Labelled | None) -> None:
        """Go to another question, and begin there afresh."""
        self.at = _id(to) if to else ""
        self.page, self.shown, self.leaves_search = 0, "", True


def _id(labelled: Labelled) -> str:
    return labelled.question.sample.id


def window() -> Window:
    """The one of this session."""
    found: Window = st.session_state.setdefault(WINDOW, Window())
    return found
