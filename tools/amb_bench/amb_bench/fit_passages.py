"""Fits the weights of passages on recorded runs: `python -m amb_bench.fit_passages RUNS.jsonl…`.

A line of a file is one run, `{"messages": [...]}` in OpenAI chat form; every second run is fitted on, so that the
others can be reported on. Before each action of the agent the request is the newest messages up to
`.8 * budget - block`; a passage that fell out is wanted when the action uses an identifier or a word of at least six
letters that it holds and the request lacks, the more the rarer. The regression is logistic and l2-regularised; every
file weighs the same.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from amb_core import MemoryBank, ToolResult
from amb_core.memory.moment import Moment
from amb_core.memory.passage_index import PassageIndex
from amb_core.memory.passage_scores import FEATURES, passage_features
from amb_core.memory.passage_terms import identifiers, plain_text
from amb_core.text import estimate_tokens

__all__ = ["fit_weights", "main", "wanted_passages"]

Array = NDArray[np.float64]
Message = dict[str, Any]

_WORD = re.compile(r"[a-z]{6,}")
_HARD, _OTHERS = 40, 80
"""Of the passages that are not wanted, so many of the newest and so many others are looked at for one action."""
_FILE_WEIGHT, _PER_ACTION = 400.0, 2.0
_OVERHEAD = 4
_STEPS = 30


@dataclass(frozen=True, slots=True)
class Samples:
    """Features [n, features], whether each passage was wanted [n], and how much it weighs [n]."""

    features: Array
    wanted: Array
    weight: Array


def fit_weights(samples: Samples, *, l2: float = 2.0) -> dict[str, float]:
    """The weight of each feature, by Newton's method on standardised features."""
    mean = np.average(samples.features, axis=0, weights=samples.weight)
    spread = samples.features.std(0) + 1e-6
    inputs = np.column_stack([(samples.features - mean) / spread, np.ones(len(samples.wanted))])
    ridge = np.array([l2] * len(FEATURES) + [1e-6])
    found = np.zeros(len(ridge))
    for _ in range(_STEPS):
        guess = 1 / (1 + np.exp(-np.clip(inputs @ found, -30, 30)))
        slope = inputs.T @ (samples.weight * (guess - samples.wanted)) + ridge * found
        curve = (inputs.T * (samples.weight * guess * (1 - guess))) @ inputs + np.diag(ridge)
        found -= np.linalg.solve(curve, slope)
    return {name: round(float(one), 2) for name, one in zip(FEATURES, found[:-1] / spread, strict=True)}


def wanted_passages(texts: Sequence[str], action: str, request: str) -> Array:
    """How much each text holds of what an action uses and a request lacks."""
    held = identifiers(request) | frozenset(_WORD.findall(request.lower()))
    used = identifiers(action) | frozenset(_WORD.findall(action.lower()))
    cover = np.zeros(len(texts))
    known = [identifiers(text) | frozenset(_WORD.findall(text.lower())) for text in texts]
    for one in used - held:
        hits = [number for number, terms in enumerate(known) if one in terms]
        if hits:
            cover[hits] += len(hits) ** -0.5
    return cover


def _said(message: Message) -> str:
    calls = (f"{call['function']['name']} {call['function']['arguments']}" for call in message.get("tool_calls") or ())
    return "\n".join([message.get("content") or "", *calls])


def _window(messages: Sequence[Message], budget: int) -> list[int]:
    """What is sent before the messages end: the first ones, and as many of the newest as fit."""
    first = next((at for at, one in enumerate(messages) if one["role"] == "assistant"), len(messages))
    kept = list(range(first))
    left = budget - sum(estimate_tokens(_said(messages[at])) + _OVERHEAD for at in kept)
    for at in range(len(messages) - 1, first - 1, -1):
        left -= estimate_tokens(_said(messages[at])) + _OVERHEAD
        if left < 0:
            break
        kept.append(at)
    return sorted(kept)


