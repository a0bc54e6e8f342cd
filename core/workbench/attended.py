"""A workbench as one person has it: what they may not change is refused, and what they do change is
written down."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

from core.errors import NotAllowed
from core.settings import KNOBS, Settings, Value
from core.text.plural import counted
from core.workbench.change_log import Entry
from core.workbench.workbench import Workbench

NAMED = 5  # of many files
A_MODEL = "asking a language model"  # which costs money, as a change costs work
MODELS: Mapping[str, Value] = {knob.name: knob.default for knob in KNOBS if knob.group == "models"}


@dataclass(frozen=True, slots=True)
class Person:
    """Who uses a workbench, and what for."""

    name: str = ""  # an address, or a user of this machine; "" where nobody had to say
    why_not: str = ""  # why they may change nothing, as a sentence; "" where they may

    @property
    def may_change(self) -> bool:
        return not self.why_not


@dataclass(frozen=True, slots=True)
class Change:
    """What a method changes."""

    what: str  # `removed from the store`
    of: str = ""  # the argument that says of what
    is_told: bool = True  # in the log; not what only goes on with a change that is


# By class: what only reads. Everything else is a change, so that a method of tomorrow is refused
# until it is listed here.
READS: Mapping[str, str] = {
    "Workbench": """store generation embedder is_empty is_outdated settings close warm changed
        retrieve retrieve_knowledge knowledge knowledge_answered statistics recorded figures
        evaluate sweep measured deep_trace audited labels catalog entry chunks show reports elements
        tags look impact dependents affected related factors around similar similar_documents
        dimensions embed nearest nearest_documents files source looked_twice health check synced
        broken_links open restore count_with detailed_index element expand_query_for
        fallback_api_selection has homes languages model_host path_of resolve_all_refs select_apis
        tokens search graph_state graph_texts get_by_ids model_cost written_questions advise_depth
        drafting_cost judge_cost answer_cost
        writing_cost question_vectors_cost unsearched_questions of_one_generation""",
    "Runs": "newest damaged find get path keep",
    "Kept": "thumbs thumbed_down thumbed_up thumb_depths golden sets read_set set_file",
    "LabelSets": "names read every stamp",
    "Profiles": "all get path",
    "Sweeps": "asked grid",
    "KeptAudits": "get state",
    "ChangeLog": "path",
}
CHANGES: Mapping[str, Mapping[str, Change]] = {
    "Workbench": {
        "ingest": Change("ingesting", "sources"),
        "sync": Change("synchronising articles", "source"),
        "remove": Change("removing from the store", "file_ids"),
        "rechunk": Change("re-chunking"),
        "recut": Change("re-chunking"),
        "reembed": Change("converting the vectors"),
        "rebuild": Change("rebuilding the read index"),
        "second_look": Change("storing second vectors"),
        "write_questions": Change("having questions written by a model"),
        "forget_questions": Change("removing the written questions"),
        "draft_questions": Change("having questions drafted by a model", "api"),
        "repair": Change("repairing the store"),
        "audit": Change("auditing", "apis"),
        "answer": Change(A_MODEL, is_told=False),
        "cited_answer": Change(A_MODEL, is_told=False),
        "push_graph": Change("writing the graph into a graph database"),
        "versions": Change("trying a newer version", "newer"),
    },
    "Runs": {
        "check_writable": Change("saving a run", is_told=False),
        "save": Change("saving a run", "run"),
        "save_all": Change("saving runs", "runs"),
        "annotate": Change("changing notes or tags of a run", "run_id"),
        "mark_baseline": Change("marking the baseline", "run_id"),
        "delete": Change("deleting a run", "run_id"),
    },
    "Kept": {
        "give_thumb": Change("giving a thumb", "element"),
        "keep_golden": Change("saving a golden question"),
        "forget_golden": Change("deleting a golden question"),
        "keep_set": Change("uploading a question set", "name"),
        "forget_set": Change("deleting a question set", "name"),
    },
    "LabelSets": {
        "add": Change("adding questions to label", "name"),
        "add_file": Change("adding questions to label", "name"),
        "say": Change("labelling", "name"),
        "settle": Change("settling a conflict of labels", "name"),
        "forget_question": Change("deleting a question to label", "name"),
        "forget": Change("deleting a set of labels", "name"),
    },
    "Profiles": {
        "save": Change("saving a profile", "name"),
        "remove": Change("deleting a profile", "name"),
    },
    "Sweeps": {
        "begin": Change("beginning a sweep", "asked"),
        "narrow": Change("going on with a sweep", is_told=False),
        "add": Change("going on with a sweep", is_told=False),
        "forget": Change("deleting a sweep", "sweep_id"),
    },
    "KeptAudits": {"put": Change("auditing", is_told=False)},
    "ChangeLog": {  # names of people are not for everybody
        "newest": Change("reading who changed what", is_told=False),
        "add": Change("writing down a change", is_told=False),
    },
}
PARTS = frozenset(READS) - {"Workbench"}  # which a workbench hands out


def without_models(settings: Settings) -> Settings:
    """The settings with the rules in place of every stage that a language model takes."""
    return settings.replace(**MODELS)


def attended(workbench: Workbench, person: Person) -> Workbench:
    """The workbench with which this person does what they do.

    What they change is in the store's log; whoever may not gets NotAllowed at once.
    """
    return cast(Workbench, _Attended(workbench, workbench, person))


def for_the_same(person_of: Workbench, other: Workbench) -> Workbench:
    """Another workbench of the same store for whoever has `person_of`."""
    found: object = person_of
    if isinstance(found, _Attended):
        return attended(other, object.__getattribute__(found, "_person"))
    return other


class _Attended:
    """A workbench, or a part that it hands out."""

    __slots__ = ("_inner", "_person", "_workbench")

    def __init__(self, inner: object, workbench: Workbench, person: Person) -> None:
        self._inner, self._workbench, self._person = inner, workbench, person

    def __getattr__(self, name: str) -> Any:
        kind = type(self._inner).__name__
        if name.startswith("_"):  # not for callers, and nothing that copies may look for one
            raise AttributeError(name)
        found = getattr(self._inner, name)
        if type(found).__name__ in PARTS:
            return _Attended(found, self._workbench, self._person)
        if name in READS[kind].split():
            return partial(self._read, found) if callable(found) else found
        change = CHANGES[kind].get(name, Change(name))
        return partial(self._done, change, found)

    def _read(self, act: Callable[..., Any], *args: Any, **options: Any) -> Any:
        wanted = {name: options[name] for name in MODELS.keys() & options.keys()}
        is_paid = any(v != MODELS[name] for name, v in wanted.items()) or options.get("judge")
        if not self._person.may_change and is_paid:
            raise NotAllowed(A_MODEL, self._person.why_not)
        return act(*args, **options)

    def _done(self, change: Change, act: Callable[..., Any], *args: Any, **options: Any) -> Any:
        if not self._person.may_change:
            raise NotAllowed(change.what, self._person.why_not)
        if not change.is_told:
            return act(*args, **options)
        of = _of(change, act, args, options)
        made = act(*args, **options)
        if isinstance(made, Iterator):
            return self._followed(change, of, made)
        self._tell(change, of)
        return made

    def _followed(self, change: Change, of: str, made: Iterator[Any]) -> Generator[Any, None, None]:
        """The steps of what takes long; that it began is told with the first, when it is known that
        the store may be written to and before much is."""
        came, last = "stopped", None
        try:
            for step in made:
                if last is None:
                    self._tell(change, of, "begun")
                yield (last := step)
            came = "done"
        except Exception:
            came = "failed"
            raise
        finally:
            if close := getattr(made, "close", None):
                close()
            if last is not None:
                self._tell(change, _counts(last) or of, came)

    def _tell(self, change: Change, of: str, came: str = "") -> None:
        self._workbench.change_log.add(Entry.now(self._person.name, change.what, of, came))


def _of(
    change: Change, act: Callable[..., Any], args: tuple[Any, ...], options: dict[str, Any]
) -> str:
    if not change.of:
        return ""
    given = inspect.signature(act).bind(*args, **options).arguments
    return _named(given.get(change.of))


def _shown(url: str) -> str:
    from core.read.files.fetch import shown  # here, as it imports an HTTP client

    return shown(url)


def _named(value: object) -> str:
    """What a change was about, by name: no text of a question, and nothing secret of an address."""
    from core.read.files.find import is_url

    if value is None:
        return ""
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, str):
        return _shown(value) if is_url(value) else value
    if isinstance(value, list | tuple):
        rest = len(value) - NAMED
        more = [f"and {rest:,} more"] if rest > 0 else []
        return ", ".join([*map(_named, value[:NAMED]), *more])
    return str(getattr(value, "name", "") or getattr(value, "file", ""))


def _counts(last: object) -> str:
    """What an ingestion or a removal came to."""
    from core.index.write.report import IngestReport

    if not isinstance(last, IngestReport):
        return ""
    counts = {
        "ingested": last.specs,
        "unchanged": last.skipped,
        "refused": last.refused,
        "removed": last.removed,
    }
    said = [f"{counted(len(files), 'file')} {how}" for how, files in counts.items() if files]
    return ", ".join(said)
