"""The participant without a model: a hint in a circle, an objection to a wrong form, and no word too many."""

from __future__ import annotations

import json
import runpy
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from amb_contracts.integration_story import Scenario
from amb_team import TeamMemory

pytest.importorskip("autogen_agentchat", reason="AutoGen is not installed: make test-frameworks")
from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.base import TaskResult
from autogen_agentchat.conditions import MaxMessageTermination, TextMentionTermination
from autogen_agentchat.messages import TextMessage, ToolCallSummaryMessage
from autogen_agentchat.teams import RoundRobinGroupChat, SelectorGroupChat
from autogen_core import CancellationToken, FunctionCall

from amb_autogen import GroundTruthParticipant, attach_team

pytestmark = pytest.mark.autogen
scripted = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("autogen_driver.py"))))
TASK = "Who is the spouse of the director of Titanic?"
PAGE = "Titanic is a 1997 American film directed by James Cameron. It stars Kate Winslet."


@pytest.fixture
def team() -> Iterator[TeamMemory]:
    with TeamMemory(TASK, agents=["solver", "retriever", "ground_truth"]) as made:
        made.observe(agent="retriever", action="Search[Titanic]", observation=PAGE)
        yield made


async def _said(participant: GroundTruthParticipant, *messages: Any) -> str:
    response = await participant.on_messages(messages, CancellationToken())
    assert isinstance(response.chat_message, TextMessage)
    return response.chat_message.content


def _text(content: str, source: str = "solver") -> TextMessage:
    return TextMessage(content=content, source=source)


def _circle(team: TeamMemory) -> None:
    for _ in range(2):
        team.observe(agent="solver", action="Search[Cameron wife]", observation="No results.")


async def test_an_agent_in_circles_gets_one_hint_after_another_until_none_is_left(team: TeamMemory) -> None:
    _circle(team)
    participant = GroundTruthParticipant(team)
    assert participant.is_called_for([_text("Once more.")])
    assert not participant.is_called_for([_text("Once more."), _text("Go on.", participant.name)])
    said = [await _said(participant, _text("Once more.")) for _ in range(9)]
    assert said[0] == "solver: you go in circles. Not searched yet: James Cameron"
    assert "there is nothing left to search for" in said[-1]


@pytest.mark.parametrize("form", ["Finish[{}]", "Answer: {}", "I am sure.\n**Final answer:** {}", "答案：{}", "call"])
async def test_to_an_answer_of_the_wrong_form_it_objects_once_and_accepts_the_right_one(
    team: TeamMemory, form: str
) -> None:
    def given(answer: str) -> Any:
        if form != "call":
            return _text(form.format(answer))
        call = FunctionCall("c1", json.dumps({"answer": answer}), "finish")
        return ToolCallSummaryMessage(content="done", source="solver", tool_calls=[call], results=[])

    participant = GroundTruthParticipant(team)
    assert "“1997” cannot be the answer: the question asks for a name" in await _said(participant, given("1997"))
    assert (await _said(participant, given("1997"))).endswith(participant.accepted)
    assert (await _said(participant, given("Kate Winslet"))).endswith(participant.accepted)
    await participant.on_reset(CancellationToken())
    assert "cannot be the answer" in await _said(participant, given("1997"))


def _solver(*answers: str) -> AssistantAgent:
    client = scripted.ReplayChatCompletionClient([*answers], model_info=scripted.MODEL)
    return AssistantAgent("solver", client, description="solves")


def _last(result: TaskResult) -> tuple[str, str]:
    return (result.messages[-1].source, result.messages[-1].to_text())


async def test_in_a_round_robin_the_chat_goes_on_until_it_accepts(team: TeamMemory) -> None:
    solver, participant = _solver("Finish[yes]", "Finish[Kate Winslet]"), GroundTruthParticipant(team)
    end = TextMentionTermination(participant.accepted, sources=[participant.name]) | MaxMessageTermination(9)
    chat = RoundRobinGroupChat([solver, participant], termination_condition=end)
    assert set(attach_team(chat, team)) == {"solver"}
    result = await chat.run(task=TASK)
    assert [message.source for message in result.messages] == ["user", *["solver", "ground_truth"] * 2]
    assert _last(result) == ("ground_truth", "“Kate Winslet” has the form of an answer. ACCEPTED")
    heard = [said for said in team.shared.interactions if said.agent == "ground_truth"]
    assert "does not ask for yes or no" in heard[0].message


async def test_in_a_selector_chat_it_speaks_only_when_it_is_called_for(team: TeamMemory) -> None:
    solver, participant = _solver("Let me think.", "Finish[Kate Winslet]"), GroundTruthParticipant(team)
    end = TextMentionTermination(participant.accepted, sources=[participant.name]) | MaxMessageTermination(9)
    client = scripted.client_for(Scenario(TASK, (), ()))
    chat = SelectorGroupChat(
        [solver, participant],
        client,
        termination_condition=end,
        selector_func=lambda messages: participant.name if participant.is_called_for(messages) else "solver",
    )
    result = await chat.run(task=TASK)
    assert [message.source for message in result.messages] == ["user", "solver", "solver", "ground_truth"]