def _moment(messages: Sequence[Message], kept: Sequence[int]) -> Moment:
    by_role = {role: [_said(one) for one in messages if one["role"] == role] for role in ("user", "assistant", "tool")}
    calls = (call["function"] for one in messages for call in one.get("tool_calls") or ())
    held = (("", messages[at]["tool_call_id"]) for at in kept if messages[at]["role"] == "tool")
    return Moment(
        goal=by_role["user"][0] if by_role["user"] else "",
        asked=by_role["user"][-1] if len(by_role["user"]) > 1 else "",
        said=tuple(by_role["assistant"][-4:][::-1]),
        results=tuple(by_role["tool"][-2:][::-1]),
        used=tuple(f"{call['name']} {call['arguments']}" for call in calls),
        held=frozenset(held),
        request="\n".join(_said(messages[at]) for at in kept),
    )


def _samples(messages: Sequence[Message], *, budget: int, block: int, rng: np.random.Generator) -> Iterator[Samples]:
    calls = {call["id"]: call["function"] for one in messages for call in one.get("tool_calls") or ()}
    with MemoryBank("a recorded run") as bank:
        index = PassageIndex(bank._parts.state)
        for at, message in enumerate(messages):
            if message["role"] == "tool" and (message.get("content") or "").strip():
                call = calls.get(message["tool_call_id"], {"name": "tool", "arguments": ""})
                result = ToolResult(
                    tool=call["name"],
                    arguments={"input": call["arguments"]},
                    output=message["content"],
                    call_id=message["tool_call_id"],
                )
                bank.absorb(result)
            elif message["role"] == "assistant":
                kept = _window(messages[:at], int(budget * 0.8) - block)
                if len(kept) < at:
                    yield from _of_action(index, _moment(messages[:at], kept), plain_text(_said(message)), rng)


def _of_action(index: PassageIndex, moment: Moment, action: str, rng: np.random.Generator) -> Iterator[Samples]:
    index.follow()
    keys = (
        np.flatnonzero(~(index.held(moment.held)[index.owners()] | index.older())) if len(index) else np.zeros(0, int)
    )
    cover = wanted_passages([plain_text(index.text(int(key))) for key in keys], action, plain_text(moment.request))
    wanted, others = np.flatnonzero(cover > 0), np.flatnonzero(cover == 0)
    if not len(wanted):
        return
    others = np.union1d(others[-_HARD:], rng.choice(others, min(len(others), _OTHERS), replace=False))
    rows = np.concatenate([wanted, others])
    gains = cover[wanted] / cover[wanted].sum()
    losses = np.full(len(others), 1 / max(len(others), 1))
    features = passage_features(index, moment)[keys][rows].astype(np.float64)
    yield Samples(features, (cover[rows] > 0).astype(np.float64), np.concatenate([gains, losses]))


def _of_file(path: Path, *, budget: int, block: int, rng: np.random.Generator) -> list[Samples]:
    """The samples of every second run of a file, weighed so that files count the same."""
    runs = [json.loads(line)["messages"] for line in path.read_text("utf-8").splitlines() if line.strip()]
    found = [one for run in runs[::2] for one in _samples(run, budget=budget, block=block, rng=rng)]
    scale = min(_FILE_WEIGHT, _PER_ACTION * len(found)) / max(sum(one.weight.sum() for one in found), 1e-9)
    return [Samples(one.features, one.wanted, one.weight * scale) for one in found]


def main() -> None:
    """Print the weights as they stand in passage_scores.py."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--budget", type=int, default=8_000)
    parser.add_argument("--block", type=int, default=1_200)
    given = parser.parse_args()
    rng = np.random.default_rng(0)
    found = [one for path in given.files for one in _of_file(path, budget=given.budget, block=given.block, rng=rng)]
    columns = (np.concatenate([getattr(one, name) for one in found]) for name in ("features", "wanted", "weight"))
    print(json.dumps(fit_weights(Samples(*columns)), indent=4))


if __name__ == "__main__":
    main()
