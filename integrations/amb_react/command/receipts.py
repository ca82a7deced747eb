"""The receipts of a run as text: who spent what, on which result, what fell back and why, and what is left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from amb_core.chat.usage_meter import Budget, UsageMeter
from amb_core.models import BankSnapshot
from amb_core.usage import TokenUsage, Usage

__all__ = ["cost_text", "receipt_lines"]

_ROLE = 16
_MOST_RESULTS = 30
_COLUMNS = f"{'role':<{_ROLE}} calls  failed    prompt    cached  completion  cost"


def cost_text(usage: TokenUsage) -> str:
    """What calls cost, in the currency of the price table; nothing is guessed."""
    if usage.unpriced_calls:
        return "price unknown"
    return f"{usage.money:.4f}"


def receipt_lines(snapshot: BankSnapshot, *, meter: UsageMeter | None, budget: Budget | None) -> Iterator[str]:
    """The whole receipt of a task, earlier sessions included, line by line."""
    usage = snapshot.usage or Usage()
    yield from ("", "Receipts", *_roles(usage), "", *_results(snapshot), *_fallbacks(usage))
    yield _largest(snapshot)
    if meter is not None and budget is not None:
        yield from _budget(meter, budget)


def _roles(usage: Usage) -> Iterator[str]:
    if not usage.spent:
        yield "  no model was asked: 0 calls, 0 tokens"
        return
    yield f"  {_COLUMNS}"
    yield from (f"  {_row(role, spent)}" for role, spent in usage.spent.items())
    yield f"  {_row('all', usage.total)}"
    if usage.total.unbelieved_calls:
        count = usage.total.unbelieved_calls
        yield f"  (the endpoint told impossible figures for {count} calls; AMB's estimate stands in for them)"
    elif usage.total.estimated:
        yield "  (the endpoint told no figures for some calls; AMB's estimate stands in for them)"


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
        yield "  taking in each result"
    for bill in bills:
        if bill.entry_id in shown:
            total, source = bill.total, entries[bill.entry_id].metadata.get("source") or ""
            yield (
                f"    {bill.entry_id:<5} {total.calls:>2} calls  {total.tokens:>7,} tokens  {cost_text(total)}  "
                f"{_short(str(source))}"
            )
    if len(bills) > len(shown):
        yield f"    and {len(bills) - len(shown)} cheaper ones: see the page"
    free = sum(1 for entry in snapshot.entries if not entry.forgotten) - len(bills)
    if free > 0 and snapshot.bills:
        yield f"    {free} more cost no call"


def _fallbacks(usage: Usage) -> Iterator[str]:
    """Which steps a local agent did instead of the model, and why."""
    if not usage.fallbacks:
        yield "  no step fell back to a local agent"
    for role, count in usage.fallbacks.items():
        reasons = usage.fallback_reasons.get(role, {})
        why = ", ".join(f"{reason} ×{times}" for reason, times in reasons.items()) or "no reason kept"
        yield f"  {role}: {count} × done by the local agent ({why})"


def _largest(snapshot: BankSnapshot) -> str:
    """The largest request that memory had a part in, beside what a plain transcript would have been then."""
    if not snapshot.injections:
        return "  no request was enhanced"
    largest = max(snapshot.injections, key=lambda injection: injection.prompt_tokens)
    raw = max(injection.raw_tokens for injection in snapshot.injections)
    return f"  largest request: about {largest.prompt_tokens:,} tokens; a plain transcript would have reached {raw:,}"


def _budget(meter: UsageMeter, budget: Budget) -> Iterator[str]:
    total = meter.total
    limits: Sequence[tuple[str, float | None, str]] = (
        ("tokens", budget.tokens, f"{total.tokens:,}"),
        ("calls", budget.calls, f"{total.calls:,}"),
        ("money", budget.money, cost_text(total)),
    )
    said = [f"{spent} of {limit:,} {name}" for name, limit, spent in limits if limit is not None]
    yield f"  budget: {', '.join(said)}" if said else "  budget: none set"


def _short(text: str, *, most: int = 70) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"
