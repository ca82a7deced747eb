"""Renders the Insight Doc as the `<task>` block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

from amb_core.attachments import Attachment
from amb_core.errors import InvalidParameter
from amb_core.models import CompletedTask, InsightDoc, TaskStatus, TaskType
from amb_core.rendering.labels import TASK_CLOSE, TASK_OPEN, Labels, Language, labels_for
from amb_core.rendering.safe_text import clip_line, cut_line, escape_line, quoted_name, unquoted
from amb_core.text import clip_tokens, estimate_tokens

__all__ = ["ReadSoFar", "disputes_told", "render_task", "task_line"]

_MARK_FROM = 60
"""From this many tokens for the next step on, one made from what sources say is marked as such."""
_GOAL_ALONE = 100
"""Tokens of the goal where no plan is shown: the request begins with it anyway."""
_CALL_CHARS = 60
_LINE_TOKENS = 60
"""Tokens of a task that is told in one line, its frame with it."""
_DISPUTES, _DISPUTE_TOKENS, _PENDING_TOKENS = 2, 7, 12


@dataclass(frozen=True, slots=True)
class ReadSoFar:
    """How many results were read, and of the newest what was called with what (tool, argument; newest first)."""

    count: int
    newest: tuple[tuple[str, str], ...] = ()


def render_task(
    insight: InsightDoc,
    *,
    language: Language,
    images: Sequence[Attachment] = (),
    budget_tokens: int = 800,
    read: ReadSoFar | None = None,
    plan: bool = True,
    disputes: Sequence[str] = (),
) -> str:
    """The `<task>` block: goal, `disputes`, what was `read`, finished steps, next step and waiting attachments.

    All of it stays within its budget. Finished steps are shown newest whole, then without what was learnt, then (oldest
    first) as one line with a count. Without `plan` no step is shown, and of a long goal its beginning and end. A budget
    too small for any of it gives the empty frame. Raises InvalidParameter for a budget of 0 or less.
    """
    if budget_tokens <= 0:
        raise InvalidParameter(f"budget_tokens must be at least 1, not {budget_tokens}.")
    labels = labels_for(language)
    head, tail = [TASK_OPEN, labels.task_head], [TASK_CLOSE]
    room = budget_tokens - estimate_tokens("\n".join([*head, *tail]))
    next_step = _next_step(insight, labels, room // 2) if plan else ""
    if plan and _fits(next_step, room):
        tail.insert(0, next_step)
        room -= estimate_tokens(next_step) + 1
    goal = labels.goal.format(_ends(insight.task_goal, room // 2 if plan else min(room // 2, _GOAL_ALONE)))
    if _fits(goal, room):
        head.append(goal)
        room -= estimate_tokens(goal) + 1
    known = sentence[:1].upper() + sentence[1:] if (sentence := disputes_told(disputes, language)) else ""
    if known and _fits(known, room):
        head.append(known)
        room -= estimate_tokens(known) + 1
    news = _read(read, labels) if read is not None and read.count else ""
    if news and _fits(news, room):
        head.append(news)
        room -= estimate_tokens(news) + 1
    waiting = labels.waiting.format(_waiting(images))
    if images and _fits(waiting, room):
        tail.insert(-1, waiting)
        room -= estimate_tokens(waiting) + 1
    return "\n".join([*head, *_done(insight.completed_tasks if plan else (), labels, room), *tail])


def task_line(
    *,
    asked: str,
    language: Language,
    before: str = "",
    pending: str = "",
    disputes: Sequence[str] = (),
    most: int = _LINE_TOKENS,
) -> str:
    """The `<task>` block as one line: what was asked and `before`, what is pending, what sources disagree about.

    At most 60 tokens, and `most` of what was asked, for which words are cut; "" where there is nothing to tell.
    """
    labels = labels_for(language)
    told = [labels.pending.format(_clipped(pending, _PENDING_TOKENS))] if pending.strip() else []
    if disputes:
        told.append(disputes_told(disputes, language))
    between = "；" if language == "zh" else "; "
    for label, words, share in ((labels.asked_before, before, 2 if asked.strip() else 1), (labels.asked, asked, 1)):
        rest = "\n".join([TASK_OPEN, labels.task_line + between.join([label, *told]), TASK_CLOSE])
        room = min((_LINE_TOKENS - estimate_tokens(rest)) // share, most)
        if words.strip() and room > 0:
            told.insert(0, label.format(_clipped(words, room)))
    return "\n".join([TASK_OPEN, labels.task_line + between.join(told), TASK_CLOSE]) if told else ""


def disputes_told(subjects: Sequence[str], language: Language) -> str:
    """What sources disagree about, at most two subjects of it; "" for none."""
    between = "、" if language == "zh" else ", "
    named = between.join(f"“{_clipped(one, _DISPUTE_TOKENS)}”" for one in subjects[:_DISPUTES])
    return labels_for(language).disputes.format(named) if named else ""


def _clipped(text: str, tokens: int) -> str:
    """Somebody else's words on one line, without a mark that could end the quotation they stand in."""
    return cut_line(escape_line(unquoted(" ".join(text.split()))), tokens)


