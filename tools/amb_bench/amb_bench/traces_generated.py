"""Made-up runs that try to break the bound: large arguments, reasoning, images, tool schemas, long user turns."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from amb_bench.tables import Table
from amb_core import Settings
from amb_core.errors import AmbError
from amb_replay.replay import replay_trace
from amb_replay.replay_arms import AMB, FULL
from amb_replay.trace import Trace

__all__ = ["BoundTry", "bound_table", "made_runs", "try_bound"]

_WORDS = "the door is grey and opens at nine 门是灰色的 value_17 W-90021 src/app/main.py 1,250.50 café".split()
_BUDGETS = (4_000, 8_000, 32_000)
_LARGEST_ARGUMENT, _LARGEST_RESULT = 40_000, 5_000
_PIXEL = "data:image/png;base64,iVBORw0KGgo="
_MOST_STEPS = 8


def _text(chance: random.Random, words: int) -> str:
    return " ".join(chance.choices(_WORDS, k=words)).replace("nine", "nine\n")


def _size(chance: random.Random, most: int) -> int:
    """A number of words: mostly small, sometimes very large."""
    return int(most ** chance.random())


def _call(chance: random.Random, number: int) -> dict[str, Any]:
    large = _size(chance, _LARGEST_ARGUMENT) if chance.random() < 0.1 else 5
    arguments = {"path": f"notes/{number}.md", "content": _text(chance, large)}
    called = {"name": "write_file", "arguments": json.dumps(arguments, ensure_ascii=False)}
    message: dict[str, Any] = {"role": "assistant", "content": _text(chance, _size(chance, 400))}
    message["tool_calls"] = [{"id": f"c{number}", "type": "function", "function": called}]
    if chance.random() < 0.4:
        message["reasoning_content"] = _text(chance, _size(chance, 8_000))
    return message


def _user(chance: random.Random) -> dict[str, Any]:
    text = _text(chance, _size(chance, 6_000))
    if chance.random() < 0.5:
        return {"role": "user", "content": text}
    images = [{"type": "image_url", "image_url": {"url": _PIXEL}} for _ in range(chance.randint(1, 3))]
    return {"role": "user", "content": [{"type": "text", "text": text}, *images]}


def made_runs(count: int, *, seed: int = 7) -> Iterator[tuple[Trace, int]]:
    """So many runs, each with the budget it is tried at; system text and task fit into a quarter of it."""
    for number in range(count):
        chance = random.Random(seed * 100_003 + number)
        budget = chance.choice(_BUDGETS)
        schema = {"name": "write_file", "description": _text(chance, _size(chance, budget // 16)), "parameters": {}}
        messages = [
            {"role": "system", "content": _text(chance, _size(chance, budget // 32))},
            {"role": "user", "content": _text(chance, _size(chance, budget // 32))},
        ]
        for step in range(chance.randint(1, _MOST_STEPS)):
            result = _text(chance, _size(chance, _LARGEST_RESULT))
            messages += [_call(chance, step), {"role": "tool", "tool_call_id": f"c{step}", "content": result}]
            messages += [_user(chance)] if chance.random() < 0.2 else []
        messages.append({"role": "assistant", "content": "done"})
        yield Trace(f"made-{number}", tuple(messages), tools=({"type": "function", "function": schema},)), budget


@dataclass(frozen=True, slots=True)
class BoundTry:
    """One made-up run: its calls, the requests of each arm over the budget, AMB's largest in budgets, failures."""

    calls: int = 0
    over_full: int = 0
    over_amb: int = 0
    largest: float = 0.0
    failed: bool = False


def try_bound(made: tuple[Trace, int]) -> BoundTry:
    """Replay one made-up run at its budget."""
    trace, budget = made
    settings = Settings(prompt_budget_tokens=budget)
    try:
        run = replay_trace(trace, settings=settings, arms=(FULL, AMB), bound=budget, texts_of=())
    except AmbError:
        return BoundTry(failed=True)
    full, amb = ([cost.tokens for cost in run.arms[name].costs] for name in (FULL, AMB))
    return BoundTry(
        calls=len(run.calls),
        over_full=sum(tokens > budget for tokens in full),
        over_amb=sum(tokens > budget for tokens in amb),
        largest=max(amb, default=0) / budget,
        failed=bool(run.arms[AMB].failures),
    )


def bound_table(tries: Iterable[BoundTry]) -> Table:
    """How many requests of made-up runs are above the budget, and how many runs failed."""
    found = list(tries)
    calls, failed = sum(one.calls for one in found), sum(one.failed for one in found)
    over = {FULL: sum(one.over_full for one in found), AMB: sum(one.over_amb for one in found)}
    return Table(
        f"the bound, {len(found):,} made-up runs, {calls:,} calls; failed runs: {failed:,}",
        ("arm", "requests over the bound", "largest, × budget"),
        ((FULL, f"{over[FULL]:,}", "–"), (AMB, f"{over[AMB]:,}", f"{max(one.largest for one in found):.2f}")),
        {"over_the_bound": over[AMB]},
        name="traces bound",
    )
