"""The experiment as tables to read and as one object to keep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from amb_bench.bench_metrics import mean
from amb_bench.hotpotqa.arms import Arm
from amb_bench.hotpotqa.experiment import Experiment, Interval, paired
from amb_bench.hotpotqa.hotpot_episodes import Episode
from amb_bench.tables import Table

__all__ = ["arm_figures", "arm_tables", "second_pass_table"]

_COUNTED = ("em", "f1", "support", "hops", "searches", "repeated", "avoided", "tokens")
_COMPARED = ("em", "f1", "support", "repeated")


def arm_figures(episodes: Sequence[Episode]) -> dict[str, float]:
    """The means over the questions; shares in [0, 1], counts per question."""
    return {name: round(mean(_column(episodes, name)), 4) for name in _COUNTED}


def arm_tables(experiment: Experiment, *, of: Arm, over: str) -> list[Table]:
    """The figures of every arm, and the gains over `none`; those of the arm `of` stand at the top of the JSON."""
    figures = {arm: arm_figures(episodes) for arm, episodes in experiment.episodes.items()}
    rows = tuple((arm, *(told[name] for name in _COUNTED)) for arm, told in figures.items())
    limits = experiment.budgets
    title = f"HotpotQA, {over}: {limits.steps} steps, {limits.tokens} tokens of memory in a prompt; means per question"
    gains = _gains(experiment)
    top: dict[str, object] = {"memory": of, **figures[of], "questions": len(experiment.episodes[of]), "arms": figures}
    top["against_none"] = {
        arm: {name: [round(v, 4) for v in (gain.mean, gain.low, gain.high)] for name, gain in told.items()}
        for arm, told in gains.items()
    }
    shown = [Table(title, ("arm", *_COUNTED), rows, top)]
    if gains:
        told_rows = tuple((arm, *(_told(gain) for gain in told.values())) for arm, told in gains.items())
        shown.append(Table("Gain over none, 95 % paired bootstrap", ("arm", *_COMPARED), told_rows))
    return shown


def second_pass_table(without: Sequence[Episode], remembering: Sequence[Episode]) -> Table:
    """What meta memory of a first pass brings when the questions come again in other words."""
    counted = ("searches", "hops", "em", "support", "tokens")
    rows: list[tuple[str | float, ...]] = [
        (name, *(mean(_column(episodes, each)) for each in counted))
        for name, episodes in (("without meta memory", without), ("with meta memory", remembering))
    ]
    gains = {each: _compared(without, remembering, each) for each in counted}
    rows.append(("difference", *(_told(gain) for gain in gains.values())))
    kept = {each: [round(v, 4) for v in (gain.mean, gain.low, gain.high)] for each, gain in gains.items()}
    return Table("The same questions in other words", ("second pass", *counted), tuple(rows), {"second_pass": kept})


def _gains(experiment: Experiment) -> Mapping[Arm, Mapping[str, Interval]]:
    plain = experiment.episodes.get("none")
    if plain is None:
        return {}
    return {
        arm: {name: _compared(plain, episodes, name) for name in _COMPARED}
        for arm, episodes in experiment.episodes.items()
        if arm != "none"
    }


def _compared(one: Sequence[Episode], other: Sequence[Episode], name: str) -> Interval:
    """The gain question by question; a question that several seeds drew counts once, with its mean over them."""
    return paired(_by_question(one, name), _by_question(other, name))


def _by_question(episodes: Sequence[Episode], name: str) -> list[float]:
    found: dict[str, list[float]] = {}
    for episode in episodes:
        found.setdefault(episode.question, []).append(float(getattr(episode, name)))
    return [mean(values) for values in found.values()]


def _column(episodes: Sequence[Episode], name: str) -> list[float]:
    return [float(getattr(episode, name)) for episode in episodes]


def _told(gain: Interval) -> str:
    return f"{gain.mean:+.3f} [{gain.low:+.3f}, {gain.high:+.3f}]"
