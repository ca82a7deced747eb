"""The contract of `PagedStore`: subclass it and provide the fixture `store`, an empty one for each test."""

from __future__ import annotations

from itertools import chain
from typing import Protocol

import pytest

from amb_core.errors import InvalidParameter
from amb_core.protocols import PagedStore, Record, RecordQuery, RecordStore

__all__ = ["PagedStoreContract", "StoreWithPages"]

_MANY = 12_000
"""More than a store should read at once."""


class StoreWithPages(RecordStore, PagedStore, Protocol):
    """A store whose namespaces need not be read at once."""


def _all_of(store: StoreWithPages, query: RecordQuery) -> list[Record]:
    return list(chain.from_iterable(store.pages(query)))


class PagedStoreContract:
    """What every store keeps to whose namespaces may be larger than a machine's memory."""

    def test_pages_are_what_a_search_finds_in_its_order(self, store: StoreWithPages) -> None:
        store.put([Record("n", f"r{n}", {"v": n, "kind": "ab"[n % 2]}, expires_at=n or None) for n in range(9)])
        store.put([Record("other", "r1", {})])
        for query in (
            RecordQuery("n"),
            RecordQuery("n", newest_first=True, limit=4),
            RecordQuery("n", now=4.0, limit=3),
            RecordQuery("n", where={"kind": "b"}, limit=2),
            RecordQuery("n", limit=0),
            RecordQuery("nothing"),
        ):
            assert _all_of(store, query) == store.search(query)
        with pytest.raises(InvalidParameter):
            _all_of(store, RecordQuery("n", limit=-1))

    def test_many_records_come_in_several_pages_and_may_be_changed_meanwhile(self, store: StoreWithPages) -> None:
        store.put([Record("n", f"r{n}", {"v": n}) for n in range(_MANY)])
        seen = []
        for page in store.pages(RecordQuery("n")):
            seen += [record.id for record in page]
            assert len(page) < _MANY
            store.delete("n", [page[0].id])
            store.put([Record("n", record.id, {"v": -1}) for record in page[1:]])
        assert seen == [f"r{n}" for n in range(_MANY)]
        assert all(record.data == {"v": -1} for page in store.pages(RecordQuery("n")) for record in page)

    def test_what_is_over_is_told_of_one_namespace(self, store: StoreWithPages) -> None:
        ends = {"kept": None, "over": 5.0, "before": 4.0, "汉": 1.0, "later": 5.1}
        store.put([Record("n", name, {}, expires_at=end) for name, end in ends.items()])
        store.put([Record("n2", "other", {}, expires_at=1.0)])
        assert sorted(store.expired("n", now=5.0, limit=9)) == ["before", "over", "汉"]
        assert len(store.expired("n", now=5.0, limit=2)) == 2
        assert store.expired("n", now=0.5, limit=9) == store.expired("nothing", now=9.0, limit=9) == []
        store.delete("n", ["over"])
        assert sorted(store.expired("n", now=5.0, limit=9)) == ["before", "汉"]
