"""What a team shares for one task: the hops it made, what it learnt, what it searched, and how the task stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from amb_core.team.actions import near, normalised
from amb_core.team.dead_ends import is_dead_end
from amb_core.team.record_scope import Ranked, RecordScope
from amb_core.team.team_records import Collaboration, Fact, Hop, Interaction, Noted, SearchResult
from amb_core.team.team_settings import TeamSettings

__all__ = ["SharedMemory", "TaskState"]

TaskState = Literal["in_progress", "completed", "failed"]


class SharedMemory:
    """The records all agents of a team see."""

    def __init__(self, scope: RecordScope, settings: TeamSettings) -> None:
        self._scope = scope
        self._settings = settings
        self.status: TaskState = "in_progress"
        self.final_answer = ""
        self._open_queries: tuple[str, ...] = ()

    # --- hops --------------------------------------------------------------------------------------------------------

    def add_hop(
        self,
        *,
        agent: str,
        turn: int,
        sub_question: str,
        action: str,
        observation: str,
        extracted_answer: str | None = None,
        bridge_entity: str | None = None,
        success: bool = True,
        answers_task: bool = False,
        confidence: float = 0.0,
        next_queries: Sequence[str] = (),
    ) -> Hop:
        """Keep one action with what it brought."""
        return self._scope.add(
            Hop,
            agent=agent,
            turn=turn,
            sub_question=sub_question,
            action=action,
            observation=observation,
            extracted_answer=extracted_answer,
            bridge_entity=bridge_entity,
            success=success,
            answers_task=answers_task,
            confidence=confidence,
            next_queries=tuple(next_queries),
        )

    def confirm(self, hop: Hop, *, confidence: float) -> Hop:
        """Note that the answer of a hop is one to the task."""
        return self._scope.change(hop, answers_task=True, confidence=confidence)

    @property
    def hops(self) -> list[Hop]:
        """All hops, oldest first."""
        return self._scope.of(Hop)

    @property
    def last_hop(self) -> Hop | None:
        """The newest hop."""
        return self.hops[-1] if self.hops else None

    def plan_for(self, queries: Sequence[str]) -> None:
        """Note what is still to be asked, as the curator sees it; the estimated number of hops follows from it."""
        self._open_queries = tuple(queries)

    @property
    def estimated_hops(self) -> int:
        """How many hops the task is likely to take: those that brought something, and one for what is still open."""
        useful = sum(hop.success for hop in self.hops)
        return max(useful + (1 if self._open_queries and self.status == "in_progress" else 0), 1)

    @property
    def answers(self) -> list[Hop]:
        """The hops that answer the task, each answer once, the surest first and of equals the newest."""
        found = [hop for hop in self.hops if hop.answers_task and hop.extracted_answer]
        once: dict[str, Hop] = {}
        for hop in sorted(found, key=lambda hop: (-hop.confidence, -hop.turn)):
            once.setdefault(normalised(hop.extracted_answer or ""), hop)
        return list(once.values())

    def open_queries(self, k: int = 3) -> list[str]:
        """What hops suggest to ask next and nobody has asked: of each hop its best first, the newest hop first."""
        newest = [hop.next_queries for hop in reversed(self.hops)]
        places = range(max((len(queries) for queries in newest), default=0))
        once: dict[str, str] = {}
        for query in (queries[place] for place in places for queries in newest if place < len(queries)):
            once.setdefault(query.strip().casefold(), query)
        return [query for query in once.values() if not self.has_searched(query)][:k]

    # --- facts -------------------------------------------------------------------------------------------------------

    def add_fact(
        self,
        text: str,
        *,
        agent: str,
        turn: int = 0,
        subject: str = "",
        relation: str = "",
        value: str = "",
        source: str = "",
        confidence: float = 0.5,
    ) -> Fact | None:
        """Keep a statement; None when the team has it word for word, or from the same subject and value."""
        words = normalised(text)
        for known in self.facts:
            same = (
                subject
                and relation
                and value
                and (known.subject, known.relation, known.value) == (subject, relation, value)
            )
            if same or normalised(known.text) == words:
                return None
        return self._scope.add(
            Fact,
            agent=agent,
            turn=turn,
            text=text,
            subject=subject,
            relation=relation,
            value=value,
            source=source,
            confidence=confidence,
        )

    @property
    def facts(self) -> list[Fact]:
        """All facts, oldest first."""
        return self._scope.of(Fact)

    def fact(self, relation: str, subject: str = "") -> str | None:
        """The newest value of a relation, of one subject or any."""
        for known in reversed(self.facts):
            if known.relation == relation and (not subject or known.subject == subject):
                return known.value
        return None

    def dispute(self, fact: Fact) -> Fact:
        """Mark a fact as contradicted."""
        return self._scope.change(fact, disputed=True)

    # --- searches ----------------------------------------------------------------------------------------------------

    def add_search_result(
        self, query: str, result: str, *, agent: str, turn: int = 0, source: str = ""
    ) -> SearchResult:
        """Keep what a search brought; the same query keeps its newest result."""
        words = normalised(query)
        for known in self._scope.of(SearchResult):
            if known.normalised == words:
                return self._scope.change(known, result=result, turn=turn, agent=agent, source=source)
        return self._scope.add(
            SearchResult, agent=agent, turn=turn, query=query, normalised=words, result=result, source=source
        )

    def search_result(self, query: str) -> SearchResult | None:
        """What the same or a nearly equal query brought, whoever asked it.

        One that found nothing stands for the very same words alone: the name of a page may be spelt otherwise.
        """
        words, asked = normalised(query), query.strip().casefold()
        found = [
            known
            for known in self._scope.of(SearchResult)
            if not is_dead_end(known.result) or known.query.strip().casefold() == asked
        ]
        exact = next((known for known in found if known.normalised == words), None)
        if exact is not None:
            return exact
        least = self._settings.near_query
        return next((known for known in reversed(found) if near(known.normalised, words, least=least)), None)

    def has_searched(self, query: str) -> bool:
        """Whether anybody asked this, or nearly this."""
        return self.search_result(query) is not None

    def offered(self, known: SearchResult) -> SearchResult:
        """Count that a result was given out again instead of a search."""
        return self._scope.change(known, uses=known.uses + 1)

    @property
    def searches(self) -> list[SearchResult]:
        """All searches, oldest first."""
        return self._scope.of(SearchResult)

    # --- agents ------------------------------------------------------------------------------------------------------

    def add_interaction(
        self,
        sender: str,
        to: str,
        message: str,
        *,
        type: Literal["request", "response", "suggestion"] = "response",
        turn: int = 0,
    ) -> Interaction:
        """Keep a message between two agents."""
        return self._scope.add(Interaction, agent=sender, turn=turn, to=to, message=message, type=type)

    def record_collaboration(self, agent: str, other: str, type: str, *, success: bool, turn: int = 0) -> Collaboration:
        """Keep how something two agents did together ended."""
        return self._scope.add(Collaboration, agent=agent, turn=turn, other=other, type=type, success=success)

    @property
    def interactions(self) -> list[Interaction]:
        """All messages, oldest first."""
        return self._scope.of(Interaction)

    @property
    def collaborations(self) -> list[Collaboration]:
        """All collaborations, oldest first."""
        return self._scope.of(Collaboration)

    # --- finding -----------------------------------------------------------------------------------------------------

    def retrieve(
        self, query: str, *, k: int | None = None, kinds: tuple[type[Noted], ...] = (Hop, Fact)
    ) -> list[Ranked]:
        """The hops and facts that help with a sub-question, best first."""
        return self._scope.search(query, kinds=kinds, k=self._settings.top_shared if k is None else k)

    def records(self) -> list[Noted]:
        """Everything shared, oldest first."""
        return self._scope.all()
