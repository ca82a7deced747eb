"""What the local actor of HotpotQA reads off a page: answers of the kind asked for, comparisons, names of questions."""

from __future__ import annotations

import pytest
from amb_bench.hotpotqa.rules import answer_of_page, names_of_question

FILM = (
    "Cold Quay is a 1962 Swedish drama film directed by Ingrid Halvorsen. It stars Max Ekdahl as a pilot. "
    "It was filmed in Malmö."
)
DIRECTOR = (
    "Ingrid Halvorsen (3 May 1921 – 9 June 1987) was a Swedish film director. She was born in Umeå, Sweden. "
    "She married the composer Nils Sandberg in 1950."
)


def answer_of(question: str, title: str, page: str, *known: str) -> str | None:
    return answer_of_page(question, title, page, known=known)[0]


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
    assert answer_of(question, "Ingrid Halvorsen", DIRECTOR, FILM) == answer


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
    assert answer_of(question, "Rose Harbour", other, FILM) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [("寒江和暖河哪条更长？", "寒江"), ("寒江和暖河都位于云南省吗？", "否"), ("寒江和暖河是否都是河流？", "是")],
)
def test_chinese_comparisons(question: str, answer: str) -> None:
    one, other = "寒江是一条河流，全长820公里，位于云南省。", "暖河是一条河流，全长310公里，位于贵州省。"
    assert answer_of(question, "暖河", other, one) == answer


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Rosa Velm wrote for an American writer of what city?", ["Rosa Velm"]),
        ("Who directed the film that was shot in Leland, North Carolina in 1986?", ["Leland", "North Carolina"]),
        ("Which band was formed first, Rose Harbour or Cold Quay?", ["Rose Harbour", "Cold Quay"]),
        ("From 1945-1949 Dick Velmer played for which club?", ["Dick Velmer"]),
        ("云岭书院的创建者是哪里人？", ["云岭书院"]),
    ],
)
def test_names_of_a_question_are_whole_and_no_word_of_origin(question: str, names: list[str]) -> None:
    assert [name for name, _ in names_of_question(question)] == names


@pytest.mark.parametrize(
    ("question", "other", "answer"),
    [
        ("Were Rose and Quay directed by the same person?", "Quay was directed by Bo Ek. It stars Al Ames.", "no"),
        ("Are Rose and Quay both Danish films?", "Quay is a Swedish film.", "no"),
        ("Are Rose and Quay both Danish films?", "Quay is a Danish film.", "yes"),
    ],
)
def test_what_two_things_share_is_what_the_question_asks_about(question: str, other: str, answer: str) -> None:
    first = "Rose is a Danish film directed by Ann Holm, with Al Ames."
    assert answer_of(question, "Quay", other, first) == answer


def test_an_observation_of_neither_of_two_things_decides_nothing() -> None:
    told = ("Rose Tower is 46 metres tall.", "Quay Tower is 38 metres tall.")
    task = "Which is taller, Rose Tower or Quay Tower?"
    assert answer_of(task, "Velm Castle", "Velm Castle is a ruin of 12 metres.", *told) is None
    assert answer_of(task, "Quay Tower", told[1], told[0]) == "Rose Tower"


@pytest.mark.parametrize(
    ("task", "page", "text", "known", "answer"),
    [
        (
            'Who founded the record label that released the album "Unknown Pleasures"?',
            "Factory Records",
            "Factory Records was a British label founded in 1978 by Tony Wilson and Alan Erasmus. It had several acts.",
            "Unknown Pleasures was released by Factory Records.",
            "Tony Wilson and Alan Erasmus",
        ),
        (
            "What is the length of the river that flows past Warsaw?",
            "Vistula",
            "The Vistula is the longest river in Poland, at 1,047 km in length.",
            "Warsaw stands on the Vistula River.",
            "1,047 km",
        ),
        (
            'Which award did the director of "Parasite" win at the 2019 Cannes Film Festival?',
            "Bong Joon-ho",
            "Bong Joon-ho is a South Korean filmmaker. At the 2019 Cannes Film Festival he won the Palme d'Or.",
            "Parasite was directed by Bong Joon-ho.",
            "Palme d'Or",
        ),
        (
            "Which river flows through the city where Siltronic AG is based?",
            "Munich",
            "Munich is the capital of Bavaria, Germany. The city lies on the river Isar, a tributary of the Danube.",
            "Siltronic AG is based in Munich.",
            "Isar",
        ),
        (
            "《围城》的作者的妻子是谁？",
            "钱锺书",
            "钱锺书，中国作家。他的妻子是作家、翻译家杨绛。",
            "《围城》是钱锺书的小说。",
            "杨绛",
        ),
        (
            "甲铁路的终点所在城市的海拔是多少米？",
            "拉萨市",
            "拉萨市的市区海拔约3650米。",
            "甲铁路终点在拉萨市。",
            "3650米",
        ),
    ],
)
def test_an_answer_is_whole_and_of_the_kind_asked_for(task: str, page: str, text: str, known: str, answer: str) -> None:
    assert answer_of(task, page, text, known) == answer


def test_a_chinese_name_is_not_cut_and_an_everyday_word_is_none() -> None:
    names = [name for name, _ in names_of_question("阿里巴巴集团总部所在的城市是哪个省的省会？")]
    assert names == ["阿里巴巴集团"]


def test_two_names_that_to_the_joins_are_two_searches() -> None:
    names = [name for name, _ in names_of_question("Who led Leicester City to the 2015–16 Premier League title?")]
    assert names[0] == "Leicester City"
    assert not any(" to the " in name for name in names)
