"""Whether memory would pay for an agent, said plainly, with the figures that say so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from amb_replay.replay_arms import AMB, FULL
from amb_replay.replay_figures import ArmFigures, ReplayFigures

__all__ = ["Reason", "ReplayVerdict", "verdict_of"]

_DEARER, _CHEAPER = 1.03, 0.97
_ASIDE = (FULL, AMB, "oracle")
_AS_CHEAP, _AS_GOOD = 0.03, 2.0
_LEAST = {"far": 10, "far_words": 30}
"""From so many strings of older results that were used again on, or else of words, which coincide more often, a share
of them says something about an agent."""
Outcome = Literal["pays", "less", "bounds", "plain", "unclear", "unknown"]


@dataclass(frozen=True, slots=True)
class Reason:
    """A sentence of the page's words by its key, with the values of its places."""

    key: str
    values: dict[str, str]


@dataclass(frozen=True, slots=True)
class ReplayVerdict:
    """What memory would do for the agent, and why.

    `pays`; `less`: it saves money and a plain way holds more; `bounds`: it keeps the budget and saves nothing;
    `plain`: a plain way does as well for as little; `unclear`: the recording cannot tell, as the first reason
    says; `unknown`: AMB was not measured.
    """

    outcome: Outcome
    reasons: tuple[Reason, ...]


def verdict_of(found: ReplayFigures) -> ReplayVerdict:
    """What the figures say about memory for this agent; nothing where they rest on next to nothing."""
    amb, full = found.arms.get(AMB), found.arms.get(FULL)
    if found.arms and (amb is None or full is None):
        return ReplayVerdict("unknown", ())
    if amb is None or full is None or not found.calls:
        return ReplayVerdict("unclear", (Reason("reason.noCalls", {}),))
    best = _best_plain(found)
    costs = (_cost(found, amb), *_cheaper(found, amb), *_trouble(found, amb))
    if (cause := _untold(found, full, amb)) is not None:
        size = () if cause.key == "reason.small" else (_size(found, full),)
        return ReplayVerdict("unclear", (cause, *size, *costs))
    said = (_size(found, full), costs[0], *_recall(amb, best), *costs[1:])
    return ReplayVerdict(_outcome(amb, best), said)


def _untold(found: ReplayFigures, full: ArmFigures, amb: ArmFigures) -> Reason | None:
    """Why the recording cannot tell; None where it can."""
    if found.results == 0:
        return Reason("reason.noResults", {})
    if not full.over and amb.ratio > _CHEAPER:
        return _size(found, full)
    if _measure(amb) is not None:
        return None
    strings, words = (amb.shares[kind].n for kind in _LEAST)
    if not strings and not words:
        return Reason("reason.unused", {})
    least = {"least": str(_LEAST["far"]), "leastWords": str(_LEAST["far_words"])}
    return Reason("reason.few", {"n": str(strings), "words": str(words)} | least)


def _outcome(amb: ArmFigures, best: tuple[str, ArmFigures] | None) -> Outcome:
    if best is not None and _far(best[1]) >= _far(amb) and best[1].ratio <= amb.ratio + _AS_CHEAP:
        return "plain"
    if amb.ratio > _CHEAPER:
        return "bounds"
    return "less" if best is not None and _far(best[1]) > _far(amb) + _AS_GOOD else "pays"


def _measure(arm: ArmFigures) -> str | None:
    """What of older results is counted: strings, or words where there were too few; None where there is too little."""
    return next((kind for kind, least in _LEAST.items() if arm.shares[kind].n >= least), None)


def _far(arm: ArmFigures) -> float:
    """The share in per cent of what was needed from older results, 100 where that is too little to be counted."""
    kind = _measure(arm)
    return 100.0 if kind is None else arm.shares[kind].percent or 0.0


def _plain(found: ReplayFigures) -> list[tuple[str, ArmFigures]]:
    return [(name, arm) for name, arm in found.arms.items() if name not in _ASIDE]


def _best_plain(found: ReplayFigures) -> tuple[str, ArmFigures] | None:
    return max(_plain(found), key=lambda pair: (_far(pair[1]), -pair[1].ratio), default=None)


def _size(found: ReplayFigures, full: ArmFigures) -> Reason:
    values = {"peak": f"{full.peak:,}", "bound": f"{found.bound:,}"}
    if not full.over:
        return Reason("reason.small", values)
    return Reason("reason.large", values | {"over": f"{full.over:,}", "calls": f"{found.calls:,}"})


def _cost(found: ReplayFigures, amb: ArmFigures) -> Reason:
    key = "dearer" if amb.ratio > _DEARER else "cheaper" if amb.ratio < _CHEAPER else "same"
    return Reason(f"reason.{key}", {"ratio": f"{amb.ratio:.2f}", "floor": f"{found.floor:.2f}"})


def _recall(amb: ArmFigures, best: tuple[str, ArmFigures] | None) -> Iterator[Reason]:
    if best is not None:
        values = {"amb": f"{_far(amb):.0f}", "arm": best[0], "best": f"{_far(best[1]):.0f}"}
        alike = values["amb"] == values["best"]
        kind = "alike" if alike else "better" if _far(amb) > _far(best[1]) else "worse"
        yield Reason(f"reason.{kind}", values)


def _cheaper(found: ReplayFigures, amb: ArmFigures) -> Iterator[Reason]:
    """The cheapest plain way, where it costs less than AMB, with what it holds where anything was needed."""
    name, arm = min(_plain(found), key=lambda pair: pair[1].ratio, default=("", amb))
    if arm.ratio < amb.ratio - _AS_CHEAP:
        values = {"arm": name, "ratio": f"{arm.ratio:.2f}"}
        if _measure(arm) is not None:
            yield Reason("reason.plainCheaper", values | {"best": f"{_far(arm):.0f}"})
        else:
            yield Reason("reason.plainOnlyCheaper", values)


def _trouble(found: ReplayFigures, amb: ArmFigures) -> Iterator[Reason]:
    if amb.over:
        yield Reason("reason.over", {"over": f"{amb.over:,}", "bound": f"{found.bound:,}"})
    if amb.failures:
        yield Reason("reason.failed", {"n": f"{amb.failures:,}"})
