"""The contract of `RecordStore`: subclass `RecordStoreContract` in your tests and provide the fixture `store`.

Required of every store: everything that is not marked otherwise. Optional, by `store.capabilities`: `durable` (what
was committed is there after `reopen`), `concurrent` (threads share one store; two openings of a durable one see
each other's commits) and, of concurrent ones, `serial` (a transaction is the only writer until it ends). A test of a
capability the store does not claim is skipped and says so.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from amb_contracts.record_store_content import StoredContentContract, found, ids_of, put
from amb_contracts.record_store_scope import RecordScopeContract
from amb_core.errors import InvalidInput, StoreCorrupt, StoreError
from amb_core.protocols import Record, RecordQuery, RecordStore

__all__ = ["RecordStoreContract"]


class InterruptionError(Exception):
    """Raised by the tests inside a transaction."""


class RecordStoreContract(StoredContentContract, RecordScopeContract):
    """What every record store promises, one sentence a test."""

    def reopen(self, store: RecordStore) -> RecordStore:
        """Open the place of `store` once more, whether or not `store` is closed. Needed when durable."""
        pytest.fail("override reopen(): your store says it is durable")

    def corrupt(self, store: RecordStore, namespace: str, id: str) -> RecordStore | None:
        """Damage one stored record behind the store's back. Needed when durable.

        A store that reads its files only when it is opened is opened again; return that one then, to go on with.
        """
        pytest.fail("override corrupt(): your store says it is durable")

    @pytest.fixture
    def durable(self, store: RecordStore) -> RecordStore:
        """The store, if it claims to be durable."""
        if not store.capabilities.durable:
            pytest.skip("this store does not claim to be durable")
        return store

    @pytest.fixture
    def concurrent(self, store: RecordStore) -> RecordStore:
        """The store, if it claims to be concurrent."""
        if not store.capabilities.concurrent:
            pytest.skip("this store does not claim to be concurrent")
        return store

    # --- all or nothing -----------------------------------------------------------------------------------------------

    @pytest.mark.parametrize("bad", [float("nan"), float("inf"), b"bytes", {1, 2}, {1: "key"}, object()])
    def test_a_batch_with_one_bad_record_leaves_nothing(self, store: RecordStore, bad: object) -> None:
        put(store, "r1", v=1)
        batch = [Record("n", "r1", {"v": 2}), Record("n", "r2", {"v": bad})]  # type: ignore[dict-item]
        with pytest.raises(InvalidInput, match="r2"):
            store.put(batch, keep_history=True)
        assert store.get("n", "r1") == Record("n", "r1", {"v": 1})
        assert (found(store), store.history("n", "r1")) == (["r1"], [])

    def test_a_record_with_a_time_that_is_no_number_is_refused(self, store: RecordStore) -> None:
        with pytest.raises(InvalidInput):
            store.put([Record("n", "r1", {}, created_at=float("nan"))])
        assert found(store) == []

    def test_a_transaction_becomes_visible_as_a_whole(self, store: RecordStore) -> None:
        with store.transaction():
            put(store, "r1")
            assert found(store) == ["r1"]
        assert found(store) == ["r1"]

    def test_a_transaction_that_raises_leaves_everything_as_it_was(self, store: RecordStore) -> None:
        _filled(store)
        before = _everything(store)

        def change_everything() -> None:
            store.put([Record("n", "r2", {"v": 9}), Record("n", "new", {})], keep_history=True)
            store.delete("n", ["r1", "r3"])
            put(store, "r1", v=7)

        _interrupted(store, change_everything)
        assert _everything(store) == before

    def test_an_inner_transaction_commits_with_the_outer_one(self, store: RecordStore) -> None:
        def inner() -> None:
            with store.transaction():
                put(store, "r1")

        _interrupted(store, inner)
        assert found(store) == []

    def test_an_inner_transaction_that_raises_undoes_only_its_own_writes(self, store: RecordStore) -> None:
        with store.transaction():
            put(store, "r1")
            _interrupted(store, lambda: put(store, "r2"))
            put(store, "r3")
        assert found(store) == ["r1", "r3"]

    def test_a_refused_batch_does_not_end_the_transaction_around_it(self, store: RecordStore) -> None:
        with store.transaction():
            put(store, "r1")
            with pytest.raises(InvalidInput):
                store.put([Record("n", "r2", {}), Record("n", "r3", {"v": float("nan")})])
        assert found(store) == ["r1"]

    def test_a_store_goes_on_after_a_failed_transaction(self, store: RecordStore) -> None:
        _interrupted(store, lambda: put(store, "r0"))
        put(store, "r1")
        assert found(store) == ["r1"]

    # --- closing ------------------------------------------------------------------------------------------------------

    def test_closing_twice_is_no_error(self, store: RecordStore) -> None:
        store.close()
        store.close()

    def test_every_use_after_close_is_a_store_error(self, store: RecordStore) -> None:
        store.close()
        calls: list[Callable[[], object]] = [
            lambda: store.put([Record("n", "r1", {})]),
            lambda: store.get("n", "r1"),
            lambda: store.delete("n", ["r1"]),
            lambda: store.search(RecordQuery("n")),
            lambda: store.history("n", "r1"),
            lambda: store.damaged("n"),
            lambda: store.namespaces(),
            lambda: store.count("n"),
            lambda: store.transaction().__enter__(),
        ]
        for call in calls:
            with pytest.raises(StoreError):
                call()

    def test_a_transaction_whose_store_was_closed_inside_it_raises(self, store: RecordStore) -> None:
        _closed_inside(store, "r1")

    def test_nothing_is_damaged_in_a_sound_store(self, store: RecordStore) -> None:
        put(store, "r1")
        assert store.damaged("n") == []

    # --- durable stores -----------------------------------------------------------------------------------------------

    def test_everything_is_there_after_reopening(self, durable: RecordStore) -> None:
        _filled(durable)
        before = _everything(durable)
        durable.close()
        again = self.reopen(durable)
        assert _everything(again) == before
        put(again, "last")
        assert found(again)[-1] == "last"
        again.close()

    def test_a_transaction_cut_off_by_close_is_not_there_after_reopening(self, durable: RecordStore) -> None:
        put(durable, "r1")
        _closed_inside(durable, "r2")
        again = self.reopen(durable)
        assert found(again) == ["r1"]
        again.close()

    def test_a_damaged_record_hides_no_other(self, durable: RecordStore) -> None:
        put(durable, "r1", "r2", "r3", v=1)
        durable = self.corrupt(durable, "n", "r2") or durable
        assert found(durable) == ["r1", "r3"]
        assert found(durable, v=1) == ["r1", "r3"]
        assert ids_of(durable.search(RecordQuery("n", limit=2))) == ["r1", "r3"]
        assert durable.damaged("n") == ["r2"]
        assert durable.damaged("other") == []
        assert (durable.count("n"), durable.namespaces()) == (3, ["n"])

    def test_reading_a_damaged_record_by_its_id_says_so(self, durable: RecordStore) -> None:
        put(durable, "r1")
        durable = self.corrupt(durable, "n", "r1") or durable
        with pytest.raises(StoreCorrupt, match="r1"):
            durable.get("n", "r1")

    def test_a_damaged_record_can_be_replaced_or_deleted(self, durable: RecordStore) -> None:
        put(durable, "r1", "r2")
        durable = self.corrupt(durable, "n", "r1") or durable
        durable = self.corrupt(durable, "n", "r2") or durable
        durable.put([Record("n", "r1", {"v": 1})], keep_history=True)
        assert durable.delete("n", ["r2"]) == 1
        assert (found(durable), durable.damaged("n"), durable.history("n", "r1")) == (["r1"], [], [])

    # --- concurrent stores --------------------------------------------------------------------------------------------

    def test_threads_may_write_to_one_store(self, concurrent: RecordStore) -> None:
        def write(thread: int) -> None:
            for number in range(20):
                put(concurrent, f"{thread}-{number}", thread=thread)

        _in_threads(write, 4)
        for thread in range(4):
            assert found(concurrent, thread=thread) == [f"{thread}-{number}" for number in range(20)]

    def test_transactions_of_two_threads_do_not_mix(self, concurrent: RecordStore) -> None:
        put(concurrent, "total", v=0)

        def add(_thread: int) -> None:
            for _ in range(25):
                with concurrent.transaction():
                    record = concurrent.get("n", "total")
                    assert record is not None
                    count = record.data["v"]
                    assert isinstance(count, int)
                    put(concurrent, "total", v=count + 1)

        _in_threads(add, 4)
        assert found(concurrent, v=100) == ["total"]

    def test_other_threads_never_see_half_a_transaction(self, concurrent: RecordStore) -> None:
        seen: list[int] = []

        def work(thread: int) -> None:
            for _ in range(30):
                if thread:
                    seen.append(len(found(concurrent)))
                    continue
                with concurrent.transaction():
                    concurrent.delete("n", ["a", "b"])
                    put(concurrent, "a")
                    put(concurrent, "b")

        put(concurrent, "a", "b")
        _in_threads(work, 3)
        assert set(seen) == {2}

    def test_two_openings_see_each_other_s_commits(self, durable: RecordStore, concurrent: RecordStore) -> None:
        other = self.reopen(durable)
        put(durable, "r1")
        put(other, "r2")
        assert found(durable) == found(other) == ["r1", "r2"]
        other.close()
        assert found(durable) == ["r1", "r2"]

    def test_two_openings_may_write_at_once(self, durable: RecordStore, concurrent: RecordStore) -> None:
        openings = [durable, self.reopen(durable)]

        def write(opening: int) -> None:
            for number in range(20):
                put(openings[opening], f"{opening}-{number}", opening=opening)

        _in_threads(write, 2)
        assert [len(found(durable, opening=opening)) for opening in (0, 1)] == [20, 20]
        openings[1].close()

    def test_what_a_transaction_has_read_no_other_opening_changes(self, durable: RecordStore) -> None:
        if not (durable.capabilities.serial and durable.capabilities.concurrent):
            pytest.skip("this store has one opening, or lets several processes write at once")
        openings = [durable, self.reopen(durable)]
        put(durable, "total", v=0)

        def add(opening: int) -> None:
            for _ in range(10):
                with openings[opening].transaction():
                    record = openings[opening].get("n", "total")
                    assert record is not None
                    count = record.data["v"]
                    assert isinstance(count, int)
                    put(openings[opening], "total", v=count + 1)

        _in_threads(add, 2)
        assert found(durable, v=20) == ["total"]
        openings[1].close()


def _filled(store: RecordStore) -> None:
    put(store, "r1", "r2", "r3", "r4", v=1)
    store.put([Record("n", "r2", {"v": 2}), Record("n", "r3", {"v": 3})], keep_history=True)


def _everything(store: RecordStore) -> object:
    """All that can be read of the namespace `n`, in order."""
    ids = ["r1", "r2", "r3", "r4", "new"]
    return store.search(RecordQuery("n")), [store.history("n", each) for each in ids]


def _in_threads(work: Callable[[int], None], count: int) -> None:
    """Run `work(0)` … `work(count - 1)` at once; an error in one of them fails the test."""
    with ThreadPoolExecutor(count) as pool:
        for future in [pool.submit(work, number) for number in range(count)]:
            future.result()


def _interrupted(store: RecordStore, work: Callable[[], object]) -> None:
    """Run `work` in a transaction that raises before its end."""

    def block() -> None:
        with store.transaction():
            work()
            raise InterruptionError

    with pytest.raises(InterruptionError):
        block()


def _closed_inside(store: RecordStore, record_id: str) -> None:
    """Close the store in the middle of a transaction that puts one record."""

    def block() -> None:
        with store.transaction():
            put(store, record_id)
            store.close()

    with pytest.raises(StoreError):
        block()
