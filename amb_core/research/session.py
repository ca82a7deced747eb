"""A whole task over a corpus without a model, with its figures turn by turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from amb_core.bank import MemoryBank
from amb_core.corpus import Document
from amb_core.models import PendingTask, StepResult
from amb_core.research.answering import Answer, compose_answer
from amb_core.research.corpus_tools import CorpusTools
from amb_core.research.local_researcher import LocalResearcher, ReadEvent
from amb_core.task_loop import EnhancedPrompt, run_task
from amb_core.text import estimate_tokens

__all__ = ["ResearchReport", "Turn", "research"]


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: what was to be done, what was read, and where the memory stood afterwards.

    `raw_tokens` is what a plain transcript would hold by now (goal and everything read), `prompt_tokens` what the
    step was given instead.
    """

    number: int
    task: PendingTask | None
    read: tuple[ReadEvent, ...]
    raw_tokens: int
    prompt_tokens: int
    nodes: int
    links: int
    open_conflicts: int
    merges: int
    llm_calls: int


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
    per_step: int = 4,
    max_pieces: int = 60,
    max_rounds: int = 40,
    piece_chars: int = 3_000,
    on_turn: Callable[[Turn], None] | None = None,
) -> ResearchReport:
    """Work on the bank's goal with the documents until the planner sees nothing left to do.

    Reads at most `max_pieces` pieces of `piece_chars` characters, `per_step` a step; stops after `max_rounds` steps.
    """
    tools = CorpusTools(documents, max_chars=piece_chars)
    researcher = LocalResearcher(bank, tools, per_step=per_step, max_pieces=max_pieces)
    turns: list[Turn] = []

    def step(prompt: EnhancedPrompt) -> StepResult:
        before = len(researcher.events)
        result = researcher(prompt)
        turn = _turn(bank, researcher, prompt, number=len(turns) + 1, since=before)
        turns.append(turn)
        if on_turn is not None:
            on_turn(turn)
        return result

    run_task(bank, step, max_rounds=max_rounds)
    answer = researcher.answer or compose_answer(bank, bank.insight.task_goal)
    return ResearchReport(answer=answer, turns=tuple(turns), finished=bank.finished)


def _turn(bank: MemoryBank, researcher: LocalResearcher, prompt: EnhancedPrompt, *, number: int, since: int) -> Turn:
    size = bank.size
    return Turn(
        number=number,
        task=prompt.pending,
        read=tuple(researcher.events[since:]),
        raw_tokens=estimate_tokens(bank.insight.task_goal) + researcher.raw_tokens,
        prompt_tokens=estimate_tokens(prompt.text),
        nodes=size.nodes,
        links=size.links,
        open_conflicts=size.open_conflicts,
        merges=size.merges,
        llm_calls=bank.usage.llm_calls,
    )
