"""What a record store promises about who sees what: namespaces, filters, expiry, counting and batches."""

from __future__ import annotations

import pytest

from amb_contracts.record_store_content import ANY_TEXT, found, ids_of, put
from amb_core.errors import InvalidInput
from amb_core.protocols import Record, RecordQuery, RecordStore

__all__ = ["TRICKY_NAMESPACES", "RecordScopeContract"]

TRICKY_NAMESPACES = [
    *(
        "team",
        "Team",
        "TEAM",
        "team ",
        " team",
        "team/",
        "/team",
        "team/a",
        "team//a",
        "team/../a",
        "team/./a",
        "/../team",
    ),
    *("u1", "u10", "u1%", "u_", "u*", "u?", "u[1]", "%", "_", "*", ".*", "u1\\", "u1'", 'u1"', "u1;--", "u1\0", "u1\n"),
    *(
        "\u00b51",
        "\u03bc1",
        "\u00e9",
        "e\u0301",
        "\u2126",
        "\u03a9",
        "\u0430",
        "a",
        "\u0455",
        "s",
        "\u2460",
        "1",
        "u1\u200b",
    ),
    *("\u212a", "K", "k", "\u0131", "i", "\u0130", "\u00df", "ss", "\ufb01", "fi", "\uff55\uff11", "\u202eu1"),
    *("用户/一", "用户/壹", "用戶/一", "\ud83d", "\ud83d\ude00", "😀", ""),
]
"""Names that a pattern, a path, a case table or a Unicode normal form would take for one another; each its own."""


