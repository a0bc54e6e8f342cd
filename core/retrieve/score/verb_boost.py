"""What the verb of a question says for an operation: its method, and the last word of its path."""

from __future__ import annotations

import numpy as np

from core.ranking import best
from core.retrieve.lookups.derived import derived
from core.retrieve.lookups.elements import Elements
from core.retrieve.reader import ArrayReader, RowScores
from core.retrieve.score.boosts import Fits
from core.retrieve.understand.verbs import leading_verb, suggested_methods
from core.text.words import terms
from core.where import Op, Test

_ENDS_LOOKED = 100  # rows whose path is looked at for the verb


def verb_boost(text: str, fused: RowScores, reader: ArrayReader, boost: float) -> Fits | None:
    """What the leading verb of lower-case text raises, thrice where the path ends with it; None
    where there is no such verb.

    The ends of paths are looked at for the best rows of `fused`.
    """
    methods = suggested_methods(text)
    if not methods:
        return None
    fits = reader.mask(Test("method", Op.IN, tuple(methods)))
    verb = next(iter(terms(leading_verb(text))), "")
    elements = derived(Elements, reader)
    top = best(fused, _ENDS_LOOKED)
    ends = [row for row in top[fits[top]].tolist() if verb in elements.last_terms(row)]
    return Fits(fits, np.float32(boost), np.array(ends, np.intp))
