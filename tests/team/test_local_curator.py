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
