"""The curator without a model: five patterns in two languages, names, values; any text in linear time."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amb_readers.local_reader import EntityExtractor
from amb_team.curator import CuratedObservation, CuratorRequest
from amb_team.local_curator import LocalCurator

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


@pytest.mark.parametrize(
    ("sentence", "stated"),
    [
        ("Anna Holm directed Rose Harbour in 1971.", ("Rose Harbour", "director", "Anna Holm")),
        ("Rose Harbour was written and produced by Bo Ek.", ("Rose Harbour", "author", "Bo Ek")),
        ("Bo Ek married the singer Lena Dahl.", ("Bo Ek", "spouse", "Lena Dahl")),
        ("The wife of Bo Ek is Lena Dahl.", ("Bo Ek", "spouse", "Lena Dahl")),
        ("Rose Harbour is a Danish film.", ("Rose Harbour", "is", "Danish film")),
        ("林小川执导了《寒港》。", ("寒港", "director", "林小川")),
        ("《寒港》由林小川编剧并制作。", ("寒港", "author", "林小川")),
        ("1950年，林小川与周安结婚。", ("林小川", "spouse", "周安")),
        ("林小川的妻子是周安。", ("林小川", "spouse", "周安")),
        ("《寒港》是一部剧情片。", ("寒港", "is", "剧情片")),
    ],
)
def test_five_patterns_state_a_relation_in_both_languages(sentence: str, stated: tuple[str, str, str]) -> None:
    found = EntityExtractor().extract(sentence, subject=stated[0])
    assert stated in [(each.subject, each.attribute, each.value) for each in found]


def test_the_verb_of_the_question_may_be_any_other() -> None:
    bridge = (
        "The Halden Bridge is 612 metres long. It was designed by the engineer Olav Brekke, and opened by Max Lind."
    )
    found = curate("Where was the designer of the Halden Bridge born?", "Search[Halden Bridge]", bridge)
    assert found.bridge_entity == "Olav Brekke"
    assert curate("哪位设计师设计了暖桥？", "搜索[暖桥]", "暖桥全长612米，由周安设计。").bridge_entity == "周安"


def test_the_bridge_is_what_the_question_describes_without_naming_it() -> None:
    found = curate("Where was the director of Cold Quay born?", "Search[Cold Quay]", FILM)
    assert found.bridge_entity == "Ingrid Halvorsen"
    assert found.next_queries[0] == "Ingrid Halvorsen"
    assert not found.answers_task


def test_an_answer_to_all_that_the_task_asks_for_ends_it() -> None:
    found = curate("Who is the spouse of the director of Cold Quay?", "Search[Ingrid Halvorsen]", DIRECTOR, FILM)
    assert (found.answer, found.answers_task, found.next_queries) == ("Nils Sandberg", True, ())
    assert not curate("Who is the spouse of the director of Cold Quay?", "Search[Cold Quay]", FILM).answers_task


@pytest.mark.parametrize(
    ("asked", "answer"), [("When was Ingrid Halvorsen born?", "3 May 1921"), ("Ingrid Halvorsen", "Nils Sandberg")]
)
def test_a_sub_question_that_asks_for_a_date_is_answered_with_one(asked: str, answer: str) -> None:
    request = CuratorRequest(
        task="Who is the spouse of the director of Cold Quay?",
        action="Search[Ingrid Halvorsen]",
        observation=DIRECTOR,
        sub_question=asked,
    )
    assert LocalCurator().curate(request).answer == answer


def test_of_two_things_the_other_one_is_next_and_what_is_said_of_the_first_is_kept() -> None:
    found = curate(
        "Which film came out earlier, Cold Quay or Rose Harbour?", "Search[Cold Quay]", "It is a film of 1962."
    )
    assert (found.answer, found.answers_task) == ("1962", False)
    assert "Rose Harbour" in found.next_queries


@pytest.mark.parametrize(
    ("task", "first", "second", "answer"),
    [
        (
            "In which city was the author of The Grey Ferry born?",
            (
                "Search[The Grey Ferry]",
                "The Grey Ferry is a 1954 novel written by Harald Moen.",
                "Harald Moen city born",
            ),
            ("Search[Harald Moen]", "Harald Moen (1901–1970) was a Norwegian author. He was born in Bergen."),
            "Bergen",
        ),
        (
            "From which country is the inventor of dynamite?",
            ("Search[dynamite inventor]", "Dynamite is an explosive invented by Alfred Nobel.", "Alfred Nobel country"),
            ("Search[Alfred Nobel country]", "Alfred Bernhard Nobel was a chemist. He came from Sweden."),
            "Sweden",
        ),
        (
            "《泰坦尼克号》的导演的配偶是谁？",
            ("搜索[泰坦尼克号 导演]", "《泰坦尼克号》是1997年的电影，由詹姆斯·卡梅隆执导。", "詹姆斯·卡梅隆 配偶"),
            ("搜索[詹姆斯·卡梅隆 配偶]", "詹姆斯·卡梅隆，导演。2000年，他与苏茜·埃米斯结婚。"),
            "苏茜·埃米斯",
        ),
        (
            "海燕水库的设计者毕业于哪所大学？",
            ("搜索[海燕水库]", "海燕水库位于青江，由周安设计，1970年建成。", "周安 毕业 大学"),
            ("搜索[周安]", "周安，工程师，1950年毕业于同济大学。"),
            "同济大学",
        ),
    ],
)
def test_the_next_query_is_a_name_with_what_is_asked_of_it_and_no_answer(
    task: str, first: tuple[str, str, str], second: tuple[str, str], answer: str
) -> None:
    found = curate(task, *first[:2])
    assert first[2] in found.next_queries
    last = curate(task, *second, first[1])
    assert (last.answer, last.answers_task, last.next_queries) == (answer, True, ())


def test_chinese_hops_give_bridge_and_answer() -> None:
    first = "《寒港》是1962年上映的剧情片，由林小川执导，在青岛拍摄。"
    last = "林小川，1921年5月3日生于山东烟台，中国导演。1950年，他与周安结婚。"
    task = "电影《寒港》的导演的妻子是谁？"
    assert curate(task, "搜索[寒港]", first).bridge_entity == "林小川"
    found = curate(task, "搜索[林小川]", last, first)
    assert (found.answer, found.answers_task) == ("周安", True)


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


@pytest.mark.sampled(6)
@pytest.mark.slow
@pytest.mark.parametrize("piece", HOSTILE)
@pytest.mark.parametrize("task", ["Who directed Cold Quay?", "《寒港》和《暖河》的导演是谁？"])
def test_a_hostile_text_takes_work_in_its_length(piece: str, task: str, growth: Callable[..., float]) -> None:
    def curated(length: int) -> None:
        curate(task, "Search[Cold Quay]", piece * (length // len(piece)))

    curated(60_000)
    assert growth(curated, 800) < 8


@pytest.mark.parametrize("piece", ["Who ", "A or ", "A ", "which is ", "A and ", "的是", "和", "哪个", '"A'])
def test_a_hostile_question_takes_work_in_its_length(piece: str, growth: Callable[..., float]) -> None:
    assert growth(lambda length: curate(piece * (length // len(piece)), "Search[Cold Quay]", FILM), 400) < 8
