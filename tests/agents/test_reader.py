"""Readers keep the contract: the local one, and one on a model that is able, careless or hostile."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from amb_agents.prompted.shapes import LongReadingShape
from amb_chat import ScriptedChatModel
from amb_contracts.reader import CHINESE_FILM, FILM, ReaderContract
from amb_core.agent_io import ReadingRequest
from amb_core.chat_io import ChatRequest
from amb_core.errors import ModelError
from amb_readers import PromptedReader
from amb_readers.local_reader import LocalReader

Answers = Callable[[str], list[dict[str, Any]]]


def told(quote: str, subject: str, attribute: str, value: str, **more: str) -> dict[str, str]:
    return {"quote": quote, "subject": subject, "attribute": attribute, "value": value, **more}


def able(text: str) -> list[dict[str, Any]]:
    """What an able model reads off the two films, and off any other text its first words."""
    films = [
        told(
            "Cold Quay is a 1962 drama film directed by Ingrid Halvorsen.", "Cold Quay", "director", "Ingrid Halvorsen"
        ),
        told("It stars Max Ekdahl, who was born in Umeå.", "Cold Quay", "star", "Max Ekdahl"),
        told("《寒港》是1962年上映的剧情片，由林小川执导。", "寒港", "导演", "林小川"),
        told("1950年，他与周安结婚。", "林小川", "配偶", "周安", time="1950年"),
    ]
    words = text.split()[:2]
    first = [told(text[:200], words[0], "is", words[-1])] if words else []
    return [each for each in films if each["quote"] in text] or first


def forging(text: str) -> list[dict[str, Any]]:
    """True sentences that do not say it, true names with made-up sentences, pronouns, and one thing fifty times."""
    whole = text[:1_500]
    return [
        told(whole, "the moon", "made of", "green cheese"),
        told("The moon is made of green cheese.", "the moon", "made of", "green cheese"),
        told(whole, "it", "is", whole[:40]),
        told(whole[:300], "x", "x", "x"),
        *[told(whole[:300], whole[:20], "is", whole[20:40])] * 50,
    ]


def reader(answers: Answers, **more: Any) -> PromptedReader:
    def answer(request: ChatRequest) -> str:
        text = json.loads(str(request.messages[1]["content"]))["text"]
        asked = {"answer": text[:300], "answers_goal": True, "missing": ["Lena Dahl", text[:50]]}
        return json.dumps({"statements": answers(text), **asked})

    return PromptedReader(ScriptedChatModel(answer), **more)


class TestWithoutAModel(ReaderContract):
    @pytest.fixture
    def reader(self) -> LocalReader:
        return LocalReader()


@pytest.mark.sampled(5)
class TestOnAnAbleModel(ReaderContract):
    @pytest.fixture
    def reader(self) -> PromptedReader:
        return reader(able)


@pytest.mark.sampled(5)
class TestOnAModelThatForges(ReaderContract):
    @pytest.fixture
    def reader(self) -> PromptedReader:
        return reader(forging, shape=LongReadingShape)


@pytest.mark.sampled(5)
class TestOnAModelThatAnswersNonsense(ReaderContract):
    @pytest.fixture
    def reader(self) -> PromptedReader:
        return PromptedReader(ScriptedChatModel(lambda _: '{"weather": "fine"}'))


def stated(answers: list[dict[str, str]], text: str, **asked: Any) -> tuple[list[tuple[str, str, str]], int]:
    found = reader(lambda _: answers).read(ReadingRequest(text=text, **asked))
    return [(each.subject, each.attribute, each.value) for each in found.statements], found.dropped


def test_an_able_model_reads_what_five_patterns_do_not() -> None:
    local = LocalReader().read(ReadingRequest(text=FILM)).statements
    found = reader(able).read(ReadingRequest(text=FILM)).statements
    assert ("Cold Quay", "director", "Ingrid Halvorsen") in [(x.subject, x.attribute, x.value) for x in local]
    assert [(x.subject, x.attribute, x.value) for x in found][1] == ("Cold Quay", "star", "Max Ekdahl")
    assert [x.value for x in reader(able).read(ReadingRequest(text=CHINESE_FILM)).statements] == ["林小川", "周安"]


@pytest.mark.parametrize(
    "forged",
    [
        told("Tank T7 holds 6,000 litres.", "Tank T7", "volume", "900 litres"),
        told("Tank T7 holds 6,000 litres.", "Tank T7", "volume", "000 litres"),
        told("Tank T7 holds 6,000 litres.", "Tank T9", "volume", "6,000 litres"),
        told("Tank T7 holds 900 litres.", "Tank T7", "volume", "900 litres"),
        told("It stands in hall 2.", "Tank T8", "place", "hall 2"),
        told("It stands in hall 2.", "It", "place", "hall 2"),
        told("Beside stands Tank T9.", "Tank T7", "place", "hall 2"),
        told("", "Tank T7", "volume", "6,000 litres"),
        told("Tank T7 holds 6,000 litres.", "", "volume", "6,000 litres"),
        told("Tank T7 holds 6,000 litres.", "Tank T7", "volume", ""),
    ],
)
def test_what_the_quote_does_not_say_is_dropped_and_counted(forged: dict[str, str]) -> None:
    text = "Tank T7 holds 6,000 litres. It stands in hall 2. Beside stands Tank T9."
    true = told("It stands in hall 2.", "Tank T7", "place", "hall 2")
    assert stated([forged, true], text) == ([("Tank T7", "place", "hall 2")], 1)


def test_only_a_thing_with_a_name_may_be_meant_by_a_pronoun_or_a_part_of_its_name() -> None:
    text = "Garrod killed her. The seal was Garrod's."
    names = (("Lin Yue", "the Fox"), ("the Jade Seal",), ("Garrod",))
    said = [
        told("Garrod killed her.", "Garrod", "KILLED", "the Fox"),
        told("The seal was Garrod's.", "Garrod", "OWNS", "the Jade Seal"),
        told("Garrod killed her.", "Garrod", "age", "seventy"),
    ]
    found, dropped = stated(said, text, names=names)
    assert found == [("Garrod", "KILLED", "the Fox"), ("Garrod", "OWNS", "the Jade Seal")]
    assert dropped == 1
    assert stated(said, text) == ([], 3)


def test_who_speaks_needs_no_name_and_nobody_else_does_without() -> None:
    green = told("Prefer green tea.", "user", "drink", "green tea")
    assert stated([green], "Prefer green tea.", speaker="user")[0] == [("user", "drink", "green tea")]
    assert stated([green], "Prefer green tea.") == ([], 1)


def test_queries_and_answers_that_name_what_nobody_named_are_left_out() -> None:
    found = reader(lambda _: []).read(ReadingRequest(text=FILM, question="Who directed it?"))
    assert found.missing == (FILM[:50].strip(),)
    said = json.dumps({"statements": [], "answer": "Lena Dahl", "missing": ["Lena Dahl"]})
    forged = PromptedReader(ScriptedChatModel([said])).read(ReadingRequest(text=FILM, question="Who directed it?"))
    assert (forged.answer, forged.missing, forged.dropped) == ("", (), 1)


def test_fifty_statements_of_one_line_are_bounded_and_counted() -> None:
    line = f"Ann said {' '.join(f'w{number}' for number in range(50))}."
    said = [told(line, "Ann", "said", f"w{number}") for number in range(50)]
    found = reader(lambda _: said, shape=LongReadingShape).read(ReadingRequest(text=line))
    assert (len(found.statements), found.dropped) == (8, 42)
    with pytest.raises(ModelError):
        reader(lambda _: said).read(ReadingRequest(text=line))
