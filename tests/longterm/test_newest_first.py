"""One order for a question: the newest value first at every k, k hits the head of k + 1, and nothing hidden."""

from __future__ import annotations

import pytest

from amb_core import ManualClock
from amb_core.errors import InvalidParameter
from amb_core.stores import InMemoryStore
from amb_embedders import HashingEmbedder
from amb_longterm import LongTermMemory, LongTermSettings

FACTS, PROFILE = "domain_facts/u1", "user_profile/u1"
VALUES = [
    ("The club fee is {} euro.", (40, 55, 60), "What is the club fee?"),
    ("Mira works at the {}.", ("mill in Ghent", "dock in Bruges"), "Where does Mira work?"),
    ("Weight: {} kg", (90, 86, 83), "weight?"),
    ("我住在{}", ("嘉兴", "湖州", "绍兴"), "我住在哪里？"),
    ("水箱里有{}升水。", (70, 66, 63), "水箱里有多少升水？"),
]
MIXED = [
    *(told.format(value) for told, values, _ in VALUES for value in values),
    "I'm allergic to peanuts",
    "I'm allergic to shellfish",
    "Shelf 3 holds nuts",
    "Shelf 4 holds nuts",
    "We moved to Gdansk at the weekend!",
    "I live in Utrecht",
    *(f"Note {number}: the museum of town {number} opened in {1900 + number}" for number in range(40)),
]


@pytest.mark.parametrize("gap", [0, 60, 2_592_000])
@pytest.mark.parametrize(("told", "values", "asked"), VALUES)
def test_the_newest_of_several_values_is_first_at_every_k_and_the_others_are_its_earlier(told, values, asked, gap):
    clock = ManualClock(1_900_000_000.0)
    memory = LongTermMemory(redactor=None, clock=clock)
    for value in values:
        memory.write(told.format(value), namespace=FACTS)
        clock.advance(gap)
    memory.write("The depot opens at nine", namespace=FACTS)
    newest, *others = [told.format(value) for value in reversed(values)]
    for k in (1, 2, 9):
        hit = memory.search(asked, namespace=FACTS, top_k=k)[0]
        assert (hit.content, hit.earlier) == (newest, "\n".join(others))
        assert [each.content for each in hit.older] == others


@pytest.mark.sampled(4)
@pytest.mark.parametrize("options", [{}, {"min_score": 0.2}, {"filters": {"half": 1}}])
@pytest.mark.parametrize("embedder", [None, HashingEmbedder()])
def test_a_search_of_k_is_the_head_of_one_of_more_and_an_offset_goes_on_from_there(options, embedder):
    memory = LongTermMemory(redactor=None, embedder=embedder, clock=ManualClock(1_900_000_000.0, step=1))
    for number, text in enumerate(MIXED):
        kind = "user-profile" if number % 3 else "domain-facts"
        memory.write(text, namespace=PROFILE, metadata={"half": number % 2, "type": kind})
    for asked in ("Where do I live?", "which museum opened in town 7?", "我住在哪里？", "anything else?"):
        whole = [hit.id for hit in memory.search(asked, namespace=PROFILE, top_k=200, **options)]
        for k in (1, 2, 5, 31, 40, 60):
            assert [hit.id for hit in memory.search(asked, namespace=PROFILE, top_k=k, **options)] == whole[:k]
        for offset in (1, 4, 33, 300):
            found = memory.search(asked, namespace=PROFILE, top_k=3, offset=offset, **options)
            assert [hit.id for hit in found] == whole[offset : offset + 3]


def test_nothing_is_hidden_unless_a_least_similarity_is_asked_for(memory):
    for text in MIXED[-12:]:
        memory.write(text, namespace=FACTS)
    found = memory.search("xyzzy", namespace=FACTS, top_k=100)
    assert {hit.content for hit in found} == {*MIXED[-12:]}
    assert {hit.similarity for hit in found} == {0.0}
    assert memory.search("xyzzy", namespace=FACTS, min_score=0.01) == []
    assert LongTermSettings().min_score == LongTermSettings().weak_below == 0.0


def test_a_score_is_no_rank(plain):
    plain.write("I live in Porto", namespace=PROFILE)
    plain.write("The invoices of the warehouse in Ghent are paid within thirty days", namespace=FACTS)
    (place,) = plain.search("Where do I live?", namespace=PROFILE)
    (fact,) = plain.search("within how many days are invoices of the warehouse in Ghent paid?", namespace=FACTS)
    assert place.score < 0.5 < fact.score


