"""Figures of replayed runs: size, cost, and what of later use was there, each with n and a 90 % interval."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import mean

import numpy as np

from amb_chat import Price
from amb_replay.later_use import Used
from amb_replay.replay import CallUse, ReplayedRun
from amb_replay.replay_arms import FULL
from amb_replay.request_cost import CACHED_SHARE

__all__ = ["KINDS", "ArmFigures", "ReplayFigures", "Share", "cached_share", "figures_of", "floor_of", "mean_ratio"]

_DRAWS = 1_000
_INTERVAL = (5, 95)
_MILLION = 1e6

KINDS: dict[str, Callable[[Used, CallUse], bool]] = {
    "newest": lambda one, call: one.near and not one.is_word,
    "newest_fit": lambda one, call: one.near and not one.is_word and call.fits,
    "far": lambda one, call: not one.near and not one.is_word,
    "unsaid": lambda one, call: not one.near and not one.is_word and not one.said,
    "far_words": lambda one, call: not one.near and one.is_word,
    "newest_turns": lambda one, call: one.recent and not one.is_word,
}
"""What is counted: strings of the newest two results (all; where both fit), of older ones, those never said, words, and
strings of the newest two turns."""


@dataclass(frozen=True, slots=True)
class Share:
    """How many of `n` were there; `low` and `high` are a 90 % interval over traces, None for fewer than two."""

    hits: int
    n: int
    low: float | None = None
    high: float | None = None

    @property
    def percent(self) -> float | None:
        """The share in per cent; None when there was nothing to look for."""
        return 100 * self.hits / self.n if self.n else None


@dataclass(frozen=True, slots=True)
class ArmFigures:
    """One arm over all runs: tokens and money of its requests, and what was there of later use.

    `billed` are tokens with prompt caching; `ratio` and `worst` compare them with the whole transcript's, in all and in
    the worst trace; `equal` is the share of the whole transcript's tokens. Money is None without a price. `filled` is
    the mean share of the bound that is used where the whole transcript is above it, `steady` the share of requests that
    begin with the one before, both without a block at the end; None where there are none.
    """

    tokens: int
    billed: float
    peak: int
    over: int
    equal: float
    ratio: float
    worst: float
    uncached_money: float | None
    cached_money: float | None
    shares: dict[str, Share]
    seconds: float
    failures: int
    filled: float | None = None
    steady: float | None = None


@dataclass(frozen=True, slots=True)
class ReplayFigures:
    """All arms over several runs; `floor` is the billed share that no memory can go below (see `floor_of`).

    `results` are the tool results of all runs; None: not counted.
    """

    runs: int
    calls: int
    bound: int
    arms: dict[str, ArmFigures]
    floor: float
    results: int | None = None


def cached_share(price: Price | None) -> float:
    """What a cached token costs of a new one."""
    if price is None or not price.prompt:
        return CACHED_SHARE
    return 1.0 if price.cached is None else price.cached / price.prompt


def floor_of(replayed: ReplayedRun, *, share: float = CACHED_SHARE) -> float:
    """The least that can be billed: every message once in full, then the cached price of the pinned messages alone."""
    total, before = 0.0, 0
    for call in replayed.calls:
        total += call.full_tokens - before + share * min(before, call.pinned_tokens)
        before = call.full_tokens
    return total


def figures_of(runs: Sequence[ReplayedRun], *, price: Price | None = None) -> ReplayFigures:
    """The figures of runs that were replayed with the same arms, the whole transcript among them."""
    share = cached_share(price)
    full = [_billed(one, FULL, share) for one in runs]
    return ReplayFigures(
        runs=len(runs),
        calls=sum(len(one.calls) for one in runs),
        bound=max((one.bound for one in runs), default=0),
        arms={name: _arm_figures(runs, name, full, price) for name in (runs[0].arms if runs else ())},
        floor=sum(floor_of(one, share=share) for one in runs) / (sum(full) or 1),
        results=sum(len(one.run.results) for one in runs),
    )


def _arm_figures(runs: Sequence[ReplayedRun], name: str, full: Sequence[float], price: Price | None) -> ArmFigures:
    share = cached_share(price)
    billed = [_billed(one, name, share) for one in runs]
    sizes = [cost.tokens for one in runs for cost in one.arms[name].costs]
    everything = sum(call.full_tokens for one in runs for call in one.calls)
    return ArmFigures(
        tokens=sum(sizes),
        billed=sum(billed),
        peak=max(sizes, default=0),
        over=sum(cost.tokens > one.bound for one in runs for cost in one.arms[name].costs),
        equal=sum(sizes) / (everything or 1),
        ratio=sum(billed) / (sum(full) or 1),
        worst=max((mine / whole for mine, whole in zip(billed, full, strict=True) if whole), default=0.0),
        uncached_money=None if price is None else sum(sizes) * price.prompt / _MILLION,
        cached_money=None if price is None else sum(billed) * price.prompt / _MILLION,
        shares={kind: _share(runs, name, kind) for kind in KINDS},
        seconds=sum(one.arms[name].seconds for one in runs),
        failures=sum(one.arms[name].failures for one in runs),
        filled=_mean(
            cost.tokens / one.bound
            for one in runs
            for cost, call in zip(one.arms[name].costs, one.calls, strict=True)
            if call.full_tokens > one.bound
        ),
        steady=_mean(float(each) for one in runs for each in one.arms[name].steady),
    )


def _mean(values: Iterable[float]) -> float | None:
    found = list(values)
    return mean(found) if found else None


def _billed(run: ReplayedRun, name: str, share: float) -> float:
    return sum(cost.billed(share) for cost in run.arms[name].costs)


def _looked_for(run: ReplayedRun, name: str, kind: str) -> Iterator[bool]:
    counts = KINDS[kind]
    for call, there in zip(run.calls, run.arms[name].there, strict=True):
        yield from (hit for one, hit in zip(call.used, there, strict=True) if counts(one, call))


def _share(runs: Sequence[ReplayedRun], name: str, kind: str) -> Share:
    found = [list(_looked_for(run, name, kind)) for run in runs]
    hits, wanted = [sum(one) for one in found], [len(one) for one in found]
    low, high = _interval(hits, wanted)
    return Share(sum(hits), sum(wanted), low, high)


def _interval(hits: Sequence[int], wanted: Sequence[int]) -> tuple[float | None, float | None]:
    """A 90 % interval of the share in per cent, by drawing traces again and again; the same draws every time."""
    if sum(n > 0 for n in wanted) < 2:
        return None, None
    draws = np.random.default_rng(7).integers(0, len(hits), size=(_DRAWS, len(hits)))
    all_hits, all_wanted = np.array(hits)[draws].sum(axis=1), np.array(wanted)[draws].sum(axis=1)
    shares = 100 * all_hits[all_wanted > 0] / all_wanted[all_wanted > 0]
    low, high = np.percentile(shares, _INTERVAL)
    return float(low), float(high)


def mean_ratio(runs: Iterable[ReplayedRun], name: str, *, above: int) -> tuple[float, float, int]:
    """Of runs whose last request is above so many tokens: the mean billed share, the mean floor, how many there are."""
    large = [run for run in runs if run.calls and run.calls[-1].full_tokens > above]
    full = [_billed(run, FULL, CACHED_SHARE) for run in large]
    ratios = [_billed(run, name, CACHED_SHARE) / whole for run, whole in zip(large, full, strict=True)]
    floors = [floor_of(run) / whole for run, whole in zip(large, full, strict=True)]
    return (mean(ratios), mean(floors), len(large)) if large else (0.0, 0.0, 0)
