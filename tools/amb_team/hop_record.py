"""What an observation leaves in the memories of a team, by the rules of the design; and agents that go in circles.

Facts become evidence and shared facts, relations reasoning steps, an answer a hop's answer and a hypothesis, and the
next queries the plan. An agent in circles gets doubt, more to read, and peers that know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from amb_agents.contradiction import contradictions
from amb_core.rendering import Language
from amb_core.text import detect_language
from amb_team.actions import argument_of, is_search, near, normalised, verb_of
from amb_team.curator import CuratedObservation, CuratedRelation, CuratorRequest
from amb_team.question_kind import is_question
from amb_team.shared_memory import PrivateMemory, SharedMemory
from amb_team.team_records import Challenge, Evidence, Fact, Hop, Hypothesis, Observation, ReasoningStep
from amb_team.team_settings import TeamSettings

__all__ = ["Circles", "HopReport", "Stuck", "record_hop"]

_TOLD: dict[Language, dict[str, str]] = {
    "en": {
        "repeated action": "“{action}” was done before and brought nothing new; ask for something else.",
        "nothing new": "nothing new for {turns} turns; go on from another name, or answer with what is known.",
    },
    "zh": {
        "repeated action": "“{action}”此前已做过且没有新收获；请换一个问法。",
        "nothing new": "已有 {turns} 轮没有新收获；请换一个名称继续，或用已知内容作答。",
    },
}
_KEY_CHARS = 200
_IN_CHINESE = {
    "director": "导演", "author": "作者", "creator": "创造者", "producer": "制作者", "founder": "创始人",
    "spouse": "配偶",
}  # fmt: skip
_CONTRADICTS = {"en": "“{new}” contradicts “{old}”.", "zh": "“{new}”与“{old}”矛盾。"}


@dataclass(frozen=True, slots=True)
class Stuck:
    """That an agent goes in circles: it did `action` before, or has found nothing new for `turns` turns."""

    agent: str
    reason: Literal["repeated action", "nothing new"]
    action: str
    turns: int


@dataclass(slots=True)
class _Trail:
    actions: list[tuple[str, str]] = field(default_factory=list)
    without_news: int = 0
    stuck: Stuck | None = None


class Circles:
    """Follows the actions of each agent of a team; not thread-safe, its owner holds a lock."""

    def __init__(self, settings: TeamSettings, *, language: Language) -> None:
        self._settings = settings
        self._words = _TOLD[language]
        self._trails: dict[str, _Trail] = {}
        self.broken = 0
        """How often an agent was found to go in circles."""

    def __contains__(self, agent: str) -> bool:
        return agent in self._trails and self._trails[agent].stuck is not None

    def follow(
        self, private: PrivateMemory, peers: Iterable[PrivateMemory], action: str, *, new_facts: int, turn: int
    ) -> Stuck | None:
        """Note a turn of an agent; one in vain becomes a doubt in its memory, and `stuck` in the others' view of it.

        A turn is in vain when it was done before and brought nothing new, or nothing new has come for too long.
        """
        trail = self._trails.setdefault(private.agent, _Trail())
        trail.stuck = stuck = self._note(trail, private.agent, action, new_facts)
        if stuck is not None:
            self.broken += 1
            told = self._words[stuck.reason].format(action=action, turns=stuck.turns)
            private.note(Challenge, content=told, turn=turn)
        for other in peers:
            if other.agent != private.agent:
                other.update_peer(private.agent, status="working" if stuck is None else "stuck")
        return stuck

    def _note(self, trail: _Trail, agent: str, action: str, new_facts: int) -> Stuck | None:
        verb, words, least = verb_of(action), normalised(argument_of(action)), self._settings.near_query
        repeated = any(verb == known and near(words, before, least=least) for known, before in trail.actions)
        trail.actions.append((verb, words))
        trail.without_news = 0 if new_facts else trail.without_news + 1
        if repeated and not new_facts:
            return Stuck(agent, "repeated action", action, trail.without_news)
        if trail.without_news >= self._settings.stuck_after:
            return Stuck(agent, "nothing new", action, trail.without_news)
        return None


@dataclass(frozen=True, slots=True)
class HopReport:
    """The hop an observation became, the new facts, what was read off it, and loops noticed.

    `repeated` says that the team had made this search before.
    """

    hop: Hop
    facts: tuple[Fact, ...]
    curated: CuratedObservation
    repeated: bool = False
    stuck: Stuck | None = None


def record_hop(
    request: CuratorRequest,
    curated: CuratedObservation,
    *,
    shared: SharedMemory,
    private: PrivateMemory,
    turn: int,
    success: bool | None,
) -> HopReport:
    """Keep what the curator read off an observation in the team's and the agent's memory.

    `success` is what the environment said of the action; without it whatever is no dead end succeeded. A step that
    failed leaves only what to ask next, and a task that is no question has no answer.
    """
    agent, query = private.agent, argument_of(request.action)
    success = not curated.is_dead_end if success is None else success
    curated = _borne_out(curated, request, success=success)
    searches = is_search(request.action)
    repeated = searches and shared.has_searched(query)
    if searches:
        shared.add_search_result(query, request.observation, agent=agent, turn=turn)
    hop = shared.add(
        Hop(
            agent=agent,
            turn=turn,
            extracted_answer=curated.answer,
            success=success,
            **request.model_dump(include={"sub_question", "action", "observation"}),
            **curated.model_dump(include={"bridge_entity", "answers_task", "next_queries", "confidence"}),
        )
    )
    before = shared.facts
    facts = _note_facts(hop, curated, request, shared, private)
    wanted = [query for query in curated.next_queries if not shared.has_searched(query)]
    shared.leads_on = bool(wanted) and not curated.answers_task
    if success:
        private.complete(query)
    for new, old in _contradicting(facts, before, shared):
        doubt = _CONTRADICTS[detect_language(request.task)].format(new=new.text, old=old.text)
        private.note(Challenge, content=doubt, about=old.id, turn=turn)
    return HopReport(hop, facts, curated, repeated)


def _borne_out(curated: CuratedObservation, request: CuratorRequest, *, success: bool) -> CuratedObservation:
    """What of a reading, whoever made it, the observation says, and the step and the task have room for."""
    if not success:
        return CuratedObservation(is_dead_end=True, next_queries=curated.next_queries, dropped=curated.dropped)
    facts = tuple(each for each in curated.facts if each.text.strip() and each.text in request.observation)
    changed: dict[str, Any] = {"facts": facts, "dropped": curated.dropped + len(curated.facts) - len(facts)}
    if not is_question(request.task):
        changed |= {"answers_task": False}
        changed |= {} if is_question(request.sub_question) else {"answer": None}
    return curated.model_copy(update=changed)


def _note_facts(
    hop: Hop, curated: CuratedObservation, request: CuratorRequest, shared: SharedMemory, private: PrivateMemory
) -> tuple[Fact, ...]:
    """Note facts, the hypothesis and the conclusions; the facts that are new to the team.

    What only leads on to the next hop is no hypothesis.
    """
    turn, supports = hop.turn, None
    leads_on = curated.answer == curated.bridge_entity and not curated.answers_task
    if curated.answer and not leads_on and is_question(request.task):
        supports = private.note(Hypothesis, content=curated.answer, confidence=curated.confidence, turn=turn).id
    new = [
        shared.add_fact(agent=hop.agent, turn=turn, source=hop.id, **told.model_dump(exclude={"start", "end"}))
        for told in curated.facts
    ]
    for told in curated.facts:
        seen = {"content": told.text, "source": hop.action, "relevance": told.confidence}
        private.note(Evidence, **seen, supports=supports, turn=turn)
    for relation in curated.relations:
        step = {"premise": _premise(relation), "conclusion": relation.value}
        private.note(ReasoningStep, **step, confidence=max(curated.confidence, 0.5), turn=turn)
    if hop.success and (curated.facts or curated.answer):
        key = f"{hop.action} → {curated.answer or curated.facts[0].text}"[:_KEY_CHARS]
        private.note(Observation, content=key, turn=turn)
    return tuple(fact for fact in new if fact is not None)


def _premise(relation: CuratedRelation) -> str:
    """What a relation says something of, in words of the subject's language."""
    if detect_language(relation.subject) == "zh":
        return f"{relation.subject}，{_IN_CHINESE.get(relation.relation, relation.relation)}"
    return f"{relation.subject}, {relation.relation}"


def _contradicting(facts: Sequence[Fact], before: Sequence[Fact], shared: SharedMemory) -> Iterator[tuple[Fact, Fact]]:
    """New facts that contradict older ones; both are marked as disputed."""
    for fact in facts:
        for known in before:
            if not known.disputed and contradictions(known.text, fact.text):
                yield shared.change(fact, disputed=True), shared.change(known, disputed=True)
                break
