"""What a team shares for one task, what one agent notes for itself, and what may go from one to the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeVar

from amb_agents.contradiction import contradictions
from amb_team.actions import argument_of, near, normalised
from amb_team.curator import is_dead_end
from amb_team.record_scope import Ranked, RecordScope, TeamSpace
from amb_team.team_records import (
    Challenge,
    Evidence,
    Fact,
    Hop,
    Hypothesis,
    Interaction,
    Noted,
    PeerProfile,
    PlanItem,
    PlanStatus,
    PromotionNote,
    Quarantined,
    ReasoningStep,
    SearchResult,
)
from amb_values import find_unsupported

__all__ = ["PrivateMemory", "SharedMemory", "TaskState", "share"]

TaskState = Literal["in_progress", "completed", "failed"]
_Kept = TypeVar("_Kept", bound=Noted)


class SharedMemory(RecordScope):
    """The records all agents of a team see, and how the task stands."""

    def __init__(self, space: TeamSpace) -> None:
        super().__init__("shared", space)
        self.status: TaskState = "in_progress"
        self.final_answer = ""
        self.leads_on = False
        """Whether the last hop left something to ask, as the curator sees it."""

    @property
    def hops(self) -> list[Hop]:
        """All hops, oldest first."""
        return self.of(Hop)

    @property
    def last_hop(self) -> Hop | None:
        """The newest hop."""
        return next(reversed(self.hops), None)

    @property
    def estimated_hops(self) -> int:
        """How many hops the task is likely to take: those that brought something, and one for what is still open."""
        useful = sum(hop.success for hop in self.hops)
        return max(useful + (self.leads_on and self.status == "in_progress"), 1)

    @property
    def answers(self) -> list[Hop]:
        """The hops that answer the task, each answer once, the surest first and of equals the newest."""
        found = [hop for hop in self.hops if hop.answers_task and hop.extracted_answer]
        once: dict[str, Hop] = {}
        for hop in sorted(found, key=lambda hop: (-hop.confidence, -hop.turn)):
            once.setdefault(normalised(hop.extracted_answer or ""), hop)
        return list(once.values())

    def open_queries(self, k: int = 3) -> list[str]:
        """What hops suggest to ask next and nobody has asked: of each hop its best first, the newest hop first.

        What was suggested before the task was answered is asked no more, nor what is a known answer or a name that was
        looked up, with more words.
        """
        since = max((hop.turn for hop in self.hops if hop.answers_task), default=0)
        newest = [hop.next_queries for hop in reversed(self.hops) if hop.turn > since or not since]
        places = range(max(map(len, newest), default=0))
        longer = {f"{name} {about}" for name, about in self._asked_of.items()}
        once: dict[str, str] = {}
        for query in (queries[place] for place in places for queries in newest if place < len(queries)):
            if query not in longer:
                once.setdefault(query.strip().casefold(), query)
        found = [normalised(argument_of(hop.action)) for hop in self.hops if hop.success]
        done = [
            set(words.split())
            for words in (*found, *(normalised(each.extracted_answer or "") for each in self.answers))
        ]
        left = [query for query in once.values() if not self.has_searched(query)]
        return [
            query for query in left if not any(words and words <= set(normalised(query).split()) for words in done)
        ][:k]

    def asked_of(self, query: str) -> str:
        """What a hop suggests to ask of a name that it also suggests by itself; "" for nothing."""
        return self._asked_of.get(query, "")

    @property
    def _asked_of(self) -> dict[str, str]:
        """By name that leads on, where it is suggested by itself, what is suggested to ask of it."""
        named = ((hop.bridge_entity, hop.next_queries) for hop in self.hops if hop.bridge_entity in hop.next_queries)
        return {
            name: query.removeprefix(f"{name} ")
            for name, queries in named
            for query in queries
            if query.startswith(f"{name} ")
        }

    def add_fact(self, text: str, *, agent: str, **fields: Any) -> Fact | None:
        """Keep a statement with other `fields` of a Fact; None when it is known word for word, or by its three parts.

        These are the subject, the relation and the value.
        """
        new, words = Fact(text=text, agent=agent, **fields), normalised(text)
        parts = (new.subject, new.relation, new.value)
        for known in self.facts:
            same = all(parts) and parts == (known.subject, known.relation, known.value)
            if same or normalised(known.text) == words:
                return None
        return self.add(new)

    @property
    def facts(self) -> list[Fact]:
        """All facts, oldest first."""
        return self.of(Fact)

    def fact(self, relation: str, subject: str = "") -> str | None:
        """The newest value of a relation, of one subject or any."""
        found = (known for known in reversed(self.facts) if known.relation == relation)
        return next((known.value for known in found if not subject or known.subject == subject), None)

    def add_search_result(self, query: str, result: str, *, agent: str, turn: int = 0) -> SearchResult:
        """Keep what a search brought; the same query keeps its newest result."""
        words = normalised(query)
        brought: dict[str, Any] = {"result": result, "turn": turn, "agent": agent}
        known = next((each for each in self.searches if each.normalised == words), None)
        if known is not None:
            return self.change(known, **brought)
        return self.add(SearchResult(query=query, normalised=words, **brought))

    def search_result(self, query: str) -> SearchResult | None:
        """What the same or a nearly equal query brought, whoever asked it.

        One that found nothing stands for the very same words alone: the name of a page may be spelt otherwise.
        """
        words, asked, least = normalised(query), query.strip().casefold(), self.settings.near_query
        alike = [each for each in self.searches if near(each.normalised, words, least=least)]
        found = [each for each in alike if not is_dead_end(each.result) or each.query.strip().casefold() == asked]
        return next((each for each in found if each.normalised == words), next(reversed(found), None))

    def has_searched(self, query: str) -> bool:
        """Whether anybody asked this, or nearly this."""
        return self.search_result(query) is not None

    @property
    def searches(self) -> list[SearchResult]:
        """All searches, oldest first."""
        return self.of(SearchResult)

    @property
    def interactions(self) -> list[Interaction]:
        """All messages, oldest first."""
        return self.of(Interaction)

    def retrieve(self, query: str, *, k: int | None = None) -> list[Ranked]:
        """The hops and facts that help with a sub-question, best first."""
        return self.search(query, kinds=(Hop, Fact), k=self.settings.top_shared if k is None else k)


class PrivateMemory(RecordScope):
    """The notes of `agent`; capacities evict evidence by relevance, hypotheses by confidence, the rest by age."""

    def __init__(self, agent: str, space: TeamSpace) -> None:
        super().__init__(f"private.{agent}", space)
        self.agent = agent

    def note(self, kind: type[_Kept], **fields: Any) -> _Kept:
        """Note a record of a kind with these fields; what was noted in the same words becomes surer or more urgent."""
        new = kind(agent=self.agent, **fields)
        known = self.said(kind, new.told) if kind.is_once else None
        if known is not None:
            return self.change(known, **known.once_more(new))
        return self.add(new, most=getattr(self.settings, kind.most) if kind.most else None)

    def top_hypotheses(self, k: int = 3) -> list[Hypothesis]:
        """The surest hypotheses, verified ones first."""
        return sorted(self.of(Hypothesis), key=lambda each: (-each.verified, -each.confidence))[:k]

    def recent_successes(self, k: int = 2) -> list[str]:
        """What led somewhere of late, newest first: verified hypotheses and conclusions that were drawn."""
        found: list[Noted] = [each for each in self.of(Hypothesis) if each.verified]
        newest = sorted([*found, *self.of(ReasoningStep)], key=lambda each: (each.turn, each.at), reverse=True)
        return [each.told for each in newest][:k]

    def complete(self, query: str) -> None:
        """Note that what the plan says with all words of a query was done."""
        words = set(normalised(query).split())
        for item in self.of(PlanItem):
            if item.status is not PlanStatus.COMPLETED and words and words <= set(normalised(item.description).split()):
                self.change(item, status=PlanStatus.COMPLETED)

    def pending(self) -> list[PlanItem]:
        """What is still to be done, most urgent first."""
        waiting = [item for item in self.of(PlanItem) if item.status is PlanStatus.PENDING]
        return sorted(waiting, key=lambda item: -item.priority)

    def peer(self, name: str) -> PeerProfile | None:
        """What this agent thinks of another."""
        return next((each for each in self.of(PeerProfile) if each.peer == name), None)

    def update_peer(self, name: str, **fields: Any) -> PeerProfile:
        """Note what another agent is good at, or how it gets on; `fields` are those of its profile."""
        return self.change(self.peer(name) or self.note(PeerProfile, peer=name), **fields)

    def record_peer_interaction(self, name: str, *, success: bool) -> PeerProfile:
        """Note whether another's help helped: its success rate moves by `peer_alpha` towards the outcome."""
        known, alpha = self.update_peer(name), self.settings.peer_alpha
        rate = alpha * float(success) + (1 - alpha) * known.success_rate
        return self.change(known, success_rate=rate, interactions=known.interactions + 1)


