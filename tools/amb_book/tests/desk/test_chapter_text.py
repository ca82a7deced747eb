"""The text that a task about a chapter agreed on goes to the archive; the author sees it before."""

from __future__ import annotations

import json

from amb_book.desk import Desk, Proposal
from amb_book.story import Story

from amb_chat.scripted_model import ScriptedChatModel
from amb_core.chat_io import ChatRequest

SCENE = {
    "en": ("/new chapter 3", "Snow lay on the walls of Sarn. Lin Yue counted the fires beyond the river. " * 8),
    "zh": ("[开始新任务：撰写第三章]", "望江城的城头落了雪。林月数着江对岸的火光，一夜未眠。" * 12),
}


def proposed(desk: Desk, *said: str) -> Proposal:
    for each in said:
        desk.send(each)
    found = desk.send("/settle").proposal
    assert found is not None
    return found


def test_a_model_says_which_turns_are_the_chapter(story: Story) -> None:
    notes = "Notes for me: " + "what the river looks like in winter, and how cold iron smells. " * 12

    def model(request: ChatRequest) -> str:
        return json.dumps({"statements": [], "chapter_turns": [3]}) if request.purpose == "settling" else "Noted."

    found = proposed(story.desk(chat=ScriptedChatModel(model)), "/new chapter 3", SCENE["en"][1], notes)
    assert found.text == SCENE["en"][1].strip()


def test_that_a_text_takes_the_place_of_another_is_said(desk: Desk, story: Story) -> None:
    story.episodes.put_chapter(3, "An older text.")
    found = proposed(desk, *SCENE["en"])
    assert found.there == len("An older text.")
    assert "in the place of the 14 characters there" in desk.correct(found.id).text
    desk.confirm(found.id)
    assert "older" not in story.episodes.text(3)


def test_the_steps_of_the_plan_are_in_the_form_and_move_when_they_are_filled_in(desk: Desk, story: Story) -> None:
    found = proposed(desk, *SCENE["en"])
    [step] = [dict(row.statement) for row in found.form if "plan" in row.statement]
    assert step == {"plan": "gate", "title": "Lin Yue opens the gate", "status": ""}
    desk.confirm(found.id, statements=[{**step, "status": "Completed"}])
    assert story.plan.part("gate").status == "Completed"
    assert story.plan.part("walls").status == "Completed"
