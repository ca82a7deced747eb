"""The questions in every arm: the same policy, steps and tokens, and paired intervals against `none`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from amb_bench.hotpotqa.actors import Actor
from amb_bench.hotpotqa.arms import Arm
from amb_bench.hotpotqa.hotpot_episodes import Budgets, Episode, run_episode
from amb_longterm import LongTermMemory
from amb_tools.hotpotqa.hotpot_environment import PassageSearch
from amb_tools.hotpotqa.hotpot_questions import HotpotQuestion, Passages, sample_questions

__all__ = ["Experiment", "Interval", "paired", "reworded", "run_arm", "run_experiment", "second_pass", "tried_again"]

_RESAMPLES = 5_000
_OTHER_WORDS = {
    "film": "movie",
    "located": "situated",
    "starred": "acted",
    "founded": "set up",
    "released": "brought out",
    "Which": "What",
    "What": "Which",
    "which": "what",
    "what": "which",
    "In what year": "When",
    "Who directed": "Who was the director of",
    "directed by": "by the director",
    "company": "firm",
    "produced": "made",
    "play": "act",
    "city": "town",
    "known for": "famous for",
}
_WORD = re.compile(rf"\b(?:{'|'.join(sorted(_OTHER_WORDS, key=len, reverse=True))})\b")


@dataclass(frozen=True, slots=True)
class Experiment:
    """Episodes by arm, question by question in the same order; pooled over seeds."""

    budgets: Budgets
    episodes: Mapping[Arm, Sequence[Episode]]


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean difference with its 95 % bootstrap interval."""

    mean: float
    low: float
    high: float

    @property
    def excludes_zero(self) -> bool:
        """Whether the interval lies on one side of 0."""
        return self.low > 0 or self.high < 0


def run_arm(
    questions: Sequence[HotpotQuestion],
    search: PassageSearch,
    actor: Actor,
    arm: Arm,
    *,
    budgets: Budgets,
    meta: LongTermMemory | None = None,
) -> list[Episode]:
    """The questions one after the other in one arm; `meta` (by default an empty one) goes on from each to the next."""
    if meta is not None:
        return [run_episode(each, search, actor, arm, budgets=budgets, meta=meta) for each in questions]
    with LongTermMemory("memory://", actor="team") as fresh:
        return [run_episode(each, search, actor, arm, budgets=budgets, meta=fresh) for each in questions]


def run_experiment(
    questions: Sequence[HotpotQuestion],
    passages: Passages,
    actor: Actor,
    *,
    arms: Sequence[Arm],
    seeds: Sequence[int],
    count: int,
    budgets: Budgets | None = None,
) -> Experiment:
    """Every arm on the same questions; a seed says which, and in what order meta memory meets them."""
    limits = budgets or Budgets()
    search = PassageSearch(passages)
    episodes: dict[Arm, list[Episode]] = {arm: [] for arm in arms}
    for seed in seeds:
        chosen = sample_questions(questions, count=count, seed=seed)
        for arm in arms:
            episodes[arm] += run_arm(chosen, search, actor, arm, budgets=limits)
    return Experiment(limits, episodes)


def second_pass(
    questions: Sequence[HotpotQuestion],
    passages: Passages,
    actor: Actor,
    *,
    seeds: Sequence[int],
    count: int,
    budgets: Budgets | None = None,
) -> tuple[list[Episode], list[Episode]]:
    """The questions asked again in other words: by teams without meta memory, and with that of a first pass."""
    limits, search = budgets or Budgets(), PassageSearch(passages)
    without: list[Episode] = []
    remembering: list[Episode] = []
    for seed in seeds:
        chosen = sample_questions(questions, count=count, seed=seed)
        again = [reworded(each) for each in chosen]
        with LongTermMemory("memory://", actor="team") as meta:
            run_arm(chosen, search, actor, "all", budgets=limits, meta=meta)
            remembering += run_arm(again, search, actor, "all", budgets=limits, meta=meta)
        without += [run_episode(each, search, actor, "all", budgets=limits) for each in again]
    return without, remembering


def tried_again(
    questions: Sequence[HotpotQuestion], passages: Passages, actor: Actor, *, tries: int, budgets: Budgets | None = None
) -> tuple[list[int], list[int]]:
    """How many are right after each try of those that were not, without stored experience and with it."""
    curves: list[list[int]] = []
    search, limits = PassageSearch(passages), budgets or Budgets()
    for kept in (False, True):
        left, curve = list(questions), list[int]()
        with LongTermMemory("memory://", actor="team") as meta:
            for _ in range(tries):
                went = [
                    run_episode(each, search, actor, "all", budgets=limits, meta=meta if kept else None)
                    for each in left
                ]
                left = [each for each, episode in zip(left, went, strict=True) if not episode.em]
                curve.append(len(questions) - len(left))
        curves.append(curve)
    return curves[0], curves[1]


def reworded(question: HotpotQuestion) -> HotpotQuestion:
    """The question in other words: those it brings along, else with some words changed."""
    text = question.reworded or _WORD.sub(lambda found: _OTHER_WORDS[found.group()], question.text)
    return replace(question, text=text)


def paired(one: Sequence[float], other: Sequence[float], *, seed: int = 0) -> Interval:
    """How much more `other` has than `one`, question by question, with a bootstrap interval over questions."""
    gains = np.asarray(other, dtype=float) - np.asarray(one, dtype=float)
    if not len(gains):
        return Interval(0.0, 0.0, 0.0)
    drawn = np.random.default_rng(seed).integers(0, len(gains), size=(_RESAMPLES, len(gains)))
    low, high = np.percentile(gains[drawn].mean(axis=1), [2.5, 97.5])
    return Interval(float(gains.mean()), float(low), float(high))
