"""A namespace that is not loaded is written to, read and cleaned as one that is, by what the database chooses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing

import pytest

from amb_contracts.paged_store import PagedStoreContract
from amb_core.agent_io import JudgeAnswer, JudgeRequest, Verdict
from amb_core.clock import ManualClock
from amb_core.protocols import Record, RecordQuery
from amb_longterm import LongTermMemory, LongTermSettings
from amb_longterm.user_data import delete_user
from amb_postgres.postgres_store import PostgresStore

FACTS = "domain_facts/u1"
NOTES = [f"Shelf {number} in hall {number % 7} holds part X{number * 3}" for number in range(60)]


class UnreadStore(PostgresStore):
    """The store, which lets no namespace of more than five memories be read whole."""

    def pages(self, query: RecordQuery) -> Iterator[list[Record]]:
        of_memories = query.namespace.startswith("memories:")
        assert query.where or query.limit is not None or not of_memories or self.count(query.namespace) <= 5
        return super().pages(query)


class TestPostgresPagedStore(PagedStoreContract):
    """PostgreSQL."""

    @pytest.fixture
    def store(self, space: str) -> Iterator[PostgresStore]:
        with closing(PostgresStore(space)) as store:
            yield store


@pytest.fixture
def opened(space: str) -> Iterator[Callable[..., LongTermMemory]]:
    """Opens a memory whose namespaces are not loaded from five records on, and are never read whole."""
    with ExitStack() as stack:

        def open_it(**options: object) -> LongTermMemory:
            settings = LongTermSettings(**{"most_loaded": 5, **options.pop("settings", {})})  # type: ignore[dict-item]
            store = stack.enter_context(closing(UnreadStore(space)))
            return stack.enter_context(LongTermMemory(store, settings=settings, **options))  # type: ignore[arg-type]

        yield open_it


def filled(memory: LongTermMemory) -> LongTermMemory:
    for note in NOTES:
        assert memory.write(note, namespace=FACTS).status == "inserted"
    return memory


def test_a_story_of_writes_ends_as_it_does_in_the_process(opened: Callable[..., LongTermMemory]) -> None:
    """Repeats, topics, strategies and updates have the same outcome, and the records say the same."""

    def told(memory: LongTermMemory) -> tuple[list[str], list[str]]:
        about: dict[str, object] = {"topic": "window", "strategy": "replace"}
        outcomes = [
            memory.write("The deployment window is Thursday", namespace=FACTS, metadata=about),
            memory.write("The deployment window is Friday", namespace=FACTS, metadata=about),
            memory.write("shelf 7 in hall 0 holds part X21.", namespace=FACTS),
            memory.write("发布窗口是每周四晚上", namespace=FACTS),
            memory.write("发布窗口是每周四晚上。", namespace=FACTS),
            memory.write("Hall 3 is closed", namespace=FACTS, metadata={"topic": "window"}),
            memory.write("Shelf 9 in hall 2 holds part X27 now", namespace=FACTS, metadata={"strategy": "append"}),
        ]
        outcomes.append(memory.update(outcomes[3].id, namespace=FACTS, content="发布窗口是每周五晚上", merge=False))
        outcomes.append(memory.write("发布窗口是每周五晚上", namespace=FACTS))
        groups = {memory.get(each.id, namespace=FACTS).group != "" for each in outcomes}  # type: ignore[union-attr]
        texts = sorted(memory.get(each.id, namespace=FACTS).content for each in outcomes)  # type: ignore[union-attr]
        return [*(each.status for each in outcomes), *map(str, groups)], texts

    with LongTermMemory("memory://") as loaded:
        assert told(filled(opened())) == told(filled(loaded))


@pytest.mark.parametrize("settings", [{}, {"search_in": "engine"}])
def test_what_is_written_is_found_by_others_once(
    opened: Callable[..., LongTermMemory], settings: dict[str, str]
) -> None:
    filled(opened(settings=settings))
    other = opened(settings=settings)
    assert other.write(NOTES[40], namespace=FACTS).status == "skipped"
    assert other.search("which part is on shelf 40?", namespace=FACTS)[0].content == NOTES[40]
    [hit] = other.search("shelf", namespace=FACTS, filters={"source": "nobody"}) or [None]
    assert hit is None


def test_a_capacity_holds_and_the_new_text_stays(space: str) -> None:
    settings = LongTermSettings(most_loaded=5, capacity=62)
    with LongTermMemory(space, settings=settings) as memory, LongTermMemory(space, settings=settings) as other:
        filled(memory)
        memory.write("Ann is the lead", namespace=FACTS, metadata={"source": "user", "score": 1.0})
        memory.write("rumour one", namespace=FACTS, metadata={"source": "tool", "score": 0.0})
        for number in range(8):
            result = (memory, other)[number % 2].write(f"Rule {number} is new", namespace=FACTS)
            assert result.evicted == 1
            assert memory.stats().records[FACTS] == 62
            assert memory.get(result.id, namespace=FACTS) is not None
        contents = {record.content for record in memory.records(FACTS)}
    assert "Ann is the lead" in contents
    assert "rumour one" not in contents


class Listening:
    """A judge that takes nothing for the same, and remembers what it was shown."""

    def __init__(self) -> None:
        self.shown: list[str] = []

    def judge(self, request: JudgeRequest) -> JudgeAnswer:
        self.shown = [one.text for one in request.earlier]
        return JudgeAnswer(verdicts=tuple(Verdict() for _ in request.earlier))


def test_a_judge_is_shown_what_is_near_and_the_newest(opened: Callable[..., LongTermMemory]) -> None:
    judge = Listening()
    memory = filled(opened(judge=judge))
    assert memory.write("Kolleginnen essen mittags X9", namespace=FACTS).status == "inserted"
    assert NOTES[3] in judge.shown
    assert NOTES[-1] in judge.shown
    assert 8 < len(judge.shown) <= 8 + 64


def test_reading_and_deleting_do_without_the_whole(opened: Callable[..., LongTermMemory], space: str) -> None:
    clock = ManualClock(1_000.0)
    memory = filled(opened(clock=clock))
    written = memory.write("The budget is 5 million", namespace=FACTS, metadata={"kind": "money"})
    clock.advance(100)
    memory.update(written.id, namespace=FACTS, content="The budget is 7 million", merge=False)

    assert memory.search("budget", namespace=FACTS, as_of=1_050.0)[0].content == "The budget is 5 million"
    assert [record.content for record in memory.records(FACTS, limit=2)] == NOTES[:2]
    assert [record.id for record in memory.records(FACTS, filters={"kind": "money"})] == [written.id]
    assert memory.stats().records[FACTS] == 61
    assert memory.delete(namespace=FACTS, filters={"kind": "money"}).deleted == 1
    assert memory.search("budget", namespace=FACTS, min_score=0.1) == []

    with LongTermMemory(space) as unguarded:
        assert [each.content for each in unguarded.records(FACTS)] == NOTES
    assert delete_user(space, user="u1").longterm == 60


def test_a_field_is_found_by_the_index_also_where_it_is_behind(space: str) -> None:
    def of_topic(store: PostgresStore, topic: str) -> list[str]:
        return [record.id for record in store.search(RecordQuery("n", where={"topic": topic}))]

    with closing(PostgresStore(space)) as store:
        store.put([Record("n", f"r{n}", {"content": "a text", "topic": f"t{n % 3}"}) for n in range(9)])
        assert of_topic(store, "t1") == ["r1", "r4", "r7"]
        store.search_natively(RecordQuery("n"), text="text")
        store.put([Record("n", "r4", {"topic": "t2"}), Record("n", "new", {"topic": "t1"})])
        store.delete("n", ["r7"])
        assert of_topic(store, "t1") == ["r1", "new"]
        assert of_topic(store, "t2") == ["r2", "r4", "r5", "r8"]
        assert of_topic(store, "t") == []
        long = "t" * 900
        store.put([Record("n", "long", {"topic": long})])
        assert of_topic(store, long) == ["long"]


def test_a_search_of_k_is_the_head_of_one_of_more(
    opened: Callable[..., LongTermMemory],
) -> None:
    clock = ManualClock(1_000.0, step=1)
    memory = filled(opened(clock=clock))
    for fee in (40, 55, 60):
        memory.write(f"The club fee is {fee} euro.", namespace=FACTS)
    for asked in ("What is the club fee?", "which shelf is in hall 3?", "xyzzy"):
        whole = [hit.id for hit in memory.search(asked, namespace=FACTS, top_k=100)]
        assert len(whole) >= 61  # near-equal ones far behind are hits of their own
        for k, offset in ((1, 0), (2, 1), (31, 0), (40, 0), (3, 33), (5, 60)):
            found = memory.search(asked, namespace=FACTS, top_k=k, offset=offset)
            assert [hit.id for hit in found] == whole[offset : offset + k]
    (hit,) = memory.search("What is the club fee?", namespace=FACTS, top_k=1)
    assert (hit.content, hit.earlier) == (
        "The club fee is 60 euro.", "The club fee is 55 euro.\nThe club fee is 40 euro.",
    )  # fmt: skip


def test_a_key_is_unique_for_all_who_write_and_superseded_records_become_history(
    opened: Callable[..., LongTermMemory],
) -> None:
    memories = [opened(), opened()]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: memories[n % 2].write(f"state {n}", namespace=FACTS, key="k"), range(8)))
    memory = memories[0]
    (record,) = memory.records(FACTS)
    assert {each.content for each in memory.history(key="k", namespace=FACTS)} == {f"state {n}" for n in range(8)}
    memory.write("The last state", namespace=FACTS, supersedes=record.id)
    assert [each.content for each in memory.history(key="k", namespace=FACTS)][-2:] == [
        record.content,
        "The last state",
    ]
