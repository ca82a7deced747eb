"""Whether memory would pay is said by figures, and plainly."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from amb_core import Settings
from amb_inspector.one_file import words
from amb_replay import Trace, replay_trace, report_of
from amb_replay.replay_arms import AMB, FULL
from amb_replay.replay_figures import KINDS, ArmFigures, ReplayFigures, Share
from amb_replay.replay_report import report_lines
from amb_replay.replay_verdict import verdict_of

Orders = Callable[..., Trace]
TIGHT = Settings(prompt_budget_tokens=700, block_tokens=200)


def arm(*, far: int, ratio: float, over: int = 0, of: int = 100, words: int | None = None) -> ArmFigures:
    shares = {kind: Share(far, of) for kind in KINDS}
    if words is not None:
        shares["far_words"] = Share(far * words // (of or 1), words)
    return ArmFigures(1_000, 500.0, 900, over, 0.5, ratio, ratio, None, None, shares, 0.1, 0)


@pytest.mark.parametrize(
    ("over", "amb", "plain", "outcome"),
    [
        (9, (90, 0.5), (60, 0.5), "pays"),
        (0, (90, 0.5), (60, 0.5), "pays"),
        (0, (90, 1.0), (60, 0.5), "unclear"),
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


def outcome(*, strings: int, words: int, over: int = 9, results: int | None = 40) -> tuple[str, str]:
    """What is said where so much of older results was used again, and the first reason."""
    arms = {
        name: arm(far=strings, ratio=ratio, over=over if name == FULL else 0, of=strings, words=words)
        for name, ratio in ((FULL, 1.0), ("lazy", 0.9), (AMB, 0.5 if over else 1.0))
    }
    found = verdict_of(ReplayFigures(1, 20, 8_000, arms, 0.3, results))
    return found.outcome, found.reasons[0].key


def test_a_recording_that_shows_next_to_nothing_is_not_judged() -> None:
    assert outcome(strings=0, words=0) == ("unclear", "reason.unused")
    assert outcome(strings=1, words=0) == ("unclear", "reason.few")
    assert outcome(strings=9, words=29) == ("unclear", "reason.few")
    assert outcome(strings=50, words=50, over=0) == ("unclear", "reason.small")
    assert outcome(strings=0, words=0, results=0) == ("unclear", "reason.noResults")
    assert outcome(strings=10, words=0)[0] == "pays"
    assert outcome(strings=3, words=30)[0] == "pays"
    assert verdict_of(ReplayFigures(0, 0, 0, {}, 0.0)).reasons[0].key == "reason.noCalls"


def lines(traces: Sequence[Trace], settings: Settings, language: str) -> list[str]:
    """What is said about runs, the table left out."""
    report = report_of([replay_trace(trace, settings=settings, arms=(FULL, "window", AMB)) for trace in traces])
    assert report.data()["verdict"]["outcome"] == report.verdict.outcome
    said = list(report_lines(report, language="zh" if language == "zh" else "en"))
    return said[: said.index("")]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_cause_stands_in_the_first_line_and_is_not_repeated(orders: Orders, language: str) -> None:
    runs = {
        "small": [orders(3, language)],
        "few": [orders(12, language)],
        "noCalls": [Trace("t", ({"role": "user", "content": "hello"},))],
        "noResults": [Trace("t", ({"role": "user", "content": "hi"}, {"role": "assistant", "content": "good day"}))],
    }
    told = words("amb_replay:words")[language]
    for cause, traces in runs.items():
        settings = Settings(prompt_budget_tokens=8_000) if cause == "small" else TIGHT
        first, *others = lines(traces, settings, language)
        begin = told[f"verdict.because.{cause}"].partition("{")[0]
        assert begin in first, cause
        assert not any(told["reason.small"].partition("{")[0] in line for line in others if cause == "small")


@pytest.mark.slow
def test_several_files_are_judged_by_what_they_show_together(orders: Orders) -> None:
    alone, together = (lines([orders(12, said=f" (shop {n})") for n in range(many)], TIGHT, "en") for many in (1, 12))
    assert alone[0].startswith("This recording cannot tell")
    assert not together[0].startswith("This recording cannot tell")
