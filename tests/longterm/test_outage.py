"""While the store is down: nothing is lost, nobody waits, and what waited is carried over once."""

import shutil
import sqlite3

import pytest
from amb_bench.doubles.failing_store import FailingStore

from amb_core.errors import StoreLocked, WritesWaiting
from amb_core.stores import InMemoryStore, SqliteStore
from amb_longterm import LongTermMemory, LongTermSettings

PROFILE = "user_profile/u1"
FACTS = "domain_facts/u1"


@pytest.fixture
def store(switched):
    return switched(InMemoryStore())


@pytest.fixture
def fallback(tmp_path):
    return f"sqlite:///{tmp_path}/fallback.db"


def opened(store, clock, fallback="memory://", **settings):
    chosen = LongTermSettings(retry_after=5, **settings)
    return LongTermMemory(store, clock=clock, fallback=fallback, settings=chosen)


def test_a_write_while_the_store_is_down_waits_and_can_be_found(store, clock):
    with opened(store, clock) as memory:
        store.down = True
        written = memory.write("Likes charts", namespace=PROFILE)

        assert written.status == "queued"
        assert [hit.id for hit in memory.search("charts", namespace=PROFILE)] == [written.id]
        assert memory.get(written.id, namespace=PROFILE).content == "Likes charts"
        assert (memory.queued, memory.stats().failures) == (1, {"store": 2})
        store.down = False


def test_what_waited_is_carried_over_when_the_store_is_back(store, clock):
    with opened(store, clock) as memory:
        store.down = True
        written = memory.write("Likes charts", namespace=PROFILE)
        store.down = False
        clock.advance(6)

        assert [hit.id for hit in memory.search("charts", namespace=PROFILE)] == [written.id]
        assert memory.queued == 0
        assert store.count(f"memories:{PROFILE}") == 1


def test_a_store_that_failed_is_left_alone_for_a_while(store, clock):
    with opened(store, clock) as memory:
        store.down = True
        memory.write("Likes charts", namespace=PROFILE)
        store.down = False

        assert memory.write("Likes maps", namespace=PROFILE).status == "queued"
        clock.advance(6)
        assert memory.write("Likes prose", namespace=PROFILE).status == "inserted"
        assert len(memory.records(PROFILE)) == 3


def test_what_waited_meets_what_others_wrote_meanwhile(store, clock):
    with opened(store, clock) as memory, opened(store, clock) as other:
        store.down = True
        waiting = memory.write("Likes charts", namespace=PROFILE)
        store.down = False
        known = other.write("Likes charts", namespace=PROFILE)
        clock.advance(6)

        assert len(memory.records(PROFILE)) == 1
        assert memory.get(waiting.id, namespace=PROFILE).id == known.id
        assert memory.delete(waiting.id, namespace=PROFILE).deleted == 1


def test_updates_and_deletions_wait_as_well(store, clock):
    with opened(store, clock) as memory:
        kept = memory.write("Likes charts", namespace=PROFILE, metadata={"type": "user-profile"})
        gone = memory.write("Lives in Oslo", namespace=PROFILE)
        store.down = True
        assert memory.update(kept.id, namespace=PROFILE, content="Likes maps").status == "queued"
        assert memory.delete(gone.id, namespace=PROFILE).unreachable
        store.down = False
        clock.advance(6)

        assert [record.content for record in memory.records(PROFILE)] == ["Likes maps"]


@pytest.mark.slow
def test_closing_carries_over_what_waits_when_the_store_is_back(store, clock):
    memory = opened(store, clock)
    store.down = True
    for number in range(60):
        memory.write(f"Shelf {number} holds nuts", namespace=FACTS)
    store.down = False

    memory.close()

    assert store.count(f"memories:{FACTS}") == 60


def test_closing_while_the_store_is_down_says_what_waits_and_where_and_can_be_done_later(store, clock):
    memory = opened(store, clock)
    store.down = True
    memory.write("Likes charts", namespace=PROFILE)

    with pytest.raises(WritesWaiting, match=r"1 calls still wait in memory://") as told:
        memory.close()

    assert told.value.waiting == 1
    assert memory.search("charts", namespace=PROFILE)
    store.down = False
    memory.close()
    assert store.count(f"memories:{PROFILE}") == 1


def test_an_error_on_the_way_out_is_not_hidden_by_writes_that_wait(store, clock):
    def fail():
        with opened(store, clock) as memory:
            store.down = True
            memory.write("Likes charts", namespace=PROFILE)
            raise KeyError("mine")

    with pytest.raises(KeyError) as told:
        fail()
    assert "1 calls still wait" in told.value.__notes__[0]


def test_a_queue_on_disk_outlives_the_process(store, clock, fallback):
    with opened(store, clock, fallback) as memory:
        store.down = True
        memory.write("Likes charts", namespace=PROFILE)
    store.down = False
    with opened(store, clock, fallback) as memory:
        assert memory.queued == 1
        assert memory.search("charts", namespace=PROFILE)
        assert (memory.queued, len(memory.records(PROFILE))) == (0, 1)


