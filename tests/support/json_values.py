"""Hypothesis strategies for JSON values."""

from hypothesis import strategies as st

_LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
)
VALUES = st.recursive(
    _LEAVES,
    lambda v: st.lists(v, max_size=4) | st.dictionaries(st.text(max_size=6), v, max_size=4),
    max_leaves=20,
)
OBJECTS = st.dictionaries(st.text(max_size=6), VALUES, min_size=1, max_size=5)
