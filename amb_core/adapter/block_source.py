"""What memory says to a request: the whole block, or what the request does not hold at this moment of the run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Any, Protocol

from amb_core.adapter.absorber import Attempt
from amb_core.adapter.chat_messages import NewMessage, TokenCounter, attachment_part, calls_of, text_of
from amb_core.adapter.teammate import TeamHook
from amb_core.adapter.transcript_turns import TranscriptItem
from amb_core.attachments import AttachmentContent
from amb_core.bank import MemoryBank
from amb_core.memory.moment import Moment
from amb_core.models import ConflictStatus, InsightDoc, PendingTask, TaskType, ToolResult
from amb_core.rendering import Language, MemoryBlock, Reference, condensed_result, head_and_tail, render_task, task_line
from amb_core.text import estimate_tokens

__all__ = ["BlockSource", "PastRuns", "RunView", "moment_of", "text_in", "together"]

_TASK_TOKENS = 400
_TASK_LINE_FROM = 240
"""Tokens of a block from which it is led by a line about the task, where the request lacks anything of that."""
HeldSpoken = Callable[[Sequence[Mapping[str, Any]], Sequence[int]], frozenset[tuple[str, str]]]
"""By run and id what memory has of those messages that a request holds whole, by their places."""


@dataclass(frozen=True, slots=True)
class BlockSource:
    """The blocks of a bank, the one it shares, and a team's memory; what fails there costs only that."""

    bank: MemoryBank
    shared: MemoryBank | None
    hook: TeamHook
    count: TokenCounter
    attempt: Attempt
    reference: Callable[[TranscriptItem], Reference | None]
    past: RunView | None = None
    keep_said: Callable[[str], Reference | None] = lambda text: None
    held_spoken: HeldSpoken = lambda messages, whole: frozenset()
    cleared: Callable[[Iterable[TranscriptItem]], frozenset[tuple[str, str]]] = lambda items: frozenset()

    @property
    def language(self) -> Language:
        """The language of AMB's own words: as set, else that of the goal."""
        return self.bank.settings.language_for(self.bank.insight.task_goal)

    @property
    def withdrawals(self) -> int:
        """Changes when something that was said may no longer be said: a text was forgotten, replaced or deleted."""
        return hash((self.bank.withdrawals, None if self.shared is None else self.shared.withdrawals))

    def whole_block(self, query: str | None, budget_tokens: int | None = None) -> MemoryBlock | None:
        """The whole block, whatever the request holds; None when memory cannot give one."""
        enhance = partial(self.bank.enhance, query=query, budget_tokens=budget_tokens, shared=self.shared)
        block = self.attempt("enhance", enhance)
        if block is None:
            return None
        told = self._of_past("\n".join(filter(None, (self.bank.insight.task_goal, query))), "")
        return self.hook.add_to(self._behind(block, told), query=query, count=self.count)

    def missing_block(self, moment: Moment, budget_tokens: int) -> MemoryBlock | None:
        """What the request does not hold: a new task, passages of results, the team's words; None for nothing."""
        task, line = self._task(moment, budget_tokens)
        left = max(budget_tokens - estimate_tokens(task), 1)
        found = self.attempt("recall", partial(self.bank.recall_for, moment, budget_tokens=left, shared=self.shared))
        if found is None:
            return None
        task = task if found.text or not line else ""
        text = "\n\n".join(part for part in (task, found.text) if part)
        block = replace(found, text=text, tokens=found.tokens + estimate_tokens(task))
        asked = "\n".join(filter(None, (moment.goal, self.bank.insight.task_goal, moment.asked)))
        block = self._behind(block, self._of_past(asked, moment.request))
        text = block.text
        full = self.hook.add_to(block, query=moment.asked or None, count=self.count, held=moment.request)
        team_text = full.text[len(text) :].strip()
        block = block if team_text in moment.request else replace(full, text=full.text.strip())
        return block if block.text else None

    def corrected(self, text: str) -> str:
        """What memory said before, without what of earlier runs is no longer so."""
        now = None if self.past is None else self.attempt("recall earlier runs", partial(self.past.corrected, text))
        return text if now is None else now

    def _of_past(self, asked: str, request: str) -> str:
        """What earlier runs did that this one should know and the request does not hold."""
        if self.past is None:
            return ""
        return (
            self.attempt("recall earlier runs", partial(self.past.block, asked, request, language=self.language)) or ""
        )

    def _behind(self, block: MemoryBlock, told: str) -> MemoryBlock:
        """The block with a text behind it."""
        if not told:
            return block
        text = "\n\n".join(part for part in (block.text, told) if part)
        return replace(block, text=text, tokens=block.tokens + self.count.text(told))

    def images(self) -> list[NewMessage]:
        """The images that wait to be recognised, as parts of a message."""
        return [part for part in map(attachment_part, self.waiting_files()) if part is not None]

    def waiting_files(self) -> list[AttachmentContent]:
        """The files the pending step is to recognise, or all that wait when it names none."""
        pending = self.bank.insight.pending
        named = pending.attachment_ids if pending else ()
        wanted = [attachment.id for attachment in self.bank.waiting if not named or attachment.id in named]
        opened = (self.attempt("open a file", partial(self.bank.open_waiting, name)) for name in wanted)
        return [content for content in opened if content is not None]

    def shorten(self, item: TranscriptItem, asked: str, text: str, tokens: int) -> str:
        """What is left of a text of an item, which was `asked` for with these words.

        What the user says is kept in memory first, unless `strict` refuses the request.
        """
        if item.kind in ("call", "assistant"):
            return head_and_tail(text, tokens, self.reference(item) if item.call_ids else None, self.language)
        if item.kind == "result":
            reference = self.reference(item)
        else:
            keeps = item.kind == "user" and not self.bank.settings.strict
            reference = self.keep_said(text) if keeps else None
            asked = f"{self.bank.insight.task_goal}\n{asked}"
        return condensed_result(text, asked=asked, tokens=tokens, language=self.language, reference=reference)

    def _task(self, moment: Moment, budget_tokens: int) -> tuple[str, bool]:
        """What the request is not told yet of the task, and whether that is only the line which leads a block."""
        insight = self.attempt("plan", partial(self.bank.plan_to_tell, special=True))
        pending = insight.pending if insight is not None else None
        if insight is None or pending is None or not _is_special(insight, pending):
            if budget_tokens < _TASK_LINE_FROM:
                return "", True
            known = [one for one in self.bank.known_conflicts if one.status is not ConflictStatus.RESOLVED]
            asked = " ".join((moment.asked or moment.goal).split())
            line = task_line(
                asked="" if asked[:_SAME] in " ".join(moment.request.split()) else asked,
                pending=pending.description if pending is not None else "",
                disputes=[one.subject or one.description for one in reversed(known)],
                language=self.language,
            )
            return "" if line in moment.request else line, True
        budget = max(min(_TASK_TOKENS, budget_tokens // 2), 1)
        waiting = tuple(self.bank.waiting)
        text = render_task(insight, language=self.language, images=waiting, budget_tokens=budget)
        return "" if text in moment.request else text, False


def _is_special(insight: InsightDoc, pending: PendingTask) -> bool:
    """Whether the pending task says more than the goal."""
    from amb_core.agents.planning_phrases import was_recognised  # here, for most tasks have one step

    done = any(not was_recognised(task) for task in insight.completed_tasks)
    return bool(pending.attachment_ids or pending.type is TaskType.CROSS_VALIDATE or done)


_SAME = 60
"""By so many characters what was asked is known to stand in the request, whole or shortened."""
_SAID, _RESULTS, _USED = 4, 2, 400
"""So many of the agent's newest messages and calls, newest results, and messages and calls say what it is doing."""


def moment_of(
    items: Sequence[TranscriptItem],
    whole: Iterable[int],
    request: Iterable[Mapping[str, Any]],
    *,
    goal: str,
    run: str,
    query: str | None = None,
) -> Moment:
    """The moment of a transcript, of which `request` is what will be sent; a `query` takes the place of what is asked.

    Held is a result that stands `whole` in the request, by its place, and not as a reference to what memory has of it.
    """
    first = next((item for item in items if item.kind == "user"), None)
    newest = next((item for item in reversed(items) if item.kind == "user"), None)
    asked = newest.text if newest is not None and newest is not first else ""
    is_question = newest is not first and items[-1].kind == "user"
    kinds = ("call",) if is_question else ("call", "assistant")
    said = islice((item.text for item in reversed(items) if item.kind in kinds and item.text.strip()), _SAID)
    results = islice((item.text for item in reversed(items) if item.kind == "result"), _RESULTS)
    used = islice((item.text for item in reversed(items) if item.kind in ("call", "assistant")), _USED)
    whole, sent = set(whole), "\n".join(map(text_in, request))
    held = (items[at] for at in whole if items[at].kind == "result" and not items[at].reference)
    return Moment(
        goal=goal or (first.text if first is not None else ""),
        asked=query or asked,
        said=(*([asked] if is_question else []), *said)[:_SAID],
        results=tuple(results),
        used=tuple(used)[::-1],
        held=frozenset((run, name) for item in held for name in item.call_ids),
        request=sent,
        question=query or (asked if is_question else ""),
    )


def text_in(message: Mapping[str, Any]) -> str:
    """All that a message says, with the calls it makes."""
    calls = (f"{tool} {text_of(arguments)}" for tool, arguments in calls_of(message).values())
    return "\n".join([text_of(message.get("content")), *calls])


class RunView(Protocol):
    """What one run is told of earlier ones."""

    @property
    def most_tokens(self) -> int:
        """What may be told at most."""
        ...

    def saw(self, results: Iterable[ToolResult]) -> None:
        """Take in what tools brought to this run."""
        ...

    def block(self, asked: str, request: str, *, language: Language) -> str:
        """What this run should know of earlier ones and `request` does not hold; "" for nothing."""
        ...

    def corrected(self, text: str) -> str:
        """What was told, without what this run has read differently since."""
        ...


class PastRuns(Protocol):
    """The earlier runs of an agent for a user."""

    def join(self, bank: MemoryBank, *, agent: str = "") -> RunView:
        """The view of the run that a bank is; what the run does is kept at its end."""
        ...


def together(views: Sequence[RunView]) -> RunView | None:
    """Several views as one, which tells what they do in their order; None for none."""
    return views[0] if len(views) == 1 else _RunViews(views) if views else None


class _RunViews:
    def __init__(self, views: Sequence[RunView]) -> None:
        self._views = views

    @property
    def most_tokens(self) -> int:
        return sum(view.most_tokens for view in self._views)

    def saw(self, results: Iterable[ToolResult]) -> None:
        listed = list(results)
        for view in self._views:
            view.saw(listed)

    def block(self, asked: str, request: str, *, language: Language) -> str:
        told = (view.block(asked, request, language=language) for view in self._views)
        return "\n\n".join(filter(None, told))

    def corrected(self, text: str) -> str:
        for view in self._views:
            text = view.corrected(text)
        return text
