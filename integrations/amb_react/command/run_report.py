"""What came of a run as text: the answer with its sources, who spent what, what fell back and why, what is left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from amb_chat.usage_meter import Budget, UsageMeter
from amb_cli.user_language import translate
from amb_core.bank import MemoryBank
from amb_core.models import BankSnapshot
from amb_core.usage import TokenUsage, Usage

if TYPE_CHECKING:
    from amb_react import ReActRun

__all__ = ["answer_data", "answer_lines", "cost_text", "ending_text", "receipt_lines"]

_ROLE = 16
_MOST_RESULTS = 30
_COLUMNS = f"{'role':<{_ROLE}} calls  failed    prompt    cached  completion  cost"


def cost_text(usage: TokenUsage) -> str:
    """What calls cost, in the currency of the price table; nothing is guessed."""
    if usage.unpriced_calls:
        return translate("price unknown")
    return f"{usage.money:.4f}"


def receipt_lines(snapshot: BankSnapshot, *, meter: UsageMeter | None, budget: Budget | None) -> Iterator[str]:
    """The whole receipt of a task, earlier sessions included, line by line."""
    usage = snapshot.usage or Usage()
    yield from ("", translate("Receipts"), *_roles(usage), "", *_results(snapshot), *_fallbacks(usage))
    yield _largest(snapshot)
    if meter is not None and budget is not None:
        yield from _budget(meter, budget)


def _roles(usage: Usage) -> Iterator[str]:
    if not usage.spent:
        yield f"  {translate('no model was asked: 0 calls, 0 tokens')}"
        return
    yield f"  {translate(_COLUMNS)}"
    yield from (f"  {_row(role, spent)}" for role, spent in usage.spent.items())
    yield f"  {_row(translate('all'), usage.total)}"
    if usage.total.unbelieved_calls:
        count = usage.total.unbelieved_calls
        said = "(the endpoint told impossible figures for {count} calls; AMB's estimate stands in for them)"
        yield f"  {translate(said, count=count)}"
    elif usage.total.estimated:
        said = "(the endpoint told no figures for some calls; AMB's estimate stands in for them)"
        yield f"  {translate(said)}"


def _row(name: str, spent: TokenUsage) -> str:
    return (
        f"{name:<{_ROLE}} {spent.calls:>5}  {spent.failed_calls:>6}  {spent.prompt_tokens:>8,}  "
        f"{spent.cached_tokens:>8,}  {spent.completion_tokens:>10,}  {cost_text(spent)}"
    )


def _results(snapshot: BankSnapshot) -> Iterator[str]:
    """What taking in each tool result cost; the dearest ones when there are many."""
    entries = {entry.entry_id: entry for entry in snapshot.entries}
    bills = [bill for bill in snapshot.bills if bill.entry_id in entries and bill.spent]
    shown = {bill.entry_id for bill in sorted(bills, key=lambda bill: -bill.total.tokens)[:_MOST_RESULTS]}
    if bills:
        yield f"  {translate('taking in each result')}"
    for bill in bills:
        if bill.entry_id in shown:
            total, source = bill.total, entries[bill.entry_id].metadata.get("source") or ""
            said = translate("{calls:>2} calls  {tokens:>7,} tokens", calls=total.calls, tokens=total.tokens)
            yield f"    {bill.entry_id:<5} {said}  {cost_text(total)}  {_short(str(source))}"
    if len(bills) > len(shown):
        yield f"    {translate('and {count} cheaper ones: see the page', count=len(bills) - len(shown))}"
    free = sum(1 for entry in snapshot.entries if not entry.forgotten) - len(bills)
    if free > 0 and snapshot.bills:
        yield f"    {translate('{count} more cost no call', count=free)}"


def _fallbacks(usage: Usage) -> Iterator[str]:
    """Which steps a local agent did instead of the model, and why."""
    if not usage.fallbacks:
        yield f"  {translate('no step fell back to a local agent')}"
    for role, count in usage.fallbacks.items():
        reasons = usage.fallback_reasons.get(role, {})
        why = ", ".join(f"{reason} ×{times}" for reason, times in reasons.items()) or translate("no reason kept")
        yield f"  {translate('{role}: {count} × done by the local agent ({why})', role=role, count=count, why=why)}"


def _largest(snapshot: BankSnapshot) -> str:
    """The largest request that memory had a part in, beside what a plain transcript would have been then."""
    if not snapshot.injections:
        return f"  {translate('no request was enhanced')}"
    largest = max(snapshot.injections, key=lambda injection: injection.prompt_tokens)
    raw = max(injection.raw_tokens for injection in snapshot.injections)
    said = "largest request: about {tokens:,} tokens; a plain transcript would have reached {raw:,}"
    return f"  {translate(said, tokens=largest.prompt_tokens, raw=raw)}"


def _budget(meter: UsageMeter, budget: Budget) -> Iterator[str]:
    total = meter.total
    limits: Sequence[tuple[str, float | None, str]] = (
        ("{spent} of {limit:,} tokens", budget.tokens, f"{total.tokens:,}"),
        ("{spent} of {limit:,} calls", budget.calls, f"{total.calls:,}"),
        ("{spent} of {limit:,} money", budget.money, cost_text(total)),
    )
    said = [translate(text, spent=spent, limit=limit) for text, limit, spent in limits if limit is not None]
    yield f"  {translate('budget: {what}', what=', '.join(said) or translate('none set'))}"


def _short(text: str, *, most: int = 70) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


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
        entries = bank.host.deep_retrieval(receipt.node_id)
        named = dict.fromkeys(str(entry.metadata.get("source") or "") for entry in entries)
        yield f"  {receipt.node_id}  {'; '.join(filter(None, named)) or translate('(no source)')}"
