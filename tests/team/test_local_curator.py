"""The curator without a model: five patterns in two languages, names, values; any text in linear time."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from amb_team.curator import CuratedObservation, CuratorRequest
from amb_team.local_curator import LocalCurator

FILM = (
    "Cold Quay is a 1962 Swedish drama film directed by Ingrid Halvorsen. It stars Max Ekdahl as a pilot. "
    "It was filmed in Malmö."
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


@pytest.mark.parametrize(
    ("task", "action", "observation", "answer"),
    [
        (
            "Who painted the ceiling of the Vell chapel?",
            "Vell chapel",
            "Its ceiling was painted by Otto Kern.",
            "Otto Kern",
        ),
        ("Who owns the Blue Heron?", "Blue Heron", "The club is owned by the promoter Lucius Bell.", "Lucius Bell"),
        ("谁画了维尔教堂的天顶？", "维尔教堂", "天顶画由奥托·克恩绘制。", "奥托·克恩"),
        ("任正非的女儿是谁？", "任正非", "任正非的女儿孟晚舟是华为的副董事长。", "孟晚舟"),
        ("流经乐山市的河是哪条？", "乐山市", "乐山市地处四川盆地，岷江、大渡河在此交汇。", "岷江"),
    ],
)
def test_the_value_beside_an_open_word_answers_and_is_not_asked_next(
    task: str, action: str, observation: str, answer: str
) -> None:
    read = curate(task, f"Search[{action}]", observation)
    assert read.answer == answer
    assert answer not in read.next_queries


def test_what_says_of_which_kind_a_thing_is_leads_nowhere() -> None:
    told = "The Falken brewery is a Swiss brewery in Schaffhausen, founded in 1799."
    read = curate("Which river flows through the city of the Falken brewery?", "Search[Falken brewery]", told)
    assert read.bridge_entity == "Schaffhausen"


def test_an_answer_that_did_not_hold_is_not_given_again() -> None:
    task, told = "Where was Freddie Mercury born?", "He was born in Stone Town, Zanzibar, in 1946."
    request = CuratorRequest(task=task, action="Search[Freddie Mercury]", observation=told)
    assert LocalCurator().curate(request).answer == "Stone Town"
    again = LocalCurator().curate(request.model_copy(update={"refuted": ("Stone Town",)}))
    assert (again.answer, again.answers_task) == ("Stone Town, Zanzibar", False)
