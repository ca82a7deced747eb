"""What a record store promises about content: records, order, search and history."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from pydantic import JsonValue

from amb_core.errors import InvalidInput
from amb_core.protocols import Record, RecordQuery, RecordStore

__all__ = ["ANY_TEXT", "StoredContentContract", "found", "ids_of", "put"]

ANY_TEXT: dict[str, str] = {
    "empty": "",
    "chinese": "记忆库，第一章。",
    "quotes": "'; DROP TABLE records; -- \"`",
    "wildcards": "100%_*?[a-z]\\",
    "nul": "before\0after",
    "control": "\x01\x1b[0m\r\n\t\u2028",
    "lone surrogate": "half \ud83d of a pair",
    "two lone surrogates": "\ud83d\ude00",
    "right to left": "\u202eשלום مرحبا\u202c",
    "beyond the first plane": "𠀀😀",
}
any_text = pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in ANY_TEXT.items()])


def put(store: RecordStore, *ids: str, namespace: str = "n", **fields: str | int) -> None:
    """Put records that share their fields."""
    store.put([Record(namespace, each, dict(fields)) for each in ids])


def ids_of(records: Sequence[Record]) -> list[str]:
    """The ids in order."""
    return [record.id for record in records]


def found(store: RecordStore, namespace: str = "n", **where: str | int) -> list[str]:
    """The ids a search for these field values returns, in order."""
    return ids_of(store.search(RecordQuery(namespace, where=dict(where))))


class StoredContentContract:
    """The part of `RecordStoreContract` that every store must pass, one sentence a test."""

    @pytest.fixture
    def store(self) -> RecordStore:
        """An empty store; override it, and close the store afterwards."""
        pytest.fail("override the fixture `store` with one that yields your empty store")

    # --- records ------------------------------------------------------------------------------------------------------

    def test_what_is_put_comes_back_equal(self, store: RecordStore) -> None:
        data: dict[str, JsonValue] = {"text": "a", "n": 3, "x": 0.1, "yes": True, "none": None, "big": 2**70}
        data["list"] = [1, {"deep": []}, [[]]]
        record = Record("n", "r1", data, created_at=1.5, updated_at=2.5, expires_at=3.5)
        store.put([record])
        assert store.get("n", "r1") == record

    def test_a_missing_record_is_none(self, store: RecordStore) -> None:
        assert store.get("n", "r1") is None

    def test_a_put_replaces_the_whole_record(self, store: RecordStore) -> None:
        store.put([Record("n", "r1", {"old": 1}, 1.0, 1.0, 9.0)])
        store.put([Record("n", "r1", {"new": 2}, 2.0, 3.0)])
        assert store.get("n", "r1") == Record("n", "r1", {"new": 2}, 2.0, 3.0)

    def test_the_last_of_two_equal_ids_in_one_batch_stays(self, store: RecordStore) -> None:
        store.put([Record("n", "r1", {"v": 1}), Record("n", "r2", {}), Record("n", "r1", {"v": 2})])
        assert found(store) == ["r1", "r2"]
        assert found(store, v=2) == ["r1"]

    def test_an_empty_batch_is_no_error(self, store: RecordStore) -> None:
        store.put([])
        assert store.delete("n", []) == 0

    def test_changing_what_was_put_or_handed_out_changes_nothing_stored(self, store: RecordStore) -> None:
        items: list[str] = ["a"]
        store.put([Record("n", "r1", {"items": list(items)})])
        handed_out = store.search(RecordQuery("n"))[0].data["items"]
        assert isinstance(handed_out, list)
        handed_out.append("b")
        assert store.get("n", "r1") == Record("n", "r1", {"items": ["a"]})

    def test_the_caller_may_change_its_own_data_afterwards(self, store: RecordStore) -> None:
        items: list[JsonValue] = [1]
        store.put([Record("n", "r1", {"items": items})])
        items.append(2)
        assert store.get("n", "r1") == Record("n", "r1", {"items": [1]})

    @any_text
    def test_any_text_survives_as_value_key_id_and_namespace(self, store: RecordStore, text: str) -> None:
        record = Record(text, text, {"value": text, f"key {text}": [text]})
        store.put([record])
        assert store.get(text, text) == record
        assert store.search(RecordQuery(text)) == [record]

    @any_text
    def test_any_text_can_be_searched_for(self, store: RecordStore, text: str) -> None:
        put(store, "wanted", value=text)
        put(store, "longer", value=text + "x")
        assert found(store, value=text) == ["wanted"]

    # --- namespaces ---------------------------------------------------------------------------------------------------

    def test_namespaces_are_case_sensitive(self, store: RecordStore) -> None:
        put(store, "r1", namespace="Team")
        assert found(store, "team") == []
        assert store.get("team", "r1") is None

    @pytest.mark.parametrize("other", ["team", "team/", "team/a/b", "team/%", "team/_", "team/*", " team/a"])
    def test_namespaces_are_compared_whole(self, store: RecordStore, other: str) -> None:
        put(store, "r1", namespace="team/a")
        assert found(store, other) == []
        assert store.delete(other, ["r1"]) == 0
        assert found(store, "team/a") == ["r1"]

    def test_the_same_id_may_be_in_two_namespaces(self, store: RecordStore) -> None:
        put(store, "r1", namespace="a", v=1)
        put(store, "r1", namespace="b", v=2)
        store.delete("a", ["r1"])
        assert found(store, "b", v=2) == ["r1"]

    # --- search -------------------------------------------------------------------------------------------------------

    def test_records_come_in_insertion_order(self, store: RecordStore) -> None:
        put(store, "z", "a")
        put(store, "m")
        assert found(store) == ["z", "a", "m"]

    def test_an_update_keeps_the_place(self, store: RecordStore) -> None:
        put(store, "r1", "r2", "r3")
        put(store, "r1", v=1)
        assert found(store) == ["r1", "r2", "r3"]

    def test_a_deleted_record_comes_back_at_the_end(self, store: RecordStore) -> None:
        put(store, "r1", "r2")
        store.delete("n", ["r1"])
        put(store, "r1")
        assert found(store) == ["r2", "r1"]

    def test_newest_first_turns_the_order_round(self, store: RecordStore) -> None:
        put(store, "r1", "r2", "r3")
        assert ids_of(store.search(RecordQuery("n", newest_first=True))) == ["r3", "r2", "r1"]

    def test_a_limit_counts_only_what_matches(self, store: RecordStore) -> None:
        put(store, "r1", "r3", v=1)
        put(store, "r2", v=2)
        put(store, "r4", v=1)
        assert ids_of(store.search(RecordQuery("n", where={"v": 1}, limit=3))) == ["r1", "r3", "r4"]
        assert ids_of(store.search(RecordQuery("n", where={"v": 1}, limit=1, newest_first=True))) == ["r4"]
        assert store.search(RecordQuery("n", limit=0)) == []

    def test_a_negative_limit_is_refused(self, store: RecordStore) -> None:
        with pytest.raises(InvalidInput):
            store.search(RecordQuery("n", limit=-1))

    @pytest.mark.parametrize("pattern", ["%", "_", "*", "?", "a%", "a_c", "[a]bc", ".*", "a\\%"])
    def test_wildcards_are_literal(self, store: RecordStore, pattern: str) -> None:
        put(store, "plain", v="abc")
        put(store, "pattern", v=pattern)
        assert found(store, v=pattern) == ["pattern"]

    def test_all_fields_of_where_must_match(self, store: RecordStore) -> None:
        put(store, "r1", a=1, b=1)
        put(store, "r2", a=1, b=2)
        assert found(store, a=1, b=2) == ["r2"]

    def test_field_names_are_literal(self, store: RecordStore) -> None:
        names = ["a.b", "a b", "$", 'a"b', "a[0]", "#-1", "", "名"]
        store.put([Record("n", name, {name: "yes", "a": {"b": "yes"}}) for name in names])
        for name in names:
            assert ids_of(store.search(RecordQuery("n", where={name: "yes"}))) == [name]

    def test_where_tells_true_from_one_and_null_from_missing(self, store: RecordStore) -> None:
        store.put([Record("n", "true", {"v": True}), Record("n", "one", {"v": 1}), Record("n", "null", {"v": None})])
        store.put([Record("n", "text", {"v": "1"}), Record("n", "missing", {})])
        assert ids_of(store.search(RecordQuery("n", where={"v": True}))) == ["true"]
        assert ids_of(store.search(RecordQuery("n", where={"v": 1.0}))) == ["one"]
        assert ids_of(store.search(RecordQuery("n", where={"v": None}))) == ["null"]
        assert ids_of(store.search(RecordQuery("n", where={"v": "1"}))) == ["text"]

    def test_where_compares_lists_and_objects_by_value(self, store: RecordStore) -> None:
        store.put([Record("n", "r1", {"v": ["a", {"b": 1}]}), Record("n", "r2", {"v": ["a"]})])
        assert ids_of(store.search(RecordQuery("n", where={"v": ["a", {"b": 1}]}))) == ["r1"]

    def test_an_expired_record_is_hidden_from_its_moment_on(self, store: RecordStore) -> None:
        store.put([Record("n", "r1", {}, expires_at=10.0), Record("n", "r2", {})])
        assert ids_of(store.search(RecordQuery("n", now=9.9))) == ["r1", "r2"]
        assert ids_of(store.search(RecordQuery("n", now=10.0))) == ["r2"]
        assert ids_of(store.search(RecordQuery("n"))) == ["r1", "r2"]

    # --- deleting and history -----------------------------------------------------------------------------------------

    def test_delete_says_how_many_records_there_were(self, store: RecordStore) -> None:
        put(store, "r1", "r2", "r3")
        assert store.delete("n", ["r1", "r3", "r1", "unknown"]) == 2
        assert found(store) == ["r2"]

    def test_history_has_the_replaced_versions_oldest_first(self, store: RecordStore) -> None:
        for version in (1, 2, 3):
            store.put([Record("n", "r1", {"v": version}, updated_at=float(version))], keep_history=True)
        assert [record.data["v"] for record in store.history("n", "r1")] == [1, 2]
        assert store.history("n", "r1")[1].updated_at == 2.0

    def test_history_keeps_only_what_it_was_told_to_keep(self, store: RecordStore) -> None:
        put(store, "r1", v=1)
        put(store, "r1", v=2)
        assert store.history("n", "r1") == []
        assert store.history("n", "unknown") == []

    def test_delete_takes_the_history_along(self, store: RecordStore) -> None:
        store.put([Record("n", "r1", {"v": 1}), Record("n", "r1", {"v": 2})], keep_history=True)
        store.delete("n", ["r1"])
        put(store, "r1", v=3)
        assert store.history("n", "r1") == []
