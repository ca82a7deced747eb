"""Whether memory would pay is said by figures, and plainly."""

from __future__ import annotations

import pytest

from amb_replay.replay_arms import AMB, FULL
from amb_replay.replay_figures import KINDS, ArmFigures, ReplayFigures, Share
from amb_replay.replay_verdict import verdict_of


def arm(*, far: int, ratio: float, over: int = 0, of: int = 100) -> ArmFigures:
    shares = {kind: Share(far, of) for kind in KINDS}
    return ArmFigures(1_000, 500.0, 900, over, 0.5, ratio, ratio, None, None, shares, 0.1, 0)


@pytest.mark.parametrize(
    ("over", "amb", "plain", "outcome"),
    [
        (9, (90, 0.5), (60, 0.5), "pays"),
        (0, (90, 0.5), (60, 0.5), "pays"),
        (0, (90, 1.0), (60, 0.5), "not"),
        (9, (60, 0.5), (90, 0.5), "plain"),
        (9, (90, 0.5), (90, 0.5), "plain"),
        (9, (90, 0.5), (90, 0.9), "pays"),
        (9, (60, 0.5), (90, 0.9), "less"),
        (9, (90, 1.2), (60, 1.2), "bounds"),
    ],
)
def test_memory_pays_when_it_saves_money_and_no_plain_way_does_as_well(
    over: int, amb: tuple[int, float], plain: tuple[int, float], outcome: str
) -> None:
    arms = {
        FULL: arm(far=100, ratio=1.0, over=over),
        "window": arm(far=plain[0], ratio=plain[1]),
        AMB: arm(far=amb[0], ratio=amb[1]),
    }
    assert verdict_of(ReplayFigures(1, 20, 8_000, arms, 0.3)).outcome == outcome


@pytest.mark.parametrize(("ratio", "said"), [(0.4, True), (0.5, False), (0.9, False)])
def test_a_plain_way_that_costs_less_is_named_with_what_it_holds(ratio: float, said: bool) -> None:
    arms = {FULL: arm(far=100, ratio=1.0), "lazy": arm(far=60, ratio=ratio), AMB: arm(far=90, ratio=0.5)}
    reasons = {reason.key: reason.values for reason in verdict_of(ReplayFigures(1, 20, 8_000, arms, 0.3)).reasons}
    assert ("reason.plainCheaper" in reasons) is said
    assert not said or reasons["reason.plainCheaper"] == {"arm": "lazy", "ratio": "0.40", "best": "60"}


def test_where_nothing_was_needed_later_no_share_of_it_is_told() -> None:
    arms = {name: arm(far=0, ratio=ratio, over=9, of=0) for name, ratio in ((FULL, 1.0), ("lazy", 0.4), (AMB, 0.5))}
    reasons = {reason.key: reason.values for reason in verdict_of(ReplayFigures(1, 20, 8_000, arms, 0.3)).reasons}
    assert reasons["reason.plainOnlyCheaper"] == {"arm": "lazy", "ratio": "0.40"}
    assert {"reason.unused", "reason.plainCheaper"} & reasons.keys() == {"reason.unused"}
