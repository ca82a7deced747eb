"""The receipts of a run as text: who spent what, on which result, what fell back and why, and what is left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from amb_core.chat.usage_meter import Budget, UsageMeter
from amb_core.cli.user_language import translate
from amb_core.models import BankSnapshot
from amb_core.usage import TokenUsage, Usage

__all__ = ["cost_text", "receipt_lines"]

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
