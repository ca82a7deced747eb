"""A chat model without a model: AMB's own questions are answered by the local agents, in the form they ask for.

For trying out and testing whatever needs a chat model: in a process as it is, over HTTP behind `ChatServer`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from amb_agents import local_agents
from amb_agents.prompts import prompt
from amb_bench.doubles.role_answers import ANSWERS
from amb_chat.token_figures import estimated
from amb_core.chat_io import ChatReply, ChatRequest
from amb_core.errors import ModelRefused
from amb_core.protocols import Agents, ChatModel
from amb_core.settings import Settings
from amb_core.text import estimate_tokens
from amb_core.text.language import Language

__all__ = ["LocalChatModel", "role_of"]

_LANGUAGES: tuple[Language, ...] = ("en", "zh")


def role_of(request: ChatRequest) -> str:
    """Which of AMB's roles a request comes from, by its prompt; empty for any other."""
    said = {str(message.get("content")) for message in request.messages if message.get("role") == "system"}
    return next((role for role in ANSWERS for language in _LANGUAGES if prompt(role, language) in said), "")


class LocalChatModel:
    """Answers AMB's roles as the local agents would; other requests go to `otherwise`, or are refused without it.

    Equal requests get equal answers. An answer over the request's limit is cut off there, with the finish reason
    `length`, as endpoints do it. Figures of usage are estimates.
    """

    def __init__(
        self, *, otherwise: ChatModel | None = None, settings: Settings | None = None, model: str = "local"
    ) -> None:
        self._agents: Agents = local_agents(settings)
        self._otherwise = otherwise
        self._model = model

    @property
    def model(self) -> str:
        """The name it was given."""
        return self._model

    @property
    def endpoint(self) -> str:
        """The word `local`."""
        return "local"

    def complete(self, request: ChatRequest) -> ChatReply:
        """The answer of the role that asks; ModelRefused for a request that nobody here can answer."""
        answer: Callable[[Agents, Mapping[str, Any]], Mapping[str, Any]] | None = ANSWERS.get(role_of(request))
        if answer is None:
            if self._otherwise is None:
                raise ModelRefused("this model answers AMB's own roles only; pass otherwise=… for other requests")
            return self._otherwise.complete(request)
        told = next(str(message.get("content")) for message in request.messages if message.get("role") == "user")
        text = json.dumps(answer(self._agents, json.loads(told)), ensure_ascii=False, separators=(",", ":"))
        whole = estimate_tokens(text)
        torn = whole > request.max_output_tokens
        if torn:
            text = text[: len(text) * request.max_output_tokens // whole]
        reply = ChatReply(text=text, finish_reason="length" if torn else "stop", model=self._model)
        return replace(reply, usage=replace(estimated(request, reply), calls=1))
