"""What an observation leaves in the memories of a team, by the rules of the design.

Facts become evidence and shared facts, relations reasoning steps, an answer a hop's answer and a hypothesis, and the
next queries the plan.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from amb_core.agents.contradiction import contradictions
from amb_core.team.actions import argument_of, bare_name, normalised
from amb_core.team.circles import Stuck
from amb_core.team.curator import CuratedObservation, CuratorRequest
from amb_core.team.entity_extractor import premise_of
from amb_core.team.private_memory import PrivateMemory
from amb_core.team.shared_memory import SharedMemory
from amb_core.team.team_records import Fact, Hop
from amb_core.text import name_key

__all__ = ["Observed", "RecordedHop", "record_hop"]


@dataclass(frozen=True, slots=True)
class Observed:
    """The hop an observation became, the new facts, what was read off it, and loops noticed.

    `repeated` says that the team had made this search before.
    """

    hop: Hop
    facts: tuple[Fact, ...]
    curated: CuratedObservation
    repeated: bool = False
    stuck: Stuck | None = None


_KEY_CHARS = 200
_LED, _CONFIRMED = 0.1, 0.6


@dataclass(frozen=True, slots=True)
class RecordedHop:
    """The hop, the facts that are new, and pairs of a new and an older fact that contradict each other."""

    hop: Hop
    facts: tuple[Fact, ...]
    contradicting: tuple[tuple[Fact, Fact], ...] = ()


def record_hop(
    request: CuratorRequest,
    curated: CuratedObservation,
    *,
    shared: SharedMemory,
    private: PrivateMemory,
    turn: int,
    success: bool | None,
) -> RecordedHop:
    """Write what the curator saw into the team's and the agent's memory."""
    agent = private.agent
    succeeded = not curated.is_dead_end if success is None else success
    hop = shared.add_hop(
        agent=agent,
        turn=turn,
        sub_question=request.sub_question,
        action=request.action,
        observation=request.observation,
        extracted_answer=curated.answer,
        bridge_entity=curated.bridge_entity,
        success=succeeded,
        answers_task=curated.answers_task,
        confidence=_confidence(request, curated, shared),
        next_queries=curated.next_queries,
    )
    before = shared.facts
    supports = _suppose(curated, private, turn)
    facts = [fact for each in _facts(curated, hop, shared, agent, turn) if (fact := each) is not None]
    for told in curated.facts:
        private.add_evidence(told.text, source=request.action, relevance=told.confidence, supports=supports, turn=turn)
    for relation in curated.relations:
        premise = premise_of(relation.subject, relation.relation)
        private.add_reasoning_step(premise, relation.value, confidence=max(curated.confidence, 0.5), turn=turn)
    if succeeded and (curated.facts or curated.answer):
        private.add_observation(f"{request.action} → {curated.answer or curated.facts[0].text}"[:_KEY_CHARS], turn=turn)
    _plan(request, curated, shared, private, turn)
    _confirm(facts, hop, shared, task=request.task)
    return RecordedHop(hop, tuple(facts), tuple(_contradicting(facts, before, shared)))


def _confidence(request: CuratorRequest, curated: CuratedObservation, shared: SharedMemory) -> float:
    """How sure an answer is: surer where an earlier hop led here, less so where this page only turned up."""
    if not curated.answers_task or name_key(bare_name(argument_of(request.action))) in name_key(request.task):
        return curated.confidence
    here = normalised(bare_name(argument_of(request.action)))
    led = any(normalised(known.bridge_entity or "") == here for known in shared.hops if known.success)
    return min(1.0, max(0.0, curated.confidence + (_LED if led else -_LED)))


def _confirm(facts: Sequence[Fact], hop: Hop, shared: SharedMemory, *, task: str) -> None:
    """An earlier hop answers the task after all, when a new fact names what it was about."""
    for known in shared.hops:
        about = name_key(bare_name(argument_of(known.action)))
        if known.id == hop.id or known.answers_task or not (known.success and known.extracted_answer and about):
            continue
        if about not in name_key(task) and any(about in name_key(fact.text) for fact in facts):
            shared.confirm(known, confidence=max(known.confidence, _CONFIRMED))


def _suppose(curated: CuratedObservation, private: PrivateMemory, turn: int) -> str | None:
    """The hypothesis that follows from the answer, by id; what only leads on to the next hop is none."""
    if not curated.answer or (curated.answer == curated.bridge_entity and not curated.answers_task):
        return None
    return private.add_hypothesis(curated.answer, confidence=curated.confidence, turn=turn).id


def _facts(curated: CuratedObservation, hop: Hop, shared: SharedMemory, agent: str, turn: int) -> Sequence[Fact | None]:
    return [
        shared.add_fact(
            told.text,
            agent=agent,
            turn=turn,
            subject=told.subject,
            relation=told.relation,
            value=told.value,
            source=hop.id,
            confidence=told.confidence,
        )
        for told in curated.facts
    ]


def _plan(
    request: CuratorRequest, curated: CuratedObservation, shared: SharedMemory, private: PrivateMemory, turn: int
) -> None:
    private.complete(argument_of(request.action))
    wanted = [query for query in curated.next_queries if not shared.has_searched(query)]
    for place, query in enumerate(wanted):
        private.add_plan_item(query, priority=len(wanted) - place, turn=turn)
    shared.plan_for(wanted if not curated.answers_task else ())


def _contradicting(facts: Sequence[Fact], before: Sequence[Fact], shared: SharedMemory) -> list[tuple[Fact, Fact]]:
    """New facts that contradict older ones; both are marked as disputed."""
    found = []
    for fact in facts:
        for known in before:
            if not known.disputed and contradictions(known.text, fact.text):
                found.append((shared.dispute(fact), shared.dispute(known)))
                break
    return found
