"""Who may come in where people log in: by the patterns of their addresses, in one of two roles."""

from __future__ import annotations

import importlib.util
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from core.errors import SettingsError

Role = Literal["look", "change", ""]
_EXAMPLE = '[access]\nchange = ["ann@example.org"]\nlook = ["*@example.org"]'


@dataclass(frozen=True, slots=True)
class Admitted:
    """The addresses of each role; `*@example.org` are all of a domain."""

    change: tuple[str, ...] = ()
    look: tuple[str, ...] = ()

    @classmethod
    def of(cls, secrets: Mapping[str, Any]) -> Admitted | None:
        """What the table `access` of a secrets file says; None where nobody logs in. Raises
        SettingsError, for a mistake must let nobody in."""
        access = secrets.get("access")
        if "auth" not in secrets and access is None:
            return None
        if "auth" not in secrets:
            raise SettingsError("The secrets have [access] but no [auth], so nobody could log in.")
        if not isinstance(access, Mapping):
            raise SettingsError(
                "The secrets have [auth] but do not say who may come in. Add a table such as\n"
                f"{_EXAMPLE}\nor start without these secrets."
            )
        if unknown := sorted(set(access) - {"change", "look"}):
            raise SettingsError(f"[access] in the secrets has {unknown[0]!r}: use change and look.")
        return cls(*(_patterns(role, access.get(role, ())) for role in ("change", "look")))

    def role(self, claims: Mapping[str, Any]) -> Role:
        """What somebody with these claims of an identity token may do; "" is nothing at all."""
        address = str(claims.get("email") or "").strip().lower()
        if not address or claims.get("email_verified") is False:
            return ""
        if any(_fits(pattern, address) for pattern in self.change):
            return "change"
        return "look" if any(_fits(pattern, address) for pattern in self.look) else ""


def read_secrets(files: Iterable[str | Path]) -> Mapping[str, Any]:
    """The tables of these files that exist, later ones in place of earlier. Raises SettingsError,
    where Streamlit would go on without a login."""
    found: dict[str, Any] = {}
    for file in map(Path, files):
        try:
            found |= tomllib.loads(file.read_text("utf-8"))
        except FileNotFoundError:
            continue
        except (OSError, ValueError) as error:
            raise SettingsError(f"{file} cannot be read as TOML: {error}.") from error
    return found


def check_installed() -> None:
    """Raise SettingsError where the package that Streamlit logs in with is missing."""
    if importlib.util.find_spec("authlib") is None:
        raise SettingsError(
            'Logging in needs a package more: `pip install "specloupe[login]"` installs it.'
        )


def _patterns(role: str, given: Any) -> tuple[str, ...]:
    given = [given] if isinstance(given, str) else given
    if not isinstance(given, list | tuple) or not all(isinstance(each, str) for each in given):
        raise SettingsError(f"[access] {role} in the secrets: a list of addresses in quotes.")
    for each in given:
        name, at, domain = each.partition("@")
        if not (name and at and domain) or "*" in domain or ("*" in name and name != "*"):
            raise SettingsError(
                f"[access] {role} in the secrets: {each!r} is neither an address nor a pattern "
                "such as *@example.org."
            )
    return tuple(each.lower() for each in given)


def _fits(pattern: str, address: str) -> bool:
    name, _, domain = address.rpartition("@")
    return pattern == address or (bool(name) and pattern == f"*@{domain}")
