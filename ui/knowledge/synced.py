"""Where the articles come from: the last sync of each source, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st

from core.exposed.said import without_paths
from core.index.sync.state import Synced
from core.text.markup import table
from core.text.safe import markdown
from ui.locale.locale import amount, moment

SHOWN = 20  # refused articles of a source


def synced(sources: tuple[Synced, ...]) -> None:
    """One block a source; how to begin where none was synced."""
    if not sources:
        st.caption(
            "Never synced: these articles were ingested. `specloupe sync URL --every 24h` keeps "
            "them up to date with a host."
        )
    for each in sources:
        st.markdown(f"**{markdown(without_paths(each.source))}**")
        if each.failed:
            st.warning(
                markdown(
                    f"The last attempt, {moment(each.failed_at)}, failed: "
                    f"{without_paths(each.failed)}"
                ),
                icon=":material/sync_problem:",
            )
        st.caption(" ".join(_report(each)))
        if each.refused:
            st.html(table(("Refused", "Reason"), each.refused[:SHOWN]))
            if len(each.refused) > SHOWN:
                st.caption(f"and {amount(len(each.refused) - SHOWN)} more")


def _report(each: Synced) -> Iterator[str]:
    if not each.at:
        yield "No sync was complete yet."
        return
    said = ", ".join(f"{amount(count)} {name}" for name, count in each.counts.items())
    yield f"Synced {moment(each.at)} in {amount(each.seconds, 1)} s: {said}."
    if each.next_run:
        yield f"The next one is due {moment(each.next_run)}."


def newest(sources: tuple[Synced, ...]) -> str:
    """When the last complete sync was, in a word."""
    last = max((each.at for each in sources), default=0.0)
    return moment(last) if last else "never"
