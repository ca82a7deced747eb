"""Every decision of a talk reaches the proposal, the last word of each; what was withdrawn does not."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from amb_book.desk import Desk, Proposal, Turn, WorkshopAnswer
from amb_book.forms import place_line, with_value
from amb_book.story import Story
from amb_book.with_a_model import extractor_with

from amb_core.chat.scripted_model import ScriptedChatModel
from amb_core.chat_io import ChatRequest
from amb_core.text import estimate_tokens


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
        if request.purpose != "extraction":
            return "Noted."
        shown.append(json.loads(str(request.messages[-1]["content"]))["text"])
        return json.dumps({"statements": reading(shown[-1])})

    return proposal_of(story.desk(chat=ScriptedChatModel(model)), *said), shown


def test_a_model_is_shown_the_whole_talk_in_order_and_rules_add_nothing_to_its_word(story: Story) -> None:
    said = [f"Lin Yue died at gate {number}." for number in range(20)]
    dead = {"quote": said[3], "subject": "Lin Yue", "attribute": "DEAD", "value": "died"}
    found, (shown,) = asked_by(story, *said, "Forget Bo Lind.", reading=lambda text: [dead])
    places = [shown.find(f"author]\n{each}") for each in (*said, "Forget Bo Lind.")]
    assert -1 not in places
    assert places == sorted(places)
    assert found.statements == [{"status": {"of": "Lin Yue", "is": "dead"}}]


@pytest.mark.slow
def test_of_a_talk_that_is_too_long_the_newest_is_shown_and_what_is_cut_is_said(story: Story) -> None:
    said = [f"Turn {number}. " + "They talked and talked. " * 400 for number in range(16)]
    found, (shown,) = asked_by(story, *said, reading=lambda text: [])
    assert "Turn 15. " in shown
    assert "Turn 0. " not in shown
    assert len(shown) < 100_000
    assert found.note.startswith("The talk is too long to be read as a whole: turns 1 to ")


def test_a_later_word_goes_before_an_earlier_one_whether_written_or_read_by_the_model(story: Story) -> None:
    dead, alive = ({"status": {"of": "Lin Yue", "is": status}} for status in ("dead", "alive"))
    said = ["Lin Yue died at the gate.", json.dumps(alive)]
    told = {"quote": said[0], "subject": "Lin Yue", "attribute": "DEAD", "value": "died"}
    assert asked_by(story, *said, reading=lambda text: [told])[0].statements == [alive]
    later = Story(None)
    later.settle(chapter=1, statements=[{"entity": "Lin Yue", "kind": "character"}])
    assert asked_by(later, *said[::-1], reading=lambda text: [told])[0].statements == [dead]


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
    dead = {"quote": "Lin Yue died.", "subject": "the Fox", "attribute": "DEAD", "value": "died"}
    found, _ = asked_by(story, "Lin Yue died.", reading=lambda text: [dead])
    assert found.statements == [{"status": {"of": "the Fox", "is": "dead"}}]
    assert places(found) == ["Lin Yue is at: (the Harbour)"]


def test_the_form_of_a_chapter_with_a_text_has_whom_the_text_names(desk: Desk, story: Story) -> None:
    story.episodes.put_chapter(2, "林月望着江水。")
    assert "林月 is at: (望江城)" in places(proposal_of(desk, "As written.", title="chapter 2"))


def test_a_form_is_kept_with_its_proposal(desk: Desk) -> None:
    found = proposal_of(desk, "Lin Yue came back.")
    assert desk.proposal(found.id).form == found.form
    assert "[1] the state of Lin Yue: (wounded)" in desk.correct(found.id).text


def read_off(quote: str, subject: str, attribute: str, value: str, **more: str) -> dict[str, str]:
    return {"quote": quote, "subject": subject, "attribute": attribute, "value": value, **more}


TALKS = {
    "en": {
        "Bo dies at the gate.": (),
        "Lin Yue takes the bell.": ("Lin Yue", "OWNS", "the bell"),
        "She goes to the Harbour after that.": ("Lin Yue", "IS_AT", "the Harbour"),
        "Lin Yue marries the scribe Oren Vey.": (),
        "Oren Vey is a scribe of Sarn.": ("Oren Vey", "profession", "scribe"),
        "No, correct that: Bo is only wounded.": ("Bo", "WOUNDED", "wounded"),
        "And forget the wedding.": (),
        "In chapter 9 Lin Yue will burn Sarn.": ("Lin Yue", "plan", "burn Sarn", "planned"),
        "If it rains, Lin Yue may drown.": ("Lin Yue", "DEAD", "drown", "conditional"),
    },
    "zh": {
        "阿博死在城门口。": (),
        "林月拿走铜钟。": ("林月", "OWNS", "铜钟"),
        "然后她去了望江城。": ("林月", "IS_AT", "望江城"),
        "林月嫁给书吏温雅。": (),
        "温雅是沙恩的书吏。": ("温雅", "职业", "书吏"),
        "不对，改一下：阿博只是受伤。": ("阿博", "WOUNDED", "受伤"),
        "婚事也不要了。": (),
        "到第九章，林月会烧毁沙恩。": ("林月", "plan", "烧毁沙恩", "planned"),
        "要是下雨，林月也许会淹死。": ("林月", "DEAD", "淹死", "conditional"),
    },
}
SETTLED = {
    "en": [
        relation("Lin Yue", "OWNS", "the bell"),
        relation("Lin Yue", "IS_AT", "the Harbour"),
        {"entity": "Oren Vey", "kind": "character", "properties": {"profession": "scribe"}},
        {"status": {"of": "Bo", "is": "wounded"}},
    ],
    "zh": [
        relation("林月", "OWNS", "铜钟"),
        relation("林月", "IS_AT", "望江城"),
        {"entity": "温雅", "kind": "character", "properties": {"职业": "书吏"}},
        {"status": {"of": "阿博", "is": "wounded"}},
    ],
}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_of_five_decisions_a_correction_and_a_withdrawal_that_is_settled_which_stands_at_the_end(
    language: str, story: Story
) -> None:
    talk = TALKS[language]
    told = [read_off(line, *of[:3], modality=of[3] if len(of) > 3 else "said") for line, of in talk.items() if of]
    first = next(iter(talk))
    forged = [read_off(first, told[0]["subject"], "DEAD", "drowned"), read_off(first, "the King", "DEAD", "dies")]
    found, (shown,) = asked_by(story, *talk, reading=lambda text: [*told, *forged])
    assert all(line in shown for line in talk)
    assert found.statements[:-1] == SETTLED[language]
    assert found.statements[-1]["kind"] == "step"
    assert found.note == "Statements of the model that are left out, for what they quote does not say so: 2."


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_talk_of_2000_turns_is_shown_from_its_end_and_what_is_not_is_said(language: str, story: Story) -> None:
    idle, died = ("They talked on and on.", "Lin Yue died.") if language == "en" else ("他们谈了又谈。", "林月死了。")
    told = read_off(died, *(("Lin Yue", "DEAD", "died") if language == "en" else ("林月", "DEAD", "死")))
    shown: list[str] = []

    def model(request: ChatRequest) -> str:
        shown.append(json.loads(str(request.messages[-1]["content"]))["text"])
        return json.dumps({"statements": [told]})

    turns = [Turn("author", died if n == 2_000 else idle, 1.0, number=n) for n in range(1, 2_001)]
    found = extractor_with(ScriptedChatModel(model), story).extract(turns, story=story, chapter=3)
    assert [each.evidence for each in found] == [died]
    assert estimate_tokens(shown[0]) <= 24_000
    assert shown[0].endswith(f"[2000 author]\n{died}\n\n")
    assert found.unread == tuple(range(1, 2_001 - shown[0].count("author]")))
