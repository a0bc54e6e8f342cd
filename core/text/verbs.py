"""The verbs of questions: the one table of what each suggests and where it counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

# What is done, and the HTTP methods that do it; POST is what many use for whatever is not reading.
READ, MAKE = ("GET",), ("POST", "PUT")
CHANGE, REMOVE = ("PATCH", "POST", "PUT"), ("DELETE", "POST")


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb in its base form; several words have blanks between them."""

    word: str
    methods: tuple[str, ...] = ()  # HTTP methods that it suggests; none: it begins no step either
    is_action: bool = False  # "how do I …" with it asks for an endpoint
    opens: bool = False  # so does a question that begins with its form in -ing
    is_example: bool = False  # an operation called by it makes a good example question

    @property
    def forms(self) -> tuple[str, ...]:
        """As questions write it: `stop`, `stops`, `stoping`, `stopping`."""
        return (self.word, f"{self.word}s", *self.gerunds)

    @property
    def gerunds(self) -> tuple[str, ...]:
        """Its form in -ing, with the last letter once and twice: either may be the right one."""
        return (f"{self.word.removesuffix('e')}ing", f"{self.word}{self.word[-1]}ing")


# Each verb is in one row. The columns: methods, action, opens, example; `_` stands for a blank.
_ROWS = (
    (READ, 0, 0, 0, "access analyze assess browse compare discover display evaluate examine"),
    (READ, 0, 0, 0, "explore forecast identify inspect know learn look monitor peek predict"),
    (READ, 0, 0, 0, "preview review tell track watch"),
    (READ, 1, 0, 0, "check count export load obtain query read see show view"),
    (READ, 1, 1, 0, "fetch find get list retrieve search"),
    (READ, 1, 1, 1, "download"),
    (MAKE, 0, 0, 0, "accept allow append authorize ban collect confirm duplicate enroll"),
    (MAKE, 0, 0, 0, "execute give grant launch like log notify pin provide push queue record"),
    (MAKE, 0, 0, 0, "reply report request reserve retry sign skip validate withdraw"),
    (MAKE, 1, 0, 0, "buy charge clone convert follow fork generate insert invoke lock make"),
    (MAKE, 1, 0, 0, "order play post put register reject restart resume run save subscribe"),
    (MAKE, 1, 0, 0, "trigger verify"),
    (MAKE, 1, 0, 1, "approve book capture copy import invite merge pay restore share start"),
    (MAKE, 1, 0, 1, "submit"),
    (MAKE, 1, 1, 0, "schedule transfer"),
    (MAKE, 1, 1, 1, "add create publish refund send upload"),
    (CHANGE, 0, 0, 0, "adapt adjust alter calibrate configure correct ensure extend fix improve"),
    (CHANGE, 0, 0, 0, "optimize reorder resize swap switch toggle turn tweak"),
    (CHANGE, 1, 0, 0, "disable enable mark modify patch pause reset rotate"),
    (CHANGE, 1, 0, 1, "assign move rename replace stop"),
    (CHANGE, 1, 1, 0, "change set"),
    (CHANGE, 1, 1, 1, "edit update"),
    (REMOVE, 0, 0, 0, "abort clear destroy discard drop erase kill purge terminate throw"),
    (REMOVE, 0, 0, 0, "uninstall unlike unpublish unshare wipe"),
    (REMOVE, 1, 0, 0, "deactivate detach unfollow unlink unsubscribe"),
    (REMOVE, 1, 1, 0, "revoke"),
    (REMOVE, 1, 1, 1, "cancel delete remove"),
    # As often a noun, an adjective, or what any method may do: these suggest none.
    ((), 1, 0, 0, "activate attach authenticate block filter invalidate link log_in log_out login"),
    ((), 1, 0, 0, "look_up reschedule sign_in sign_up sort store tag unblock unlock"),
    ((), 1, 0, 1, "archive close open"),
    ((), 0, 0, 1, "complete"),
)


def _verbs() -> Iterator[Verb]:
    for methods, action, opens, example, words in _ROWS:
        for word in words.split():
            yield Verb(word.replace("_", " "), methods, bool(action), bool(opens), bool(example))


VERBS: tuple[Verb, ...] = tuple(_verbs())
ACTIONS = tuple(verb.word for verb in VERBS if verb.is_action)
OPENING = tuple(form for verb in VERBS if verb.opens for form in verb.gerunds)
EXAMPLES = frozenset(verb.word for verb in VERBS if verb.is_example)
METHODS = {form: verb.methods for verb in VERBS if verb.methods for form in verb.forms}
