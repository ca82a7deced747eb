"""A short question for facts gets one answer that was looked up; everything else gets options."""

from __future__ import annotations

import pytest
from amb_book.creativity import CreativityEngine
from amb_book.creativity.engine import asks_how_it_is
from amb_book.story import Story

from amb_core.chat.scripted_model import ScriptedChatModel
from amb_core.chat_io import ChatReply, ChatRequest, ToolCall


@pytest.mark.parametrize(
    "said",
    [
        "Who owns the jade pendant?",
        "and where is Lin Yue?",
        "Has she met Garrod?",
        "林月在哪里？",
        "玉佩是谁的？",
        "她见过他吗？",
    ],
)
def test_a_short_question_for_facts_asks_how_it_is(said: str) -> None:
    assert asks_how_it_is(said)


@pytest.mark.parametrize(
    "said",
    [
        "What about the traitor?",
        "How does the siege begin?",
        "Who could open the gate?",
        "Is there a better way?",
        "Where is Lin Yue? Write the scene.",
        "林月会去哪里？",
        "写一段林月在哪里的场景",
        "接下来谁会出场？",
        "chapter 4",
    ],
)
def test_what_wants_inventing_does_not(said: str) -> None:
    assert not asks_how_it_is(said)


def test_one_answer_is_looked_up_and_says_so() -> None:
    def answer(request: ChatRequest) -> ChatReply:
        if request.tools and request.messages[-1].get("role") != "tool":
            return ChatReply("", tool_calls=(ToolCall("a", "facts_about", '{"name": "Garrod"}'),))
        return ChatReply("He is wounded.")

    with Story(None) as story:
        story.settle(chapter=1, statements=[{"status": {"of": "Garrod", "is": "wounded"}}])
        chat = ScriptedChatModel(answer)
        found = CreativityEngine(chat, story).answer([{"role": "user", "content": "Is Garrod wounded?"}])
    assert (found.text, found.options, found.note) == ("He is wounded.", (), "Looked up: facts_about Garrod")
    assert len(chat.requests) == 2


def test_at_the_desk_the_block_of_memory_is_no_part_of_the_question() -> None:
    with Story(None) as story:
        story.settle(chapter=1, statements=[{"status": {"of": "Garrod", "is": "wounded"}}])
        chat = ScriptedChatModel(lambda request: "He is wounded.")
        desk = story.desk(chat=chat)
        desk.send("/new Garrod")
        assert desk.send("Is Garrod wounded?").options == ()
    said = str(chat.requests[-1].messages[-1]["content"])
    assert "<story>" in said
    assert asks_how_it_is(said)
