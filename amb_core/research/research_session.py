"""A whole task over a corpus without a model, with its figures turn by turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from amb_core.bank import MemoryBank
from amb_core.corpus import Document
from amb_core.research.corpus_answers import Answer, compose_answer
from amb_core.research.corpus_tools import CorpusTools
from amb_core.research.local_researcher import LocalResearcher, Turn
from amb_core.task_loop import run_task

__all__ = ["ResearchReport", "research"]


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
    tools = CorpusTools(documents, max_chars=piece_chars)
    researcher = LocalResearcher(bank, tools, per_turn=per_turn, max_pieces=max_pieces, on_turn=on_turn)
    run_task(bank, researcher, max_rounds=max_rounds)
    answer = researcher.answer or compose_answer(bank, bank.insight.task_goal)
    return ResearchReport(answer=answer, turns=tuple(researcher.turns), finished=bank.finished)
