"""A run as text for a terminal: progress lines, the table of turns, conflicts, the Insight Doc and the answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from amb_core.bank import MemoryBank
from amb_core.cli.user_language import translate
from amb_core.models import TaskType
from amb_tools.research.local_researcher import ResearchReport, Turn

__all__ = ["progress_line", "report_data", "report_lines"]


def _comparison(turns: Sequence[Turn]) -> str:
    raw = max((turn.raw_tokens for turn in turns), default=0)
    sent = max((turn.prompt_tokens for turn in turns), default=0)
    if raw > sent:
        return translate("largest request: {raw:,} tokens without AMB, {sent:,} with it", raw=raw, sent=sent)
    return translate(
        "largest request: {sent:,} tokens; the whole transcript has {raw:,} and needs no condensing: "
        "here AMB checks what the sources say",
        raw=raw,
        sent=sent,
    )


def progress_line(turn: Turn) -> str:
    """One line on what a turn did."""
    verifies = turn.task is not None and turn.task.type is TaskType.CROSS_VALIDATE
    if not turn.read:
        what = translate("finds no further source" if verifies else "answers from memory")
    else:
        what = translate("reads {what}", what=", ".join(f"{event.document}#{event.piece}" for event in turn.read))
    found = [c.description for event in turn.read for c in event.report.conflicts]
    decided = [c.subject or c.id for event in turn.read for c in event.report.resolved]
    notes = [translate("contradiction: {what}", what=text) for text in found]
    notes += [translate("decided: {what}", what=text) for text in decided]
    request = translate("request {number:>2}", number=turn.number)
    if verifies:
        what = translate("to verify: {what}", what=what)
    return f"  {request}  {what}" + "".join(f"\n              {note}" for note in notes)


def report_lines(bank: MemoryBank, report: ResearchReport) -> Iterator[str]:
    """The whole report, line by line."""
    yield from ("", _comparison(report.turns))
    for conflict in bank.conflicts:
        yield "\n" + translate("conflict {id}: {what}", id=conflict.id, what=conflict.description)
        yield f"  {translate(conflict.status.value)} · {conflict.resolution or '-'}"
    for merge in bank.merges:
        merged = f"{' + '.join(merge.merged_node_ids)} → {merge.new_node_id}. {merge.description}"
        yield translate("merge {id}: {what}", id=merge.event_id, what=merged)
    yield from ("", translate("Answer"), *(f"  {line}" for line in report.answer.text.splitlines()))


def report_data(bank: MemoryBank, report: ResearchReport) -> dict[str, object]:
    """The same as data: the answer with its places, and what became of each conflict."""
    return {
        "question": bank.insight.task_goal,
        "certainty": report.answer.certainty,
        "answer": report.answer.text,
        "quoted": report.answer.citations,
        "conflicts": [
            {"id": one.id, "description": one.description, "status": one.status, "resolution": one.resolution}
            for one in bank.conflicts
        ],
        "turns": len(report.turns),
        "finished": report.finished,
    }
