"""The outer loop: plan, enhance, step, intercept, plan again, until nothing is left to do."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

from amb_core.adapter import ContextAdapter, TokenCounter, inside_run
from amb_core.bank import MemoryBank
from amb_core.errors import InvalidParameter
from amb_core.models import InsightDoc, PendingTask, StepResult, TaskStatus, ToolResult
from amb_core.rendering import escape
from amb_core.text import detect_language

__all__ = [
    "EnhancedPrompt",
    "StepFinished",
    "StepStarted",
    "TaskEnded",
    "TaskEvent",
    "TaskRun",
    "run_task",
]

_log = logging.getLogger("amb.task_loop")
_ERROR_CHARS = 500


class EnhancedPrompt(str):
    """What a step is given: the `<task>` and `<memory>` text (it is a str), and the same in other forms.

    `pending` is the step to do; `messages` holds the text, and the images that wait to be recognised, as one
    OpenAI-style user message.
    """

    __slots__ = ("messages", "pending")
    pending: PendingTask | None
    messages: tuple[dict[str, Any], ...]

    def __new__(cls, text: str, *, pending: PendingTask | None, messages: Sequence[dict[str, Any]]) -> Self:
        self = super().__new__(cls, text)
        self.pending = pending
        self.messages = tuple(messages)
        return self

    @property
    def text(self) -> str:
        """The prompt as a plain str."""
        return str.__str__(self)


@dataclass(frozen=True, slots=True)
class StepStarted:
    """A step is about to run."""

    round: int
    prompt: EnhancedPrompt


@dataclass(frozen=True, slots=True)
class StepFinished:
    """A step ran, its results are memory, and `insight` holds the next plan."""

    round: int
    result: StepResult
    insight: InsightDoc


Ending = Literal["finished", "gave_up", "max_rounds", "stuck"]


@dataclass(frozen=True, slots=True)
class TaskRun:
    """How a run ended, and with what.

    `finished`; `gave_up` when the step that was to answer failed until it was given up; `max_rounds` reached; `stuck`
    when nothing is pending, yet a failed step was neither made up for nor given up.
    `answer` is the last answer a step gave, `rounds` how many steps ran, `failures` how many of them failed. `reason`
    says in a sentence why the run ended without an answer, or before all was done; it is empty otherwise.
    """

    insight: InsightDoc
    ended: Ending
    rounds: int
    failures: int
    answer: str | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class TaskEnded:
    """The loop is over."""

    run: TaskRun


TaskEvent = StepStarted | StepFinished | TaskEnded
StepOutput = str | StepResult | ToolResult | Sequence[ToolResult]


def run_task(
    bank: MemoryBank,
    step: Callable[[EnhancedPrompt], StepOutput],
    *,
    max_rounds: int | None = None,
    on_event: Callable[[TaskEvent], None] | None = None,
    reserved_tokens: int = 0,
) -> TaskRun:
    """Let `step` work on the bank's task until nothing is pending and every step succeeded or was given up.

    `step` gets an EnhancedPrompt and returns its words (str), a StepResult, or the tool results it got. An exception
    in it is a failed step; KeyboardInterrupt and the like end the loop. `reserved_tokens` is what its requests carry
    beside the prompt, for the receipts. Raises InvalidParameter for a coroutine function, for another return type, or
    for `max_rounds` below 1.
    """
    if max_rounds is not None and max_rounds < 1:
        raise InvalidParameter(f"max_rounds must be at least 1 or None, not {max_rounds}.")
    if inspect.iscoroutinefunction(step) or inspect.iscoroutinefunction(getattr(step, "__call__", None)):  # noqa: B004
        raise InvalidParameter(_NOT_SYNC)
    return _Loop(bank, step, on_event or _silent, reserved_tokens).run(max_rounds)


_NOT_SYNC = (
    "run_task calls a plain function, and the step is a coroutine function. Pass "
    "`lambda prompt: asyncio.run(step(prompt))`, and run run_task in a thread (asyncio.to_thread) from async code."
)


def _silent(event: TaskEvent) -> None:
    """Nobody listens."""


class _Loop:
    def __init__(
        self,
        bank: MemoryBank,
        step: Callable[[EnhancedPrompt], StepOutput],
        on_event: Callable[[TaskEvent], None],
        reserved_tokens: int,
    ) -> None:
        self.bank = bank
        self.adapter = ContextAdapter(bank)
        self.reserved = reserved_tokens
        self.count = TokenCounter(bank.settings.count_tokens)
        self.step = step
        self.on_event = on_event
        self.rounds = 0
        self.failures = 0
        self.answer: str | None = None
        self.answering = False

    def run(self, max_rounds: int | None) -> TaskRun:
        insight = self.bank.host.begin_step()
        while insight.pending is not None and self.rounds != max_rounds:
            self.rounds += 1
            insight = self.one_round(insight.pending)
        self.bank.host.abandon_step()
        ended = self.ending(insight)
        reason = "" if ended == "finished" and self.answer is not None else _reason(ended, insight, rounds=self.rounds)
        outcome = TaskRun(insight, ended, self.rounds, self.failures, self.answer, reason)
        self.on_event(TaskEnded(outcome))
        return outcome

    def ending(self, insight: InsightDoc) -> Ending:
        """Why there is no further round."""
        if insight.pending is not None:
            return "max_rounds"
        if not self.bank.host.finished:
            return "stuck"
        given_up = self.answer is None or insight.completed_tasks[-1].gave_up
        return "gave_up" if self.answering and given_up else "finished"

    def one_round(self, pending: PendingTask) -> InsightDoc:
        self.bank.host.begin_step()
        try:
            prompt = self.prompt(pending)
            self.on_event(StepStarted(self.rounds, prompt))
            result = self.take_step(prompt)
            if pending.answers_goal and result.answer is None and result.text.strip() and not result.failed:
                result = result.model_copy(update={"answer": result.text})  # the words of the last step are the answer
        except BaseException:  # interrupted, or a step that returned what is no result
            self.bank.host.abandon_step()
            raise
        self.failures += result.failed
        self.answering = pending.answers_goal
        self.answer = self.answer if result.answer is None else result.answer
        insight = self.adapter.intercept_context(result).insight
        self.on_event(StepFinished(self.rounds, result, insight))
        return insight

    def prompt(self, pending: PendingTask) -> EnhancedPrompt:
        """The block for the pending step, logged; the bare step when memory cannot give a block."""
        block = self.adapter.block()
        bare = "\n\n".join(map(escape, (self.bank.insight.task_goal, pending.description)))
        text = block.text if block else bare
        messages = self.adapter.as_messages(text)
        if block:
            sent = sum(map(self.count.message, messages)) + self.reserved
            self.adapter.log(block, prompt_tokens=sent, raw_tokens=self.raw_tokens() + self.reserved)
        return EnhancedPrompt(text, pending=pending, messages=messages)

    def raw_tokens(self) -> int:
        """What a plain transcript would hold by now: the goal and every text that came in."""
        return self.count.text(self.bank.insight.task_goal) + self.bank.size.raw_tokens

    def take_step(self, prompt: EnhancedPrompt) -> StepResult:
        try:
            with inside_run(self):  # agents that do the steps work for one and the same
                output = self.step(prompt)
        except Exception as error:  # noqa: BLE001 - a step that raises is a failed step
            _log.warning("step %d failed with %s", self.rounds, type(error).__name__)
            return StepResult(text=f"{type(error).__name__}: {error}"[:_ERROR_CHARS], failed=True)
        return _as_step_result(output)


_REASONS: dict[str, dict[Ending, str]] = {
    "en": {
        "finished": "Nothing is left to do, and no step gave an answer.",
        "gave_up": "The step that was to answer was given up. {why}",
        "max_rounds": "The limit of {rounds} rounds was reached while this step was pending: {step}",
        "stuck": "Nothing is pending, and a failed step was neither done again nor given up: {step} {why}",
    },
    "zh": {
        "finished": "已没有待办任务，但没有任何一步给出答案。",
        "gave_up": "作答的一步已放弃。{why}",
        "max_rounds": "已达到 {rounds} 轮的上限，此时待办任务为：{step}",
        "stuck": "没有待办任务，但有一步失败后既未重做也未放弃：{step} {why}",
    },
}


def _reason(ended: Ending, insight: InsightDoc, *, rounds: int) -> str:
    """Why a run ended as it did: the step that was pending or failed last, and what was recorded of it."""
    failed = next((task for task in reversed(insight.completed_tasks) if task.status is TaskStatus.FAILURE), None)
    step = insight.pending or failed
    words = {"rounds": rounds, "step": step.description if step else "", "why": failed.context if failed else ""}
    return _REASONS[detect_language(insight.task_goal)][ended].format(**words).strip()


def _as_step_result(output: object) -> StepResult:
    if isinstance(output, StepResult):
        return output
    if isinstance(output, str):
        return StepResult(text=output)
    if isinstance(output, ToolResult):
        return StepResult(tool_results=(output,))
    if isinstance(output, list | tuple) and all(isinstance(result, ToolResult) for result in output):
        return StepResult(tool_results=tuple(output))
    if inspect.iscoroutine(output):
        output.close()
        raise InvalidParameter(_NOT_SYNC)
    raise InvalidParameter(
        f"the step returned {type(output).__name__}; return text (str), a StepResult, a ToolResult or a list of them."
    )
