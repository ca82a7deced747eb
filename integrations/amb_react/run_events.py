"""What a run returns, and what it tells while it goes on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from amb_core.chat_io import ToolCall
from amb_core.models import PendingTask
from amb_core.usage import TokenUsage

__all__ = [
    "Ended",
    "ModelAnswered",
    "ReActEvent",
    "ReActRun",
    "Source",
    "Termination",
    "ToolAnswered",
    "ToolCalled",
    "TurnStarted",
]

Termination = Literal[
    "answered",  # the model answered and the planner sees nothing left to do
    "call_limit",  # max_calls reached: the answer was asked for in one further call, without tools
    "token_limit",  # the answer was forced, because even a condensed request was over the limit
    "no_progress",  # the answer was forced: the same calls again and again, or replies that cannot be read
    "max_rounds",  # max_rounds steps are done: the answer was asked for in one further call
    "gave_up",  # the model did not answer, twice
    "stuck",  # nothing is pending, yet a failed step was not made up for
    "budget",  # the budget for model calls is spent
    "model_unavailable",  # no answer from the model after all retries
    "model_refused",  # the endpoint refuses the requests: key, model's name, length
    "interrupted",  # Ctrl-C
]


@dataclass(frozen=True, slots=True)
class Source:
    """What a cited note stands on: its id now (a merged note has a successor), its sources, and how it begins."""

    node_id: str
    source: str
    excerpt: str


@dataclass(frozen=True, slots=True)
class ReActRun:
    """How a run ended and with what.

    `prediction` is the answer, given by the model or, when `answered_by` is "memory", put together from sentences of
    the memory; the text then says so. It is empty after "interrupted". `sources` are the notes it cites by id, and
    `unknown_ids` what it cites that does not exist. `messages` is the whole transcript, uncondensed, in OpenAI's form.
    `usage` is what the run cost in model calls, those of memory's agents included; `spent` the same by purpose.
    `problem` is what the endpoint said when it ended the run: after "model_unavailable" and "model_refused". In the
    structured protocol so many statements were `extracted` into memory, and so many `dropped`: nothing bears them out.
    """

    question: str
    prediction: str
    messages: tuple[Mapping[str, Any], ...]
    termination: Termination
    usage: TokenUsage
    spent: Mapping[str, TokenUsage]
    answered_by: Literal["model", "memory", "nobody"]
    sources: Mapping[str, Source]
    unknown_ids: tuple[str, ...]
    turns: int
    rounds: int
    problem: str = ""
    extracted: int = 0
    dropped: int = 0


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """A request of about `prompt_tokens` goes to the model; `task` is the pending step, the `round`th of the run."""

    turn: int
    round: int
    task: PendingTask | None
    prompt_tokens: int


@dataclass(frozen=True, slots=True)
class ModelAnswered:
    """The model replied; `usage` is what this call cost, `total` the run so far."""

    turn: int
    text: str
    calls: tuple[ToolCall, ...]
    usage: TokenUsage
    total: TokenUsage


@dataclass(frozen=True, slots=True)
class ToolCalled:
    """A tool is about to run."""

    turn: int
    call_id: str
    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolAnswered:
    """A tool call was answered, with an error or with a result that is now memory in `node_ids`.

    `repeat` says that memory held the text before. `total` is what the run has cost so far.
    """

    turn: int
    call_id: str
    tool: str
    text: str
    is_error: bool
    node_ids: tuple[str, ...]
    repeat: bool
    total: TokenUsage


@dataclass(frozen=True, slots=True)
class Ended:
    """The run is over."""

    run: ReActRun


ReActEvent = TurnStarted | ModelAnswered | ToolCalled | ToolAnswered | Ended
