"""A whole task over a corpus without a model: search for the pending step, read piece by piece, answer."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from amb_core.adapter import ContextAdapter, TokenCounter
from amb_core.bank import MemoryBank
from amb_core.errors import InvalidInput
from amb_core.memory.events import AbsorbReport
from amb_core.models import PendingTask, StepResult, TaskType, ToolResult
from amb_core.text import detect_language
from amb_loops.task_loop import EnhancedPrompt, run_task
from amb_tools.corpus import Document
from amb_tools.passages import PieceIndex
from amb_tools.research.corpus_answers import Answer, compose_answer

__all__ = ["LocalResearcher", "Reading", "ResearchReport", "Turn", "research"]

_READ_TOOL = "read_document"


@dataclass(frozen=True, slots=True)
class Reading:
    """One piece that was read through the tool, and what became of it."""

    document: str
    piece: int
    report: AbsorbReport


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn, as a model call would be: what was to be done, what was read, and where the memory stood afterwards.

    `raw_tokens` is what the plain transcript holds before the turn, `prompt_tokens` what AMB made of it for the
    request: the prompt of the step, or later in it the condensed transcript and the block.
    """

    number: int
    task: PendingTask | None
    read: tuple[Reading, ...]
    raw_tokens: int
    prompt_tokens: int


@dataclass(frozen=True, slots=True)
class ResearchReport:
    """The answer, the turns, and whether the planner saw the task through."""

    answer: Answer
    turns: tuple[Turn, ...]
    finished: bool


def research(
    bank: MemoryBank,
    documents: Sequence[Document],
    *,
    per_turn: int = 4,
    max_pieces: int = 60,
    max_rounds: int = 40,
    piece_chars: int = 3_000,
    on_turn: Callable[[Turn], None] | None = None,
) -> ResearchReport:
    """Work on the bank's goal with the documents until the planner sees nothing left to do.

    Reads at most `max_pieces` pieces of `piece_chars` characters, `per_turn` a turn; stops after `max_rounds` steps.
    """
    index = PieceIndex(documents, max_chars=piece_chars)
    if not index.pieces:
        raise InvalidInput("the corpus holds no text; name documents that have some")
    researcher = LocalResearcher(bank, index, per_turn=per_turn, max_pieces=max_pieces, on_turn=on_turn)
    run_task(bank, researcher, max_rounds=max_rounds)
    answer = researcher.answer or compose_answer(bank, bank.insight.task_goal)
    return ResearchReport(answer=answer, turns=tuple(researcher.turns), finished=bank.host.finished)


