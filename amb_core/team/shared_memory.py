"""What a team shares for one task: the hops it made, what it learnt, what it searched, and how the task stands."""

from __future__ import annotations

from typing import Any, Literal

from amb_core.team.actions import near, normalised
from amb_core.team.dead_ends import is_dead_end
from amb_core.team.record_scope import Ranked, RecordScope, TeamSpace
from amb_core.team.team_records import Fact, Hop, Interaction, SearchResult

__all__ = ["SharedMemory", "TaskState"]

TaskState = Literal["in_progress", "completed", "failed"]


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
        """What hops suggest to ask next and nobody has asked: of each hop its best first, the newest hop first."""
        newest = [hop.next_queries for hop in reversed(self.hops)]
        places = range(max(map(len, newest), default=0))
        once: dict[str, str] = {}
        for query in (queries[place] for place in places for queries in newest if place < len(queries)):
            once.setdefault(query.strip().casefold(), query)
        return [query for query in once.values() if not self.has_searched(query)][:k]

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
