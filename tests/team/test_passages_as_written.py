"""The curator on sentences as encyclopaedias write them: several verbs, several people, units, provinces."""

from __future__ import annotations

import pytest
from amb_core.team.question_names import names_of_question

from amb_core.team import CuratedObservation, CuratorRequest, LocalCurator, TeamMemory
from amb_core.team.dead_ends import suggestions

TASK = "Who is the spouse of the director of Titanic?"
FILM = (
    "Titanic is a 1997 American disaster film directed, written, produced, and co-edited by James Cameron. "
    "Incorporating historical and fictionalized aspects, it is based on accounts of the sinking of the RMS Titanic."
)


def read(task: str, query: str, text: str, *known: str) -> CuratedObservation:
    request = CuratorRequest(task=task, action=f"Search[{query}]", observation=text, sub_question=query, known=known)
    return LocalCurator().curate(request)


def test_a_director_is_read_off_a_sentence_with_several_verbs_and_no_namesake_is_asked_next() -> None:
    with TeamMemory(TASK, agents=["solver", "retriever"]) as team:
        team.observe(agent="solver", action="Search[Titanic director]", observation=FILM)
        block = team.inject("solver", query="spouse of James Cameron")
    assert "Search[Titanic director] → James Cameron" in block
    assert "To ask next: James Cameron spouse" in block


def test_the_spouse_of_somebody_is_never_that_somebody() -> None:
    page = "Suzy Amis Cameron (born January 5, 1962) is an American former actress. She is married to James Cameron."
    found = read(TASK, "James Cameron spouse", page, FILM)
    assert (found.answer, found.answers_task) == ("Suzy Amis Cameron", True)


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
            "甲公司总部所在的城市是哪个省的省会？",
            "杭州市",
            "杭州市，简称杭，是浙江省省会。",
            "甲公司总部位于杭州市。",
            "浙江省",
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
    assert read(task, page, text, known).answer == answer


def test_where_something_is_based_is_not_a_later_place_of_the_sentence() -> None:
    text = "Siltronic makes wafers. It is headquartered in Munich, Germany, and has production sites in Burghausen."
    found = read(
        "Which river flows through the city where the headquarters of Siltronic are located?", "Siltronic", text
    )
    assert found.bridge_entity == "Munich"


def test_a_chinese_place_is_searched_for_without_its_province() -> None:
    text = "青藏铁路起点为青海省西宁市，终点站位于西藏自治区拉萨市，全长1956公里。"
    assert read("青藏铁路的终点站所在城市的海拔是多少米？", "青藏铁路", text).next_queries[0] == "拉萨市"


def test_a_chinese_name_is_not_cut_and_an_everyday_word_is_none() -> None:
    names = [name for name, _ in names_of_question("阿里巴巴集团总部所在的城市是哪个省的省会？")]
    assert names == ["阿里巴巴集团"]


@pytest.mark.parametrize(("query", "first"), [("杭州", "杭州市"), ("西藏自治区拉萨市", "拉萨市")])
def test_the_page_of_a_chinese_place_is_suggested_under_either_name(query: str, first: str) -> None:
    told = f"Could not find [{query}]. Similar: ['宁波', '{first}', '马云']."
    assert suggestions(told, task="这座城市在哪里？", asked=[query])[0] == first


def test_the_name_of_a_page_is_answered_with_names_of_pages() -> None:
    text = "Under head coach Claudio Ranieri the club won the Premier League title for the first time."
    task = "What year was the head coach born who led Leicester City to the 2015–16 title?"
    assert read(task, "2015–16 Leicester City F.C. season", text).next_queries[0] == "Claudio Ranieri"


def test_of_a_chinese_place_the_province_is_the_answer_where_it_is_asked_for() -> None:
    found = read(
        "甲公司的创始人出生于哪个省？", "王传福", "王传福，1966年出生于安徽省无为县，企业家。", "由王传福创立。"
    )
    assert found.answer == "安徽省"


def test_two_names_that_to_the_joins_are_two_searches() -> None:
    names = [name for name, _ in names_of_question("Who led Leicester City to the 2015–16 Premier League title?")]
    assert names[0] == "Leicester City"
    assert not any(" to the " in name for name in names)


def test_the_number_of_hops_in_a_block_never_goes_back() -> None:
    told = []
    with TeamMemory(TASK, agents=["solver"]) as team:
        for query, text in (("Titanic", FILM), ("Nobody", "No results."), ("Nothing", "No results.")):
            team.observe(agent="solver", action=f"Search[{query}]", observation=text)
            told.append(team.inject("solver").partition("hop ")[2][:1])
    assert told == ["1", "1", "1"]


def test_a_search_for_the_whole_question_does_not_make_later_dead_ends_suggest_anything() -> None:
    told = "Could not find [White Star Line]. Similar: ['RMS Titanic', 'Swiss International Air Lines']."
    found = suggestions(told, task=TASK, known=[FILM], asked=[TASK, "White Star Line"])
    assert found == ["RMS Titanic"]
