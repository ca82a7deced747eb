"""A chat model that writes down what is asked and answered, and one that answers from such a record."""

from __future__ import annotations

import difflib
import json
from collections import defaultdict, deque
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from amb_core.call_lock import CallLock
from amb_core.chat_io import ChatReply, ChatRequest, TokenUsage, ToolCall
from amb_core.errors import InvalidInput, ModelRefused, UnreadableSource
from amb_core.protocols import ChatModel

__all__ = ["RecordingChatModel"]


class RecordingChatModel:
    """With a `chat`, every answered request goes to the file, one JSON line each; without one the file answers.

    Equal requests are answered in the order they were recorded, whatever comes between them. A request that is not in
    the record (any more) is a ModelRefused that shows the difference to the one expected next. The file holds whole
    prompts: keep it as you keep them.
    """

    def __init__(self, file: str | Path, *, chat: ChatModel | None = None) -> None:
        self._file = Path(file)
        self._chat = chat
        self._lock = CallLock()
        self._waiting: dict[str, deque[ChatReply]] = defaultdict(deque)
        self._order: deque[str] = deque()
        self._name = chat.model if chat is not None else "recorded"
        if chat is None:
            self._read()
        elif self._file.exists():
            raise InvalidInput(f"{self._file} exists; delete it to record anew, or leave `chat` out to replay it")

    @property
    def model(self) -> str:
        """The name of the model recorded."""
        return self._name

    @property
    def endpoint(self) -> str:
        """The endpoint being recorded, or the word `record`."""
        return self._chat.endpoint if self._chat is not None else "record"

    def complete(self, request: ChatRequest) -> ChatReply:
        """The model's answer, written down; or the recorded one."""
        return self._recorded(request) if self._chat is None else self._written(request, self._chat)

    def _written(self, request: ChatRequest, chat: ChatModel) -> ChatReply:
        reply = chat.complete(request)
        line = json.dumps({"model": chat.model, "request": asdict(request), "reply": asdict(reply)}, ensure_ascii=False)
        with self._lock, self._file.open("a", encoding="utf-8", errors="surrogatepass") as file:
            file.write(line + "\n")
        return reply

    def _recorded(self, request: ChatRequest) -> ChatReply:
        key = _canonical(asdict(request))
        with self._lock:
            if self._waiting[key]:
                self._order.remove(key)
                return self._waiting[key].popleft()
            expected = self._order[0] if self._order else None
        if expected is None:
            raise ModelRefused(f"{self._file} holds no further answer; record it anew")
        difference = difflib.unified_diff(
            expected.splitlines(), key.splitlines(), "recorded", "asked now", lineterm="", n=2
        )
        raise ModelRefused("the request is not in the record; record it anew:\n" + "\n".join(list(difference)[:60]))

    def _read(self) -> None:
        try:
            text = self._file.read_text(encoding="utf-8", errors="surrogatepass")
            for line in text.removesuffix("\n").split("\n") if text else ():  # splitlines splits at U+2028 as well
                told = json.loads(line)
                self._name = told["model"]
                key = _canonical({"logprobs": False, **told["request"]})  # a record of an earlier AMB asked for none
                self._waiting[key].append(_reply(told["reply"]))
                self._order.append(key)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise UnreadableSource(f"{self._file} is no record of a chat model ({type(error).__name__})") from None


def _canonical(request: Mapping[str, Any]) -> str:
    """A request as JSON over several lines, equal for equal requests."""
    return json.dumps(request, ensure_ascii=False, sort_keys=True, indent=1)


def _reply(told: Mapping[str, Any]) -> ChatReply:
    calls = tuple(ToolCall(**call) for call in told["tool_calls"])
    sure = tuple((str(token), float(value)) for token, value in told.get("logprobs", ()))
    return ChatReply(**{**told, "tool_calls": calls, "usage": TokenUsage(**told["usage"]), "logprobs": sure})
