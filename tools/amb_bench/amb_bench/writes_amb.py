"""What a write costs a bank: calls and tokens as the endpoint counts them, beside what the bank's receipts say."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar

from amb_bench.writes_endpoint import CountingEndpoint, Exchange
from amb_bench.writes_texts import GOALS, Output
from amb_core.bank import MemoryBank
from amb_core.chat_io import TokenUsage
from amb_core.clock import ManualClock
from amb_core.memory.events import AbsorbReport
from amb_core.models import StepResult, ToolResult
from amb_core.protocols import Agents

__all__ = ["AmbRun", "Cost", "Write", "bank_with", "cost_of", "goal_met", "prepared", "run_writes", "whole_cost"]

_Value = TypeVar("_Value")
_RATIO, _ALLOWANCE = 2.5, 1_500
"""The goal: so many prompt tokens for each of the input, and so many for everything else."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What was asked of the endpoint: requests, those of them that failed, and the tokens it counted.

    Whole numbers, unless a cost is shared among several writes.
    """

    calls: float = 0
    failed: float = 0
    prompt: float = 0
    completion: float = 0

    def __add__(self, other: Cost) -> Cost:
        return Cost(
            self.calls + other.calls,
            self.failed + other.failed,
            self.prompt + other.prompt,
            self.completion + other.completion,
        )


@dataclass(frozen=True, slots=True)
class Write:
    """One write: tokens of the text, its cost, and whether it was found at the next model call."""

    input_tokens: int
    cost: Cost
    searchable: bool


@dataclass(slots=True)
class AmbRun:
    """The writes of one bank, the same texts again, the planning after each; and whether its receipts are exact."""

    writes: list[Write] = field(default_factory=list)
    repeats: list[Cost] = field(default_factory=list)
    plans: list[Cost] = field(default_factory=list)
    usage: TokenUsage = field(default_factory=TokenUsage)
    roles: dict[str, TokenUsage] = field(default_factory=dict)
    fallbacks: dict[str, dict[str, int]] = field(default_factory=dict)
    exact: bool = True
    billed: bool = True


def cost_of(exchanges: Sequence[Exchange]) -> Cost:
    """The cost of requests to the chat model; embeddings are no model calls."""
    chats = [one for one in exchanges if not one.embedding]
    return Cost(
        calls=len(chats),
        failed=sum(one.status != 200 for one in chats),
        prompt=sum(one.prompt_tokens for one in chats),
        completion=sum(one.completion_tokens for one in chats),
    )


def whole_cost(costs: Sequence[Cost]) -> Cost:
    """The sum."""
    return sum(costs, Cost())


def goal_met(write: Write) -> bool:
    """Whether a novel text cost at most one call, and 2.5 times its tokens and 1,500 more in the prompt."""
    return write.cost.calls <= 1 and write.cost.prompt <= _RATIO * write.input_tokens + _ALLOWANCE


@contextmanager
def prepared(name: str, notes: Sequence[Output], *, at_least: int) -> Iterator[Path]:
    """A file with a bank of `at_least` notes, filled by local agents; several banks can be opened from it."""
    with tempfile.TemporaryDirectory(prefix="amb-writes-") as folder:
        bank = MemoryBank(GOALS[name], clock=ManualClock(step=1.0))
        for note in notes:
            if len(bank.nodes) >= at_least:
                break
            bank.absorb(ToolResult(tool="read", output=note.text, source=note.source))
        yield bank.export(Path(folder) / "bank.json")
        bank.close()


def bank_with(file: Path, agents: Agents | None) -> MemoryBank:
    """The bank in a file, worked on by these agents."""
    return MemoryBank.load(file, agents=agents, clock=ManualClock(2_000_000.0, step=1.0))


def run_writes(bank: MemoryBank, texts: Sequence[Output], endpoint: CountingEndpoint, *, wait: bool = True) -> AmbRun:
    """A step of the task for each text: it is planned, the text taken in, asked for, and taken in from another call."""
    run, begin = AmbRun(), len(endpoint.exchanges)
    for number, text in enumerate(texts):
        novel = ToolResult(tool="read", output=text.text, source=text.source, call_id=f"{number}")
        planning, _ = _counted(endpoint, bank.host.begin_step)
        cost, (report, found) = _counted(endpoint, partial(_written, bank, novel, text, wait))
        run.writes.append(Write(endpoint.counter.count(text.text), cost, found))
        if wait:
            run.billed &= _agree(report.usage, cost)
        again = novel.model_copy(update={"call_id": f"{number} again"})
        run.repeats.append(_counted(endpoint, partial(bank.absorb, again))[0])
        closing, _ = _counted(endpoint, partial(bank.host.finish_step, StepResult()))
        run.plans.append(planning + closing)
    usage = bank.usage
    run.usage, run.roles, run.fallbacks = usage.total, dict(usage.spent), dict(usage.fallback_reasons)
    run.exact = _agree(usage.total, cost_of(endpoint.exchanges[begin:]))
    return run


def _written(bank: MemoryBank, novel: ToolResult, text: Output, wait: bool) -> tuple[AbsorbReport, bool]:
    """Take a text in, then ask for it as the next model call would."""
    report = bank.absorb(novel, wait=wait)
    block = bank.recall(text.probe)
    entries = {span.entry_id for receipt in block.receipts for span in receipt.spans}
    return report, not entries.isdisjoint(report.entry_ids)


def _counted(endpoint: CountingEndpoint, work: Callable[[], _Value]) -> tuple[Cost, _Value]:
    before = len(endpoint.exchanges)
    value = work()
    return cost_of(endpoint.exchanges[before:]), value


def _agree(usage: TokenUsage, cost: Cost) -> bool:
    """Whether receipts and endpoint say the same of requests and of tokens."""
    requests = usage.calls + usage.failed_calls == cost.calls
    return requests and (usage.prompt_tokens, usage.completion_tokens) == (cost.prompt, cost.completion)
