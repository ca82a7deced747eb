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
Outcome = Literal["pays", "less", "bounds", "plain", "not", "unknown"]


@dataclass(frozen=True, slots=True)
class Reason:
    """A sentence of the page's words by its key, with the values of its places."""

    key: str
    values: dict[str, str]


@dataclass(frozen=True, slots=True)
class ReplayVerdict:
    """What memory would do for the agent, and why.

    `pays`; `less`: it saves money and a plain way holds more; `bounds`: it keeps the budget and saves nothing;
    `plain`: a plain way does as well for as little; `not`: nothing is gained; `unknown`: AMB was not measured.
    """

    outcome: Outcome
    reasons: tuple[Reason, ...]


def verdict_of(found: ReplayFigures) -> ReplayVerdict:
    """What the figures say about memory for this agent."""
    amb, full = found.arms.get(AMB), found.arms[FULL]
    if amb is None or not found.calls:
        return ReplayVerdict("unknown", ())
    best = _best_plain(found)
    said = (*_size(found, full), _cost(found, amb), *_recall(amb, best), *_cheaper(found, amb), *_trouble(found, amb))
    return ReplayVerdict(_outcome(full, amb, best), said)


def _outcome(full: ArmFigures, amb: ArmFigures, best: tuple[str, ArmFigures] | None) -> Outcome:
    if not full.over and amb.ratio > _CHEAPER:
        return "not"
    if best is not None and _far(best[1]) >= _far(amb) and best[1].ratio <= amb.ratio + _AS_CHEAP:
        return "plain"
    if amb.ratio > _CHEAPER:
        return "bounds"
    return "less" if best is not None and _far(best[1]) > _far(amb) + _AS_GOOD else "pays"


def _far(arm: ArmFigures) -> float:
    """The share in per cent of what was needed from older results: of strings, or of words where there were none."""
    for kind in ("far", "far_words"):
        if (percent := arm.shares[kind].percent) is not None:
            return percent
    return 100.0


def _plain(found: ReplayFigures) -> list[tuple[str, ArmFigures]]:
    return [(name, arm) for name, arm in found.arms.items() if name not in _ASIDE]


def _best_plain(found: ReplayFigures) -> tuple[str, ArmFigures] | None:
    return max(_plain(found), key=lambda pair: (_far(pair[1]), -pair[1].ratio), default=None)


def _size(found: ReplayFigures, full: ArmFigures) -> Iterator[Reason]:
    values = {"peak": f"{full.peak:,}", "bound": f"{found.bound:,}"}
    if full.over:
        yield Reason("reason.large", values | {"over": f"{full.over:,}", "calls": f"{found.calls:,}"})
    else:
        yield Reason("reason.small", values)


def _cost(found: ReplayFigures, amb: ArmFigures) -> Reason:
    key = "dearer" if amb.ratio > _DEARER else "cheaper" if amb.ratio < _CHEAPER else "same"
    return Reason(f"reason.{key}", {"ratio": f"{amb.ratio:.2f}", "floor": f"{found.floor:.2f}"})


def _recall(amb: ArmFigures, best: tuple[str, ArmFigures] | None) -> Iterator[Reason]:
    if not _is_counted(amb):
        yield Reason("reason.unused", {})
    elif best is not None:
        values = {"amb": f"{_far(amb):.0f}", "arm": best[0], "best": f"{_far(best[1]):.0f}"}
        yield Reason("reason.better" if _far(amb) > _far(best[1]) else "reason.worse", values)


def _is_counted(arm: ArmFigures) -> bool:
    """Whether the agent used anything of older results."""
    return bool(arm.shares["far"].n or arm.shares["far_words"].n)


def _cheaper(found: ReplayFigures, amb: ArmFigures) -> Iterator[Reason]:
    """The cheapest plain way, where it costs less than AMB, with what it holds where anything was needed."""
    name, arm = min(_plain(found), key=lambda pair: pair[1].ratio, default=("", amb))
    if arm.ratio < amb.ratio - _AS_CHEAP:
        values = {"arm": name, "ratio": f"{arm.ratio:.2f}"}
        if _is_counted(arm):
            yield Reason("reason.plainCheaper", values | {"best": f"{_far(arm):.0f}"})
        else:
            yield Reason("reason.plainOnlyCheaper", values)


def _trouble(found: ReplayFigures, amb: ArmFigures) -> Iterator[Reason]:
    if amb.over:
        yield Reason("reason.over", {"over": f"{amb.over:,}", "bound": f"{found.bound:,}"})
    if amb.failures:
        yield Reason("reason.failed", {"n": f"{amb.failures:,}"})
