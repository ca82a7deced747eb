"""The agent of a group chat that has no model: it leads out of circles, and looks at the form of answers."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from typing import Any

from autogen_agentchat.agents import BaseChatAgent
from autogen_agentchat.base import Response
from autogen_agentchat.messages import (
    BaseAgentEvent,
    BaseChatMessage,
    BaseTextChatMessage,
    TextMessage,
    ToolCallSummaryMessage,
)
from autogen_core import CancellationToken, FunctionCall

from amb_team import GroundTruthAgent, TeamMemory

__all__ = ["GroundTruthParticipant", "answer_in"]

_FINISH = re.compile(r"\bfinish\s*\[([^\n]*)\]", re.IGNORECASE)
_ANSWER = re.compile(
    r"^\W*(?:the |my )?(?:final )?answer(?: is)?\s*[:：]\s*(.+)$|^\W*(?:最终)?答案\s*(?:是|为)?\s*[:：]\s*(.+)$",
    re.IGNORECASE | re.MULTILINE,
)
_FINISHING = frozenset({"finish", "final_answer", "submit_answer"})
_ACCEPTED = "ACCEPTED"
_TOLD = {
    "en": {
        "hint": "{agent}: you go in circles. Not searched yet: {query}",
        "end": "{agent}: you go in circles, and there is nothing left to search for; answer with what is known.",
        "objection": "“{answer}” cannot be the answer: {problem}",
        "accepted": f"“{{answer}}” has the form of an answer. {_ACCEPTED}",
        "pass": "Go on.",
    },
    "zh": {
        "hint": "{agent}：你在兜圈子。还没有检索过：{query}",
        "end": "{agent}：你在兜圈子，也没有可再检索的内容；请用已知内容作答。",
        "objection": "“{answer}”不能作为答案：{problem}",
        "accepted": f"“{{answer}}”符合答案的形式。{_ACCEPTED}",
        "pass": "请继续。",
    },
}


class GroundTruthParticipant(BaseChatAgent):
    """Speaks when somebody goes in circles or gives an answer; else it lets its turn pass with a word.

    It objects to an answer of the wrong form once; to the same answer given again it has no objection. Accepting one,
    it says `accepted`, for `TextMentionTermination(participant.accepted, sources=[participant.name])`. Its name is the
    one it has in the team. It needs no attaching, and knows no more than what the team shares.
    """

    accepted = _ACCEPTED

    def __init__(
        self,
        memory: TeamMemory | GroundTruthAgent,
        *,
        description: str = "Leads out of circles and checks the form of answers.",
    ) -> None:
        self.agent = memory if isinstance(memory, GroundTruthAgent) else GroundTruthAgent(memory)
        super().__init__(self.agent.agent, description)
        self._words = _TOLD["zh" if re.search(r"[\u4e00-\u9fff]", self.agent.team.task) else "en"]
        self._objected: set[str] = set()

    @property
    def produced_message_types(self) -> Sequence[type[BaseChatMessage]]:
        """Plain text."""
        return (TextMessage,)

    def is_called_for(self, messages: Sequence[BaseAgentEvent | BaseChatMessage]) -> bool:
        """Whether it has something to say to the last message, for the `selector_func` of a SelectorGroupChat."""
        last = next((message for message in reversed(messages) if isinstance(message, BaseChatMessage)), None)
        if last is None or last.source == self.name:
            return False
        return answer_in(last) is not None or self._is_stuck(last.source)

    async def on_messages(self, messages: Sequence[BaseChatMessage], cancellation_token: CancellationToken) -> Response:
        """A hint, an objection, its consent to an answer, or a word to let the turn pass."""
        text = await asyncio.to_thread(self._said, messages)
        return Response(chat_message=TextMessage(content=text, source=self.name))

    async def on_reset(self, cancellation_token: CancellationToken) -> None:
        """Forget what it objected to."""
        self._objected.clear()

    def _said(self, messages: Sequence[BaseChatMessage]) -> str:
        others = [message for message in messages if message.source != self.name]
        for message in reversed(others):
            answer = answer_in(message)
            if answer is not None:
                return self._on_answer(answer)
        speakers = dict.fromkeys(message.source for message in reversed(others))
        for name in dict.fromkeys((*speakers, *self.agent.team.agents)):
            if self._is_stuck(name):
                query = self.agent.suggest(name)
                return self._words["end" if query is None else "hint"].format(agent=name, query=query)
        return self._words["pass"]

    def _on_answer(self, answer: str) -> str:
        found = self.agent.check(answer)
        if found.ok or answer in self._objected:
            return self._words["accepted"].format(answer=answer)
        self._objected.add(answer)
        return self._words["objection"].format(answer=answer, problem=found.problem)

    def _is_stuck(self, name: str) -> bool:
        return name in self.agent.team.agents and name != self.name and self.agent.is_stuck(name)


def answer_in(message: BaseChatMessage) -> str | None:
    """The answer that a message gives: by a call of `finish`, as `Finish[…]`, or behind `Answer:` or 答案："""
    if isinstance(message, ToolCallSummaryMessage):
        given = [call for call in message.tool_calls if call.name in _FINISHING]
        if given:
            return _argument(given[-1])
    if not isinstance(message, BaseTextChatMessage):
        return None
    found = _FINISH.search(message.content)
    told = _ANSWER.search(message.content)
    return found[1].strip() if found else (told[1] or told[2]).strip(" \t*_") if told else None


def _argument(call: FunctionCall) -> str:
    try:
        arguments: Any = json.loads(call.arguments)
    except ValueError:
        return call.arguments
    values = list(arguments.values()) if isinstance(arguments, dict) else [arguments]
    return str(values[0]).strip() if values else ""
