"""The text that a task about a chapter agreed on goes to the archive; the author sees it before."""

from __future__ import annotations

import json

import pytest
from amb_book.desk import Desk, Proposal, WorkshopAnswer
from amb_book.story import Story

from amb_chat.scripted_model import ScriptedChatModel
from amb_core.chat_io import ChatRequest

SCENE = {
    "en": ("/new chapter 3", "Snow lay on the walls of Sarn. Lin Yue counted the fires beyond the river. " * 8),
    "zh": ("[开始新任务：撰写第三章]", "望江城的城头落了雪。林月数着江对岸的火光，一夜未眠。" * 12),
}
WHO = {"en": "Lin Yue", "zh": "林月"}


def proposed(desk: Desk, *said: str) -> Proposal:
    for each in said:
        desk.send(each)
    found = desk.send("/settle").proposal
    assert found is not None
    return found


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_the_author_wrote_is_the_chapter_and_is_found_by_whom_it_names(
    language: str, desk: Desk, story: Story
) -> None:
    begin, scene = SCENE[language]
    found = proposed(desk, begin, scene, "That is all." if language == "en" else "就这样。")
    assert found.text == scene.strip()
    assert str(len(found.text)) in desk.correct(found.id).text
    assert desk.confirm(found.id, title="The wall").kind == "settled"
    assert story.episodes.text(3).split() == scene.split()
    passages = story.episodes.chapter(3)
    assert {each.title for each in passages} == {"The wall"}
    assert all(WHO[language] in each.entities for each in passages)
    assert (story.position().chapter, story.position().chapter_title) == (3, "The wall")


class Writers:
    """A workshop with two ways, which writes the one that is taken anew."""

    def answer(self, messages: object) -> WorkshopAnswer:
        ways = tuple(f"{head}. {SCENE['en'][1]}" for head in ("By night", "By day"))
        return WorkshopAnswer("\n".join(ways), ways)

    def rework(self, messages: object, option: str, *, feedback: str) -> WorkshopAnswer:
        return WorkshopAnswer(f"{option}\n\n{feedback}")


def test_the_option_that_was_taken_is_the_chapter_as_it_was_changed(story: Story) -> None:
    found = proposed(story.desk(workshop=Writers()), "/new chapter 3", "I take option 2, and then the thaw.")
    assert found.text.startswith("By day. Snow lay")
    assert found.text.endswith("and then the thaw.")


def test_options_and_short_talk_are_no_text_and_neither_is_a_task_about_something_else(story: Story) -> None:
    assert proposed(story.desk(workshop=Writers()), "/new chapter 3").text == ""
    assert proposed(story.desk(), "/new chapter 4", "She should go to Sarn.").text == ""
    assert proposed(story.desk(), "/new character Bo Lind", SCENE["en"][1]).text == ""


def test_a_model_says_which_turns_are_the_chapter(story: Story) -> None:
    notes = "Notes for me: " + "what the river looks like in winter, and how cold iron smells. " * 12

    def model(request: ChatRequest) -> str:
        return json.dumps({"statements": [], "chapter_turns": [3]}) if request.purpose == "settling" else "Noted."

    found = proposed(story.desk(chat=ScriptedChatModel(model)), "/new chapter 3", SCENE["en"][1], notes)
    assert found.text == SCENE["en"][1].strip()


def test_the_author_may_correct_the_text_or_leave_it_out(desk: Desk, story: Story) -> None:
    found = proposed(desk, *SCENE["en"])
    kept = desk.correct(found.id, text="Snow fell on Sarn.").proposal
    assert kept is not None
    assert (kept.text, kept.revision) == ("Snow fell on Sarn.", 1)
    assert desk.correct(found.id, statements=[]).proposal.text == "Snow fell on Sarn."  # type: ignore[union-attr]
    desk.confirm(found.id, text="")
    assert story.episodes.chapters() == []


def test_that_a_text_takes_the_place_of_another_is_said(desk: Desk, story: Story) -> None:
    story.episodes.put_chapter(3, "An older text.")
    found = proposed(desk, *SCENE["en"])
    assert found.there == len("An older text.")
    assert "in the place of the 14 characters there" in desk.correct(found.id).text
    desk.confirm(found.id)
    assert "older" not in story.episodes.text(3)


def test_a_text_that_is_in_the_archive_is_not_proposed_again(desk: Desk, story: Story) -> None:
    story.episodes.put_chapter(3, SCENE["zh"][1])
    assert proposed(desk, *SCENE["zh"]).text == ""


def test_a_chapter_of_two_hundred_thousand_characters_is_kept_whole(desk: Desk, story: Story) -> None:
    text = "\n\n".join(f"Lin Yue walked on for the {number}th mile. Rain fell." for number in range(4_000))
    found = proposed(desk, "/new chapter 3", text)
    desk.confirm(found.id)
    assert story.episodes.text(3) == text
    assert len(text) > 200_000


def test_the_steps_of_the_plan_are_in_the_form_and_move_when_they_are_filled_in(desk: Desk, story: Story) -> None:
    found = proposed(desk, *SCENE["en"])
    [step] = [dict(row.statement) for row in found.form if "plan" in row.statement]
    assert step == {"plan": "gate", "title": "Lin Yue opens the gate", "status": ""}
    desk.confirm(found.id, statements=[{**step, "status": "Completed"}])
    assert story.plan.part("gate").status == "Completed"
    assert story.plan.part("walls").status == "Completed"
