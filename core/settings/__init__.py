"""Every setting once: name, default, bounds, help, environment name, and its stage."""

from core.settings.files import FORMATS, export, read_file, read_text
from core.settings.knob import Knob, Value
from core.settings.profiles import PROFILES
from core.settings.resolve import Effective, resolve
from core.settings.settings import ALIASES, KNOB, KNOBS, STAGES, Settings, knob_named
from core.settings.stages import (
    NO_ANSWER,
    RULES,
    Assemble,
    Choose,
    Engine,
    Follow,
    Models,
    Rank,
    Search,
    Understand,
)

__all__ = [
    "ALIASES",
    "FORMATS",
    "KNOB",
    "KNOBS",
    "NO_ANSWER",
    "PROFILES",
    "RULES",
    "STAGES",
    "Assemble",
    "Choose",
    "Effective",
    "Engine",
    "Follow",
    "Knob",
    "Models",
    "Rank",
    "Search",
    "Settings",
    "Understand",
    "Value",
    "export",
    "knob_named",
    "read_file",
    "read_text",
    "resolve",
]
