"""What a model is shown for one task: its own turns, a summary of the earlier ones, and what the book's memory has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from pydantic import JsonValue

from amb_book.desk.background import BROAD, NARROW, Source, background, last_chapters, scene_of
from amb_book.desk.story_block import StoryBlock, story_block
from amb_book.desk.summaries import TaskSummaries, TaskSummary
from amb_book.desk.tasks import Task, TaskQueueStore, Turn
from amb_core.errors import InvalidParameter
from amb_core.rendering import head_and_tail
from amb_core.text import estimate_tokens

if TYPE_CHECKING:
    from amb_book.story import Story

__all__ = ["ContextBuilder", "ContextLimits", "TaskContext", "conversation"]

Purpose = Literal["new", "continue", "switch", "restart"]
_QUERY_CHARS = 4_000
"""So much of a message is looked up; the whole of a pasted manuscript would name everybody."""
_SAID = ("", "new")
"""Commands whose turns are part of the conversation; the others are kept in the queue, but nobody talks about them."""


@dataclass(frozen=True, slots=True)
class ContextLimits:
    """How much a model is shown: `turns` of the conversation at most, and tokens of each part.

    `chapter_tokens` is what the last chapters may take in a task about a chapter.
    """

    turns: int = 12
    window_tokens: int = 3_000
    message_tokens: int = 6_000
    broad_tokens: int = 1_600
    narrow_tokens: int = 700
    summary_tokens: int = 400
    chapter_tokens: int = 3_000

    def __post_init__(self) -> None:
        if self.turns < 2 or min(self.window_tokens, self.message_tokens, self.summary_tokens) < 50:
            raise InvalidParameter("a context needs at least 2 turns and 50 tokens for each of its parts.")
        if min(self.broad_tokens, self.narrow_tokens, self.chapter_tokens) < 0:
            raise InvalidParameter("what memory may take counts from 0 tokens.")


@dataclass(frozen=True, slots=True)
class TaskContext:
    """What one answer is built from; every turn in it is of its own task.

    `window` are the turns shown as they are, the message itself last, `covered` how many earlier ones the summary tells
    of. `sources` are what memory had, `shown` those of them that fit into the block.
    """

    task: Task
    purpose: Purpose
    window: tuple[Turn, ...]
    covered: int
    summary: str
    sources: tuple[Source, ...]
    block: StoryBlock
    messages: tuple[Mapping[str, Any], ...]

    @property
    def receipt(self) -> dict[str, JsonValue]:
        """What it was built from, to be kept with the answer."""
        return {
            "purpose": self.purpose,
            "window": [turn.number for turn in self.window],
            "covered": self.covered,
            "summary": self.summary,
            "sources": [{"kind": each.kind, "id": each.id, "why": each.why} for each in self.block.shown],
            "tokens": sum(estimate_tokens(str(message["content"])) for message in self.messages),
        }


class ContextBuilder:
    """Builds contexts by command: a window and a summary to go on, broad retrieval to begin, everything to settle."""

    def __init__(
        self,
        story: Story,
        queues: TaskQueueStore,
        summaries: TaskSummaries,
        *,
        limits: ContextLimits | None = None,
    ) -> None:
        self._story, self._queues, self._summaries = story, queues, summaries
        self._limits = limits or ContextLimits()

    def build(self, task: Task, purpose: Purpose, *, now: float) -> TaskContext:
        """The context of turn number `task.turns`; what another window said after it is left out."""
        said = conversation(self._queues.turns(task.id)[: task.turns])
        summary = self._summary(task, said, purpose, now)
        window = said[summary.covered :]
        query = window[-1].text if window else task.title
        begins = purpose in ("new", "restart")
        if begins:  # what it was about so far says whom it concerns
            query = "\n".join(dict.fromkeys((task.title, summary.text, query)))
        breadth = BROAD if begins else NARROW
        scene = scene_of(self._story, task)
        sources = background(self._story, query[:_QUERY_CHARS], breadth=breadth, scene=scene)
        chapters = last_chapters(self._story, task, budget_tokens=self._limits.chapter_tokens)
        block = story_block(
            [each for each in sources if not any(each.text in shown.text for shown in chapters)],
            title=task.title,
            summary=summary.text,
            budget_tokens=self._limits.broad_tokens if begins else self._limits.narrow_tokens,
            language=task.language,
            chapters=chapters,
        )
        messages = self._messages(task, window, block)
        return TaskContext(
            task, purpose, tuple(window), summary.covered, summary.text, (*sources, *chapters), block, tuple(messages)
        )

    def refresh(self, task: Task, *, now: float) -> TaskSummary:
        """Sum up a task that is taken up again; what was said before stands in the summary alone from now on."""
        return self._summaries.anew(task, conversation(self._queues.turns(task.id)), now=now)

    # --- inside ------------------------------------------------------------------------------------------------------

    def _summary(self, task: Task, said: Sequence[Turn], purpose: Purpose, now: float) -> TaskSummary:
        known = self._summaries.kept(task)
        covered = max(self._moved(said, known.floor), known.floor)
        if covered == 0 or purpose == "new":
            return replace(known, text="", covered=0)
        return self._summaries.of(task, said, covered=min(covered, len(said)), now=now)

    def _moved(self, said: Sequence[Turn], floor: int) -> int:
        """How many turns lie before the window; it moves by half of its length, so that summaries last for a while."""
        step = max(1, self._limits.turns // 2)
        beyond = len(said) - floor - self._limits.turns
        covered = floor + (-(-beyond // step) * step if beyond > 0 else 0)
        while covered < len(said) - 1 and self._price(said[covered:-1]) > self._limits.window_tokens:
            covered = min(covered + step, len(said) - 1)
        return covered

    def _price(self, turns: Sequence[Turn]) -> int:
        return sum(estimate_tokens(turn.text) for turn in turns)

    def _messages(self, task: Task, window: Sequence[Turn], block: StoryBlock) -> list[dict[str, str]]:
        """The window as a conversation, and the block before the message it is for."""
        told: list[dict[str, str]] = []
        for turn in window[:-1]:
            _say(told, "user" if turn.role == "author" else "assistant", turn.text)
        message = window[-1].text if window else task.title
        if estimate_tokens(message) > self._limits.message_tokens:
            message = head_and_tail(message, self._limits.message_tokens, None, task.language)
        _say(told, "user", f"{block.text}\n\n{message}")
        if told[0]["role"] == "assistant":
            told.insert(0, {"role": "user", "content": task.title})
        return told


def _say(told: list[dict[str, str]], role: str, text: str) -> None:
    """Add a message; two of one role become one, as strict endpoints want it."""
    if told and told[-1]["role"] == role:
        told[-1]["content"] += f"\n\n{text}"
    else:
        told.append({"role": role, "content": text})


def conversation(turns: Sequence[Turn]) -> list[Turn]:
    """What was said about the task: without commands, and without what memory had, which is looked up each time."""
    return [
        turn for turn in turns if turn.command in _SAID and turn.text.strip() and turn.context.get("kind") != "memory"
    ]