class RecordScopeContract:
    """The part of `RecordStoreContract` on namespaces, filters, expiry, counting and batches, one sentence a test."""

    @pytest.fixture
    def store(self) -> RecordStore:
        """An empty store; override it, and close the store afterwards."""
        pytest.fail("override the fixture `store` with one that yields your empty store")

    # --- namespaces ---------------------------------------------------------------------------------------------------

    def test_names_that_look_or_match_alike_are_apart(self, store: RecordStore) -> None:
        for number, name in enumerate(TRICKY_NAMESPACES):
            put(store, "r", f"only {number}", namespace=name, v=number)
        for number, name in enumerate(TRICKY_NAMESPACES):
            assert found(store, name) == ["r", f"only {number}"], name
            assert (found(store, name, v=number), store.count(name)) == (["r", f"only {number}"], 2), name
        assert store.namespaces() == sorted(TRICKY_NAMESPACES)

    def test_what_is_done_in_one_namespace_changes_no_other(self, store: RecordStore) -> None:
        for name in TRICKY_NAMESPACES:
            store.put([Record(name, "r", {"v": 1}), Record(name, "r", {"v": 2})], keep_history=True)
        for name in TRICKY_NAMESPACES:
            assert len(store.history(name, "r")) == 1
            assert store.delete(name, ["r"]) == 1
        assert store.namespaces() == []

    def test_no_namespace_ever_sees_another_s_records(self, store: RecordStore) -> None:
        pytest.importorskip("hypothesis", reason="this test makes up names with hypothesis")
        from hypothesis import given, settings
        from hypothesis import strategies as st

        names = st.text(st.sampled_from("uU1/0%_*.\\'\"aаé\u0301Kk\0一壹 \ud800"), max_size=5)

        @settings(max_examples=40, deadline=None, database=None, derandomize=True)
        @given(st.sets(names, min_size=2, max_size=6), names)
        def check(chosen: set[str], asked: str) -> None:
            for name in chosen:
                put(store, "r", f"of {name}", namespace=name)
            for name in chosen | {asked}:
                assert found(store, name) == (["r", f"of {name}"] if name in chosen else [])
            assert store.namespaces(asked) == sorted(name for name in chosen if name.startswith(asked))
            assert [store.delete(name, ["r", f"of {name}"]) for name in chosen] == [2] * len(chosen)

        check()

    def test_namespaces_are_those_that_hold_records(self, store: RecordStore) -> None:
        assert store.namespaces() == []
        put(store, "r1", namespace="b")
        put(store, "r1", "r2", namespace="a")
        assert store.namespaces() == ["a", "b"]
        store.delete("a", ["r1", "r2"])
        assert store.namespaces() == ["b"]

    @pytest.mark.parametrize(
        "prefix", ["memories:", "memories:%", "memories:_", "Memories:", "memories:u1", "汉", "\0"]
    )
    def test_a_prefix_of_namespaces_is_literal(self, store: RecordStore, prefix: str) -> None:
        names = ["memories:u1", "memories:u10", "memories:%x", "memories:_", "Memories:u1", "汉字", "\0", "audit"]
        for name in names:
            put(store, "r1", namespace=name)
        assert store.namespaces(prefix) == sorted(name for name in names if name.startswith(prefix))

    def test_namespaces_follow_what_a_transaction_has_done_so_far(self, store: RecordStore) -> None:
        put(store, "r1", namespace="a")
        with store.transaction():
            put(store, "r1", namespace="b")
            store.delete("a", ["r1"])
            assert (store.namespaces(), store.count("a"), store.count("b")) == (["b"], 0, 1)

    # --- counting and expiry ------------------------------------------------------------------------------------------

    def test_count_says_how_many_records_a_namespace_holds(self, store: RecordStore) -> None:
        assert store.count("n") == 0
        put(store, "r1", "r2", "r3")
        put(store, "r1", v=2)
        put(store, "r1", namespace="other")
        store.delete("n", ["r2"])
        assert store.count("n") == 2

    def test_count_leaves_out_what_has_expired_by_now(self, store: RecordStore) -> None:
        store.put(
            [Record("n", "r1", {}, expires_at=10.0), Record("n", "r2", {}, expires_at=11.0), Record("n", "r3", {})]
        )
        assert [store.count("n", now=now) for now in (9.0, 10.0, 11.0)] == [3, 2, 1]
        assert store.count("n") == 3

    def test_a_new_expiry_replaces_the_old(self, store: RecordStore) -> None:
        store.put([Record("n", "r1", {}, expires_at=10.0), Record("n", "r2", {})])
        store.put([Record("n", "r1", {}), Record("n", "r2", {}, expires_at=10.0)])
        assert ids_of(store.search(RecordQuery("n", now=20.0))) == ["r1"]

    def test_a_limit_counts_no_expired_record(self, store: RecordStore) -> None:
        store.put([Record("n", f"r{number}", {}, expires_at=number) for number in (1.0, 5.0, 2.0, 6.0, 3.0, 7.0)])
        assert ids_of(store.search(RecordQuery("n", now=3.0, limit=2))) == ["r5.0", "r6.0"]
        assert ids_of(store.search(RecordQuery("n", now=3.0, limit=2, newest_first=True))) == ["r7.0", "r6.0"]

    def test_an_expired_record_can_still_be_read_by_its_id(self, store: RecordStore) -> None:
        store.put([Record("n", "r1", {"v": 1}, expires_at=1.0)])
        assert store.get("n", "r1") == Record("n", "r1", {"v": 1}, expires_at=1.0)

    # --- filters ------------------------------------------------------------------------------------------------------

    def test_fields_one_level_down_can_be_compared(self, store: RecordStore) -> None:
        store.put([Record("n", "fact", {"metadata": {"type": "fact", "tags": ["a"]}, "v": 1})])
        store.put([Record("n", "trace", {"metadata": {"type": "trace"}, "v": 1}), Record("n", "none", {"v": 1})])
        store.put([Record("n", "text", {"metadata": "type"}), Record("n", "flat", {"metadata.type": "fact"})])
        asked = RecordQuery("n", within={"metadata": {"type": "fact"}}, where={"v": 1.0})
        assert ids_of(store.search(asked)) == ["fact"]
        assert ids_of(store.search(RecordQuery("n", within={"metadata": {"tags": ["a"]}}))) == ["fact"]
        assert store.search(RecordQuery("n", within={"metadata": {"tags": None}})) == []

    @pytest.mark.parametrize("text", ANY_TEXT.values(), ids=ANY_TEXT)
    def test_any_text_can_be_compared_one_level_down(self, store: RecordStore, text: str) -> None:
        store.put([Record("n", "wanted", {text: {text: text}}), Record("n", "other", {text: {text: f"{text}x"}})])
        assert ids_of(store.search(RecordQuery("n", within={text: {text: text}}))) == ["wanted"]

    def test_numbers_are_compared_by_value_and_nothing_else_is(self, store: RecordStore) -> None:
        values = [0, 1, True, False, None, "1", "", 0.5, -1, 2**70, 1e300, [], {}, [1], {"a": 1}]
        store.put([Record("n", repr(value), {"v": value, "m": {"v": value}}) for value in values])  # type: ignore[dict-item]
        for value in values:
            assert ids_of(store.search(RecordQuery("n", where={"v": value}))) == [repr(value)]  # type: ignore[dict-item]
            assert ids_of(store.search(RecordQuery("n", within={"m": {"v": value}}))) == [repr(value)]  # type: ignore[dict-item]
        assert ids_of(store.search(RecordQuery("n", where={"v": -0.0}))) == ["0"]
        assert ids_of(store.search(RecordQuery("n", where={"v": float(2**70)}))) == [repr(2**70)]

    # --- batches ------------------------------------------------------------------------------------------------------

    def test_a_batch_of_thousands_is_put_in_order(self, store: RecordStore) -> None:
        batch = [Record("n", f"r{number}", {"v": number % 7, "text": "盐" * 50}) for number in range(3_000)]
        store.put(batch)
        assert store.search(RecordQuery("n")) == batch
        assert len(store.search(RecordQuery("n", where={"v": 3}))) == 429
        assert store.delete("n", [record.id for record in batch[:2_999]]) == 2_999
        assert found(store) == ["r2999"]

    def test_a_batch_of_thousands_with_a_bad_last_record_leaves_nothing(self, store: RecordStore) -> None:
        put(store, "r0", v=1)
        batch = [Record("n", f"r{number}", {}) for number in range(3_000)]
        with pytest.raises(InvalidInput):
            store.put([*batch, Record("n", "bad", {"v": float("inf")})])
        assert (store.count("n"), found(store, v=1)) == (1, ["r0"])

    # --- after deletion -----------------------------------------------------------------------------------------------

    def test_a_record_put_again_after_deletion_is_a_new_one(self, store: RecordStore) -> None:
        store.put([Record("n", "r1", {"v": 1}, expires_at=5.0), Record("n", "r1", {"v": 2})], keep_history=True)
        with store.transaction():
            store.delete("n", ["r1"])
            store.put([Record("n", "r1", {"v": 3})], keep_history=True)
        assert store.get("n", "r1") == Record("n", "r1", {"v": 3})
        assert store.history("n", "r1") == []
        store.put([Record("n", "r1", {"v": 4})], keep_history=True)
        assert [record.data for record in store.history("n", "r1")] == [{"v": 3}]
