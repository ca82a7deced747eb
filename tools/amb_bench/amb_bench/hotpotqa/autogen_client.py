"""A model client without a model: it acts by the local policy of the HotpotQA experiment, from what it is shown."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from typing import Any, Literal

from autogen_core import CancellationToken, FunctionCall
from autogen_core.models import (
    AssistantMessage,
    ChatCompletionClient,
    CreateResult,
    FunctionExecutionResultMessage,
    LLMMessage,
    ModelFamily,
    ModelInfo,
    RequestUsage,
    UserMessage,
)
from autogen_core.tools import Tool, ToolSchema
from pydantic import BaseModel

from amb_bench.hotpotqa.actors import LocalActor, Prompt
from amb_core.text import estimate_tokens

__all__ = ["LocalPolicyClient"]

_ACTION = re.compile(r"^(\w+)\[(.*)\]$", re.DOTALL)
_STEP = re.compile(r"^Step (\d+) of (\d+)(, your last)?")
_CALLED = re.compile(r"^(search|lookup)\((\{.*?\})\): ", re.DOTALL)
_HINT = re.compile(r"(?:Not searched yet|还没有检索过)\s*[:：]\s*([^\n]+)$")
_REFUSED = re.compile(r"“(.+)”(?: cannot be the answer|不能作为答案)")
_FRAME = re.compile(
    r"<task>.*?</task>\s*|^(?:Notes from results and messages|结果与消息的笔记)[^\n]*\n"
    r"|^What \w+ brought is in the team's memory\.$|^\w+ 的结果已在团队记忆中。$",
    re.DOTALL | re.MULTILINE,
)
"""What frames the notes and is none: the state of the task, headings, and where a mate's result is."""
_MODEL = ModelInfo(
    vision=False, function_calling=True, json_output=False, structured_output=False, family=ModelFamily.UNKNOWN
)


class LocalPolicyClient(ChatCompletionClient):
    """Calls `search`, `lookup` or `finish` as what stands in the messages suggests; it knows nothing else.

    The question is the first message of `user`, "Step 3 of 7" says how many steps are left, and an agent without the
    tool `finish` gives no answer. Its tokens are estimates.
    """

    component_type = "model"

    def __init__(self) -> None:
        self._actor = LocalActor()
        self._used = RequestUsage(prompt_tokens=0, completion_tokens=0)
        self._calls = 0

    async def create(
        self,
        messages: Sequence[LLMMessage],
        *,
        tools: Sequence[Tool | ToolSchema] = (),
        tool_choice: Tool | Literal["auto", "required", "none"] = "auto",
        json_output: bool | type[BaseModel] | None = None,
        extra_create_args: Mapping[str, Any] = {},
        cancellation_token: CancellationToken | None = None,
    ) -> CreateResult:
        """One call of a tool."""
        names = {tool["name"] if isinstance(tool, dict) else tool.name for tool in tools}
        verb, about = _parts(self._action(messages, may_finish="finish" in names))
        argument = {"search": "query", "lookup": "word"}.get(verb, "answer")
        self._calls += 1
        call = FunctionCall(f"call-{self._calls}", json.dumps({argument: about}, ensure_ascii=False), verb)
        usage = RequestUsage(self.count_tokens(messages), estimate_tokens(call.arguments))
        self._used = RequestUsage(
            self._used.prompt_tokens + usage.prompt_tokens, self._used.completion_tokens + usage.completion_tokens
        )
        return CreateResult(finish_reason="function_calls", content=[call], usage=usage, cached=False)

    def _action(self, messages: Sequence[LLMMessage], *, may_finish: bool) -> str:
        question, text, steps_left, refused = _read(messages)
        prompt = Prompt(question, text, "", steps_left, may_finish)
        action = self._actor.act(prompt)
        if _parts(action) in {("finish", answer) for answer in refused} and steps_left > 1:
            return self._actor.act(Prompt(question, text, "", steps_left, may_finish=False))
        return action

    async def create_stream(
        self,
        messages: Sequence[LLMMessage],
        *,
        tools: Sequence[Tool | ToolSchema] = (),
        tool_choice: Tool | Literal["auto", "required", "none"] = "auto",
        json_output: bool | type[BaseModel] | None = None,
        extra_create_args: Mapping[str, Any] = {},
        cancellation_token: CancellationToken | None = None,
    ) -> AsyncGenerator[str | CreateResult, None]:
        """The same, as the only part of a stream."""
        yield await self.create(messages, tools=tools)

    async def close(self) -> None:
        """Nothing is open."""

    def actual_usage(self) -> RequestUsage:
        """What was shown to it so far."""
        return self._used

    def total_usage(self) -> RequestUsage:
        """What was shown to it so far."""
        return self._used

    def count_tokens(self, messages: Sequence[LLMMessage], *, tools: Sequence[Tool | ToolSchema] = ()) -> int:
        """Tokens of the messages, by estimate."""
        return sum(estimate_tokens(str(message.content)) for message in messages)

    def remaining_tokens(self, messages: Sequence[LLMMessage], *, tools: Sequence[Tool | ToolSchema] = ()) -> int:
        """It reads whatever it is shown."""
        return 1_000_000

    @property
    def capabilities(self) -> ModelInfo:
        """What it can do: call tools."""
        return _MODEL

    @property
    def model_info(self) -> ModelInfo:
        """What it can do: call tools."""
        return _MODEL


def _parts(action: str) -> tuple[str, str]:
    found = _ACTION.match(action)
    return (found[1].casefold(), found[2]) if found else ("finish", action)


def _read(messages: Sequence[LLMMessage]) -> tuple[str, str, int, list[str]]:
    """The question, the text as the policy reads it, how many steps are left, and the answers that were refused."""
    question, steps_left, lines = "", 99, list[str]()
    refused: list[str] = []
    for text, source in _told(messages):
        step = _STEP.match(text)
        if source == "user" and not question:
            question = text
        elif step:
            steps_left = 1 if step[3] else int(step[2]) - int(step[1]) + 1
        else:
            refused += _REFUSED.findall(text)
            hint = _HINT.search(text)
            lines.append(f"- to ask next: {hint[1]}" if hint else _FRAME.sub("", text))
    return question, "\n".join(lines), steps_left, refused


def _told(messages: Sequence[LLMMessage]) -> Iterator[tuple[str, str]]:
    """What is said in each message and by whom; a tool's result with the action that brought it."""
    actions: dict[str, str] = {}
    for message in messages:
        if isinstance(message, AssistantMessage) and not isinstance(message.content, str):
            actions |= {call.id: _as_action(call.name, call.arguments) for call in message.content}
        elif isinstance(message, FunctionExecutionResultMessage):
            for result in message.content:
                yield f"{actions.get(result.call_id, '')}\nObservation: {result.content}", "tool"
        elif isinstance(message, UserMessage) and isinstance(message.content, str):
            called = _CALLED.match(message.content)
            said = message.content
            if called:
                said = f"{_as_action(called[1], called[2])}\nObservation: {said[called.end() :]}"
            yield said, message.source


def _as_action(tool: str, arguments: str) -> str:
    return f"{tool.capitalize()}[{next(iter(json.loads(arguments).values()), '')}]"
