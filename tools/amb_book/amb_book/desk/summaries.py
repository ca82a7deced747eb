"""What was said earlier in a task, in short: by a chat model where there is one, else of the author's own sentences."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import Field, JsonValue

from amb_agents import LocalStructure
from amb_book.desk.tasks import Task, Turn
from amb_book.prompts import book_prompt
from amb_chat.structured_chat import StructuredChat
from amb_core.agent_io import StructureRequest
from amb_core.errors import ModelError
from amb_core.frozen import Frozen
from amb_core.protocols import ChatModel, Record, RecordStore
from amb_core.rendering import strip_block
from amb_core.text import clip_tokens, estimate_tokens
from amb_values import find_unsupported

__all__ = ["TaskSummaries", "TaskSummary"]

_log = logging.getLogger("amb.narrative")
_LOCAL = LocalStructure()
_ROUNDS = 8
_PIECE_TOKENS = 4_000
"""So much of a long history is summarised at once; the summary so far goes along."""


@dataclass(frozen=True, slots=True)
class TaskSummary:
    """A summary of the first `covered` turns of a conversation; `floor` are those before the last restart."""

    text: str = ""
    covered: int = 0
    floor: int = 0


class _SummaryShape(Frozen):
    summary: str = Field(min_length=1, max_length=20_000)


class TaskSummaries:
    """One summary a task, kept with the book and made anew only when more turns are to be covered."""

    def __init__(
        self, store: RecordStore, *, user: str = "author", chat: ChatModel | None = None, budget_tokens: int = 400
    ) -> None:
        self._store, self._chat, self._budget = store, chat, budget_tokens
        self._place = f"book:summaries:{user}"

    def kept(self, task: Task) -> TaskSummary:
        """The summary there is; an empty one when there is none."""
        found = self._store.get(self._place, _key(task))
        if found is None:
            return TaskSummary()
        data: Any = found.data
        return TaskSummary(str(data["text"]), int(data["covered"]), int(data["floor"]))

    def of(self, task: Task, conversation: Sequence[Turn], *, covered: int, now: float) -> TaskSummary:
        """The summary of the first `covered` turns of a task's own conversation."""
        known = self.kept(task)
        if covered == known.covered:
            return known
        if covered > known.covered:
            text = self._written(task, known.text, conversation[known.covered : covered])
        else:
            text = self._written(task, "", conversation[:covered])
        return self._keep(task, TaskSummary(text, covered, known.floor), now)

    def anew(self, task: Task, conversation: Sequence[Turn], *, now: float) -> TaskSummary:
        """A summary of all there is, written without the former ones; the window begins behind it from now on."""
        text = self._written(task, "", conversation)
        return self._keep(task, TaskSummary(text, len(conversation), len(conversation)), now)

    def forget(self, tasks: Sequence[Task]) -> None:
        """Remove the summaries of tasks that are gone."""
        self._store.delete(self._place, [_key(task) for task in tasks])

    # --- inside ------------------------------------------------------------------------------------------------------

    def _keep(self, task: Task, summary: TaskSummary, now: float) -> TaskSummary:
        data: dict[str, JsonValue] = {"text": summary.text, "covered": summary.covered, "floor": summary.floor}
        self._store.put([Record(self._place, _key(task), data, now, now)])
        return summary

    def _written(self, task: Task, earlier: str, turns: Sequence[Turn]) -> str:
        text = earlier
        for piece in _pieces(turns):
            text = self._of_piece(task, text, piece)
        return text

    def _of_piece(self, task: Task, earlier: str, turns: Sequence[Turn]) -> str:
        if self._chat is not None:
            try:
                return self._by_model(self._chat, task, earlier, turns)
            except ModelError as error:
                _log.warning("a task is summarised without a model, whose summary cannot be used: %s", error)
        return _of_sentences([earlier, *(turn.text for turn in turns)], goal=task.title, budget=self._budget)

    def _by_model(self, chat: ChatModel, task: Task, earlier: str, turns: Sequence[Turn]) -> str:
        told = [{"by": turn.role, "text": strip_block(turn.text)} for turn in turns]
        sources = [earlier, task.title, *(turn.text for turn in turns)]

        def check(answer: _SummaryShape) -> str | None:
            if estimate_tokens(answer.summary) > self._budget:
                return f"it is longer than {self._budget} tokens"
            foreign = find_unsupported(answer.summary, sources)
            return None if foreign is None else f"nobody said {foreign!r}"

        asked = {"task": task.title, "tokens": self._budget, "earlier": earlier, "turns": told}
        messages = (
            {"role": "system", "content": book_prompt("task_summary", task.language)},
            {"role": "user", "content": json.dumps(asked, ensure_ascii=False)},
        )
        room = max(400, self._budget * 2)
        answer = StructuredChat(chat).ask(
            messages, _SummaryShape, purpose="task_summary", max_output_tokens=room, check=check
        )
        return answer.summary.strip()


def _key(task: Task) -> str:
    """What tells a task from one of the same id in queues that did not outlive their process."""
    return f"{task.id} {task.opened} {task.title}"


def _of_sentences(texts: Sequence[str], *, goal: str, budget: int) -> str:
    """The sentences that carry most, in their order; when even they are too many, the later ones."""
    text = "\n\n".join(text.strip() for text in texts if text.strip())
    for _ in range(_ROUNDS):
        if estimate_tokens(text) <= budget:
            return text
        shorter = _LOCAL.structure(StructureRequest(content=text, task_goal=goal)).summary
        if not shorter or len(shorter) >= len(text):
            break
        text = shorter
    return clip_tokens(text[::-1], budget)[::-1].strip()


def _pieces(turns: Sequence[Turn]) -> list[list[Turn]]:
    """Turns in pieces that can be summarised at once; one that is longer than a piece is cut at its end."""
    pieces: list[list[Turn]] = []
    room = 0
    for turn in turns:
        price = min(estimate_tokens(turn.text), _PIECE_TOKENS)
        if not pieces or price > room:
            pieces.append([])
            room = _PIECE_TOKENS
        pieces[-1].append(_shortened(turn))
        room -= price
    return pieces


def _shortened(turn: Turn) -> Turn:
    text = clip_tokens(turn.text, _PIECE_TOKENS)
    return Turn(turn.role, text, turn.at, turn.command, turn.number, turn.context)
