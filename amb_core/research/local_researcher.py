"""A reader that needs no model: it searches a corpus for the pending step, reads piece by piece, and answers."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from amb_core.bank import MemoryBank
from amb_core.memory.absorption import AbsorbReport
from amb_core.models import PendingTask, StepResult, TaskType
from amb_core.research.answering import Answer, compose_answer
from amb_core.research.corpus_tools import CorpusTools
from amb_core.task_loop import EnhancedPrompt
from amb_core.text import estimate_tokens

__all__ = ["LocalResearcher", "ReadEvent"]


@dataclass(frozen=True, slots=True)
class ReadEvent:
    """One piece that was read through the tool, and what became of it."""

    document: str
    piece: int
    tokens: int
    report: AbsorbReport


@dataclass(slots=True)
class LocalResearcher:
    """A step function for `run_task`: reads at most `per_step` pieces a step and `max_pieces` in all.

    It stops reading as soon as a piece contradicts what is known, so that the contradiction is verified first; to
    verify, it reads a document that neither side stands on.
    """

    bank: MemoryBank
    tools: CorpusTools
    per_step: int = 4
    max_pieces: int = 60
    read: dict[int, None] = field(default_factory=dict)
    events: list[ReadEvent] = field(default_factory=list)
    raw_tokens: int = 0
    answer: Answer | None = None

    def __call__(self, prompt: EnhancedPrompt) -> StepResult:
        """Do the pending step."""
        pending = prompt.pending
        if pending is not None and pending.type is TaskType.CROSS_VALIDATE:
            return self._verify(pending)
        numbers = self._next_pieces(pending)
        if not numbers or self._answering(pending):
            return self._answer()
        for number in numbers:
            if self._absorb(number).conflicts:
                break
        return StepResult()

    def _next_pieces(self, pending: PendingTask | None) -> list[int]:
        room = min(self.per_step, self.max_pieces - len(self.read))
        if room < 1:
            return []
        goal = self.bank.insight.task_goal
        query = f"{pending.description}\n{goal}" if pending else goal
        return self.tools.search(query, k=room, read=self.read)

    def _answering(self, pending: PendingTask | None) -> bool:
        """Whether the planner sees every part of the goal covered and asks for the answer."""
        return pending is None or pending.answers_goal

    def _verify(self, pending: PendingTask) -> StepResult:
        """Read a third source on the disputed subject; say so when there is none."""
        conflict = next((c for c in self.bank.conflicts if c.id == pending.conflict_id), None)
        if conflict is None:
            return StepResult(text="", failed=True)
        sides = {
            str(entry.metadata.get("source"))
            for node_id in conflict.node_ids
            for entry in self.bank.deep_retrieval(node_id)
        }
        query = f"{conflict.subject} {' '.join(conflict.values)} {conflict.description}"
        for number in self.tools.search(query, k=self.per_step, documents=sides):
            if self._absorb(number).resolved:
                break
        return StepResult()

    def _answer(self) -> StepResult:
        self.answer = compose_answer(self.bank, self.bank.insight.task_goal)
        return StepResult(answer=self.answer.text)

    def _absorb(self, number: int) -> AbsorbReport:
        result = self.tools.read(number)
        report = self.bank.absorb(result)
        self.read[number] = None
        tokens = estimate_tokens(result.output) + estimate_tokens(json.dumps(result.arguments, ensure_ascii=False))
        self.raw_tokens += tokens
        piece = self.tools.pieces[number]
        self.events.append(ReadEvent(document=piece.document, piece=piece.index, tokens=tokens, report=report))
        return report
