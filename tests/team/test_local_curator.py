"""The curator without a model: facts, the bridge, the answer, comparisons; both languages; any text in linear time."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amb_core.team.curator import CuratedObservation, CuratorRequest
from amb_core.team.local_curator import LocalCurator

FILM = (
    "Cold Quay is a 1962 Swedish drama film directed by Ingrid Halvorsen. It stars Max Ekdahl as a pilot. "
    "It was filmed in Malmö."
)
DIRECTOR = (
    "Ingrid Halvorsen (3 May 1921 – 9 June 1987) was a Swedish film director. She was born in Umeå, Sweden. "
    "She married the composer Nils Sandberg in 1950."
)

HOSTILE = (
    "A",
    "A ",
    "by ",
    "born ",
    "Aa-",
    "is a ",
    "由",
    "位于",
    "(",
    '"',
    "the ",
    "1900 – ",
    "A.",
    "A-",
    "和",
    "capital of ",
)
"""What a text may repeat to take long; tests/benchmarks/hostile_texts.py measures it, too."""


def curate(task: str, action: str, observation: str, *known: str) -> CuratedObservation:
    request = CuratorRequest(task=task, action=action, observation=observation, known=known, asked=())
    return LocalCurator().curate(request)


def test_the_bridge_is_what_the_question_describes_without_naming_it() -> None:
    found = curate("Where was the director of Cold Quay born?", "Search[Cold Quay]", FILM)
    assert found.bridge_entity == "Ingrid Halvorsen"
    assert found.next_queries[0] == "Ingrid Halvorsen"
    assert not found.answers_task


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who is the spouse of the director of Cold Quay?", "Nils Sandberg"),
        ("In what year was the director of Cold Quay born?", "1921"),
        ("When did the director of Cold Quay die?", "9 June 1987"),
        ("Where was the director of Cold Quay born?", "Umeå, Sweden"),
        ("In what city was the director of Cold Quay born?", "Umeå"),
        ("What is the nationality of the director of Cold Quay?", "Swedish"),
    ],
)
def test_the_last_hop_gives_the_answer_of_the_kind_asked_for(question: str, answer: str) -> None:
    found = curate(question, "Search[Ingrid Halvorsen]", DIRECTOR, FILM)
    assert (found.answer, found.answers_task, found.next_queries) == (answer, True, ())


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which film came out earlier, Cold Quay or Rose Harbour?", "Cold Quay"),
        ("Are Cold Quay and Rose Harbour both films?", "yes"),
        ("Are Cold Quay and Rose Harbour of the same nationality?", "no"),
    ],
)
def test_two_things_are_compared_when_both_are_known(question: str, answer: str) -> None:
    other = "Rose Harbour is a 1971 Danish comedy film about a lighthouse."
    found = curate(question, "Search[Rose Harbour]", other, FILM)
    assert (found.answer, found.answers_task) == (answer, True)


def test_of_two_things_the_other_one_is_next_while_only_one_is_known() -> None:
    found = curate("Which film came out earlier, Cold Quay or Rose Harbour?", "Search[Cold Quay]", FILM)
    assert (found.answer, found.answers_task, found.bridge_entity) == (None, False, "Rose Harbour")


def test_chinese_hops_give_bridge_and_answer() -> None:
    first = "《寒港》是1962年上映的剧情片，由林小川执导，在青岛拍摄。"
    last = "林小川，1921年5月3日生于山东烟台，中国导演。1950年，他与作曲家周安结婚。"
    task = "电影《寒港》的导演的妻子是谁？"
    assert curate(task, "搜索[寒港]", first).bridge_entity == "林小川"
    found = curate(task, "搜索[林小川]", last, first)
    assert (found.answer, found.answers_task) == ("周安", True)


@pytest.mark.parametrize(
    ("question", "answer"),
    [("寒江和暖河哪条更长？", "寒江"), ("寒江和暖河都位于云南省吗？", "否"), ("寒江和暖河是否都是河流？", "是")],
)
def test_chinese_comparisons(question: str, answer: str) -> None:
    one, other = "寒江是一条河流，全长820公里，位于云南省。", "暖河是一条河流，全长310公里，位于贵州省。"
    assert curate(question, "搜索[暖河]", other, one).answer == answer


def test_facts_stand_in_the_observation_word_for_word() -> None:
    found = curate("Where was the director of Cold Quay born?", "Search[Cold Quay]", FILM)
    assert found.facts
    assert all(FILM[fact.start : fact.end] == fact.text for fact in found.facts)
    assert ("director", "Ingrid Halvorsen") in {(each.relation, each.value) for each in found.relations}


@pytest.mark.parametrize("text", ["", "  \n", "Could not find Cold Quay. Similar: …", "未找到相关结果"])
def test_nothing_found_is_a_dead_end(text: str) -> None:
    assert curate("Who directed Cold Quay?", "Search[Cold Quay]", text).is_dead_end


@settings(max_examples=40, deadline=None)
@given(st.text(alphabet="AbC .,'-()“\"0129年由的是省市\n", max_size=400))
def test_no_text_makes_it_say_what_is_not_there(text: str) -> None:
    found = curate("Who is the wife of the director of Cold Quay?", "Search[Ab]", text)
    joined = " ".join(text.split())
    assert all(text[fact.start : fact.end] == fact.text for fact in found.facts)
    assert not found.answer or found.answer in text or found.answer in joined


@pytest.mark.slow
@pytest.mark.parametrize("piece", HOSTILE)
@pytest.mark.parametrize("task", ["Who directed Cold Quay?", "《寒港》和《暖河》的导演是谁？"])
def test_a_hostile_text_takes_work_in_its_length(piece: str, task: str, growth: Callable[..., float]) -> None:
    def curated(length: int) -> None:
        curate(task, "Search[Cold Quay]", piece * (length // len(piece)))

    curated(60_000)
    assert growth(curated, 2_000) < 8


@pytest.mark.parametrize("piece", ["Who ", "A or ", "A ", "which is ", "A and ", "的是", "和", "哪个", '"A'])
def test_a_hostile_question_takes_work_in_its_length(piece: str, growth: Callable[..., float]) -> None:
    assert growth(lambda length: curate(piece * (length // len(piece)), "Search[Cold Quay]", FILM), 1_000) < 8
