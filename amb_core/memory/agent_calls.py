"""Calls the agents: a failing one is tried once more, then its local twin does the step, and the receipt says so."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Callable
from typing import TypeVar

from amb_core.agent_io import (
    AnalysisAnswer,
    AnalysisRequest,
    ClassificationAnswer,
    ClassificationRequest,
    IntegrationAnswer,
    IntegrationRequest,
    PlanningAnswer,
    PlanningRequest,
    StructureAnswer,
    StructureRequest,
)
from amb_core.errors import AgentFailed
from amb_core.memory.events import BankEvent, EventKind, Events
from amb_core.models import Frozen
from amb_core.protocols import Agents
from amb_core.tracing import traced

__all__ = ["AgentCalls", "Usage"]

_log = logging.getLogger("amb.agents")
_Request = TypeVar("_Request", bound=Frozen)
_Answer = TypeVar("_Answer", bound=Frozen)


class Usage(Frozen):
    """What a bank has cost so far: calls per role, retries and steps done by a local twin.

    `llm_calls` are calls to a chat model; local agents make none.
    """

    agent_calls: dict[str, int] = {}
    retries: dict[str, int] = {}
    fallbacks: dict[str, int] = {}
    llm_calls: int = 0


_ANSWERS: dict[str, type] = {
    "classification": ClassificationAnswer,
    "structure": StructureAnswer,
    "analysis": AnalysisAnswer,
    "integration": IntegrationAnswer,
    "planning": PlanningAnswer,
}


class AgentCalls:
    """The five roles with their local twins behind them; counts what happens, from any thread."""

    def __init__(self, agents: Agents, *, twins: Agents, events: Events) -> None:
        self._agents = agents
        self._twins = twins
        self._events = events
        self._lock = threading.Lock()
        self._calls: Counter[str] = Counter()
        self._retries: Counter[str] = Counter()
        self._fallbacks: Counter[str] = Counter()
        self._llm_calls = 0

    @property
    def usage(self) -> Usage:
        """The counts so far."""
        with self._lock:
            return Usage(
                agent_calls=dict(sorted(self._calls.items())),
                retries=dict(sorted(self._retries.items())),
                fallbacks=dict(sorted(self._fallbacks.items())),
                llm_calls=self._llm_calls,
            )

    def record_llm_calls(self, count: int) -> None:
        """Add calls to a chat model; model-driven agents report theirs here."""
        with self._lock:
            self._llm_calls += count

    def classify(self, request: ClassificationRequest) -> ClassificationAnswer:
        """Split text into topics."""
        return self._call(
            "classification", request, self._agents.classification.classify, self._twins.classification.classify
        )

    def structure(self, request: StructureRequest) -> StructureAnswer:
        """Condense one cluster."""
        return self._call("structure", request, self._agents.structure.structure, self._twins.structure.structure)

    def analyse(self, request: AnalysisRequest) -> AnalysisAnswer:
        """Judge how a new node stands to its candidates; no candidates, no call."""
        if not request.candidates:
            return AnalysisAnswer(relationships=())
        return self._call("analysis", request, self._agents.analysis.analyse, self._twins.analysis.analyse)

    def integrate(
        self, request: IntegrationRequest, *, refusal: Callable[[IntegrationAnswer, IntegrationRequest], str | None]
    ) -> IntegrationAnswer:
        """Merge conflicting nodes by what a verification found.

        An answer that `refusal` has something against counts as a failure; if the twin's is refused too, nothing is
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

    def _call(
        self, role: str, request: _Request, ask: Callable[[_Request], _Answer], twin: Callable[[_Request], _Answer]
    ) -> _Answer:
        self._count(self._calls, role)
        with traced("agent", role=role) as span:
            answer, fell_back = self._answer(role, request, ask, twin)
            span["fell_back"] = fell_back
        return answer

    def _answer(
        self, role: str, request: _Request, ask: Callable[[_Request], _Answer], twin: Callable[[_Request], _Answer]
    ) -> tuple[_Answer, bool]:
        """The answer, and whether the local twin gave it."""
        for attempt in (1, 2):
            try:
                answer = ask(request)
                if not isinstance(answer, _ANSWERS[role]):
                    raise TypeError(f"{type(answer).__name__} is no answer of the {role} agent")
                return answer, False
            except Exception as error:  # noqa: BLE001 - whatever an agent raises, the step must still be done
                _log.warning("the %s agent failed (attempt %d): %s", role, attempt, type(error).__name__)
                failure = error
            if attempt == 1:
                self._count(self._retries, role)
        self._count(self._fallbacks, role)
        self._events.tell(BankEvent(kind=EventKind.AGENT_FELL_BACK, ids=(role,)))
        try:
            return twin(request), True
        except Exception as error:
            raise AgentFailed(
                f"the {role} agent failed ({type(failure).__name__}) and so did its local twin ({error}); "
                "the raw text is kept and is digested again on resume"
            ) from error

    def _count(self, counter: Counter[str], role: str) -> None:
        with self._lock:
            counter[role] += 1