def test_records_that_are_alike_but_of_two_things_are_two_hits(plain):
    for text in ("Shelf 3 holds nuts", "Shelf 4 holds nuts", "Anna manages Ben", "Ben manages Carla"):
        plain.write(text, namespace=FACTS)
    assert len(plain.search("what holds nuts?", namespace=FACTS)) == 4
    assert len(plain.search("who manages whom?", namespace=FACTS)) == 4


def test_what_is_told_of_a_change_of_another_matter_stays_behind_the_answer(plain):
    for text in ("My dog is called Pixel.", "I work at the harbour office.", "We moved to Gdansk at the weekend!"):
        plain.write(text, namespace=PROFILE, metadata={"type": "user-profile"})
    assert plain.search("What is my dog called?", namespace=PROFILE)[0].content == "My dog is called Pixel."
    assert plain.search("Where do I work?", namespace=PROFILE)[0].content == "I work at the harbour office."


@pytest.mark.parametrize(
    ("old", "new", "asked"),
    [
        ("I live in Porto.", "I moved to Berlin last week!", "Where do I live?"),
        ("I drive a Golf.", "I sold the Golf and bought a Tesla.", "Which car do I drive?"),
        ("My dentist is Mrs Roth.", "I now go to the clinic of Mr Adeyemi.", "Who is my dentist?"),
        ("我住在昆明。", "上周搬到大理了。", "我住在哪里？"),
        ("我在银行工作。", "我跳槽到一家律所了。", "我在哪里工作？"),
    ],
)
def test_a_change_in_free_words_comes_before_what_it_changes_at_every_k(old, new, asked):
    memory = LongTermMemory(clock=ManualClock(1_900_000_000.0, step=60))
    for text in ("My favourite tea is oolong.", old, "My bike is blue.", new):
        memory.write(text, namespace=PROFILE, metadata={"type": "user-profile"})
    assert [memory.search(asked, namespace=PROFILE, top_k=k)[0].content for k in (1, 5)] == [new, new]


@pytest.mark.parametrize(
    ("told", "moved", "asked"),
    [
        ("I live in Porto.", "My flight was moved to 13:05", "Where do I live?"),
        ("I live in Porto.", "We moved the meeting to Monday.", "Where do I live?"),
        ("My address is 5 Mill Lane.", "The sofa was moved to the hall.", "What is my address?"),
        ("I live in Porto.", "My brother moved to Berlin.", "Where do I live?"),
        ("我住在嘉兴。", "会议搬到了三号楼。", "我住在哪里？"),
        ("我住在嘉兴。", "沙发搬到客厅了。", "我住在哪里？"),
    ],
)
def test_what_moved_something_else_is_no_change_of_the_user(plain, clock, told, moved, asked):
    for text in (told, moved):
        plain.write(text, namespace=PROFILE, metadata={"type": "user-profile"})
        clock.advance(86_400)
    assert plain.search(asked, namespace=PROFILE, top_k=1)[0].content == told


def test_what_waits_for_the_store_has_its_place_in_the_same_order(clock, switched):
    store = switched(InMemoryStore())
    with LongTermMemory(store, clock=clock, redactor=None, settings=LongTermSettings(retry_after=0)) as memory:
        for text in MIXED[:12]:
            memory.write(text, namespace=FACTS)
        store.down = True
        memory.write("The club fee is 70 euro.", namespace=FACTS)
        whole = [hit.id for hit in memory.search("club fee", namespace=FACTS, top_k=50)]
        assert [hit.id for hit in memory.search("club fee", namespace=FACTS, top_k=2)] == whole[:2]
        store.down = False


@pytest.mark.parametrize("offset", [-1, True, 1.5, "2"])
def test_an_offset_is_a_whole_number(plain, offset):
    with pytest.raises(InvalidParameter, match="offset is a whole number"):
        plain.search("q", namespace=FACTS, offset=offset)


@pytest.mark.parametrize(
    ("first", "second", "asked", "values"),
    [
        ("项目总部在上海。", "项目总部在北京。", "项目总部在哪里？", ("上海", "北京")),
        (
            "The head office is in Oslo.",
            "The head office is in Bergen.",
            "Where is the head office?",
            ("Oslo", "Bergen"),
        ),
        ("The grant is 5,000 euro.", "The grant is 8,000 euro.", "How large is the grant?", ("5000", "8000")),
    ],
)
def test_records_that_differ_in_one_value_say_both_without_a_judge(
    first: str, second: str, asked: str, values: tuple[str, str]
) -> None:
    with LongTermMemory("memory://") as memory:
        memory.write(first, namespace="org/facts")
        memory.write(second, namespace="org/facts")
        hit = memory.search(asked, namespace="org/facts", top_k=1)[0]
    assert [each.values for each in hit.disagreements] == [values]