def _fits(line: str, room: int) -> bool:
    return estimate_tokens(line) < room


def _ends(text: str, budget: int) -> str:
    """The text on one line; of one too long the beginning and the end."""
    flat = " ".join(text.split())
    if estimate_tokens(escape_line(flat)) <= budget:
        return escape_line(flat)
    head, tail = clip_tokens(flat, budget * 2 // 3 - 1), clip_tokens(flat[::-1], budget // 3 - 1)[::-1]
    short = escape_line(f"{head.rstrip()} … {tail.lstrip()}")
    return short if tail and estimate_tokens(short) <= budget else clip_line(text, budget)


def _read(read: ReadSoFar, labels: Labels) -> str:
    calls = [(quoted_name(_cut(tool)), _cut(asked)) for tool, asked in read.newest]
    newest = [labels.call.format(tool=tool, asked=asked) if asked else tool for tool, asked in calls]
    return labels.read.format(count=read.count, newest=", ".join(dict.fromkeys(newest)))


def _cut(text: str) -> str:
    flat = unquoted(" ".join(text.split()))
    return escape_line(flat if len(flat) <= _CALL_CHARS else flat[: _CALL_CHARS - 1].rstrip() + "…")


def _next_step(insight: InsightDoc, labels: Labels, budget: int) -> str:
    pending = insight.pending
    if pending is None:
        return labels.nothing_pending
    marked = pending.type is TaskType.CROSS_VALIDATE and budget >= _MARK_FROM
    mark = labels.quoted if marked else ""
    description = clip_line(pending.description, budget - estimate_tokens(mark))
    return labels.next_step.format(type=pending.type, description=description) + mark


def _waiting(images: Sequence[Attachment]) -> str:
    shown = [f"{image.id} ({image.type}, {quoted_name(PurePath(image.content).name)})" for image in images[:8]]
    more = f", +{len(images) - 8}" if len(images) > 8 else ""
    return ", ".join(shown) + more


def _done(tasks: Sequence[CompletedTask], labels: Labels, room: int) -> list[str]:
    room -= estimate_tokens(labels.done) + estimate_tokens(_earlier(tasks, labels)) + 2
    if not tasks or room < 0:
        return []
    shown: list[str] = []
    brief = False
    for number in range(len(tasks), 0, -1):
        task = tasks[number - 1]
        text = _step(number, task, labels, brief=brief)
        if not brief and estimate_tokens(text) > room // 2:
            brief = True
            text = _step(number, task, labels, brief=True)
        cost = estimate_tokens(text) + 2  # the line break, and what rounding may hide
        if cost > room:
            break
        room -= cost
        shown.append(text)
    hidden = tasks[: len(tasks) - len(shown)]
    return [labels.done, *([_earlier(hidden, labels)] if hidden else []), *reversed(shown)]


def _step(number: int, task: CompletedTask, labels: Labels, *, brief: bool) -> str:
    status = labels.success if task.status is TaskStatus.SUCCESS else labels.failure
    if task.gave_up:
        status = labels.gave_up
    line = f"{number}. [{task.type}] {clip_line(task.description, 30 if brief else 80)} - {status}"
    context = "" if brief else unquoted(clip_line(task.context, 100))
    return f"{line}\n   {labels.noted.format(context)}" if context else line


def _earlier(tasks: Sequence[CompletedTask], labels: Labels) -> str:
    success = sum(task.status is TaskStatus.SUCCESS for task in tasks)
    return "… " + labels.earlier.format(count=len(tasks), success=success, failure=len(tasks) - success)