def test_a_store_that_is_down_from_the_beginning_is_taken_up_later(store, clock):
    store.down = True
    with LongTermMemory(store, clock=clock) as memory:
        assert memory.write("Likes charts", namespace=PROFILE).status == "queued"
        store.down = False
        clock.advance(60)
        assert memory.write("Lives in Oslo", namespace=PROFILE).status == "inserted"
        assert {record.content for record in memory.records(PROFILE)} == {"Likes charts", "Lives in Oslo"}


def test_a_deleted_text_does_not_wait_in_the_queue(store, clock, fallback, tmp_path):
    with opened(store, clock, fallback) as memory:
        store.down = True
        written = memory.write("The password of Anna is swordfish", namespace=PROFILE)
        memory.delete(written.id, namespace=PROFILE)
        assert memory.search("Anna", namespace=PROFILE) == []
    assert all(b"swordfish" not in file.read_bytes() for file in tmp_path.iterdir())


def test_with_dual_write_everything_is_found_while_the_store_is_down(store, clock, fallback):
    with opened(store, clock, fallback, dual_write=True) as memory:
        first = memory.write("Invoices are due after 30 days", namespace=FACTS)
        memory.update(first.id, namespace=FACTS, content="Invoices are due after 45 days", merge=False)
        gone = memory.write("Lives in Oslo", namespace=FACTS)
        memory.delete(gone.id, namespace=FACTS)
        store.down = True

        assert [hit.content for hit in memory.search("invoices due", namespace=FACTS)] == [
            "Invoices are due after 45 days"
        ]
        assert memory.search("Oslo", namespace=FACTS, min_score=0.1) == []
        memory.write("Likes charts", namespace=FACTS)
        store.down = False
        clock.advance(6)
        assert len(memory.records(FACTS)) == 2
        store.down = True
        assert len(memory.records(FACTS)) == 2


def test_a_failing_fallback_does_not_hurt_while_the_store_is_up(store, clock, switched):
    second = switched(InMemoryStore())
    with opened(store, clock, second, dual_write=True) as memory:
        second.down = True
        assert memory.write("Likes charts", namespace=PROFILE).status == "inserted"
        assert memory.stats().failures == {"dual_write": 1}


def test_a_locked_file_makes_a_write_wait_in_the_queue(tmp_path, clock):
    path = tmp_path / "memory.db"
    with opened(SqliteStore(path, busy_timeout=0.05), clock) as memory:
        memory.write("Likes charts", namespace=PROFILE)
        with sqlite3.connect(path) as holder:
            holder.execute("BEGIN IMMEDIATE")
            assert memory.write("Lives in Oslo", namespace=PROFILE).status == "queued"
            assert memory.search("charts", namespace=PROFILE)
        holder.close()
        clock.advance(6)
        assert {hit.content for hit in memory.search("Oslo", namespace=PROFILE, min_score=0.1)} == {"Lives in Oslo"}
        assert memory.queued == 0


@pytest.mark.parametrize("call", range(1, 25))
def test_wherever_a_write_fails_its_text_is_kept_once(clock, call):
    store = FailingStore(InMemoryStore())
    with opened(store, clock) as memory:
        memory.write("Invoices are due after 30 days", namespace=FACTS)
        store.fail_at(call)
        memory.write("Anna runs the warehouse", namespace=FACTS)
        store.fail_at(0)
        clock.advance(6)

        assert len(memory.search("who runs the warehouse", namespace=FACTS, min_score=0.5)) == 1
        assert [record.content for record in memory.records(FACTS)] == [
            "Invoices are due after 30 days",
            "Anna runs the warehouse",
        ]


@pytest.mark.parametrize("kind", ["sqlite", "json"])
def test_a_store_that_is_deleted_while_it_is_open_is_made_anew_and_nothing_written_since_is_lost(tmp_path, clock, kind):
    place = tmp_path / "memory"
    with LongTermMemory(f"{kind}:///{place}", clock=clock) as memory:
        memory.write("Likes charts", namespace=PROFILE)
        for file in [*place.glob("*"), place] if place.is_dir() else [*tmp_path.iterdir()]:
            shutil.rmtree(file) if file.is_dir() else file.unlink()
        assert memory.write("Lives in Oslo", namespace=PROFILE).status == "queued"
        clock.advance(6)
        assert memory.write("Likes maps", namespace=PROFILE).status == "inserted"
    with LongTermMemory(f"{kind}:///{place}", clock=clock) as memory:
        assert {"Lives in Oslo", "Likes maps"} <= {record.content for record in memory.records(PROFILE)}


def test_a_folder_that_another_memory_holds_is_refused_at_once(tmp_path, clock):
    url = f"json:///{tmp_path}/memory"
    with LongTermMemory(url, clock=clock), pytest.raises(StoreLocked):
        LongTermMemory(url, clock=clock)
