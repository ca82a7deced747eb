"""Every decision of a talk reaches the proposal, the last word of each; what was withdrawn does not."""

from __future__ import annotations

import json
from collections.abc import Callable

from amb_book.desk import Desk, Proposal, WorkshopAnswer
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


def test_a_later_word_goes_before_an_earlier_one_whether_written_or_read_by_the_model(story: Story) -> None:
    dead, alive = ({"status": {"of": "Lin Yue", "is": status}} for status in ("dead", "alive"))
    said = ["Lin Yue died at the gate.", json.dumps(alive)]
    told = {"subject": "Lin Yue", "attribute": "DEAD", "value": "died", "quote": said[0]}
    assert asked_by(story, *said, reading=lambda text: [told])[0].statements == [alive]
    later = Story(None)
    later.settle(chapter=1, statements=[{"entity": "Lin Yue", "kind": "character"}])
    assert asked_by(later, *said[::-1], reading=lambda text: [told])[0].statements == [dead]


def test_a_state_of_long_ago_does_not_take_the_place_of_the_one_now(desk: Desk) -> None:
    wounded = {"status": {"of": "Bo Lind", "is": "wounded"}}
    past = {"status": {"of": "Bo Lind", "is": "imprisoned"}, "until": True, "time": "ten years before"}
    assert proposal_of(desk, wounded, past).statements == [wounded, past]
    again = {"status": {"of": "Bo Lind", "is": "wounded"}, "until": True}
    assert proposal_of(desk, wounded, again, title="chapter 4").statements == []


def places(found: Proposal) -> list[str]:
    return [place_line(row.statement, row.holds, "en") for row in found.form]


def test_without_a_model_prose_fills_nothing_and_whom_it_names_is_to_be_filled_in(desk: Desk) -> None:
    found = proposal_of(desk, "Lin Yue went to Sarn and Lin Yue died.", "“Go,” said Mara Voss. Mara Voss laughed.")
    assert found.statements == []
    assert places(found)[:2] == ["the state of Lin Yue: (wounded)", "Lin Yue is at: (the Harbour)"]
    assert found.form[0].evidence == "Lin Yue went to Sarn and Lin Yue died."
    assert any(each.startswith("Mara Voss is new") for each in places(found))


def test_options_that_were_not_taken_are_not_in_the_form(story: Story) -> None:
    found = proposal_of(story.desk(workshop=Offers()), "I take option 1.", "How does it end?")
    assert "Lin Yue is at: (the Harbour)" in places(found)
    assert "Bo Lind" not in str(found.form)


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


def test_what_a_model_reads_off_fills_its_place_of_the_form(story: Story) -> None:
    dead = {"subject": "the Fox", "attribute": "DEAD", "value": "died", "quote": "Lin Yue died."}
    found, _ = asked_by(story, "Lin Yue died.", reading=lambda text: [dead])
    assert found.statements == [{"status": {"of": "the Fox", "is": "dead"}}]
    assert places(found)[0] == "Lin Yue is at: (the Harbour)"


def test_the_form_of_a_chapter_with_a_text_has_whom_the_text_names(desk: Desk, story: Story) -> None:
    story.episodes.put_chapter(2, "林月望着江水。")
    assert "林月 is at: (望江城)" in places(proposal_of(desk, "As written.", title="chapter 2"))


def test_a_form_is_kept_with_its_proposal(desk: Desk) -> None:
    found = proposal_of(desk, "Lin Yue came back.")
    assert desk.proposal(found.id).form == found.form
    assert "[1] the state of Lin Yue: (wounded)" in desk.correct(found.id).text
