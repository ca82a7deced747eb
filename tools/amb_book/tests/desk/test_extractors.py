"""What is read off a conversation: what the author wrote and said, not what the desk merely suggested."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from amb_book.desk import Extracted, ExtractorsTogether, Turn, WrittenStatements
from amb_book.desk.plain_sentences import PlainSentences
from amb_book.story import Story

from amb_chat.scripted_model import ScriptedChatModel
from amb_core.errors import ModelUnavailable

DEAD = {"status": {"of": "Lin Yue", "is": "dead"}}


class Broken:
    def extract(self, turns: Sequence[Turn], *, story: Story, chapter: int) -> list[Extracted]:
        raise ModelUnavailable("it is down")


def turns(*told: tuple[str, str], options: bool = False) -> list[Turn]:
    context: dict = {"kind": "answer", "options": ["a", "b"] if options else []}
    return [
        Turn(
            "desk" if role == "desk" else "author", text, 1.0, number=number, context=context if role == "desk" else {}
        )
        for number, (role, text) in enumerate(told, 1)
    ]


def test_an_extractor_that_fails_is_passed_over_and_told(story: Story) -> None:
    said = turns(("author", '{"status": {"of": "Lin Yue", "is": "dead"}}'))
    found = ExtractorsTogether(Broken(), WrittenStatements()).extract(said, story=story, chapter=3)
    assert [(each.evidence, each.confidence) for each in found] == [("", 1.0)]
    assert found.problems == ("it is down",)


def test_where_an_extractors_model_fails_the_form_is_left_to_the_author(story: Story) -> None:
    desk = story.desk(extractor=Broken())
    desk.send("/new chapter 3")
    reply = desk.send("/settle")
    assert reply.proposal is not None
    assert reply.proposal.rows == ()
    assert desk.confirm(reply.proposal.id, statements=[DEAD]).kind == "settled"


def test_a_book_in_one_message_is_taken(story: Story) -> None:
    desk = story.desk(chat=ScriptedChatModel(lambda request: "Noted."))
    desk.send("/new import")
    pasted = "Lin Yue walked on. 林月走了。\n" * 30_000
    reply = desk.send(pasted)
    assert reply.kind == "answer"
    assert int(str(reply.context["tokens"])) < 12_000
    assert desk.turns("t1")[2].text == pasted


@pytest.mark.parametrize(
    ("said", "corrected", "value"),
    [
        ("沈默今年四十二岁。", "不，是四十五岁。", "四十五"),
        ("沈默今年四十二岁。", "应该是四十五岁。", "四十五"),
        ("沈默住在云门关。", "改一下：他住在黑水潭。", "黑水潭"),
        ("Corvin Ash is forty-two years old.", "I meant forty-five.", "forty-five"),
        ("Corvin Ash lives at Cloudgate.", "No, he lives at Blackmere.", "Blackmere"),
        ("Corvin Ash hates Old Tam.", "No, Corvin Ash loves Old Tam.", "LOVES"),
        ("Corvin Ash lives at Cloudgate.", "No, nothing.", "Cloudgate"),
    ],
)
def test_a_correction_takes_the_place_of_what_was_said(story: Story, said: str, corrected: str, value: str) -> None:
    found = PlainSentences().extract(turns(("author", said), ("author", corrected)), story=story, chapter=1)
    assert value in str(found[-1].statement)
    assert len({str(getattr(each.statement, "subject", "")) for each in found}) == 1