@dataclass(slots=True)
class LocalResearcher:
    """A step function for `run_task`: each step takes turns of up to `per_turn` pieces, `max_pieces` in all.

    It stops reading as soon as a piece contradicts what is known, so that the contradiction is verified first; to
    verify, it reads documents that neither side stands on.
    """

    bank: MemoryBank
    index: PieceIndex
    per_turn: int = 4
    max_pieces: int = 60
    on_turn: Callable[[Turn], None] | None = None
    turns: list[Turn] = field(default_factory=list)
    answer: Answer | None = None
    _calls: int = 0
    _given: EnhancedPrompt | None = None
    _read: set[int] = field(default_factory=set)
    _messages: list[dict[str, Any]] = field(default_factory=list)
    _count: TokenCounter = field(default_factory=TokenCounter)
    _adapter: ContextAdapter = field(init=False)

    def __post_init__(self) -> None:
        self._adapter = ContextAdapter(self.bank, inject="always")
        self._messages.append({"role": "user", "content": self.bank.insight.task_goal})

    def __call__(self, prompt: EnhancedPrompt) -> StepResult:
        """Do the pending step."""
        self._given, pending = prompt, prompt.pending
        if pending is not None and pending.type is TaskType.CROSS_VALIDATE:
            self._verify(pending)
            return StepResult()
        if self._read_all(self._wanted(pending), pending):
            answering = pending is not None and pending.answers_goal
            language = detect_language(self.bank.insight.task_goal)
            return StepResult(text=_INTERRUPTED[language], failed=True) if answering else StepResult()
        if pending is None or pending.answers_goal:
            self._turn((), pending)
            self.answer = compose_answer(self.bank, self.bank.insight.task_goal)
            return StepResult(answer=self.answer.text)
        return StepResult()

    def _wanted(self, pending: PendingTask | None) -> list[int]:
        goal = self.bank.insight.task_goal
        query = f"{pending.description}\n{goal}" if pending is not None and not pending.answers_goal else goal
        room = self.max_pieces - len(self._read)
        return [n for n in self.index.search(query, k=self.max_pieces) if n not in self._read][:room]

    def _read_all(self, numbers: list[int], pending: PendingTask | None) -> bool:
        """Read pieces in turns; True when a contradiction came up and the rest was left."""
        for start in range(0, len(numbers), self.per_turn):
            readings = self._turn(numbers[start : start + self.per_turn], pending, stop=lambda r: bool(r.conflicts))
            if any(reading.report.conflicts for reading in readings):
                return True
        return False

    def _verify(self, pending: PendingTask) -> None:
        """Read what other documents say on the disputed subject until the conflict is decided."""
        conflict = next((c for c in self.bank.conflicts if c.id == pending.conflict_id), None)
        if conflict is None:
            return
        sides = {
            str(entry.metadata.get("source"))
            for node_id in conflict.node_ids
            for entry in self.bank.host.deep_retrieval(node_id)
        }
        query = f"{conflict.subject} {' '.join(conflict.values)} {conflict.description}"
        numbers = self.index.search(query, k=self.per_turn, not_in=sides)
        self._turn(numbers, pending, stop=lambda report: bool(report.resolved))

    def _turn(
        self,
        numbers: Iterable[int],
        pending: PendingTask | None,
        *,
        stop: Callable[[AbsorbReport], bool] = lambda report: False,
    ) -> list[Reading]:
        """One turn: the request as AMB would send it, then the tool calls, absorbed one by one."""
        raw, prompt = self._request()
        readings: list[Reading] = []
        results: list[ToolResult] = []
        for number in numbers:
            self._calls += 1
            piece = self.index.pieces[number]
            result = ToolResult(
                tool=_READ_TOOL,
                arguments={"hit": self._calls},  # the index found it; no name was taken from a result
                output=piece.titled,
                call_id=f"call-{self._calls}",
                source=piece.document,
            )
            results.append(result)
            self._read.add(number)
            for report in self._adapter.absorb([result]).reports:
                readings.append(Reading(piece.document, piece.index, report))
            if readings and stop(readings[-1].report):
                break
        if results:
            self._messages += _as_messages(results)
        turn = Turn(len(self.turns) + 1, pending, tuple(readings), raw, prompt)
        self.turns.append(turn)
        if self.on_turn is not None:
            self.on_turn(turn)
        return readings

    def _request(self) -> tuple[int, int]:
        """Tokens of a request without AMB and with it; the first of a step is the prompt, which is on record."""
        given, self._given = self._given, None
        if given is not None:
            raw = self._count.text(self.bank.insight.task_goal) + self.bank.size.raw_tokens
            return raw, sum(map(self._count.message, given.messages))
        prepared = self._adapter.prepare(self._messages)
        return sum(map(self._count.message, self._messages)), sum(map(self._count.message, prepared))


_INTERRUPTED = {
    "en": "A contradiction came up while reading; it is verified first.",
    "zh": "阅读中发现矛盾，先核实。",
}


def _as_messages(results: list[ToolResult]) -> list[dict[str, Any]]:
    """One assistant message with the calls, then a tool message per result."""
    calls = [
        {
            "id": result.call_id,
            "type": "function",
            "function": {"name": result.tool, "arguments": json.dumps(result.arguments, ensure_ascii=False)},
        }
        for result in results
    ]
    answers = [{"role": "tool", "tool_call_id": r.call_id, "content": r.output} for r in results]
    return [{"role": "assistant", "content": "", "tool_calls": calls}, *answers]
