"""The answer of a run for a terminal: its words, and the source behind every note it names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from amb_core.bank import MemoryBank
from amb_core.cli.user_language import translate

if TYPE_CHECKING:
    from amb_react import ReActRun

__all__ = ["answer_data", "answer_lines", "ending_text"]

_NEAREST = 3
_ENDINGS = {
    "answered": "the question is answered",
    "call_limit": "all model calls it had are made (--max-calls); the answer is from what was found by then",
    "token_limit": "a request was over the limit even when condensed; the answer is from what was found by then",
    "no_progress": "the model made no progress any more; the answer is from what was found by then",
    "max_rounds": "all tasks it had are done (--rounds); the answer is from what was found by then",
    "gave_up": "the model gave no answer, twice",
    "stuck": "a task failed and was not made up for",
    "budget": "the budget for model calls is spent",
    "model_unavailable": "the model does not answer any more",
    "model_refused": "the endpoint refuses the requests",
    "interrupted": "interrupted",
}


def ending_text(run: ReActRun) -> str:
    """Why the run ended, in words, with those of an endpoint that ended it."""
    why = translate(_ENDINGS.get(run.termination, run.termination)) + (f": {run.problem}" if run.problem else "")
    return translate(
        "ended after {requests} requests for {tasks} tasks: {why}", requests=run.turns, tasks=run.rounds, why=why
    )


def answer_lines(bank: MemoryBank, run: ReActRun) -> Iterator[str]:
    """The answer and its citations, or the notes nearest to the question when it names none."""
    title = "Answer" if run.answered_by == "model" else "Answer, put together by memory itself"
    yield from ("", translate(title), *(f"  {line}" for line in run.prediction.strip().splitlines()))
    if run.sources:
        yield from ("", translate("Citations"))
    for named, source in run.sources.items():
        merged = "" if named == source.node_id else f" ({translate('merged into {id}', id=source.node_id)})"
        yield f"  {named}{merged}  {source.source}"
        yield f"      {source.excerpt}"
    for unknown in run.unknown_ids:
        yield f"  {unknown}  {translate('there is no such note: the model made it up')}"
    if not run.sources and run.answered_by == "model":
        yield from _nearest(bank)


def answer_data(bank: MemoryBank, run: ReActRun) -> dict[str, object]:
    """The same as data: the answer, the sources of the notes it names, why the run ended, and what it cost."""
    total = bank.usage.total
    return {
        "question": bank.insight.task_goal,
        "answer": run.prediction,
        "answered_by": run.answered_by,
        "sources": [
            {"note": source.node_id, "named": named, "source": source.source, "excerpt": source.excerpt}
            for named, source in run.sources.items()
        ],
        "unknown_notes": run.unknown_ids,
        "ended": {"termination": run.termination, "problem": run.problem, "turns": run.turns, "steps": run.rounds},
        "spent": {"calls": total.calls, "tokens": total.tokens, "cost": total.cost},
    }


def _nearest(bank: MemoryBank) -> Iterator[str]:
    receipts = bank.recall(bank.insight.task_goal, k=_NEAREST).receipts[:_NEAREST] if bank.nodes else ()
    if receipts:
        yield from ("", translate("The answer names no note; the nearest to the question are"))
    for receipt in receipts:
        entries = bank.deep_retrieval(receipt.node_id)
        named = dict.fromkeys(str(entry.metadata.get("source") or "") for entry in entries)
        yield f"  {receipt.node_id}  {'; '.join(filter(None, named)) or translate('(no source)')}"
