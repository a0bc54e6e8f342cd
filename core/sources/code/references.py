"""Whom a definition calls, inherits from and imports, where that is read together with it."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from core.sources.code.imports import ALL, Import
from core.sources.code.outline import CLASS, METHOD, Definition, Outline, lines_of

CALLS, IMPORTS, INHERITS = "calls", "imports", "inherits"
_HERE = ("java", "kotlin", "csharp", "cpp", "ruby")  # a bare name may be the object's own method
_TOGETHER = ("java", "kotlin", "go", "csharp", "php")  # files of a folder see each other
_UNBOUND = ("c", "cpp", "csharp", "ruby", "php", "kotlin")  # imports do not say for which names
_HANDED_ON = ("python", "javascript", "typescript", "rust")  # a file has what it imports
_WHOLE = re.compile(r"/(?:index|__init__|mod)$")  # a file that stands for its folder
_DEEP = 4  # steps along re-exports and base classes


@dataclass(frozen=True, slots=True)
class Target:
    """An element of one of the files."""

    file: str
    qualname: str  # "" for the module


@dataclass(frozen=True, slots=True)
class Referred:
    """What a definition refers to."""

    targets: Mapping[Target, set[str]]  # each with how
    elsewhere: int  # calls, bases and imports that mean nothing among the files


class References:
    """What names mean, in files that were read together."""

    def __init__(
        self, outlines: Mapping[str, Outline], text_of: Callable[[str], str] | None = None
    ) -> None:
        """`text_of` gives the text of the file that is asked about, where its outline has none."""
        self._outlines = outlines
        self._text_of = text_of or (lambda file: outlines[file].text)
        self._defined = {
            file: {one.qualname: one for one in reversed(found.definitions)}
            for file, found in outlines.items()
        }
        self._stems: dict[str, list[str]] = defaultdict(list)
        self._folders: dict[str, list[str]] = defaultdict(list)
        self._ends: dict[str, list[str]] = defaultdict(list)  # folders by what their paths end in
        self._names: dict[tuple[str, str], list[Target]] = defaultdict(list)
        for file, found in sorted(outlines.items()):
            for suffix in _suffixes(_stem(file)):
                self._stems[suffix].append(file)
            self._folders[posixpath.dirname(file)].append(file)
            for one in found.definitions[1:]:
                if one.kind != METHOD:
                    self._names[found.kin, one.qualname].append(Target(file, one.qualname))
        for folder in self._folders:
            for suffix in _suffixes(folder):
                self._ends[suffix].append(folder)

    def of(self, file: str, definition: Definition) -> Referred:
        """What a definition of a file refers to, itself left out."""
        own = Target(file, definition.qualname)
        found: dict[Target, set[str]] = defaultdict(set)
        elsewhere = 0
        for label, targets in self._all(file, definition):
            elsewhere += not targets
            for target in targets:
                if target != own:
                    found[target].add(label)
        return Referred(found, elsewhere)

    def _all(self, file: str, definition: Definition) -> Iterator[tuple[str, Sequence[Target]]]:
        for name in definition.calls:
            yield CALLS, _one(self._called(file, definition, name))
        for name in definition.bases:
            yield INHERITS, _one(self._named(file, definition.qualname, name))
        if not definition.qualname:
            for one in self._outlines[file].imports:
                yield IMPORTS, list(self._imported(file, one))

    # --- calls

    def _called(self, file: str, definition: Definition, name: str) -> Target | None:
        head, _, rest = name.partition(".")
        found = self._outlines[file]
        owner = definition.qualname.rpartition(".")[0] if definition.kind == METHOD else ""
        if rest and (head in found.self_names or head == "super"):
            return self._of_self(file, owner, rest, is_super=head in ("super", "base", "parent"))
        if head != "?" and (target := self._named(file, definition.qualname, name)):
            return target
        if rest and "." not in rest:
            typed = self._typed(file, definition, head) or self._field(file, owner, head)
            return self._member(typed, rest) if typed else self._only_method(file, rest)
        return None

    def _of_self(self, file: str, owner: str, rest: str, *, is_super: bool) -> Target | None:
        """`self.save`, or `self.client.post`, where the class says what its `client` is."""
        attribute, _, method = rest.partition(".")
        if not owner:
            return None
        own = Target(file, owner)
        if not method:
            return self._inherited(own, attribute) if is_super else self._member(own, attribute)
        klass = self._defined[file].get(owner)
        typed = self._typed(file, klass, attribute) if klass and "." not in method else None
        return self._member(typed, method) if typed else self._only_method(file, method)

    def _member(self, of: Target, name: str, depth: int = _DEEP) -> Target | None:
        """A method of a class, or of one that it inherits from."""
        if f"{of.qualname}.{name}" in self._defined[of.file]:
            return Target(of.file, f"{of.qualname}.{name}")
        return self._inherited(of, name, depth)

    def _inherited(self, of: Target, name: str, depth: int = _DEEP) -> Target | None:
        klass = self._defined[of.file].get(of.qualname)
        for base in klass.bases if klass and depth else ():
            target = self._named(of.file, of.qualname, base)
            if target and target != of and (found := self._member(target, name, depth - 1)):
                return found
        return None

    def _typed(self, file: str, definition: Definition, variable: str) -> Target | None:
        """The class of a variable, where the text says it: by its type, or by what it is given."""
        names = self._types(file, definition.start, definition.end).get(variable, ())
        return self._first_class(file, definition.qualname, names)

    def _field(self, file: str, owner: str, name: str) -> Target | None:
        """The class of a field that is called by its name alone, without `this`."""
        klass = self._defined[file].get(owner) if owner else None
        if klass is None or self._outlines[file].language not in _HERE:
            return None
        names = self._fields(file, klass.start, klass.end).get(name, ())
        return self._first_class(file, owner, names)

    def _first_class(self, file: str, scope: str, names: Iterable[str]) -> Target | None:
        for name in names:
            target = self._named(file, scope, name)
            if target and self._defined[target.file][target.qualname].kind == CLASS:
                return target
        return None

    @lru_cache(maxsize=64)  # noqa: B019 - lives as long as one group of files is chunked
    def _types(self, file: str, start: int, end: int) -> _Types:
        return _types("\n".join(lines_of(self._text_of(file))[start - 1 : end]))

    @lru_cache(maxsize=64)  # noqa: B019 - lives as long as one group of files is chunked
    def _fields(self, file: str, start: int, end: int) -> _Types:
        """What the lines of a class say outside of its methods."""
        inside, lines = self._in_methods(file), lines_of(self._text_of(file))[start - 1 : end]
        return _types("\n".join(line for at, line in enumerate(lines, start) if at not in inside))

    @lru_cache(maxsize=16)  # noqa: B019 - as above
    def _in_methods(self, file: str) -> frozenset[int]:
        """The lines of a file's methods."""
        methods = (one for one in self._outlines[file].definitions if one.kind == METHOD)
        return frozenset(line for one in methods for line in range(one.start, one.end + 1))

    def _only_method(self, file: str, name: str) -> Target | None:
        """The method of this name, where what the file has and imports knows only one."""
        return _one_of(self._methods(file).get(name, ()))

    @lru_cache(maxsize=64)  # noqa: B019 - lives as long as one group of files is chunked
    def _methods(self, file: str) -> Mapping[str, Sequence[Target]]:
        seen = {
            file,
            *(t.file for one in self._outlines[file].imports for t in self._imported(file, one)),
        }
        found: dict[str, list[Target]] = defaultdict(list)
        for other in sorted(seen):
            for one in self._outlines[other].definitions:
                if one.kind == METHOD:
                    found[one.name].append(Target(other, one.qualname))
        return found

    # --- names

    def _named(self, file: str, scope: str, name: str, depth: int = _DEEP) -> Target | None:
        """What a dotted name means where it is written; None for what is not among the files."""
        found = self._outlines[file]
        if target := self._inside(file, scope, name):
            return target
        head, _, rest = name.partition(".")
        for one in found.imports:
            is_it = one.local == head and one.name != ALL
            if is_it and (target := self._through(file, one, rest, depth)):
                return target
        for one in found.imports if depth else ():
            if one.name == ALL and (target := self._in_files(self._files(file, one), name)):
                return target
        beside = self._beside(posixpath.dirname(file), found.kin)
        if found.language in _TOGETHER and (target := beside.get(name)):
            return target
        return _one_of(self._names[found.kin, name]) if found.language in _UNBOUND else None

    def _inside(self, file: str, scope: str, name: str) -> Target | None:
        """In the file itself: first beside what is written, then further out."""
        defined = self._defined[file]
        while scope:
            qualname = f"{scope}.{name}"
            one = defined.get(qualname)
            if one and (one.kind != METHOD or self._outlines[file].language in _HERE):
                return Target(file, qualname)
            scope = scope.rpartition(".")[0]
        return Target(file, name) if name in defined else None

    def _through(self, file: str, one: Import, rest: str, depth: int) -> Target | None:
        """What a name means that an import brought in."""
        if rest and (target := self._in_module(file, one, rest, depth)):
            return target
        names = [] if one.name in ("", "default") else [one.name]
        if one.name == "default":
            names = [one.alias]
        qualname = ".".join(filter(None, (*names, rest)))
        for other in self._files(file, one):
            if qualname in self._defined[other]:
                return Target(other, qualname)
            may_hand_on = depth and qualname and other != file  # what it imports itself
            if may_hand_on and (target := self._named(other, "", qualname, depth - 1)):
                return target
        return None

    def _in_module(self, file: str, one: Import, rest: str, depth: int) -> Target | None:
        """`cart.price` after `from . import cart`, where `cart` is a file and no element."""
        files = self._at(file, _below(one.path, one.name)) if one.name not in ("", ALL) else ()
        for other in files:
            if rest in self._defined[other]:
                return Target(other, rest)
            may_hand_on = depth and other != file and self._outlines[other].language in _HANDED_ON
            if may_hand_on and (target := self._named(other, "", rest, depth - 1)):
                return target
        return None

    def _imported(self, file: str, one: Import) -> Iterator[Target]:
        """What an import statement itself refers to: an element, or a whole file."""
        if one.name not in ("", ALL) and (target := self._through(file, one, "", _DEEP)):
            yield target
            return
        files = self._files(file, one)
        yield from (Target(other, "") for other in files[:1] if other != file)

    def _in_files(self, files: Iterable[str], name: str) -> Target | None:
        return next((Target(f, name) for f in files if name in self._defined[f]), None)

    # --- files

    def _files(self, file: str, one: Import) -> Sequence[str]:
        """The files that an import means, the likeliest first; several are of one folder."""
        if one.name and (inner := self._at(file, _below(one.path, one.name))):
            return (*inner, *self._at(file, one.path))
        return self._at(file, one.path)

    @lru_cache(maxsize=100_000)  # noqa: B019 - lives as long as one group of files is chunked
    def _at(self, file: str, path: str) -> Sequence[str]:
        if path.startswith("."):
            at = posixpath.normpath(posixpath.join(posixpath.dirname(file), path))
            return self._kin(file, self._exactly(at))
        found = self._kin(file, self._stems.get(path, ()))
        near = [other for other in found if self._is_root(file, other, path)]
        if near:
            return sorted(near, key=lambda other: (-_shared(file, other), len(other), other))[:1]
        return self._kin(file, self._packages(path)) or self._kin(file, self._exactly(_tail(path)))

    def _exactly(self, path: str) -> Sequence[str]:
        return [f for f in self._stems.get(path, ()) if _stem(f) == path]

    def _is_root(self, file: str, other: str, path: str) -> bool:
        """Whether names may begin in the folder that is before the path: no package is there."""
        before = _stem(other).removesuffix(path).rstrip("/")
        if f"{before}/__init__.py" in self._outlines:
            return False
        return "/" in path or not before or file.startswith(f"{before}/")

    def _packages(self, path: str) -> Sequence[str]:
        """The files of the folder that a path ends in, as Go and Java name packages."""
        steps = path.split("/")
        for at in range(len(steps)):
            ends = "/".join(steps[at:])
            folders = self._ends.get(ends, ())
            if len(folders) == 1 and (len(steps) - at > 1 or folders[0] == ends):
                return self._folders[folders[0]]
        return ()

    @lru_cache(maxsize=64)  # noqa: B019 - lives as long as one group of files is chunked
    def _beside(self, folder: str, kin: str) -> Mapping[str, Target]:
        """What the files of a folder define, by name."""
        files = [file for file in self._folders[folder] if self._outlines[file].kin == kin]
        defined = ((name, file) for file in reversed(files) for name in self._defined[file])
        return {name: Target(file, name) for name, file in defined}

    def _kin(self, file: str, others: Iterable[str]) -> Sequence[str]:
        kin = self._outlines[file].kin
        return [other for other in others if self._outlines[other].kin == kin]


