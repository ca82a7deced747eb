"""Every decision of a talk reaches the proposal, the last word of each; what was withdrawn does not."""

from __future__ import annotations

import json
from collections.abc import Callable

from amb_book.desk import Desk, Proposal
from amb_book.forms import place_line, with_value
from amb_book.story import Story

from amb_chat.scripted_model import ScriptedChatModel
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


def test_what_began_and_ended_in_the_talk_vanishes_and_what_the_book_holds_ends(desk: Desk) -> None:
    begun, ended = (relation("Bo", "OWNS", "the bell", **more) for more in ({}, {"until": True}))
    left = relation("Lin Yue", "IS_AT", "the Harbour", until=True)
    assert proposal_of(desk, begun, ended, left).statements == [left]


def asked_by(story: Story, *said: str, reading: Callable[[str], list[dict]]) -> tuple[Proposal, list[str]]:
    """What is proposed of a talk with a model that answers "Noted.", and what it was shown at the end."""
    shown: list[str] = []

    def model(request: ChatRequest) -> str:
        if request.purpose != "settling":
            return "Noted."
        shown.append(json.loads(str(request.messages[-1]["content"]))["talk"])
        return json.dumps({"statements": reading(shown[-1])})

    return proposal_of(story.desk(chat=ScriptedChatModel(model)), *said), shown


def test_a_model_is_shown_the_whole_talk_in_order_and_rules_add_nothing_to_its_word(story: Story) -> None:
    said = [f"Lin Yue died at gate {number}." for number in range(20)]
    dead = {"subject": "Lin Yue", "attribute": "DEAD", "value": "died", "quote": said[3]}
    found, (shown,) = asked_by(story, *said, "Forget Bo Lind.", reading=lambda text: [dead])
    places = [shown.find(f"author]\n{each}") for each in (*said, "Forget Bo Lind.")]
    assert -1 not in places
    assert places == sorted(places)
    assert found.statements == [{"status": {"of": "Lin Yue", "is": "dead"}}]


def test_a_state_of_long_ago_does_not_take_the_place_of_the_one_now(desk: Desk) -> None:
    wounded = {"status": {"of": "Bo Lind", "is": "wounded"}}
    past = {"status": {"of": "Bo Lind", "is": "imprisoned"}, "until": True, "time": "ten years before"}
    assert proposal_of(desk, wounded, past).statements == [wounded, past]
    again = {"status": {"of": "Bo Lind", "is": "wounded"}, "until": True}
    assert proposal_of(desk, wounded, again, title="chapter 4").statements == []


def places(found: Proposal) -> list[str]:
    return [place_line(row.statement, row.holds, "en") for row in found.form]


def test_a_place_filled_in_is_settled_with_its_sentence_and_the_others_are_not(desk: Desk, story: Story) -> None:
    found = proposal_of(desk, "林月在望江城受了伤。")
    status, *others = [dict(row.statement) for row in found.form]
    assert status == {"status": {"of": "林月", "is": ""}}
    filled = with_value(status, "受伤")
    kept = desk.correct(found.id, statements=[filled, *others]).proposal
    assert kept is not None
    assert (kept.statements, len(kept.form)) == ([filled], len(found.form) - 1)
    assert kept.rows[0].evidence == "林月在望江城受了伤。"
    assert desk.confirm(found.id).kind == "settled"
    assert story.facts.about("林月").status == "受伤"
    assert story.facts.about("林月").place == "望江城"
