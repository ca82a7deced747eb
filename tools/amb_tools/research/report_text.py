"""A run as text for a terminal: progress lines, the table of turns, conflicts, the Insight Doc and the answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from amb_core.bank import MemoryBank
from amb_core.models import TaskType
from amb_tools.research.local_researcher import ResearchReport, Turn

__all__ = ["progress_line", "report_lines"]


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
    yield from ("", _comparison(report.turns))
    for conflict in bank.conflicts:
        yield f"\nconflict {conflict.id}: {conflict.description}"
        yield f"  {conflict.status.value}: {conflict.resolution or '-'}"
    for merge in bank.merges:
        yield f"merge {merge.event_id}: {' + '.join(merge.merged_node_ids)} → {merge.new_node_id}. {merge.description}"
    yield from ("", "Answer", *(f"  {line}" for line in report.answer.text.splitlines()))


def _read(document: str, piece: int) -> str:
    return f"{document}#{piece}"