def _one(target: Target | None) -> Sequence[Target]:
    return [target] if target else []


def _one_of(targets: Sequence[Target]) -> Target | None:
    """The only one; overloads are one."""
    return targets[0] if len(set(targets)) == 1 else None


def _stem(file: str) -> str:
    return _WHOLE.sub("", posixpath.splitext(file)[0].removesuffix(".d"))


def _suffixes(path: str) -> Iterator[str]:
    steps = path.split("/")
    return ("/".join(steps[at:]) for at in range(len(steps)))


def _tail(path: str) -> str:
    """Without the first step: the root may be the package itself."""
    return path.partition("/")[2]


def _below(path: str, name: str) -> str:
    return f"{path}/{name}" if path and path[-1] != "/" else f"{path}{name}"


def _shared(one: str, other: str) -> int:
    """How many folders two files have in common, from the first."""
    return len(posixpath.commonpath([posixpath.dirname(one), posixpath.dirname(other)]).split("/"))


_CLASS = r"[A-Z]\w*"
_BEFORE = 40  # characters between a variable and what it is given
_GAP = r"\s{0,60}+"
_ANNOTATED = re.compile(  # `cart: Cart`
    rf"\b(\w+){_GAP}:{_GAP}[&*\"']?(?:mut )?({_CLASS}(?:\.{_CLASS})*)"
)
_MADE = re.compile(  # `= new Cart(`
    rf"={_GAP}(?:await\s{_GAP})?(?:new\s{_GAP})?&?({_CLASS}){_GAP}(?:\.new|::\w+)?{_GAP}[({{]"
)
_BOUND = re.compile(  # `cart := NewCart(`
    rf"\b(\w+){_GAP}:={_GAP}&?(?:\w+\.)?(?:New)?({_CLASS}){_GAP}[({{]"
)
_DECLARED = re.compile(  # `Cart cart`
    rf"\b({_CLASS})(?:<[^<>\n]*>)?[?&*]?\s{_GAP}(?=[&*$]?(\w+))"
)
_FOLLOWED = re.compile(  # `cart *Cart`
    rf"\b(\w+)(?=\s{_GAP}\*?(?:\w+\.)?({_CLASS})\b)"
)
_WORD = re.compile(r"\w+")

_Types = Mapping[str, Iterable[str]]


def _types(text: str) -> _Types:
    """The class names that are written beside each variable, the surest first."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for variable, name in chain(
        _ANNOTATED.findall(text),
        _given(text),
        _BOUND.findall(text),
        ((variable, name) for name, variable in _DECLARED.findall(text)),
        _FOLLOWED.findall(text),
    ):
        found[variable][name] = None
    return found


def _given(text: str) -> Iterator[tuple[str, str]]:
    """`cart = Cart(`, `cart: str = await Cart(`: each word of the line before the sign."""
    for made in _MADE.finditer(text):
        line = re.split("[=\n]", text[max(0, made.start() - 2 * _BEFORE) : made.start()])[-1]
        for word in _WORD.finditer(line):
            if len(line) - word.end() <= _BEFORE:
                yield word[0], made[1]
