"""What a user of long-term memory sees: writing, finding, changing, and what was there before."""

import pytest

from amb_longterm import LongTermMemory, LongTermSettings, Provenance

PROFILE = "user_profile/u1"
FACTS = "domain_facts/u1"
DAY = 86_400.0


def test_the_first_lines_of_the_docs_find_and_delete_a_preference(memory):
    memory.write("Reports always in EUR, two decimals", namespace=PROFILE, metadata={"type": "user-profile"})

    hits = memory.search("what about decimals in reports?", namespace=PROFILE, top_k=5, min_score=0.3)

    assert [hit.content for hit in hits] == ["Reports always in EUR, two decimals"]
    assert hits[0].metadata == {"type": "user-profile"}
    assert 0 < hits[0].score <= 1
    assert memory.delete(hits[0].id, namespace=PROFILE).deleted == 1
    assert memory.search("what about decimals in reports?", namespace=PROFILE) == []


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("Reports always in EUR, two decimals", "Reports always in EUR, two decimals."),
        ("报表金额一律用欧元", "报表金额一律用欧元。"),
    ],
)
def test_what_was_said_before_is_not_kept_twice(memory, first, again):
    written = memory.write(first, namespace=PROFILE)

    repeated = memory.write(again, namespace=PROFILE)

    assert (repeated.id, repeated.status) == (written.id, "skipped")
    assert len(memory.records(PROFILE)) == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Invoices are due after 30 days", "Invoices are due after 45 days"),
        ("发票的付款期限是30天", "发票的付款期限是45天"),
    ],
)
@pytest.mark.parametrize("type", ["user-profile", "domain-facts", "task-traces"])
def test_another_value_is_added_and_the_newer_is_the_hit_with_the_first_as_its_earlier(memory, old, new, type):
    first = memory.write(old, namespace=FACTS, metadata={"type": type})

    second = memory.write(new, namespace=FACTS, metadata={"type": type})

    assert (first.status, second.status) == ("inserted", "inserted")
    hits = memory.search("invoices due" if old.isascii() else "发票的付款期限", namespace=FACTS)
    assert [(hit.content, hit.earlier, [each.id for each in hit.older]) for hit in hits] == [(new, old, [first.id])]
    assert hits[0].group == hits[0].older[0].group
    assert hits[0].updated_at > hits[0].older[0].updated_at


@pytest.mark.parametrize(
    ("old", "new", "asked"),
    [
        ("I live in Oslo", "I've moved to Berlin", "where do I live?"),
        ("我住在上海", "我搬到北京了", "我住在哪里？"),
    ],
)
def test_what_a_topic_says_now_replaces_what_it_said_and_is_found_by_the_old_words(memory, old, new, asked):
    home = {"topic": "home", "strategy": "replace"}
    first = memory.write(old, namespace=PROFILE, metadata=home)

    changed = memory.write(new, namespace=PROFILE, metadata=home)

    assert (changed.id, changed.status) == (first.id, "updated")
    (hit,) = memory.search(asked, namespace=PROFILE)
    assert (hit.content, hit.earlier) == (new, old)
    assert [version.content for version in memory.history(first.id, namespace=PROFILE)] == [old, new]


@pytest.mark.parametrize(
    "facts",
    [
        ("I'm allergic to peanuts", "I'm allergic to shellfish", "I'm not allergic to milk"),
        ("我对花生过敏", "我对海鲜过敏", "我对牛奶不过敏"),
        ("I work at Siemens", "I joined a choir", "My sister works at Bosch now"),
    ],
)
def test_distinct_facts_stay_distinct(memory, facts):
    statuses = [memory.write(fact, namespace=PROFILE, metadata={"type": "user-profile"}).status for fact in facts]

    assert statuses == ["inserted"] * 3
    assert {hit.content for fact in facts for hit in memory.search(fact, namespace=PROFILE)} == {*facts}


def test_a_strategy_is_obeyed_for_records_of_one_topic_whatever_they_say(memory):
    told = {"type": "user-profile", "topic": "report style", "strategy": "replace"}
    first = memory.write("Short sentences, no bullet points", namespace=PROFILE, metadata=told)

    second = memory.write("Long prose like in a magazine", namespace=PROFILE, metadata=told)

    assert (second.id, second.status) == (first.id, "updated")
    assert memory.get(first.id, namespace=PROFILE).content == "Long prose like in a magazine"
    assert memory.history(first.id, namespace=PROFILE)[0].content == "Short sentences, no bullet points"


