"""The contract of `GraphStore`: subclass `GraphStoreContract` in your tests and provide the fixture `graph`.

Required of every graph store: everything that needs neither of two hooks. Override `reopen` when a graph is there
after closing, and `second` when one place can be opened twice at a time; tests that need the other are skipped and say
so.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from amb_book.graphs import GraphEdge, GraphNode, GraphStore
from amb_book.testing.graph_store_content import GraphContentContract, edge_ids, join, people
from amb_book.testing.graph_store_reach import GraphReachContract
from amb_core.errors import InvalidInput, StoreError, StoreLocked

__all__ = ["GraphStoreContract"]

_ATTEMPTS = 200


class InterruptionError(Exception):
    """Raised by the tests inside a transaction."""


class GraphStoreContract(GraphContentContract, GraphReachContract):
    """What every graph store promises, one sentence a test."""

    def reopen(self, graph: GraphStore) -> GraphStore:
        """Open the place of the closed `graph` once more."""
        pytest.skip("this graph is gone with its closing")

    def second(self, graph: GraphStore) -> GraphStore:
        """Open the place of the open `graph` once more."""
        pytest.skip("this graph has one opening at a time")

    # --- all or nothing -----------------------------------------------------------------------------------------------

    def test_a_transaction_becomes_visible_as_a_whole(self, graph: GraphStore) -> None:
        with graph.transaction():
            join(graph, "1: a b", "2: b c")
            graph.remove(edges=["1"])
            assert edge_ids(graph.edges()) == edge_ids(graph.neighbours("b")) == ["2"]
        assert edge_ids(graph.edges()) == edge_ids(graph.neighbours("b")) == ["2"]

    def test_a_transaction_that_raises_leaves_everything_as_it_was(self, graph: GraphStore) -> None:
        _filled(graph)
        before = _everything(graph)

        def change_everything() -> None:
            graph.remove(nodes=["a"], edges=["3"])
            people(graph, "b", kind="Ghost", new=True)
            people(graph, "a", "new")
            join(graph, "1: c c", "4: new c", kind="NEXT", since=9)
            assert _everything(graph) != before

        _interrupted(graph, change_everything)
        assert _everything(graph) == before

    def test_an_inner_transaction_ends_with_the_outer_one(self, graph: GraphStore) -> None:
        def inner() -> None:
            with graph.transaction():
                people(graph, "a")

        _interrupted(graph, inner)
        assert graph.nodes() == []

    def test_nothing_of_an_inner_transaction_that_raised_is_ever_seen(self, graph: GraphStore) -> None:
        with suppress(StoreError), graph.transaction():
            people(graph, "a")
            _interrupted(graph, lambda: people(graph, "a", "b", kind="Ghost"))
        assert graph.nodes() in ([], [GraphNode("a", "Character")])

    def test_a_refused_batch_does_not_end_the_transaction_around_it(self, graph: GraphStore) -> None:
        with graph.transaction():
            people(graph, "a")
            with pytest.raises(InvalidInput):
                graph.put(nodes=[GraphNode("b", "no name")])
            with pytest.raises(InvalidInput):
                graph.put(nodes=[GraphNode("b", "X")], edges=[GraphEdge("1", "K", "b", "nobody")])
            people(graph, "c")
        assert [node.id for node in graph.nodes()] == ["a", "c"]

    def test_a_graph_goes_on_after_a_failed_transaction(self, graph: GraphStore) -> None:
        _interrupted(graph, lambda: join(graph, "0: a b"))
        join(graph, "1: a c")
        assert ([node.id for node in graph.nodes()], edge_ids(graph.edges())) == (["a", "c"], ["1"])

    def test_the_same_can_be_put_again_after_it_was_rolled_back(self, graph: GraphStore) -> None:
        join(graph, "1: a b")
        for _ in range(2):
            _interrupted(graph, lambda: join(graph, "2: a b"))
            assert edge_ids(graph.edges()) == ["1"]
        join(graph, "2: a b")
        assert edge_ids(graph.edges(start="a")) == ["1", "2"]

    def test_a_removal_that_was_rolled_back_costs_nobody_the_place(self, graph: GraphStore) -> None:
        join(graph, "1: a b", "2: a b", "3: a b")

        def put_anew() -> None:
            graph.remove(edges=["1"])
            join(graph, "1: b a")

        _interrupted(graph, put_anew)
        assert edge_ids(graph.neighbours("a")) == ["1", "2", "3"]

    # --- closing ------------------------------------------------------------------------------------------------------

    def test_closing_twice_is_no_error(self, graph: GraphStore) -> None:
        graph.close()
        graph.close()

    def test_every_use_after_close_is_a_store_error(self, graph: GraphStore) -> None:
        people(graph, "a")
        graph.close()
        calls: list[Callable[[], object]] = [
            lambda: graph.put(nodes=[GraphNode("b", "X")]),
            lambda: graph.remove(nodes=["a"]),
            lambda: graph.node("a"),
            lambda: graph.nodes(),
            lambda: graph.edges(),
            lambda: graph.neighbours("a"),
            lambda: graph.transaction().__enter__(),
        ]
        for call in calls:
            with pytest.raises(StoreError):
                call()

    def test_a_transaction_whose_graph_was_closed_inside_it_raises(self, graph: GraphStore) -> None:
        def block() -> None:
            with graph.transaction():
                people(graph, "a")
                graph.close()

        with pytest.raises(StoreError):
            block()

    def test_everything_is_there_after_reopening(self, graph: GraphStore) -> None:
        _filled(graph)
        before = _everything(graph)
        graph.close()
        again = self.reopen(graph)
        assert _everything(again) == before
        join(again, "last: a b")
        assert edge_ids(again.edges())[-1] == "last"
        again.close()

    # --- threads ------------------------------------------------------------------------------------------------------

    def test_threads_may_write_to_one_graph(self, graph: GraphStore) -> None:
        people(graph, "hub")

        def write(thread: int) -> None:
            for number in range(10):
                join(graph, f"{thread}-{number}: hub {thread}.{number}")

        _in_threads(write, 4)
        written = edge_ids(graph.neighbours("hub"))
        for thread in range(4):
            assert [name for name in written if name[0] == str(thread)] == [f"{thread}-{n}" for n in range(10)]

    def test_transactions_of_two_threads_do_not_mix(self, graph: GraphStore) -> None:
        people(graph, "total", v=0)
        _in_threads(lambda _: _count_up(graph, 15), 4)
        assert graph.nodes() == [GraphNode("total", "Character", {"v": 60})]

    def test_other_threads_never_see_half_a_transaction(self, graph: GraphStore) -> None:
        seen: list[object] = []

        def work(thread: int) -> None:
            for number in range(20):
                if thread:
                    seen.append(len(graph.neighbours("a")))
                    continue
                with suppress(InterruptionError), graph.transaction():
                    graph.remove(edges=["1", "2"])
                    join(graph, "1: a b")
                    join(graph, "2: b a")
                    if number % 2:
                        raise InterruptionError

        join(graph, "1: a b", "2: b a")
        _in_threads(work, 3)
        assert set(seen) == {2}

    # --- two openings -------------------------------------------------------------------------------------------------

    def test_two_openings_see_each_other_s_commits(self, graph: GraphStore) -> None:
        other = self.second(graph)
        join(graph, "1: a b", "2: b c")
        assert _everything(other) == _everything(graph)
        people(other, "a", kind="Ghost")
        other.remove(nodes=["c"])
        assert _everything(graph) == _everything(other)
        join(graph, "3: b a")
        join(other, "4: a a", kind="K")
        other.close()
        assert edge_ids(graph.neighbours("a")) == ["1", "3", "4"]

    def test_another_opening_sees_nothing_of_an_open_transaction_nor_of_one_that_failed(
        self, graph: GraphStore
    ) -> None:
        other = self.second(graph)
        _filled(graph)
        before = _everything(other)

        def change() -> None:
            people(graph, "a", kind="Ghost")
            join(graph, "7: a b")
            with ThreadPoolExecutor(1) as pool:
                assert pool.submit(lambda: _everything(other)).result() == before

        _interrupted(graph, change)
        assert _everything(graph) == _everything(other) == before
        join(other, "7: b b")
        assert _everything(graph) == _everything(other) != before
        other.close()

    def test_what_was_rolled_back_here_is_not_mistaken_for_what_was_committed_there(self, graph: GraphStore) -> None:
        other = self.second(graph)
        people(graph, "a", v=0)
        _interrupted(graph, lambda: people(graph, "a", v=1))
        people(other, "a", v=2)
        _interrupted(graph, lambda: people(graph, "b"))
        people(other, "c")
        assert graph.nodes() == other.nodes() == [GraphNode("a", "Character", {"v": 2}), GraphNode("c", "Character")]
        other.close()

    def test_two_openings_may_write_at_once(self, graph: GraphStore) -> None:
        openings = [graph, self.second(graph)]
        people(graph, "total", v=0)
        _in_threads(lambda opening: _count_up(openings[opening], 15), 2)
        assert graph.nodes() == openings[1].nodes() == [GraphNode("total", "Character", {"v": 30})]
        openings[1].close()


def _filled(graph: GraphStore) -> None:
    people(graph, "a", "b", "c", name="林月")
    join(graph, "1: a b", "2: b a", "3: a a", since=3, until=7)


def _everything(graph: GraphStore) -> object:
    """All that can be read, in order."""
    nodes = graph.nodes()
    around = [graph.neighbours(node.id) for node in nodes]
    kinds = [[node.id for node in graph.nodes(kind=kind)] for kind in ("Character", "Ghost")]
    return nodes, graph.edges(), around, kinds, graph.edges(kind="KNOWS", at=3)


def _count_up(graph: GraphStore, times: int) -> None:
    """Add 1 to a number as often, in transactions that are run again when another writer was in the way."""
    left, attempts = times, _ATTEMPTS
    while left and attempts:
        attempts -= 1
        with suppress(StoreLocked):
            with graph.transaction():
                node = graph.node("total")
                assert node is not None
                count = node.properties["v"]
                assert isinstance(count, int)
                people(graph, "total", v=count + 1)
            left -= 1
    assert not left, f"another writer was in the way {_ATTEMPTS - times + left} times"


def _in_threads(work: Callable[[int], None], count: int) -> None:
    """Run `work(0)` … `work(count - 1)` at once; an error in one of them fails the test."""
    with ThreadPoolExecutor(count) as pool:
        for future in [pool.submit(work, number) for number in range(count)]:
            future.result()


def _interrupted(graph: GraphStore, work: Callable[[], object]) -> None:
    """Run `work` in a transaction that raises before its end."""

    def block() -> None:
        with graph.transaction():
            work()
            raise InterruptionError

    with pytest.raises(InterruptionError):
        block()
