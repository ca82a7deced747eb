"""What is asked of a chat model and what it answers: messages in OpenAI's chat form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

__all__ = ["AnswerFormat", "ChatReply", "ChatRequest", "FinishReason", "TokenUsage", "ToolCall"]

AnswerFormat = Literal["text", "json_object", "json_schema"]
FinishReason = Literal["stop", "length", "tool_calls", "content_filter"]


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One request to a chat model.

    `messages` and `tools` are in OpenAI's chat form. `answer_format` asks the endpoint to hold the answer to any JSON
    object or to `schema` (a JSON schema, named `schema_name`). `temperature` None leaves it to the endpoint.
    `purpose` says for the receipts what the call is for: the role of an agent, `react`, `tool`.
    """

    messages: tuple[Mapping[str, Any], ...]
    tools: tuple[Mapping[str, Any], ...] = ()
    answer_format: AnswerFormat = "text"
    schema: Mapping[str, Any] | None = None
    schema_name: str = "answer"
    temperature: float | None = 0.6
    max_output_tokens: int = 4_096
    purpose: str = ""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool the model wants called; `arguments` is the JSON text as the model wrote it, not yet parsed."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """Tokens of model calls as the endpoint counted them; `cached_tokens` are the part of the prompt it had cached.

    `calls` are requests that were answered, `failed_calls` those that were not (retries included). `estimated` says
    that an endpoint gave no figures and AMB's own estimate stands in for them.
    """

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    calls: int = 0
    failed_calls: int = 0
    estimated: bool = False
    money: float = 0.0
    unpriced_calls: int = 0

    @property
    def cost(self) -> float | None:
        """What it cost; None when the price of a call is not known: nothing is guessed."""
        return None if self.unpriced_calls else self.money

    @property
    def tokens(self) -> int:
        """Tokens of prompts and answers together."""
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: TokenUsage) -> TokenUsage:
        return TokenUsage(
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            calls=self.calls + other.calls,
            failed_calls=self.failed_calls + other.failed_calls,
            estimated=self.estimated or other.estimated,
            money=self.money + other.money,
            unpriced_calls=self.unpriced_calls + other.unpriced_calls,
        )


@dataclass(frozen=True, slots=True)
class ChatReply:
    """The answer of a chat model. After `finish_reason` "length" the text is torn and must not be parsed."""

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: FinishReason = "stop"
    usage: TokenUsage = field(default_factory=TokenUsage)
    model: str = ""
