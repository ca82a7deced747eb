"""A chat model whose answers are given beforehand, or worked out by a function: no network, no key, no chance."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from amb_chat.token_figures import estimated
from amb_core.call_lock import CallLock
from amb_core.chat_io import ChatReply, ChatRequest
from amb_core.errors import ModelUnavailable

__all__ = ["ScriptedChatModel"]

Answer = str | ChatReply | Exception
Script = Iterable[Answer] | Callable[[ChatRequest], Answer]


class ScriptedChatModel:
    """Answers from a script: one answer after the other, or what a function of the request says.

    An exception in the script is raised. A reply without usage gets estimated figures. `requests` are all requests
    so far. Raises ModelUnavailable when the script has come to its end.
    """

    def __init__(self, script: Script, *, model: str = "scripted") -> None:
        self._model = model
        self._lock = CallLock()
        self._answer = script if callable(script) else _in_turn(iter(script))
        self.requests: list[ChatRequest] = []

    @property
    def model(self) -> str:
        """The name it was given."""
        return self._model

    @property
    def endpoint(self) -> str:
        """The word `script`."""
        return "script"

    def complete(self, request: ChatRequest) -> ChatReply:
        """The next answer of the script."""
        with self._lock:
            self.requests.append(request)
            answer = self._answer(request)
        if isinstance(answer, Exception):
            raise answer
        reply = ChatReply(text=answer) if isinstance(answer, str) else answer
        if reply.usage.calls:
            return reply
        usage = replace(estimated(request, reply), calls=1)
        return replace(reply, usage=usage, model=reply.model or self._model)


def _in_turn(answers: Iterator[Answer]) -> Callable[[ChatRequest], Answer]:
    def answer(_: ChatRequest) -> Answer:
        for given in answers:
            return given
        return ModelUnavailable("the script has no further answer; give it as many as there are calls")

    return answer
