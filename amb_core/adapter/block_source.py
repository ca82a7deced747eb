"""What memory says to a request: the whole block, or what the request does not hold at this moment of the run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Any

from amb_core.adapter.absorber import Attempt
from amb_core.adapter.chat_messages import NewMessage, TokenCounter, attachment_part, calls_of, text_of
from amb_core.adapter.contributors import Contributors
from amb_core.adapter.transcript_turns import TranscriptItem
from amb_core.attachments import AttachmentContent
from amb_core.bank import MemoryBank
from amb_core.memory.moment import Moment
from amb_core.models import ConflictStatus, InsightDoc, PendingTask, TaskType
from amb_core.registry import from_package
from amb_core.rendering import Language, MemoryBlock, Reference, condensed_result, head_and_tail, render_task, task_line
from amb_core.rendering.labels import with_tool_help
from amb_core.rendering.task import disputes_told
from amb_core.text import estimate_tokens

__all__ = ["BlockSource", "moment_of", "text_in"]

_TASK_TOKENS = 400
_HELP = 20
"""Tokens, in any language, of what a block says of the tool that opens what it shows."""
_TASK_LINE_FROM = 240
"""Tokens of a block from which it is led by a line about the task, where the request lacks anything of that."""
HeldSpoken = Callable[[Sequence[Mapping[str, Any]], Sequence[int]], frozenset[tuple[str, str]]]
"""By run and id what memory has of those messages that a request holds whole, by their places."""


@dataclass(frozen=True, slots=True)
class BlockSource:
    """The blocks of a bank, the one it shares, and of what speaks beside them; what fails there costs only that."""

    bank: MemoryBank
    shared: MemoryBank | None
    contributors: Contributors
    count: TokenCounter
    attempt: Attempt
    reference: Callable[[TranscriptItem], Reference | None]
    keep_said: Callable[[str], Reference | None] = lambda text: None
    held_spoken: HeldSpoken = lambda messages, whole: frozenset()
    cleared: Callable[[Iterable[TranscriptItem]], frozenset[tuple[str, str]]] = lambda items: frozenset()
    opens: Callable[[], bool] = lambda: False
    """Whether the model has the tool that opens what a block shows."""

    @property
    def language(self) -> Language:
        """The language of AMB's own words: as set, else that of the goal."""
        return self.bank.settings.language_for(self.bank.insight.task_goal)

    @property
    def withdrawals(self) -> int:
        """Changes when something that was said may no longer be said.

        A text was forgotten, replaced or deleted, or the model has another way to open what is shown.
        """
        shared = None if self.shared is None else self.shared.host.withdrawals
        return hash((self.bank.host.withdrawals, shared, self.opens()))

    def whole_block(self, query: str | None, budget_tokens: int | None = None) -> MemoryBlock | None:
        """The whole block, whatever the request holds; None when memory cannot give one."""
        budget = None if budget_tokens is None else self._without_help(budget_tokens)
        enhance = partial(self.bank.host.enhance, query=query, budget_tokens=budget, shared=self.shared)
        block = self.attempt("enhance", enhance)
        if block is None:
            return None
        block = self._with_help(block)
        goal, asked = self.bank.insight.task_goal, query or ""
        context = Moment(goal=goal, asked=asked, question=asked, user_said=asked, language=self.language)
        return self.contributors.add_to(block, context, count=self.count)

    def missing_block(self, moment: Moment, budget_tokens: int) -> MemoryBlock | None:
        """What the request does not hold: a new task, passages of results, the team's words; None for nothing."""
        task, line = self._task(moment, budget_tokens)
        left = max(self._without_help(budget_tokens) - estimate_tokens(task), 1)
        found = self.attempt(
            "recall", partial(self.bank.host.recall_for, moment, budget_tokens=left, shared=self.shared)
        )
        if found is None:
            return None
        found = self._with_help(found)
        task = task if found.text or not line else ""
        text = "\n\n".join(part for part in (task, found.text) if part)
        block = replace(found, text=text, tokens=found.tokens + estimate_tokens(task))
        block = self.contributors.add_to(block, moment, count=self.count)
        return replace(block, text=block.text.strip()) if block.text.strip() else None

    def _without_help(self, budget_tokens: int) -> int:
        """The room of a block beside what is said of the tool that opens it."""
        return max(budget_tokens - _HELP, 1) if self.opens() else budget_tokens

    def _with_help(self, block: MemoryBlock) -> MemoryBlock:
        """The block, which says how to open what it shows to a model that can."""
        text = with_tool_help(block.text, self.language) if self.opens() else block.text
        return block if text == block.text else replace(block, text=text, tokens=block.tokens + _HELP)

    def corrected(self, text: str) -> str:
        """What memory said before, without what of it is no longer so."""
        return self.contributors.still_true(text)

    def images(self) -> list[NewMessage]:
        """The images that wait to be recognised, as parts of a message."""
        return [part for part in map(attachment_part, self.waiting_files()) if part is not None]

    def waiting_files(self) -> list[AttachmentContent]:
        """The files the pending step is to recognise, or all that wait when it names none."""
        pending = self.bank.insight.pending
        named = pending.attachment_ids if pending else ()
        wanted = [attachment.id for attachment in self.bank.host.waiting if not named or attachment.id in named]
        opened = (self.attempt("open a file", partial(self.bank.host.open_waiting, name)) for name in wanted)
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
        insight = self.attempt("plan", partial(self.bank.host.plan_to_tell, special=True))
        pending = insight.pending if insight is not None else None
        known = [one for one in self.bank.host.known_conflicts if one.status is not ConflictStatus.RESOLVED]
        disputes = [one.subject or one.description for one in reversed(known)]
        unknown = disputes_told(disputes, self.language) not in moment.request
        if insight is None or pending is None or not _is_special(insight, pending):
            if budget_tokens < _TASK_LINE_FROM:
                return task_line(asked="", disputes=disputes, language=self.language) if unknown else "", not unknown
            asked = " ".join((moment.asked or moment.goal).split())
            line = task_line(
                asked="" if asked[:_SAME] in " ".join(moment.request.split()) else asked,
                pending=pending.description if pending is not None else "",
                disputes=disputes,
                language=self.language,
            )
            return "" if line in moment.request else line, not unknown
        budget = max(min(_TASK_TOKENS, budget_tokens // 2), 1)
        waiting = tuple(self.bank.host.waiting)
        text = render_task(insight, language=self.language, images=waiting, budget_tokens=budget, disputes=disputes)
        return "" if text in moment.request else text, False


def _is_special(insight: InsightDoc, pending: PendingTask) -> bool:
    """Whether the pending task says more than the goal."""
    was_recognised = from_package("amb_agents.planning_phrases:was_recognised")  # here, for most tasks have one step
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
    What a team-mate said is no question of the user's: the steps that it names are those of that one's memory.
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
        question=query or ("" if newest is None or newest.of_mate or not is_question else asked),
        user_said=newest.text if newest is not None and not newest.of_mate else "",
        of_mate=query is None and newest is not None and newest.of_mate,
    )


def text_in(message: Mapping[str, Any]) -> str:
    """All that a message says, with the calls it makes."""
    calls = (f"{tool} {text_of(arguments)}" for tool, arguments in calls_of(message).values())
    return "\n".join([text_of(message.get("content")), *calls])
