"""What is asked of a chat model and what it answers: messages in OpenAI's chat form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from amb_core.usage import TokenUsage

__all__ = ["AnswerFormat", "ChatReply", "ChatRequest", "FinishReason", "TokenUsage", "ToolCall"]

AnswerFormat = Literal["text", "json_object", "json_schema"]
FinishReason = Literal["stop", "length", "tool_calls", "content_filter"]


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One request to a chat model.

    `messages` and `tools` are in OpenAI's chat form. `answer_format` asks the endpoint to hold the answer to any JSON
    object or to `schema` (a JSON schema, named `schema_name`). `temperature` None leaves it to the endpoint.
    `logprobs` asks how probable each token of the answer was, where the endpoint says so.
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
    logprobs: bool = False


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool the model wants called; `arguments` is the JSON text as the model wrote it, not yet parsed."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ChatReply:
    """The answer of a chat model. After `finish_reason` "length" the text is torn and must not be parsed.

    `logprobs` are the tokens of the text, each with the natural logarithm of its probability; () where nobody says so.
    """

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: FinishReason = "stop"
    usage: TokenUsage = field(default_factory=TokenUsage)
    model: str = ""
    logprobs: tuple[tuple[str, float], ...] = ()
