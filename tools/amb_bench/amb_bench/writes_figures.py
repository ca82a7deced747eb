"""The runs of the writes bench as rows of tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from amb_bench.doubles.local_chat import role_of
from amb_bench.tables import Table
from amb_bench.writes_amb import AmbRun, Cost, Write, goal_met, whole_cost
from amb_bench.writes_endpoint import Exchange
from amb_bench.writes_peers import PEERS, PeerRun
from amb_bench.writes_tokens import TokenCounter, text_of
from amb_core.chat_io import ChatRequest, TokenUsage

__all__ = ["by_role", "cost_row", "peer_row", "planning_row", "prefixes"]

Row = tuple[str | float, ...]


def cost_row(name: str, runs: Sequence[AmbRun]) -> Row:
    """Means over all writes of some runs, and how many of the writes meet the goal."""
    writes = [write for run in runs for write in run.writes]
    repeats = whole_cost([cost for run in runs for cost in run.repeats])
    exact = all(run.exact and run.billed for run in runs)
    return (*_means(name, writes), repeats.calls / len(writes), "yes" if exact else "no")


def peer_row(name: str, run: PeerRun) -> Row:
    """The same for a peer; what it asked only in the end is shared among its writes, which were not found before."""
    note = PEERS[name].note
    shown = f"{name} ({note})" if note else name
    if run.problem and not run.writes:
        return (shown, *(["–"] * 8), run.problem[:80])
    count = len(run.writes)
    late = run.late
    writes = [
        Write(
            write.input_tokens,
            write.cost + Cost(late.calls / count, late.failed / count, late.prompt / count, late.completion / count),
            write.searchable,
        )
        for write in run.writes
    ]
    repeats = whole_cost(run.repeats).calls / count if run.repeats else "–"
    return (*_means(shown, writes), repeats, run.problem[:80] or "–")


def _means(name: str, writes: Sequence[Write]) -> Row:
    total, count = whole_cost([write.cost for write in writes]), len(writes)
    tokens = sum(write.input_tokens for write in writes)
    return (
        name,
        tokens / count,
        total.calls / count,
        total.prompt / count,
        total.prompt / tokens,
        total.completion / count,
        f"{sum(map(goal_met, writes))} of {count}",
        f"{sum(write.searchable for write in writes)} of {count}",
    )


def planning_row(name: str, runs: Sequence[AmbRun]) -> Row:
    """Planning calls a step, and their tokens."""
    steps = [cost for run in runs for cost in run.plans]
    total = whole_cost(steps)
    calls = total.calls or 1
    return (name, float(len(steps)), total.calls / len(steps), total.prompt / calls, total.completion / calls)


def by_role(name: str, runs: Sequence[AmbRun]) -> Iterator[Row]:
    """A row for each purpose: calls a write, tokens a call, and how often a part was mended or done by a local twin."""
    writes = sum(len(run.writes) for run in runs)
    for role in dict.fromkeys(role for run in runs for role in run.roles):
        usage = sum((run.roles.get(role, TokenUsage()) for run in runs), TokenUsage())
        done: dict[str, int] = {}
        for run in runs:
            for reason, times in run.fallbacks.get(role, {}).items():
                done[reason] = done.get(reason, 0) + times
        calls = usage.calls or 1
        said = ", ".join(f"{reason} {times}" for reason, times in done.items()) or "–"
        tokens = (usage.prompt_tokens / calls, usage.completion_tokens / calls)
        yield (f"{name}: {role}", usage.calls / writes, *tokens, said)


def prefixes(exchanges: Sequence[Exchange], counter: TokenCounter) -> Table:
    """How much of the requests of each role is the same in all of them, from the first character on."""
    groups: dict[tuple[str, str], list[Exchange]] = {}
    for one in exchanges:
        role = role_of(ChatRequest(messages=one.messages))
        if role and one.prompt_tokens:
            groups.setdefault((role, one.instructions), []).append(one)
    rows = []
    for (role, instructions), asked in groups.items():
        language = "zh" if any("\u4e00" <= sign <= "\u9fff" for sign in instructions) else "en"
        texts = ["\n".join(map(text_of, one.messages)) for one in asked]
        static = counter.count(_same_beginning(texts))
        schema = asked[0].schema_tokens
        mean = sum(one.prompt_tokens for one in asked) / len(asked)
        rows.append(
            (f"{role}, {language}", float(len(asked)), float(static), float(schema), mean, (static + schema) / mean)
        )
    columns = ("role", "requests", "the same in all", "schema", "whole prompt", "share that can be cached")
    return Table("tokens of a prompt that a provider can cache", columns, tuple(sorted(rows)))


def _same_beginning(texts: Sequence[str]) -> str:
    """The characters with which all of them begin."""
    least, most = min(texts), max(texts)
    differing = (at for at, sign in enumerate(least) if most[at : at + 1] != sign)
    return least[: next(differing, len(least))]