def share(record_id: str, *, private: PrivateMemory, shared: SharedMemory, turn: int) -> PromotionNote | Quarantined:
    """Make a fact of the team of one agent's note, or hold it back; either is kept in the team's scope.

    The note must be of a kind that says something of the world, be sure enough, stand on evidence that has all its
    names and figures, be new, and contradict nothing the team holds undisputed. A doubt about a fact of the team
    becomes no fact: it marks that one as disputed. Raises UnknownId for what is not a note of this agent.
    """
    record = private.get(record_id)
    who: dict[str, Any] = {"agent": private.agent, "turn": turn}
    moved = {**who, "record_id": record_id, "to_scope": shared.name}
    evidence = [each for each in private.of(Evidence) if record_id in (each.supports, each.id)]
    doubted = [fact for fact in shared.facts if isinstance(record, Challenge) and fact.id == record.about]
    why_not = _objection(record, shared, evidence, doubted)
    if why_not is not None:
        return shared.add(Quarantined(**moved, reason=why_not))
    if doubted:
        fact: Fact | None = shared.change(doubted[0], disputed=True)
    else:
        told = {"source": evidence[0].source, "quote": "" if record in evidence else evidence[0].content}
        fact = shared.add_fact(_says(record), **who, **told, confidence=record.succeeded)
    assert fact is not None  # a duplicate is an objection
    rests_on = tuple(each.id for each in evidence)
    return shared.add(PromotionNote(**moved, new_id=fact.id, from_scope=private.name, evidence=rests_on))


def _objection(
    record: Noted, shared: SharedMemory, evidence: Sequence[Evidence], doubted: Sequence[Fact]
) -> Literal["type", "confidence", "duplicate", "conflict", "no evidence"] | None:
    """Why a private record may not be shared; None when it may."""
    if not isinstance(record, Evidence | Hypothesis | ReasoningStep | Challenge):
        return "type"
    if isinstance(record, Challenge):
        return None if doubted else "no evidence"
    if record.succeeded < shared.settings.least_confidence:
        return "confidence"
    text = _says(record)
    if not evidence or find_unsupported(text, [each.content for each in evidence]) is not None:
        return "no evidence"
    if any(normalised(fact.text) == normalised(text) for fact in shared.facts):
        return "duplicate"
    if any(contradictions(fact.text, text) for fact in shared.facts if not fact.disputed):
        return "conflict"
    return None


def _says(record: Noted) -> str:
    """What a record would say one level up."""
    return record.conclusion if isinstance(record, ReasoningStep) else record.told
