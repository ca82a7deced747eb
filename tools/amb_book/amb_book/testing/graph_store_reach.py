"""What a graph store promises about looking: validity by chapter, filters, neighbours."""

from __future__ import annotations

import itertools

import pytest
from pydantic import JsonValue

from amb_book.graphs import GraphEdge, GraphNode, GraphStore
from amb_book.testing.graph_store_content import edge_ids, join, people
from amb_core.errors import InvalidInput

__all__ = ["GraphReachContract"]

_CHAPTERS = (None, -1, 0, 1, 4, 5, 6, 7)
_SPANS = {
    "always": (None, None),
    "from5": (5, None),
    "until5": (None, 5),
    "5to7": (5, 7),
    "5to5": (5, 5),
    "7to5": (7, 5),
}


class GraphReachContract:
    """The part of `GraphStoreContract` about what is found in a graph, one sentence a test."""

    # --- validity -----------------------------------------------------------------------------------------------------

    @pytest.mark.parametrize("at", _CHAPTERS)
    def test_an_edge_is_valid_from_since_until_before_until(self, graph: GraphStore, at: int | None) -> None:
        for name, (since, until) in _SPANS.items():
            join(graph, f"{name}: a b", since=since, until=until)
        valid = [edge.id for edge in graph.edges() if edge.holds(at)]
        assert edge_ids(graph.edges(at=at)) == edge_ids(graph.edges(start="a", end="b", kind="KNOWS", at=at)) == valid
        assert edge_ids(graph.neighbours("a", at=at)) == edge_ids(graph.neighbours("b", direction="in", at=at)) == valid

    def test_the_bounds_of_a_chapter_are_exact(self, graph: GraphStore) -> None:
        join(graph, "e: a b", since=5, until=7)
        assert [len(graph.edges(at=at)) for at in (4, 5, 6, 7)] == [0, 1, 1, 0]

    def test_nodes_are_there_in_every_chapter(self, graph: GraphStore) -> None:
        join(graph, "e: a b", since=5)
        assert [node.id for node in graph.nodes()] == ["a", "b"]
        assert graph.neighbours("a", at=4) == []

    # --- filters ------------------------------------------------------------------------------------------------------

    def test_edges_fit_everything_that_is_asked(self, graph: GraphStore) -> None:
        every = list(itertools.product("ab", "abc", ("K", "L"), (1, 5)))
        for start, end, kind, since in every:
            join(graph, f"{start}{end}{kind}{since}: {start} {end}", kind=kind, since=since)
        for start, end, kind, at in itertools.product("ac\0", "bc\0", ("K", "\0"), (1, 5)):
            asked = {name: value for name, value in (("start", start), ("end", end), ("kind", kind)) if value != "\0"}
            fitting = [
                f"{s}{e}{k}{since}"
                for s, e, k, since in every
                if start in (s, "\0") and end in (e, "\0") and kind in (k, "\0") and since <= at
            ]
            assert edge_ids(graph.edges(**asked, at=at)) == fitting

    def test_nodes_are_found_by_kind_and_by_every_property(self, graph: GraphStore) -> None:
        people(graph, "a", "b", name="Lin", rank=1)
        people(graph, "c", kind="Item", name="Lin", rank=1)
        people(graph, "d", name="Lin", rank=2)
        people(graph, "e", name="lin", rank=1)
        found = graph.nodes(kind="Character", where={"name": "Lin", "rank": 1})
        assert [node.id for node in found] == ["a", "b"]
        assert [node.id for node in graph.nodes(where={"name": "Lin"})] == ["a", "b", "c", "d"]
        assert graph.nodes(kind="character") == []

    def test_properties_are_compared_as_json(self, graph: GraphStore) -> None:
        values: list[JsonValue] = [1, 1.0, True, "1", None, [1], {"x": [1]}, {}, 2**70, ""]
        for number, value in enumerate(values):
            people(graph, str(number), v=value)
        people(graph, "without")
        found = [[node.id for node in graph.nodes(where={"v": value})] for value in values]
        assert found == [["0", "1"], ["0", "1"], ["2"], ["3"], ["4"], ["5"], ["6"], ["7"], ["8"], ["9"]]

    def test_a_filter_that_is_no_json_is_refused(self, graph: GraphStore) -> None:
        with pytest.raises(InvalidInput):
            graph.nodes(where={"v": float("nan")})

    # --- neighbours ---------------------------------------------------------------------------------------------------

    def test_neighbours_are_told_by_direction(self, graph: GraphStore) -> None:
        join(graph, "1: a b", "2: c a", "3: a c", "4: b c")
        assert edge_ids(graph.neighbours("a")) == ["1", "2", "3"]
        assert edge_ids(graph.neighbours("a", direction="out")) == ["1", "3"]
        assert edge_ids(graph.neighbours("a", direction="in")) == ["2"]
        assert [node.id for _, node in graph.neighbours("a")] == ["b", "c", "c"]

    def test_an_edge_to_itself_is_a_neighbour_once(self, graph: GraphStore) -> None:
        join(graph, "1: a a")
        expected = [(GraphEdge("1", "KNOWS", "a", "a"), GraphNode("a", "Character"))]
        assert graph.neighbours("a") == graph.neighbours("a", direction="out") == expected
        assert graph.neighbours("a", direction="in") == expected

    def test_edges_side_by_side_are_all_neighbours(self, graph: GraphStore) -> None:
        join(graph, "1: a b", "2: a b", "3: b a")
        join(graph, "4: a b", kind="HATES")
        assert edge_ids(graph.neighbours("a")) == ["1", "2", "3", "4"]

    def test_neighbours_are_told_by_kind(self, graph: GraphStore) -> None:
        for name, kind in (("1", "K"), ("2", "L"), ("3", "M"), ("4", "K")):
            join(graph, f"{name}: a b", kind=kind)
        assert edge_ids(graph.neighbours("a", kinds=["M", "K"])) == ["1", "3", "4"]
        assert graph.neighbours("a", kinds={"k", "Unheard"}) == []

    def test_a_text_instead_of_kinds_is_refused(self, graph: GraphStore) -> None:
        with pytest.raises(InvalidInput, match="collection"):
            graph.neighbours("a", kinds="KNOWS")

    def test_an_unknown_direction_is_refused(self, graph: GraphStore) -> None:
        with pytest.raises(InvalidInput, match="direction"):
            graph.neighbours("a", direction="up")  # type: ignore[arg-type]
