"""A desk with a chat model: options, one taken and changed, read off by the model; and what is said when it fails."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from amb_book.desk import Desk
from amb_book.story import Story

from amb_chat.scripted_model import ScriptedChatModel
from amb_core.chat_io import ChatRequest
from amb_core.errors import ModelUnavailable

CROWNED = {"subject": "Lin Yue", "attribute": "STATUS", "value": "crowned", "quote": "At dawn they crowned Lin Yue."}


@dataclass
class Competent:
    """Writes three ways, judges them, shortens one, reads off that she is crowned; fails at the purposes in `fails`."""

    fails: set[str] = field(default_factory=set)
    nonsense: set[str] = field(default_factory=set)
    written: int = 0

    def __call__(self, request: ChatRequest) -> str:
        if request.purpose in self.fails:
            raise ModelUnavailable("it is down")
        if request.purpose in self.nonsense:
            return "<b>la la</b>"
        match request.purpose:
            case "creative":
                self.written += 1
                return ("They came by night.", "They came by boat.", "Nobody came.")[(self.written - 1) % 3]
            case "creative_revision":
                return "At dawn they crowned Lin Yue."
            case "creative_review":
                told = json.loads(str(request.messages[-1]["content"]))["options"]
                scores = dict.fromkeys(("style", "tension", "plan", "consistency"), 6)
                return json.dumps({"reviews": [{"option": each["option"], **scores} for each in told]})
            case "settling":
                return json.dumps({"statements": [CROWNED]})
        return "{}"


def desk_with(story: Story, model: Competent) -> Desk:
    return story.desk(chat=ScriptedChatModel(model))


def test_an_option_is_taken_changed_and_settled_as_it_was_written(story: Story) -> None:
    desk = desk_with(story, Competent())
    assert desk.send("/new chapter 3").options == ("They came by night.", "They came by boat.", "Nobody came.")
    taken = desk.send("I take option 2. And crown her.")
    assert (taken.kind, taken.text, taken.options) == ("answer", "At dawn they crowned Lin Yue.", ())
    proposal = desk.send("/settle").proposal
    assert proposal is not None
    assert [row.statement for row in proposal.rows] == [{"status": {"of": "Lin Yue", "is": "crowned"}}]
    assert proposal.rows[0].evidence == "At dawn they crowned Lin Yue."
    assert desk.confirm(proposal.id).kind == "settled"
    assert story.facts.about("Lin Yue").status == "crowned"


def test_an_option_that_cannot_be_changed_stands_and_that_is_said(story: Story) -> None:
    desk = desk_with(story, Competent(fails={"creative_revision"}))
    desk.send("/new chapter 3")
    reply = desk.send("I take option 1, but longer")
    assert (reply.kind, reply.text) == ("answer", "They came by night.")
    assert reply.note == "The model could not change it (it is down). Option 1 stands as it was."
    assert desk.turns("t1")[-1].context["note"] == reply.note


def test_where_the_model_reads_nothing_off_the_form_is_left_and_says_so(story: Story) -> None:
    for model in (Competent(fails={"settling"}), Competent(nonsense={"settling"})):
        desk = desk_with(story, model)
        desk.send("/new chapter 3")
        desk.send("I take option 2.")
        desk.send("Lin Yue died at the gate.\nI take option 2.")
        reply = desk.send("/settle")
        assert reply.proposal is not None
        assert reply.proposal.statements == []
        assert reply.proposal.form[0].statement == {"status": {"of": "Lin Yue", "is": ""}}
        assert reply.note.startswith("The model failed, so that not everything was read off; fill in the form: ")
        assert reply.proposal.note in reply.text


def test_a_model_that_speaks_nonsense_is_shown_and_not_believed(story: Story) -> None:
    desk = desk_with(story, Competent(nonsense={"creative", "creative_review", "settling"}))
    reply = desk.send("/new chapter 3")
    assert (reply.text, reply.options) == ("<b>la la</b>", ())
    assert reply.note == "The options are not judged, for the model's review of them could not be used."
    proposal = desk.send("/settle").proposal
    assert proposal is not None
    assert proposal.rows == ()


def test_in_chinese_options_are_offered_taken_and_settled(story: Story) -> None:
    ways = iter(["林月夜袭粮仓。", "内应开门。", "林月在城下被俘。"])

    def model(request: ChatRequest) -> str:
        if request.purpose == "creative":
            return next(ways)
        dead = {"subject": "林月", "attribute": "STATUS", "value": "被俘", "quote": "林月在城下被俘。"}
        return json.dumps({"statements": [dead]}) if request.purpose == "settling" else "没有"

    desk = story.desk(chat=ScriptedChatModel(model))
    reply = desk.send("[开始新任务：撰写第三章]")
    assert reply.text.startswith("方案1：\n林月夜袭粮仓。")
    assert reply.note == "各方案未经评审：模型的评审无法使用。"
    assert desk.send("我选方案三。").text == "林月在城下被俘。"
    assert {"status": {"of": "林月", "is": "被俘"}} in desk.send("/结算").proposal.statements  # type: ignore[union-attr]
