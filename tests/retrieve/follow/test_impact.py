from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.memory import Memory, Words, make_chunk

from core.retrieve.follow.impact import Affected, Impact, impact

USERS, ORDERS = "shop.json:paths/users/post", "shop.json:paths/orders/get"
ADDRESS, USER = "shop.json:components/schemas/Address", "shop.json:components/schemas/User"
MOVED = "shop.json:webhooks/moved/post"

Refs = dict[str, dict[str, tuple[str, ...]]]


def reader(refs: Refs) -> Memory:
    """A store with these references, and what follows from them: who is referred to by whom."""
    ids = sorted({*refs, *(target for own in refs.values() for target in own)})
    return Memory(
        [
            make_chunk(
                id,
                refs=refs.get(id, {}),
                referenced_by=tuple(sorted(s for s, own in refs.items() if id in own)),
            )
            for id in ids
        ],
        tokens=Words(),
    )


def found(element: str, refs: Refs, **options: int) -> Impact:
    return impact(element, chunks=reader(refs).chunks, **options)


def chains(affected: Iterable[Affected]) -> dict[str, tuple[str, ...]]:
    return {each.id: each.via for each in affected}


def test_direct_and_indirect_come_apart_with_their_chains() -> None:
    refs: Refs = {
        MOVED: {ADDRESS: ("requestBody",)},
        USERS: {USER: ("requestBody", "responses.201")},
        USER: {ADDRESS: ("properties.home",)},
    }
    told = found(ADDRESS, refs)
    assert chains(told.direct) == {MOVED: (ADDRESS,)}
    assert chains(told.indirect) == {USERS: (ADDRESS, USER)}
    assert told.indirect[0].used == ("requestBody", "responses.201")
    assert [(each.id, each.used) for each in told.through] == [(USER, ("properties.home",))]


def test_a_part_speaks_for_its_element() -> None:
    refs: Refs = {
        USERS: {f"{USERS}:errors": ("part",)},
        f"{USERS}:errors": {USER: ("responses.400",)},
        USER: {f"{USER}:part-2": ("part",)},
        f"{USER}:part-2": {ADDRESS: ("properties.home",)},
    }
    told = found(ADDRESS, refs)
    assert chains(told.indirect) == {USERS: (ADDRESS, USER)}
    assert told.indirect[0].used == ("responses.400",)


def test_what_refers_to_a_part_refers_to_its_element() -> None:
    part = f"{USER}:part-2"
    told = found(USER, {USER: {part: ("part",)}, USERS: {part: ("requestBody",)}})
    assert chains(told.direct) == {USERS: (USER,)}


def test_a_link_to_an_affected_operation_is_not_affected() -> None:
    refs: Refs = {USERS: {USER: ("requestBody",)}, ORDERS: {USERS: ("responses.200.links",)}}
    assert chains(found(USER, refs).operations) == {USERS: (USER,)}
    assert chains(found(USERS, refs).direct) == {ORDERS: (USERS,)}


@pytest.mark.parametrize(("limit", "listed"), [(0, 0), (1, 1), (2, 2), (9, 2)])
def test_what_is_not_listed_is_counted(limit: int, listed: int) -> None:
    told = found(USER, {USERS: {USER: ()}, ORDERS: {USER: ()}}, limit=limit)
    assert (len(told.operations), told.not_listed) == (listed, 2 - listed)


def test_what_nothing_uses_affects_nothing() -> None:
    assert found(USER, {USER: {ADDRESS: ()}}) == Impact(USER, (), ())


NAMES = [f"a.json:components/schemas/{letter}" for letter in "ABCD"]
CALLS = [f"a.json:paths/{letter}/get" for letter in "xy"]
graphs = st.dictionaries(
    st.sampled_from([*NAMES, *CALLS]),
    st.dictionaries(st.sampled_from(NAMES), st.just(("items",)), max_size=4),
)


@given(graphs, st.sampled_from(NAMES))
def test_it_finds_exactly_the_operations_that_lead_to_the_element(refs: Refs, start: str) -> None:
    def leads(source: str, seen: frozenset[str] = frozenset()) -> bool:
        targets = refs.get(source, {}).keys() - seen
        return start in targets or any(leads(t, seen | {source}) for t in targets)

    refs.setdefault(start, {})
    told = found(start, refs)
    assert {each.id for each in told.operations} == {call for call in CALLS if leads(call)}
    for each in (*told.operations, *told.through):
        assert each.via[0] == start
        steps = (*each.via, each.id)
        assert all(near in refs[far] for near, far in pairwise(steps))
        assert len(set(steps)) == len(steps)
    assert told == found(start, dict(reversed(refs.items())))
