"""`amb bench outputs`: questions about what tools print; is the answer, word for word, in the block that memory gives?

`real_outputs.jsonl` holds outputs of tools that were really run, on a made-up shop and on AMB's own history, and for
each some questions in English and Chinese whose answer is a string in it. Development data: AMB was mended on them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from amb_bench.benches import BenchOptions
from amb_bench.tables import Table
from amb_bench.traces_questions import Evidence, TurnPassages
from amb_core import MemoryBank, ToolResult

__all__ = ["AskedOutput", "read_outputs", "tables"]

_FILE = Path(__file__).with_name("real_outputs.jsonl")
_GOAL = "Look after the shop and its code."
_BUDGETS = (200, 500, 1_000, 2_000)
_QUICK = 8
_NEEDS_NOTHING = Evidence(frozenset(), frozenset())


@dataclass(frozen=True, slots=True)
class AskedOutput:
    """The output of a tool, how the tool was called, and pairs of a question and the string that answers it."""

    name: str
    tool: str
    arguments: Mapping[str, str]
    output: str
    questions: tuple[tuple[str, str], ...]


def read_outputs() -> tuple[AskedOutput, ...]:
    """Every output with its questions."""
    rows = [json.loads(line) for line in _FILE.read_text(encoding="utf-8").splitlines()]
    return tuple(
        AskedOutput(row["name"], row["tool"], row["arguments"], row["output"], tuple(map(tuple, row["questions"])))
        for row in rows
    )


def tables(options: BenchOptions) -> Iterator[Table]:
    """Answers found with all outputs in one bank, and with each in a bank of its own; `only` names outputs."""
    outputs = [one for one in read_outputs() if not options.only or one.name in options.only]
    outputs = outputs[:_QUICK] if options.quick else outputs
    asked = sum(len(one.questions) for one in outputs)
    together, alone = _found(outputs, outputs), [_found([one], [one]) for one in outputs]
    rows: list[tuple[str | float, ...]] = [(f"all in one bank: {way}", *together[way]) for way in together]
    for way in together:
        sums = (sum(counts) for counts in zip(*(one[way] for one in alone), strict=True))
        rows.append((f"each alone: {way}", *sums))
    columns = ("shown", *(f"{budget:,} tokens" for budget in _BUDGETS))
    yield Table(f"answers found of {asked}", columns, tuple(rows), {"questions": asked}, name="outputs")


def _found(known: Sequence[AskedOutput], asked: Sequence[AskedOutput]) -> Mapping[str, tuple[float, ...]]:
    """How many answers each way shows at each budget."""
    windows = TurnPassages({number: one.output for number, one in enumerate(known)})
    pairs = [pair for one in asked for pair in one.questions]
    with MemoryBank(_GOAL) as bank:
        for one in known:
            bank.absorb(ToolResult(tool=one.tool, arguments=dict(one.arguments), output=one.output))
        ways: dict[str, Callable[[str, int], str]] = {
            "AMB": lambda question, budget: bank.recall(question, budget_tokens=budget).text,
            "BM25 windows": lambda question, budget: windows.by_words(question, budget, _NEEDS_NOTHING),
        }
        return {
            way: tuple(
                float(sum(answer in show(question, budget) for question, answer in pairs)) for budget in _BUDGETS
            )
            for way, show in ways.items()
        }
