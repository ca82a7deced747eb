"""One question answered by a team: its agents take turns, and what came of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from amb_bench.hotpotqa.actors import Actor, Prompt
from amb_bench.hotpotqa.arms import Arm, Team, Turn
from amb_core.protocols import Clock
from amb_core.text import estimate_tokens
from amb_longterm import LongTermMemory
from amb_team import TeamMemory, TeamStatistics
from amb_team.actions import argument_of
from amb_tools.hotpotqa.hotpot_environment import Environment, PassageSearch, Stepped
from amb_tools.hotpotqa.hotpot_questions import HotpotQuestion

__all__ = ["AGENTS", "Budgets", "Episode", "run_episode"]

AGENTS = ("solver", "retriever")
"""They take turns; the solver gives the answer."""


@dataclass(frozen=True, slots=True)
class Budgets:
    """What every arm has: `steps` actions of the whole team, `tokens` of memory or transcript in each prompt."""

    steps: int = 7
    tokens: int = 400


@dataclass(frozen=True, slots=True)
class Episode:
    """How a question went. `tokens` are those of all prompts; `statistics` are the team memory's, where it has one."""

    question: str
    answer: str
    em: float
    f1: float
    support: float
    hops: int
    searches: int
    repeated: int
    avoided: int
    tokens: int
    statistics: TeamStatistics | None = None


def run_episode(
    question: HotpotQuestion,
    search: PassageSearch,
    actor: Actor,
    arm: Arm,
    *,
    budgets: Budgets | None = None,
    meta: LongTermMemory | None = None,
    clock: Clock | None = None,
    told: Callable[[Prompt, str, str], object] | None = None,
    ended: Callable[[TeamMemory], object] | None = None,
) -> Episode:
    """Answer one question; `told` hears of each prompt, action and observation, `ended` gets the memory in the end.

    The outcome that team memory learns of is that of the environment: reward 1 or 0 for the answer, never the answer.
    """
    limits = budgets or Budgets()
    environment = Environment(question, search)
    team = Team(question.text, arm, agents=AGENTS, meta=meta, clock=clock)
    try:
        tokens = avoided = hops = 0
        for step in range(limits.steps):
            agent = AGENTS[step % len(AGENTS)]
            text = team.shown(agent, tokens=limits.tokens)
            prompt = Prompt(question.text, text, agent, limits.steps - step, agent == AGENTS[0])
            tokens += estimate_tokens(f"{question.text}\n{text}")
            action = actor.act(prompt)
            stepped, remembered = _done(action, agent, environment, team)
            avoided += remembered
            if told is not None:
                told(prompt, action, stepped.observation)
            if stepped.done:
                break
            hops += 1
            team.note(Turn(agent, action, stepped.observation), found=stepped.found)
        episode = _ended(environment, team, hops=hops, avoided=avoided, tokens=tokens)
        if ended is not None and team.memory is not None:
            ended(team.memory)
        return episode
    finally:
        team.close()


def _done(action: str, agent: str, environment: Environment, team: Team) -> tuple[Stepped, bool]:
    """What an action brought, and whether memory stood in for the search."""
    if action.casefold().startswith("search["):
        known = team.known(agent, argument_of(action))
        if known is not None:
            return Stepped(known), True
    return environment.step(action), False


def _ended(environment: Environment, team: Team, *, hops: int, avoided: int, tokens: int) -> Episode:
    answer = environment.answer or ""
    statistics = None
    if team.memory is not None:
        team.memory.finish(answer=answer, success=bool(environment.em))
        statistics = team.memory.statistics()
    return Episode(
        question=environment.question.text,
        answer=answer,
        em=environment.em,
        f1=environment.f1,
        support=environment.support,
        hops=hops,
        searches=environment.searches,
        repeated=environment.repeated,
        avoided=avoided,
        tokens=tokens,
        statistics=statistics,
    )
