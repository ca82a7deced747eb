"""Names worth a search, dead ends that lead on, and answers of the kind that is asked for."""

from __future__ import annotations

import pytest
from amb_core.team.question_names import names_of_question

from amb_core.team.actions import bare_name, is_page_name
from amb_core.team.curator import CuratedObservation, CuratorRequest
from amb_core.team.dead_ends import is_dead_end, suggestions
from amb_core.team.local_curator import LocalCurator


def curate(task: str, action: str, observation: str, *known: str) -> CuratedObservation:
    return LocalCurator().curate(CuratorRequest(task=task, action=action, observation=observation, known=known))


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Rosa Velm wrote for an American writer of what city?", ["Rosa Velm"]),
        ("Who directed the film that was shot in Leland, North Carolina in 1986?", ["Leland, North Carolina"]),
        ("Which band was formed first, Rose Harbour or Cold Quay?", ["Rose Harbour", "Cold Quay"]),
        ("From 1945-1949 Dick Velmer played for which club?", ["Dick Velmer"]),
        ("云岭书院的创建者是哪里人？", ["云岭书院"]),
    ],
)
def test_names_of_a_question_are_whole_and_no_word_of_origin(question: str, names: list[str]) -> None:
    assert [name for name, _ in names_of_question(question)] == names


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Could not find [Velm]. Similar: ['Rose (film)', \"Harry's Velm\"].", "Harry's Velm"),
        ("No results. Did you mean: Rose Garden, Velm Harbour?", "Velm Harbour"),
        ("未找到。相似条目：《玫瑰》、《维尔姆港》", "维尔姆港"),
        ("No results.", None),
    ],
)
def test_a_dead_end_leads_on_to_what_bears_on_the_task(text: str, first: str | None) -> None:
    assert is_dead_end(text)
    task = "维尔姆港在哪里？" if "未" in text else "Where is Velm Harbour?"
    assert next(iter(suggestions(text, task=task)), None) == first


def test_a_query_written_like_a_page_is_told_from_a_search_for_words() -> None:
    assert all(map(is_page_name, ("Neighbours (TV series)", "Lord of the Rings", "红高粱")))
    assert not any(map(is_page_name, ("Titanic director", "Who directed Titanic?")))
    assert bare_name("Fallow Deer (band)") == "Fallow Deer"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who owned the club whose band the drummer of Rose Trio joined?", "Lucius Bell"),
        ("Where is the club based whose band the drummer of Rose Trio joined?", "Chicago, Illinois"),
        ("When did the club open whose band the drummer of Rose Trio joined?", "1946"),
    ],
)
def test_an_answer_is_of_the_kind_that_is_asked_for(question: str, answer: str) -> None:
    text = "The Heron Club was a club based in Chicago, Illinois that opened in 1946. It was owned by Lucius Bell."
    found = curate(
        question, "Search[Heron Club]", text, "Walt Sykora, drummer of Rose Trio, joined the Heron Club band."
    )
    assert (found.answer, found.answers_task) == (answer, True)


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
    assert curate(question, "Search[Quay]", other, first).answer == answer


def test_where_a_chinese_person_is_from_and_by_whom() -> None:
    first = "云岭书院由学者程道南于1702年创建。"
    last = "程道南（1661年—1733年），清代诗人、藏书家，安徽歙县人。"
    assert curate("云岭书院的创建者是哪里人？", "搜索[云岭书院]", first).bridge_entity == "程道南"
    assert curate("云岭书院的创建者是哪里人？", "搜索[程道南]", last, first).answer == "安徽歙县"


def test_an_observation_of_neither_of_two_things_decides_nothing() -> None:
    told = ("Rose Tower is 46 metres tall.", "Quay Tower is 38 metres tall.")
    task = "Which is taller, Rose Tower or Quay Tower?"
    assert curate(task, "Search[Velm Castle]", "Velm Castle is a ruin of 12 metres.", *told).answer is None
    assert curate(task, "Search[Quay Tower]", told[1], told[0]).answer == "Rose Tower"
