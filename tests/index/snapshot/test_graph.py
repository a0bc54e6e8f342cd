from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from core.index.snapshot.arrays import ArrayWriter, open_arrays
from core.index.snapshot.graph import GraphWriter, RefGraph

on_disk = settings(deadline=None, max_examples=40)  # each example writes files
IDS = ["a", "b", "c", "d"]
places = st.lists(st.sampled_from(["requestBody", "responses.200", "items"]), max_size=2).map(tuple)
references = st.dictionaries(st.sampled_from([*IDS, "gone", "absent"]), places)


def written(references: list[dict[str, tuple[str, ...]]]) -> RefGraph:
    with TemporaryDirectory() as folder:
        writer = ArrayWriter(Path(folder))
        graph = GraphWriter(writer)
        for ref_ids in references:
            graph.add(ref_ids)
        graph.finish(IDS[: len(references)])
        writer.finish({})
        return RefGraph(open_arrays(Path(folder)))


@on_disk
@given(st.lists(references, max_size=4))
def test_the_graph_holds_every_reference_in_order(refs: list[dict[str, tuple[str, ...]]]) -> None:
    graph = written(refs)
    names = [*IDS[: len(refs)], *graph.missing]
    read = [
        [
            (names[node], labels)
            for node, labels in zip(graph.successors(row), graph.labels(row), strict=True)
        ]
        for row in range(graph.rows)
    ]
    assert read == [list(ref_ids.items()) for ref_ids in refs]
    assert graph.edges == sum(map(len, refs))


@on_disk
@given(st.lists(references, max_size=4))
def test_predecessors_are_the_exact_inverse(refs: list[dict[str, tuple[str, ...]]]) -> None:
    graph = written(refs)
    for row in range(len(refs)):
        sources = [source for source in range(len(refs)) if IDS[row] in refs[source]]
        assert graph.predecessors(row).tolist() == sources


def test_missing_targets_are_numbered_after_the_rows() -> None:
    graph = written([{"gone": ("items",), "b": ()}, {"absent": ()}])
    assert graph.successors(0).tolist() == [3, 1]
    assert graph.successors(1).tolist() == [2]
    assert list(graph.missing) == ["absent", "gone"]
