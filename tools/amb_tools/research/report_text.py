"""A run as text for a terminal: progress lines, the table of turns, conflicts, the Insight Doc and the answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from amb_core.bank import MemoryBank
from amb_core.models import TaskType
from amb_tools.research.local_researcher import ResearchReport, Turn

__all__ = ["progress_line", "report_lines"]

_COLUMNS = "turn  step            raw tokens  prompt tokens  nodes  links  conflicts  merges  model calls"

_LEGEND = (
    "Each turn is one model call: the tokens a plain transcript would send by then, and what AMB sends instead",
    "(the condensed transcript with the newest results, and the <task> and <memory> block).",
)


def _comparison(turns: Sequence[Turn]) -> str:
    raw = max((turn.raw_tokens for turn in turns), default=0)
    sent = max((turn.prompt_tokens for turn in turns), default=0)
    if raw > sent:
        return f"largest request: {raw:,} tokens without AMB, {sent:,} with it"
    return f"largest request: {sent:,} tokens; a transcript of {raw:,} needs no condensing, here AMB keeps it checked"


def progress_line(turn: Turn) -> str:
    """One line on what a turn did."""
    kind = turn.task.type.value if turn.task else TaskType.NORMAL.value
    if not turn.read:
        what = "answers from memory" if kind == TaskType.NORMAL else "finds no further source"
    else:
        what = "reads " + ", ".join(_read(event.document, event.piece) for event in turn.read)
    found = [c.description for event in turn.read for c in event.report.conflicts]
    decided = [c.subject or c.id for event in turn.read for c in event.report.resolved]
    notes = [f"contradiction: {text}" for text in found] + [f"decided: {text}" for text in decided]
    return f"  turn {turn.number:>2}  {kind:<14}  {what}" + "".join(f"\n           {note}" for note in notes)


def report_lines(bank: MemoryBank, report: ResearchReport) -> Iterator[str]:
    """The whole report, line by line."""
    yield from ("", *_LEGEND, _COLUMNS)
    for turn in report.turns:
        kind = turn.task.type.value if turn.task else "-"
        yield (
            f"{turn.number:>4}  {kind:<14}  {turn.raw_tokens:>10,}  {turn.prompt_tokens:>13,}  {turn.nodes:>5}  "
            f"{turn.links:>5}  {turn.open_conflicts:>9}  {turn.merges:>6}  {turn.llm_calls:>11}"
        )
    yield from ("", _comparison(report.turns))
    for conflict in bank.conflicts:
        yield f"\nconflict {conflict.id}: {conflict.description}"
        yield f"  {conflict.status.value}: {conflict.resolution or '-'}"
    for merge in bank.merges:
        yield f"merge {merge.event_id}: {' + '.join(merge.merged_node_ids)} → {merge.new_node_id}. {merge.description}"
    yield from ("", "Insight Doc", f"  goal: {bank.insight.task_goal}")
    for number, task in enumerate(bank.insight.completed_tasks, 1):
        yield f"  {number}. [{task.type.value}] {task.description} - {task.status.value}"
        if task.context:
            yield f"     {task.context}"
    pending = bank.insight.pending
    yield f"  next: {pending.description if pending else 'nothing, the task is finished'}"
    yield from ("", "Answer", *(f"  {line}" for line in report.answer.text.splitlines()))


def _read(document: str, piece: int) -> str:
    return f"{document}#{piece}"