def test_an_update_replaces_joins_or_adds_as_asked(memory):
    trace = memory.write("Loaded the orders", namespace="t/u1", metadata={"type": "task-traces", "tags": ["a"]})

    memory.update(trace.id, namespace="t/u1", content="Checked the totals", metadata={"source": "worker"})
    record = memory.get(trace.id, namespace="t/u1")
    assert "Loaded the orders" in record.content
    assert "Checked the totals" in record.content
    assert record.metadata == {"type": "task-traces", "tags": ["a"], "source": "worker"}

    memory.update(trace.id, namespace="t/u1", content="All done", metadata={"type": "task-traces"}, merge=False)
    record = memory.get(trace.id, namespace="t/u1")
    assert (record.content, record.metadata, record.revision) == ("All done", {"type": "task-traces"}, 3)
    assert len(memory.history(trace.id, namespace="t/u1")) == 3


def test_an_update_settles_what_a_record_was_told_two_things_about(memory):
    joining = {"strategy": "summarize"}
    written = memory.write("Invoices are due after 30 days", namespace=FACTS)
    conflict = memory.write("Invoices are due after 45 days", namespace=FACTS, metadata=joining)
    assert (conflict.status, conflict.id) == ("conflict", written.id)
    assert memory.get(written.id, namespace=FACTS).disagreements[0].values == ("30", "45")

    memory.update(written.id, namespace=FACTS, content="Invoices are due after 45 days", merge=False)

    assert memory.get(written.id, namespace=FACTS).disagreements == ()


def test_a_record_is_over_when_its_time_has_passed_and_never_comes_back(memory, clock):
    written = memory.write("The office is closed", namespace=FACTS, metadata={"ttl": 60})
    assert memory.search("office", namespace=FACTS)

    clock.advance(61)
    assert memory.search("office", namespace=FACTS) == []
    assert memory.get(written.id, namespace=FACTS) is None
    memory.write("Something else", namespace=FACTS)

    clock.advance(-120)
    assert [hit.content for hit in memory.search("office", namespace=FACTS)] == ["Something else"]
    assert len(memory.records(FACTS)) == 1


def test_a_full_namespace_gives_up_its_least_valuable_record(url, clock):
    with LongTermMemory(url, clock=clock, settings=LongTermSettings(capacity=2)) as memory:
        memory.write("The blue folder holds contracts", namespace=FACTS, metadata={"score": 0.1})
        memory.write("Anna runs the warehouse", namespace=FACTS, metadata={"score": 0.9})
        written = memory.write("Lunch is at noon", namespace=FACTS, metadata={"score": 0.5})

        assert written.evicted == 1
        assert [record.content[:4] for record in memory.records(FACTS)] == ["Anna", "Lunc"]


def test_filters_choose_among_records_by_their_metadata(memory):
    memory.write("SELECT sum(amount) FROM orders", namespace=FACTS, metadata={"type": "tool-effects"})
    memory.write("The sum of orders excludes tax", namespace=FACTS, metadata={"type": "domain-facts"})

    found = memory.search("sum of orders", namespace=FACTS, filters={"type": "tool-effects"})

    assert [hit.metadata["type"] for hit in found] == ["tool-effects"]
    assert len(memory.records(FACTS, filters={"type": "domain-facts"})) == 1
    assert memory.delete(namespace=FACTS, filters={"type": "tool-effects"}).deleted == 1


def test_newer_and_trusted_records_come_first_among_equals(memory, clock):
    memory.write("Sales report goes to Anna", namespace=FACTS, metadata={"source": "tool"})
    clock.advance(200 * DAY)
    memory.write("Sales report goes to Berta", namespace="other/u1", metadata={"source": "user"})
    new = memory.write("The sales report has a chart", namespace=FACTS, metadata={"source": "user"})

    assert memory.search("sales report", namespace=FACTS)[0].id == new.id


def test_records_know_where_they_came_from_each_time(memory):
    first, second = Provenance(run="r1", entries=("e1",)), Provenance(run="r2")
    written = memory.write("Likes charts", namespace=PROFILE, provenance=first)
    memory.write("Likes charts", namespace=PROFILE, provenance=second)

    assert memory.get(written.id, namespace=PROFILE).provenance == (first, second)


def test_a_memory_is_there_after_closing_and_opening_again(url, clock):
    if url == "memory://":
        pytest.skip("nothing is left of a memory in memory")
    with LongTermMemory(url, clock=clock) as memory:
        memory.write("Likes charts", namespace=PROFILE)
        memory.search("charts", namespace=PROFILE)
    with LongTermMemory(url, clock=clock) as memory:
        assert memory.search("charts", namespace=PROFILE)[0].content == "Likes charts"
        assert memory.stats().searches == 2
        assert memory.namespaces() == [PROFILE]
