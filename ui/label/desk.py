"""One question: its candidates, and a key for everything that can be said of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from core.errors import CallError
from core.evaluate.labelling.judgement import Judgement, of_sample, resolver
from core.evaluate.labelling.pool import PAGE, SETTINGS
from core.evaluate.labelling.versions import Labelled
from core.ids import Id
from core.text.markup import Markup, join, tag
from core.text.nearest import CHUNK, nearest
from core.text.safe import markdown
from ui.access.person import why_not
from ui.label import queue, stored
from ui.label.beside import beside, findings
from ui.label.keys import KEYED, SEARCH, listen
from ui.label.queue import Desk
from ui.locale.locale import counted
from ui.shared.kinds import distinct_names, kind_of_id, short_name

KEYS = "`1`–`9` choose · `0` no answer · `s` alternative to the one before · `g` grade · `Enter` \
next · `n` skip · `u` undo · `m` more candidates · `t` next text · `/` search"
Change = Callable[[Judgement], Judgement]


def desk(on: Desk) -> None:
    """The question at hand, and its candidates; or that nothing is left."""
    if why_not("Labelling"):
        return
    with st.container(key=KEYED):
        _desk(on)
    listen(on.window.done)


def _desk(on: Desk) -> None:
    st.toggle(
        "Also label what others have labelled",
        key=queue.AGAIN,
        help="Two people who label the same questions show how clear the labels are.",
    )
    labelled = queue.current(on)
    if labelled is None:
        st.success("Every question of this set is labelled.", icon=":material/done_all:")
        _undo_button(on)
        return
    st.html(_asked(labelled))
    _clash(on, labelled)
    judgement = of_person(on, labelled)
    left, right = st.columns([1.2, 1])
    with left:
        candidates = _candidates(on, labelled)
        _choose(on, labelled, judgement, candidates)
    with right:
        on.window.shown = beside(on, candidates, judgement)
    for finding in findings(on, labelled, judgement):
        st.warning(markdown(finding.message), icon=":material/spellcheck:")
    st.caption(KEYS)


def of_person(on: Desk, labelled: Labelled) -> Judgement:
    """What this person says so far; before that, the labels that the question came with."""
    own = labelled.of(on.by)
    sample = labelled.question.sample
    return (own[-1].judgement if own else None) or of_sample(sample, resolver(on.labels, sample))


def _asked(labelled: Labelled) -> Markup:
    question = labelled.question
    note = f"{question.origin}{f': {question.note}' if question.note else ''}"
    return tag(
        "div",
        tag("div", question.sample.query, class_="sl-question"),
        tag("span", note, class_="sl-note"),
    )


def _clash(on: Desk, labelled: Labelled) -> None:
    if len(own := labelled.of(on.by)) > 1:
        st.warning(
            f"This question was also labelled in another window as {on.by or 'nobody'}: "
            f"{counted(len(own), 'version')} are kept. What you choose next replaces them.",
            icon=":material/call_split:",
        )


def _candidates(on: Desk, labelled: Labelled) -> Sequence[str]:
    """What the keys 1 to 9 are: a page of the pool, or what the search found."""
    if on.window.leaves_search:
        st.session_state[SEARCH], on.window.leaves_search = "", False
    text = st.text_input(
        "Search any element",
        key=SEARCH,
        type="search",
        icon=":material/search:",
        placeholder="Any element, by its name or in words",
        label_visibility="collapsed",
    )
    if (text or "").strip():
        return _searched(on, (text or "").strip())
    came = of_sample(labelled.question.sample, resolver(on.labels, labelled.question.sample))
    known = tuple(e for e in came.elements if e in on.labels.elements)
    pool = stored.pool(on.workbench, labelled.question.sample.query, known)
    every = tuple(dict.fromkeys((*pool, *of_person(on, labelled).elements)))
    start = PAGE * (on.window.page % max(1, -(-len(every) // PAGE)))
    page = every[start : start + PAGE]
    if len(every) > PAGE:
        st.caption(f"Candidates {start + 1}–{start + len(page)} of {len(every)}, in no order.")
    return page


def _searched(on: Desk, text: str) -> Sequence[str]:
    """Names with all words of the text first, then near names, then what retrieval finds."""
    words = text.casefold().split()
    elements = on.labels.elements
    named = [id for id in elements if all(word in id.casefold() for word in words)]
    named.sort(key=lambda id: (len(id), id))
    near = nearest(text, elements, CHUNK, limit=3) if not named else ()
    found = stored.ranked(on.workbench, text, SETTINGS[0]) if len(named) < PAGE else ()
    return tuple(dict.fromkeys((*named[:PAGE], *near, *found)))[:PAGE]


def _choose(on: Desk, labelled: Labelled, judgement: Judgement, shown: Sequence[str]) -> None:
    names = _names((*shown, *judgement.elements))
    for number, element in enumerate(shown, start=1):
        chosen = element in judgement.elements
        st.button(
            f"`{number}` {kind_of_id(element).sign} {markdown(names[element])}"
            f"{_mark(judgement, element)}",
            key=f"candidate {number}",
            type="primary" if chosen else "secondary",
            width="stretch",
            help=markdown(element),
            on_click=_act,
            args=(_change, on, labelled, shown, element),
        )
    st.html(_said(judgement, names))
    with st.container(horizontal=True):
        _key("No answer", "0", _say, on, labelled, shown, Judgement.unanswered)
        _key("Alternative", "s", _say, on, labelled, shown, Judgement.joined)
        _key("Grade", "g", _say, on, labelled, shown, Judgement.graded)
        _key("More", "m", _more, on)
        _key("Text", "t", _next_text, on, shown)
    with st.container(horizontal=True):
        _key("Next", "Enter", _finish, on, labelled, shown, type="primary")
        _key("Skip", "n", _skip, on, labelled)
        _undo_button(on)


def _names(elements: Sequence[str]) -> dict[str, str]:
    """With the API where there are several: hundreds have a `GET /users`."""
    apis = {element: Id.parse(element).document for element in elements}
    if len(set(apis.values())) < 2:
        return distinct_names(elements)
    return {element: f"{short_name(element)} · {api}" for element, api in apis.items()}


def _key(label: str, key: str, act: Callable[..., None], *args: object, type: str = "") -> None:
    st.button(
        f"{label} `{key}`",
        key=f"press {key}",
        type="primary" if type else "secondary",
        on_click=_act,
        args=(act, *args),
    )


def _act(act: Callable[..., None], on: Desk, *args: object) -> None:
    stored.told(on.window, lambda: act(on, *args))


def _undo_button(on: Desk) -> None:
    if on.window.undo:
        _key("Undo", "u", _undo, on)


def _mark(judgement: Judgement, element: str) -> str:
    """What is said of a candidate, in words beside its name."""
    at = next((n for n, g in enumerate(judgement.groups) if element in g), None)
    if at is None:
        return ""
    together = f" · any of group {at + 1}" if len(judgement.groups[at]) > 1 else ""
    grade = f" · grade {judgement.grades[element]}" if element in judgement.grades else ""
    return f" ✓{together}{grade}"


def _said(judgement: Judgement, names: dict[str, str]) -> Markup:
    """The whole judgement as a sentence."""
    if judgement.no_answer:
        return tag("p", "Nothing in the store answers it.", class_="sl-note")
    if not judgement.groups:
        return tag("p", "Nothing chosen yet.", class_="sl-note")
    groups = [" or ".join(names.get(e, e) for e in group) for group in judgement.groups]
    return tag("p", "Needs ", join(tag("span", g, class_="sl-word") for g in groups))


def _change(on: Desk, labelled: Labelled, shown: Sequence[str], element: str) -> None:
    on.window.shown = element
    _say(on, labelled, shown, lambda judgement: judgement.toggled(element))


def _say(on: Desk, labelled: Labelled, shown: Sequence[str], change: Change) -> None:
    """Save the change at once; on what was finished, as finished."""
    known = on.window.known(on.set.name, labelled)
    done = bool(known.finished(on.by))
    _save(on, known, change(of_person(on, known)), shown, done=done)


def _finish(on: Desk, labelled: Labelled, shown: Sequence[str]) -> None:
    known = on.window.known(on.set.name, labelled)
    judgement = of_person(on, known)
    if not judgement.says_something:
        raise CallError("Choose an element first, or 0 where nothing answers it.")
    _save(on, known, judgement, shown, done=True)
    _skip(on, labelled)


def _save(
    on: Desk, known: Labelled, judgement: Judgement | None, shown: Sequence[str], *, done: bool
) -> None:
    own = known.of(on.by)
    seen = tuple(dict.fromkeys((*(e for v in own for e in v.shown), *shown)))
    said = on.workbench.label_sets.say(
        on.set.name, known, judgement, by=on.by, done=done, shown=seen
    )
    before = (own[-1].judgement, own[-1].done) if own else (None, False)
    on.window.spoke(on.set.name, known, said, before)


def _undo(on: Desk) -> None:
    name, question_id, by, (judgement, done) = on.window.undo.pop()
    labelled = on.workbench.label_sets.read(name).find(question_id)
    if labelled:
        said = on.workbench.label_sets.say(name, labelled, judgement, by=by, done=done)
        on.window.spoke(name, labelled, said, (None, False))
        on.window.undo.pop()  # an undo is not undone
        on.window.begun = name if name != on.set.name else ""
        on.window.leave(labelled)


def _skip(on: Desk, labelled: Labelled) -> None:
    on.window.leave(queue.after(on, labelled))


def _more(on: Desk) -> None:
    on.window.page += 1


def _next_text(on: Desk, shown: Sequence[str]) -> None:
    at = shown.index(on.window.shown) + 1 if on.window.shown in shown else 0
    on.window.shown = shown[at % len(shown)] if shown else ""
