"""Every decision of a talk reaches the proposal, the last word of each; what was withdrawn does not."""

from __future__ import annotations

import json
from collections.abc import Callable

from amb_book.desk import Desk, Proposal, WorkshopAnswer
from amb_book.story import Story

from amb_core.chat.scripted import ScriptedChatModel
from amb_core.chat_io import ChatRequest


def relation(subject: str, name: str, other: str, **more: object) -> dict:
    return {"subject": subject, "relation": name, "object": other, **more}


def proposal_of(desk: Desk, *said: object, title: str = "chapter 3") -> Proposal:
    desk.send(f"/new {title}")
    for each in said:
        desk.send(each if isinstance(each, str) else json.dumps(each, ensure_ascii=False))
    found = desk.send("/settle").proposal
    assert found is not None
    return found


class Offers:
    """A workshop that offers two ways each time."""

    def __init__(self) -> None:
        self.ways = iter([("Lin Yue went to Sarn.", "Lin Yue went to Holm."), ("Bo Lind died.", "Lin Yue died.")])

    def answer(self, messages: object) -> WorkshopAnswer:
        options = next(self.ways)
        return WorkshopAnswer("\n".join(options), options)


def test_a_later_value_takes_the_place_of_an_earlier_one_wherever_it_was_written(desk: Desk) -> None:
    sarn, holm = relation("Lin Yue", "IS_AT", "Sarn"), relation("Lin Yue", "IS_AT", "Holm")
    bell = [relation("Lin Yue", "OWNS", "the bell"), relation("Bo", "OWNS", "the bell")]
    child = [relation("Lin Yue", "PARENT_OF", "An"), relation("Lin Yue", "PARENT_OF", "Chi")]
    aged = [
        {"entity": "Bo", "kind": "character", "properties": told} for told in ({"age": 30, "eyes": "grey"}, {"age": 32})
    ]
    found = proposal_of(desk, sarn, *bell, *child, *aged, holm, sarn)
    eyes = {"entity": "Bo", "kind": "character", "properties": {"eyes": "grey"}}
    assert found.statements == [bell[1], *child, eyes, aged[1], sarn]


def test_what_is_written_later_goes_before_what_was_said_earlier_and_the_other_way_round(desk: Desk) -> None:
    dead, alive = ({"status": {"of": "Lin Yue", "is": status}} for status in ("dead", "alive"))
    assert proposal_of(desk, alive, "Lin Yue died at the gate.").statements == [dead]
    assert proposal_of(desk, "Lin Yue died at the gate.", alive, title="chapter 4").statements == [alive]


def test_what_began_and_ended_in_the_talk_vanishes_and_what_the_book_holds_ends(desk: Desk) -> None:
    begun, ended = (relation("Bo", "OWNS", "the bell", **more) for more in ({}, {"until": True}))
    left = relation("Lin Yue", "IS_AT", "the Harbour", until=True)
    assert proposal_of(desk, begun, ended, left).statements == [left]


def test_a_correction_in_a_later_turn_replaces_the_earlier_word(desk: Desk) -> None:
    found = proposal_of(desk, "Our heroine Mara Voss is thirty years old.", "Well then.", "No, make her thirty-two.")
    assert [row["properties"] for row in found.statements if "properties" in row] == [{"age": 32}]


def test_in_chinese_the_last_word_holds_too(desk: Desk) -> None:
    found = proposal_of(desk, "沈砚住在青云山。", "沈砚住在黑水镇。")
    assert [row["object"] for row in found.statements if "object" in row] == ["黑水镇"]
    assert "青云山" not in found.new_entities


def test_every_option_that_was_taken_is_read_and_none_that_was_not(story: Story) -> None:
    found = proposal_of(story.desk(workshop=Offers()), "I take option 1.", "How does it end?", "I take option 2.")
    assert relation("Lin Yue", "IS_AT", "Sarn") in found.statements
    assert {"status": {"of": "Lin Yue", "is": "dead"}} in found.statements
    assert not {"Holm", "Bo Lind"} & set(found.new_entities)


def asked_by(story: Story, *said: str, reading: Callable[[str], list[dict]]) -> tuple[Proposal, list[str]]:
    """What is proposed of a talk with a model that answers "Noted.", and what it was shown at the end."""
    shown: list[str] = []

    def model(request: ChatRequest) -> str:
        if request.purpose != "extraction":
            return "Noted."
        shown.append(json.loads(str(request.messages[-1]["content"]))["text"])
        return json.dumps({"statements": reading(shown[-1])})

    return proposal_of(story.desk(chat=ScriptedChatModel(model)), *said), shown


def test_a_model_is_shown_the_whole_talk_in_order_and_rules_add_nothing_to_its_word(story: Story) -> None:
    said = [f"Bo Lind died at gate {number}." for number in range(20)]
    dead = {"kind": "status", "name": "Lin Yue", "value": "dead", "evidence": said[3]}
    found, (shown,) = asked_by(story, *said, "Forget Bo Lind.", reading=lambda text: [dead])
    places = [shown.find(f"author]\n{each}") for each in (*said, "Forget Bo Lind.")]
    assert -1 not in places
    assert places == sorted(places)
    assert found.statements == [{"status": {"of": "Lin Yue", "is": "dead"}}]


def test_of_a_talk_that_is_too_long_the_newest_is_shown_and_what_is_cut_is_said(story: Story) -> None:
    said = [f"Turn {number}. " + "They talked and talked. " * 400 for number in range(16)]
    found, (shown,) = asked_by(story, *said, reading=lambda text: [])
    assert "Turn 15. " in shown
    assert "Turn 0. " not in shown
    assert len(shown) < 100_000
    assert found.note.startswith("The talk is too long to be read as a whole: turns 1 to ")
