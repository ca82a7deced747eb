"""Keys, what a text supersedes, and the labels it was written with: each finds its record, on every store."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from amb_core.errors import InvalidInput, InvalidParameter, UnknownId
from amb_core.protocols import Capabilities
from amb_core.stores import InMemoryStore
from amb_longterm import LongTermMemory

PROFILE = "user_profile/u1"


def contents(hits):
    return [hit.content for hit in hits]


def test_a_text_written_with_other_labels_is_found_by_all_of_them(memory):
    labels = [{"project": "north", "tags": ["a"]}, {"project": "south", "tags": ["a", "b"]}, {"ticket": 7}]
    for each in labels:
        memory.write("Prefers the seat by the window", namespace=PROFILE, metadata=each)
    for each in labels:
        assert contents(memory.search("window seat", namespace=PROFILE, filters=each)) == [
            "Prefers the seat by the window"
        ]
        assert len(memory.records(PROFILE, filters=each)) == 1
    assert len(memory.search("window seat", namespace=PROFILE)) == 1
    assert memory.write("Prefers the seat by the window", namespace=PROFILE, metadata=labels[1]).status == "skipped"


def test_a_key_names_one_record_whose_earlier_states_are_its_history(memory):
    first = memory.write("Uses a Fairphone", namespace=PROFILE, key="phone", metadata={"via": "chat"})
    again = memory.write("Uses a Nokia", namespace=PROFILE, key="phone")
    same = memory.write("Uses a Nokia", namespace=PROFILE, key="phone")
    assert [each.id for each in (again, same)] == [first.id] * 2
    assert [each.status for each in (first, again, same)] == ["inserted", "updated", "skipped"]
    record = memory.get(key="phone", namespace=PROFILE)
    assert (record.content, record.earlier, record.key, record.metadata) == (
        "Uses a Nokia", "Uses a Fairphone", "phone", {"via": "chat"},
    )  # fmt: skip
    assert contents(memory.history(key="phone", namespace=PROFILE)) == ["Uses a Fairphone", "Uses a Nokia"]
    assert memory.get(key="phone", namespace="user_profile/u2") is None
    assert memory.delete(key="phone", namespace=PROFILE).deleted == 1


def test_one_text_under_two_keys_or_none_is_as_many_records_and_hits(memory):
    for key in ("a", "b", None):
        memory.write("Likes charts", namespace=PROFILE, key=key)
    assert sorted(hit.key for hit in memory.search("charts", namespace=PROFILE)) == ["", "a", "b"]
    memory.write("Likes maps", namespace=PROFILE, key="a")
    assert sorted(contents(memory.records(PROFILE))) == ["Likes charts", "Likes charts", "Likes maps"]


def test_two_keys_that_a_redactor_makes_alike_stay_two(memory):
    for user in ("ana", "ben"):
        memory.write(f"Calls {user} by first name", namespace=PROFILE, key=f"{user}@example.com")
    assert len(memory.records(PROFILE)) == 2
    assert memory.get(key="ben@example.com", namespace=PROFILE).content == "Calls ben by first name"


def test_threads_and_openings_that_write_one_key_leave_one_record_with_every_state(tmp_path):
    url = f"sqlite:///{tmp_path}/memory.db"
    with LongTermMemory(url) as one, LongTermMemory(url) as other, ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: (one, other)[n % 2].write(f"state {n}", namespace=PROFILE, key="k"), range(12)))
        assert len(one.records(PROFILE)) == 1
        assert {*contents(one.history(key="k", namespace=PROFILE))} == {f"state {n}" for n in range(12)}


class ManyWriters(InMemoryStore):
    """A store as a server is that lets several processes write at once."""

    @property
    def capabilities(self):
        return Capabilities(durable=False, concurrent=True, serial=False)


def test_a_store_that_cannot_keep_keys_unique_refuses_them_and_nothing_else():
    with LongTermMemory(ManyWriters()) as memory:
        with pytest.raises(InvalidParameter, match="cannot keep a key unique"):
            memory.write("Likes charts", namespace=PROFILE, key="a")
        assert memory.records(PROFILE) == []
        assert memory.write("Likes charts", namespace=PROFILE).status == "inserted"


@pytest.mark.parametrize("key", ["", "  ", 7, "k" * 501])
def test_a_key_is_a_short_text(plain, key):
    with pytest.raises(InvalidParameter, match="a key is a text"):
        plain.write("Likes charts", namespace=PROFILE, key=key)
    assert plain.records(PROFILE) == []


def test_what_a_text_supersedes_becomes_its_history_and_its_earlier(memory):
    porto = memory.write("I live in Porto", namespace=PROFILE, metadata={"project": "north"})
    faro = memory.write("My flat is in Faro", namespace=PROFILE)
    home = memory.write("Home is Berlin", namespace=PROFILE, supersedes=[porto.id, faro.id])
    assert home.status == "updated"
    (hit,) = memory.search("Porto", namespace=PROFILE)
    assert (hit.id, hit.content, hit.earlier) == (home.id, "Home is Berlin", "My flat is in Faro\nI live in Porto")
    assert contents(memory.records(PROFILE)) == ["Home is Berlin"]
    last = memory.write("Home is Rome", namespace=PROFILE, supersedes=faro.id)  # by an id that leads on
    told = ["I live in Porto", "My flat is in Faro", "Home is Berlin", "Home is Rome"]
    assert contents(memory.history(porto.id, namespace=PROFILE)) == told
    assert memory.get(home.id, namespace=PROFILE).id == last.id
    memory.delete(last.id, namespace=PROFILE)
    assert memory.records(PROFILE) == memory.history(porto.id, namespace=PROFILE) == []


def test_an_unknown_id_is_refused_and_nothing_is_written(memory):
    kept = memory.write("I live in Porto", namespace=PROFILE)
    with pytest.raises(UnknownId):
        memory.write("Home is Berlin", namespace=PROFILE, supersedes=[kept.id, "rnobody2345"])
    with pytest.raises(UnknownId):
        memory.write("Home is Berlin", namespace="user_profile/u2", supersedes=kept.id)
    assert contents(memory.records(PROFILE)) == ["I live in Porto"]
    with pytest.raises(InvalidInput, match="supersedes"):
        memory.write("Home is Berlin", namespace=PROFILE, supersedes=7)


def test_keys_and_what_is_superseded_wait_for_the_store_as_well(clock, switched):
    store = switched(InMemoryStore())
    with LongTermMemory(store, clock=clock) as memory:
        old = memory.write("I live in Porto", namespace=PROFILE)
        memory.write("Uses a Fairphone", namespace=PROFILE, key="phone")
        store.down = True
        assert memory.write("Home is Berlin", namespace=PROFILE, supersedes=old.id).status == "queued"
        assert memory.write("Uses a Nokia", namespace=PROFILE, key="phone").status == "queued"
        store.down = False
        clock.advance(6)
        assert contents(memory.history(old.id, namespace=PROFILE)) == ["I live in Porto", "Home is Berlin"]
        assert contents(memory.history(key="phone", namespace=PROFILE)) == ["Uses a Fairphone", "Uses a Nokia"]
        assert memory.queued == 0
