"""Asks the model, natively, in the text protocol or for one object a turn, and learns what its endpoint takes."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, Literal

from amb_chat.structured_chat import StructuredChat
from amb_core.adapter import TokenCounter
from amb_core.chat_io import ChatReply, ChatRequest
from amb_core.errors import BudgetSpent, ModelAnswerInvalid, ModelError, ModelRefused
from amb_core.protocols import ChatModel
from amb_core.rendering import Language
from amb_react.protocol import Message, Move, as_text, move_of
from amb_react.structured import as_objects, ask_turn, turn_of
from amb_react.toolbox import Toolbox
from amb_react.words import phrases, say

__all__ = ["Protocol", "Talker", "too_long"]

Protocol = Literal["auto", "native", "text", "structured"]
_Style = Literal["native", "text", "structured"]
_TOO_LONG = re.compile(
    r"context|too long|too large|exceed|(?:max|limit|number)\w*[\s_]+(?:\w+[\s_]+){0,3}tokens?", re.IGNORECASE
)


class Talker:
    """A chat model with the tools it is offered. What the endpoint refused once is not tried again.

    `style` is how tools are called; `blind` says that images are left out, because the endpoint takes none.
    """

    def __init__(
        self,
        chat: ChatModel,
        *,
        toolbox: Toolbox,
        protocol: Protocol,
        language: Language,
        temperature: float | None,
        max_output_tokens: int,
    ) -> None:
        self.chat, self._objects = chat, StructuredChat(chat)
        self._temperature, self._max_output_tokens = temperature, max_output_tokens
        self._open = protocol in ("auto", "structured")
        self._count = TokenCounter()
        self._schemas = tuple(tool.schema for tool in toolbox.tools.values())
        listed = "\n".join(json.dumps(schema["function"], ensure_ascii=False) for schema in self._schemas)
        plain = phrases(language)["system"]
        self._systems: dict[_Style, str] = {
            "native": plain,
            "text": f"{plain}\n\n{say(language, 'text_protocol', tools=listed)}",
            "structured": f"{plain}\n\n{say(language, 'structured', tools=listed)}",
        }
        self.style: _Style = "native" if protocol == "auto" else protocol
        self.blind = False

    def system(self, *, tools: bool = True) -> dict[str, Any]:
        """The system message: the same bytes in every request."""
        return {"role": "system", "content": self._systems[self.style if tools else "native"]}

    def move(self, reply: ChatReply) -> Move:
        """What a reply to a request with tools does."""
        return turn_of(reply) if self.style == "structured" else move_of(reply)

    def tokens(self, messages: Sequence[Message], *, tools: bool = True) -> int:
        """What a request with these messages costs, the definitions of the tools included."""
        return self._count.request(messages, tools=self._schemas if tools and self.style == "native" else ())

    def writes_tags(self) -> None:
        """Take note that the model writes its tool calls as text, whatever the endpoint offers."""
        if self._open:
            self.style = "text"

    def ask(self, messages: Sequence[Message], *, tools: bool = True, must_see: bool = False) -> ChatReply:
        """One reply; a request that is refused is sent in the other forms there are, without its images too.

        `must_see` is for requests that are about their images. Raises what `ChatModel.complete` raises.
        """
        native, structured = tools and self.style == "native", tools and self.style == "structured"
        images = not self.blind and any(isinstance(message.get("content"), list) for message in messages)
        forms: list[tuple[_Style, bool]] = [(self.style, self.blind)]
        if structured:
            forms.append(("native", self.blind))
        if self._open and (native or structured):
            forms.append(("text", self.blind))
        if images and not must_see:
            forms.extend([(style, True) for style, _ in forms])
        before, failure = forms[0], None
        for self.style, self.blind in forms:
            try:
                return self._complete(messages, tools=tools)
            except ModelError as error:
                failure = failure or error
                if not _may_be_the_form(error, tools=native or structured, images=images):
                    break
        self.style, self.blind = before
        raise failure or AssertionError("there is one form at least")

    def _complete(self, messages: Sequence[Message], *, tools: bool) -> ChatReply:
        plain = [self.system(tools=tools), *(dict(message) for message in messages if message["role"] != "system")]
        seen = [_without_images(message) for message in plain] if self.blind else plain
        shown = seen if self.style == "native" else as_objects(seen) if self.style == "structured" else as_text(seen)
        request = ChatRequest(
            messages=tuple(shown),
            tools=self._schemas if tools and self.style == "native" else (),
            temperature=self._temperature,
            max_output_tokens=self._max_output_tokens,
            purpose="react",
        )
        return ask_turn(self._objects, request) if tools and self.style == "structured" else self.chat.complete(request)


def _may_be_the_form(error: ModelError, *, tools: bool, images: bool) -> bool:
    """Whether another form of the request may be taken; some servers answer 500 to what they do not know."""
    if isinstance(error, BudgetSpent) or too_long(error):
        return False
    if isinstance(error, ModelAnswerInvalid):
        return True
    if isinstance(error, ModelRefused) and (error.malformed or images):
        return True
    said = str(error).lower()
    return (tools and "tool" in said) or (images and "image" in said)


def too_long(error: ModelError) -> bool:
    """Whether an endpoint refuses a request for its length; there is no status for it, only words."""
    said = str(error)
    about_the_request = isinstance(error, ModelRefused) and (error.malformed or " 413 " in said)
    return about_the_request and _TOO_LONG.search(said) is not None


def _without_images(message: dict[str, Any]) -> dict[str, Any]:
    content = message.get("content")
    if not isinstance(content, list):
        return message
    texts = [part["text"] for part in content if part.get("type") == "text"]
    return {**message, "content": "\n\n".join(texts)}
