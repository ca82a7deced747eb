"""Calls the agents: one that fails is tried once more or done by its local twin, and the receipt says so and why."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import TypeVar

from amb_agents.contradiction import admit
from amb_chat.deadline import OutOfTime, in_time
from amb_core.agent_io import (
    AnalysisAnswer,
    AnalysisRequest,
    ClassificationAnswer,
    ClassificationRequest,
    DigestAnswer,
    DigestRequest,
    IntegrationAnswer,
    IntegrationRequest,
    NodeView,
    PlanningAnswer,
    PlanningRequest,
    Relationship,
    StructureAnswer,
    StructureRequest,
)
from amb_core.call_lock import raise_if_stopped
from amb_core.errors import AgentFailed, BudgetSpent, ModelError
from amb_core.memory.agent_counts import AgentCounts
from amb_core.memory.events import BankEvent, EventKind, Events
from amb_core.models import Frozen
from amb_core.protocols import Agents
from amb_core.tracing import traced
from amb_core.usage import accounting
from amb_notes.proof import refusal

__all__ = ["AgentCalls", "admitted"]

_log = logging.getLogger("amb.agents")
_Request = TypeVar("_Request", bound=Frozen)
_Answer = TypeVar("_Answer", bound=Frozen)

_ANSWERS: dict[str, type] = {
    "classification": ClassificationAnswer,
    "structure": StructureAnswer,
    "analysis": AnalysisAnswer,
    "integration": IntegrationAnswer,
    "planning": PlanningAnswer,
    "digest": DigestAnswer,
}


def admitted(
    relationships: Iterable[Relationship], *, new: NodeView, among: Iterable[NodeView]
) -> tuple[Relationship, ...]:
    """The relationships to known candidates; a conflict that does not stand on two documents only relates them."""
    views = {view.id: view for view in among}
    return tuple(
        admit(one, new=new, candidate=views[one.existing_node]) for one in relationships if one.existing_node in views
    )


class AgentCalls:
    """The roles with their local twins behind them; counts what happens.

    `deadline` are the seconds one call of an agent that is not AMB's local one may take.
    """

    def __init__(self, agents: Agents, *, twins: Agents, counts: AgentCounts, events: Events, deadline: float) -> None:
        self._agents = agents
        self._twins = twins
        self._counts = counts
        self._events = events
        self._deadline = deadline

    def parallel(self, role: str) -> bool:
        """Whether several calls of a role are worth making at the same time: it waits for something outside."""
        return type(getattr(self._agents, role)) is not type(getattr(self._twins, role))

    @property
    def all_local(self) -> bool:
        """Whether AMB's local agents do everything, and nothing waits for a model."""
        roles = ("classification", "structure", "analysis", "integration", "planning")
        return self._agents.digest is None and not any(map(self.parallel, roles))

    @property
    def judged_by_model(self) -> bool:
        """Whether another agent than AMB's local one says what contradicts what."""
        return self._agents.digest is not None or self.parallel("analysis")

    # --- the roles ---------------------------------------------------------------------------------------------------

    def digests(self, text: str) -> bool:
        """Whether a text is to be taken in with one call."""
        return self._agents.digest is not None and self._agents.digest.fits(DigestRequest(text=text))

    def digest(self, request: DigestRequest) -> DigestAnswer | None:
        """Split, condense and compare a text with one call; None when that failed and the local roles have to do it."""
        agent = self._agents.digest
        assert agent is not None
        self._counts.count_call("digest")
        with traced("agent", role="digest") as span:
            answer, failure = self._asked("digest", request, agent.digest)
            span["fell_back"] = answer is None
        if answer is None:
            self._fell_back("digest", type(failure).__name__)
        for part in answer.mended if answer is not None else ():
            self._fell_back("digest", part)
        return answer

    def classify(self, request: ClassificationRequest, *, locally: bool = False) -> ClassificationAnswer:
        """Split text into topics."""
        agents = self._twins if locally else self._agents
        return self._call(
            "classification", request, agents.classification.classify, self._twins.classification.classify
        )

    def structure(self, request: StructureRequest, *, locally: bool = False) -> StructureAnswer:
        """Condense one cluster."""
        agents = self._twins if locally else self._agents
        return self._call("structure", request, agents.structure.structure, self._twins.structure.structure)

    def analyse(self, request: AnalysisRequest, *, locally: bool = False) -> AnalysisAnswer:
        """Judge how a new node stands to its candidates; no candidates, no call."""
        if not request.candidates:
            return AnalysisAnswer(relationships=())
        agents = self._twins if locally else self._agents
        answer = self._call("analysis", request, agents.analysis.analyse, self._twins.analysis.analyse)
        return AnalysisAnswer(relationships=admitted(answer.relationships, new=request.new, among=request.candidates))

    def integrate(self, request: IntegrationRequest) -> IntegrationAnswer:
        """Merge conflicting nodes by what a verification found.

        An answer that does not stand on the texts counts as a failure; if the twin's does not either, nothing is
        decided.
        """

        def accepted(request: IntegrationRequest) -> IntegrationAnswer:
            answer = self._agents.integration.integrate(request)
            problem = refusal(answer, request)
            if problem is not None:
                raise AgentFailed(f"the integration was refused: {problem}")
            return answer

        answer = self._call("integration", request, accepted, self._twins.integration.integrate)
        problem = refusal(answer, request)
        return answer if problem is None else IntegrationAnswer(decided=False, reason=problem)

    def plan(self, request: PlanningRequest) -> PlanningAnswer:
        """Decide the next step."""
        return self._call("planning", request, self._agents.planning.plan, self._twins.planning.plan)

    # --- asking ------------------------------------------------------------------------------------------------------

    def _call(
        self, role: str, request: _Request, ask: Callable[[_Request], _Answer], twin: Callable[[_Request], _Answer]
    ) -> _Answer:
        self._counts.count_call(role)
        with traced("agent", role=role) as span:
            answer, failure = self._asked(role, request, ask)
            span["fell_back"] = answer is None
            if answer is not None:
                return answer
            self._fell_back(role, type(failure).__name__)
            try:
                return twin(request)
            except Exception as error:
                raise_if_stopped(error)
                raise AgentFailed(
                    f"the {role} agent failed ({type(failure).__name__}) and so did its local twin ({error}); "
                    "the raw text is kept and is digested again on resume"
                ) from error

    def _asked(
        self, role: str, request: _Request, ask: Callable[[_Request], _Answer]
    ) -> tuple[_Answer | None, Exception | None]:
        """The agent's answer, or what it failed with.

        An agent that raises is asked once more; one whose model failed is not: its chat client has tried enough.
        """
        with accounting(self._counts.ledger):
            for attempt in (1, 2):
                try:
                    answer = self._in_time(role, request, ask)
                    if not isinstance(answer, _ANSWERS[role]):
                        raise TypeError(f"{type(answer).__name__} is no answer of the {role} agent")
                    return answer, None
                except Exception as error:  # noqa: BLE001 - whatever an agent raises, the step must still be done
                    raise_if_stopped(error)
                    known = isinstance(error, BudgetSpent)  # the meter has said so
                    _log.log(
                        logging.DEBUG if known else logging.WARNING,
                        "the %s agent failed (attempt %d): %s",
                        role,
                        attempt,
                        type(error).__name__,
                    )
                    failure = error
                if isinstance(failure, ModelError | OutOfTime):
                    break
                if attempt == 1:
                    self._counts.count_retry(role)
        return None, failure

    def _in_time(self, role: str, request: _Request, ask: Callable[[_Request], _Answer]) -> _Answer:
        local = role != "digest" and not self.parallel(role)
        return ask(request) if local else in_time(lambda: ask(request), seconds=self._deadline)

    def _fell_back(self, role: str, reason: str) -> None:
        self._counts.count_fallback(role, reason)
        self._events.tell(BankEvent(kind=EventKind.AGENT_FELL_BACK, ids=(role,)))
