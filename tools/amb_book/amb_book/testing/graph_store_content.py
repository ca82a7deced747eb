"""What a graph store promises about content: nodes, edges, order, filters by chapter, neighbours."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from pydantic import JsonValue

from amb_book.graphs import GraphEdge, GraphNode, GraphStore
from amb_contracts.record_store_content import ANY_TEXT
from amb_core.errors import InvalidInput

__all__ = ["GraphContentContract", "edge_ids", "join", "people"]

any_text = pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in ANY_TEXT.items()])
BAD_KINDS = ["", " ", "has status", "a-b", "1st", "x`y", "a\n", "a" * 101, "`) DELETE n //", None]
NO_JSON = [float("nan"), float("inf"), b"bytes", {1, 2}, {1: "key"}, object()]


def people(graph: GraphStore, *ids: str, kind: str = "Character", **properties: JsonValue) -> None:
    """Put nodes that share kind and properties."""
    graph.put(nodes=[GraphNode(each, kind, dict(properties)) for each in ids])


def join(
    graph: GraphStore, *edges: str, kind: str = "KNOWS", since: int | None = None, until: int | None = None
) -> None:
    """Put edges written "id: start end", with nodes for ends that are not there."""
    for text in edges:
        name, ends = text.split(": ")
        start, end = ends.split(" ")
        people(graph, *(each for each in dict.fromkeys((start, end)) if graph.node(each) is None))
        graph.put(edges=[GraphEdge(name, kind, start, end, {}, since, until)])


def edge_ids(edges: Sequence[GraphEdge] | Sequence[tuple[GraphEdge, GraphNode]]) -> list[str]:
    """The ids of edges, or of the edges of neighbours, in order."""
    return [each.id if isinstance(each, GraphEdge) else each[0].id for each in edges]


def _ids(nodes: Sequence[GraphNode]) -> list[str]:
    return [node.id for node in nodes]


class GraphContentContract:
    """The part of `GraphStoreContract` about what is in a graph, one sentence a test."""

    @pytest.fixture
    def graph(self) -> GraphStore:
        """An empty graph; override it, and close the graph afterwards."""
        pytest.fail("override the fixture `graph` with one that yields your empty graph store")

    # --- nodes and edges ----------------------------------------------------------------------------------------------

    def test_what_is_put_comes_back_equal(self, graph: GraphStore) -> None:
        properties: dict[str, JsonValue] = {"name": "林月", "n": 3, "x": 0.1, "yes": True, "none": None, "big": 2**70}
        properties["list"] = [1, {"deep": []}, [[]]]
        node, edge = GraphNode("n", "Character", properties), GraphEdge("e", "KNOWS", "n", "n", properties, 3, 41)
        graph.put(nodes=[node], edges=[edge])
        assert (graph.node("n"), graph.edges()) == (node, [edge])
        assert (graph.nodes(), graph.edges()) == ([node], [edge])

    def test_numbers_keep_their_kind(self, graph: GraphStore) -> None:
        people(graph, "n", whole=1, real=1.0, yes=True)
        node = graph.node("n")
        assert node is not None
        assert [type(value) for value in node.properties.values()] == [int, float, bool]

    def test_what_is_not_there_is_none_or_empty(self, graph: GraphStore) -> None:
        assert (graph.node("n"), graph.nodes(), graph.edges()) == (None, [], [])
        assert graph.neighbours("n") == []
        assert graph.edges(start="n") == graph.edges(end="n") == graph.edges(kind="KNOWS") == []
        assert graph.remove(nodes=["n"], edges=["e"]) == graph.remove() == 0
        graph.put()

    def test_nodes_and_edges_may_have_the_same_id(self, graph: GraphStore) -> None:
        join(graph, "a: a b")
        assert graph.remove(edges=["a"]) == 1
        assert graph.node("a") == GraphNode("a", "Character")

    def test_ids_are_case_sensitive(self, graph: GraphStore) -> None:
        people(graph, "a", "A", " a")
        assert _ids(graph.nodes()) == ["a", "A", " a"]
        assert graph.remove(nodes=["A"]) == 1
        assert _ids(graph.nodes()) == ["a", " a"]

    @any_text
    def test_any_text_survives_as_id_and_property(self, graph: GraphStore, text: str) -> None:
        node = GraphNode(text, "Character", {"name": text, f"key {text}": [text], text: {"in": text}})
        edge = GraphEdge(text, "KNOWS", text, "other", {"text": text, text: text}, 1)
        graph.put(nodes=[node, GraphNode("other", "Character")], edges=[edge])
        assert (graph.node(text), graph.edges()) == (node, [edge])
        assert graph.neighbours("other", direction="in") == [(edge, node)]
        assert graph.nodes(where={"name": text}) == [node]
        assert graph.edges(start=text) == [edge]
        assert graph.remove(nodes=[text]) == 2

    def test_texts_that_look_like_one_another_stay_apart(self, graph: GraphStore) -> None:
        odd = ["\\ud83d", "\ud83d", "\\\ud83d", "\\", "\\\\", "\0", "\\u0000", "a/b", "a", "%", "", "é", "e\u0301"]
        people(graph, *odd)
        assert _ids(graph.nodes()) == odd

    @pytest.mark.parametrize("name", ["id", "book", "place", "kind", "since", "until", "properties", "start"])
    def test_properties_may_have_any_name(self, graph: GraphStore, name: str) -> None:
        node = GraphNode("a", "Character", {name: "mine"})
        edge = GraphEdge("e", "KNOWS", "a", "a", {name: "mine"}, 4, 5)
        graph.put(nodes=[node], edges=[edge])
        assert graph.nodes(where={name: "mine"}) == [node]
        assert (graph.node("a"), graph.edges()) == (node, [edge])

    def test_kinds_may_be_chinese(self, graph: GraphStore) -> None:
        people(graph, "林月", kind="人物")
        people(graph, "玉门关", kind="地点")
        join(graph, "e: 林月 玉门关", kind="位于", since=3)
        assert _ids(graph.nodes(kind="地点")) == ["玉门关"]
        assert edge_ids(graph.neighbours("林月", kinds=["位于"], at=3)) == ["e"]

    def test_changing_what_was_put_or_handed_out_changes_nothing_stored(self, graph: GraphStore) -> None:
        names: list[JsonValue] = ["a"]
        graph.put(nodes=[GraphNode("n", "Character", {"names": names})])
        names.append("b")
        for node in (graph.node("n"), *graph.nodes()):
            assert node is not None
            assert isinstance(node.properties["names"], list)
            node.properties["names"].append("c")
        assert graph.node("n") == GraphNode("n", "Character", {"names": ["a"]})

    # --- replacing and removing ---------------------------------------------------------------------------------------

    def test_order_is_that_of_the_first_put(self, graph: GraphStore) -> None:
        people(graph, "z", "a", "m")
        join(graph, "3: z a", "1: a z", "2: z m")
        people(graph, "z", rank=1)
        join(graph, "3: m m", kind="HATES")
        assert (_ids(graph.nodes()), edge_ids(graph.edges())) == (["z", "a", "m"], ["3", "1", "2"])
        assert edge_ids(graph.neighbours("m")) == ["3", "2"]

    def test_a_put_replaces_the_whole_of_a_node_and_keeps_its_edges(self, graph: GraphStore) -> None:
        people(graph, "a", old=1)
        join(graph, "1: a b", "2: c a")
        people(graph, "a", kind="Ghost", new=2)
        assert graph.node("a") == GraphNode("a", "Ghost", {"new": 2})
        assert (_ids(graph.nodes(kind="Ghost")), _ids(graph.nodes(kind="Character"))) == (["a"], ["b", "c"])
        assert edge_ids(graph.neighbours("a")) == ["1", "2"]
        assert _ids(graph.nodes()) == ["a", "b", "c"]

    def test_a_put_replaces_the_whole_of_an_edge(self, graph: GraphStore) -> None:
        join(graph, "1: a b", "2: a b", since=1, until=2)
        graph.put(edges=[GraphEdge("1", "HATES", "b", "c", {"why": "x"})], nodes=[GraphNode("c", "Character")])
        assert graph.edges(kind="HATES") == [GraphEdge("1", "HATES", "b", "c", {"why": "x"})]
        assert edge_ids(graph.edges(start="a")) == edge_ids(graph.edges(kind="KNOWS")) == ["2"]
        assert edge_ids(graph.neighbours("b")) == ["1", "2"]
        assert edge_ids(graph.neighbours("c", at=9)) == ["1"]

    def test_true_replaces_one(self, graph: GraphStore) -> None:
        people(graph, "a", value=1)
        people(graph, "a", value=True)
        assert [node.properties["value"] is True for node in graph.nodes()] == [True]

    def test_the_last_of_two_with_one_id_in_a_batch_stays(self, graph: GraphStore) -> None:
        graph.put(nodes=[GraphNode("a", "X"), GraphNode("b", "X"), GraphNode("a", "Y")])
        graph.put(edges=[GraphEdge("1", "K", "a", "b"), GraphEdge("2", "K", "a", "b"), GraphEdge("1", "L", "b", "a")])
        assert graph.nodes() == [GraphNode("a", "Y"), GraphNode("b", "X")]
        assert graph.edges() == [GraphEdge("1", "L", "b", "a"), GraphEdge("2", "K", "a", "b")]

    def test_a_node_goes_with_its_edges_and_all_of_them_are_counted(self, graph: GraphStore) -> None:
        join(graph, "1: a b", "2: b a", "3: a a", "4: b c")
        assert graph.remove(nodes=["a", "a", "nobody"], edges=["1", "4", "4"]) == 5
        assert (_ids(graph.nodes()), graph.edges()) == (["b", "c"], [])

    def test_what_is_put_again_after_its_removal_comes_last(self, graph: GraphStore) -> None:
        join(graph, "1: a b", "2: a b")
        graph.remove(edges=["1"])
        join(graph, "1: a b")
        assert edge_ids(graph.edges()) == ["2", "1"]
        graph.remove(nodes=["a"])
        people(graph, "a")
        assert (_ids(graph.nodes()), graph.edges()) == (["b", "a"], [])

    # --- what is refused ----------------------------------------------------------------------------------------------

    def test_an_edge_whose_nodes_are_not_there_is_refused_with_all_that_came_with_it(self, graph: GraphStore) -> None:
        people(graph, "a", v=1)
        with pytest.raises(InvalidInput, match="nobody"):
            graph.put(nodes=[GraphNode("a", "Ghost"), GraphNode("b", "X")], edges=[GraphEdge("1", "K", "a", "nobody")])
        assert (graph.nodes(), graph.edges()) == ([GraphNode("a", "Character", {"v": 1})], [])

    def test_an_edge_may_come_with_its_nodes(self, graph: GraphStore) -> None:
        graph.put(edges=[GraphEdge("1", "K", "a", "b")], nodes=[GraphNode("a", "X"), GraphNode("b", "X")])
        assert edge_ids(graph.edges()) == ["1"]

    @pytest.mark.parametrize("kind", BAD_KINDS, ids=repr)
    def test_a_kind_that_is_no_name_is_refused(self, graph: GraphStore, kind: str) -> None:
        people(graph, "a")
        with pytest.raises(InvalidInput, match="kind"):
            graph.put(nodes=[GraphNode("b", "X"), GraphNode("c", kind)])
        with pytest.raises(InvalidInput, match="kind"):
            graph.put(edges=[GraphEdge("1", "K", "a", "a"), GraphEdge("2", kind, "a", "a")])
        assert (_ids(graph.nodes()), graph.edges()) == (["a"], [])

    @pytest.mark.parametrize("bad", NO_JSON, ids=lambda bad: type(bad).__name__)
    def test_properties_that_are_no_json_are_refused(self, graph: GraphStore, bad: JsonValue) -> None:
        with pytest.raises(InvalidInput, match="odd"):
            graph.put(nodes=[GraphNode("a", "X"), GraphNode("odd", "X", {"v": bad})])
        people(graph, "a")
        with pytest.raises(InvalidInput, match="odd"):
            graph.put(edges=[GraphEdge("odd", "K", "a", "a", {"v": bad})])
        assert (_ids(graph.nodes()), graph.edges()) == (["a"], [])

    @pytest.mark.parametrize("chapter", [1.0, True, "3", 2**80, float("nan")], ids=repr)
    def test_a_chapter_that_is_no_whole_number_is_refused(self, graph: GraphStore, chapter: int) -> None:
        people(graph, "a")
        for bounds in ((chapter, None), (None, chapter)):
            with pytest.raises(InvalidInput, match="chapter"):
                graph.put(edges=[GraphEdge("1", "K", "a", "a", {}, *bounds)])
        with pytest.raises(InvalidInput, match="chapter"):
            graph.neighbours("a", at=chapter)
        assert graph.edges() == []
