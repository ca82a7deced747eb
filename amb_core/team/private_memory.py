"""What one agent notes for itself for one task; no other agent ever sees it, unless it is promoted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from amb_core.team.actions import normalised
from amb_core.team.record_scope import Ranked, RecordScope
from amb_core.team.team_records import (
    Challenge,
    Evidence,
    Hypothesis,
    Interaction,
    Noted,
    Observation,
    OutputNote,
    PeerProfile,
    PlanItem,
    PlanStatus,
    ReasoningStep,
    RoleContract,
    SearchResult,
)
from amb_core.team.team_settings import TeamSettings

__all__ = ["PrivateMemory"]


class PrivateMemory:
    """The notes of `agent`; capacities evict evidence by relevance, hypotheses by confidence, the rest by age."""

    def __init__(
        self, agent: str, scope: RecordScope, settings: TeamSettings, *, role: RoleContract | None = None
    ) -> None:
        self.agent = agent
        self.role = role
        self._scope = scope
        self._settings = settings

    # --- evidence, steps, hypotheses ---------------------------------------------------------------------------------

    def add_evidence(
        self, content: str, *, source: str, relevance: float = 0.5, supports: str | None = None, turn: int = 0
    ) -> Evidence:
        """Note a statement and where it was seen; the same statement is noted once, with its best relevance."""
        words = normalised(content)
        known = next((each for each in self.evidence if normalised(each.content) == words), None)
        if known is not None:
            return self._scope.change(
                known, relevance=max(known.relevance, relevance), supports=supports or known.supports
            )
        made = self._scope.add(
            Evidence,
            agent=self.agent,
            turn=turn,
            content=content,
            source=source,
            relevance=relevance,
            supports=supports,
        )
        self._scope.keep_best(Evidence, self._settings.max_evidence, lambda each: each.relevance)
        return made

    def add_hypothesis(
        self,
        content: str,
        *,
        confidence: float = 0.5,
        pros: Sequence[str] = (),
        cons: Sequence[str] = (),
        risks: Sequence[str] = (),
        turn: int = 0,
    ) -> Hypothesis:
        """Note what may be the answer; said again, it becomes as sure as the surer time."""
        words = normalised(content)
        known = next((each for each in self._scope.of(Hypothesis) if normalised(each.content) == words), None)
        if known is not None:
            return self._scope.change(
                known,
                confidence=max(known.confidence, confidence),
                pros=tuple(dict.fromkeys((*known.pros, *pros))),
                cons=tuple(dict.fromkeys((*known.cons, *cons))),
                risks=tuple(dict.fromkeys((*known.risks, *risks))),
            )
        made = self._scope.add(
            Hypothesis,
            agent=self.agent,
            turn=turn,
            content=content,
            confidence=confidence,
            pros=tuple(pros),
            cons=tuple(cons),
            risks=tuple(risks),
        )
        self._scope.keep_best(Hypothesis, self._settings.max_hypotheses, lambda each: each.succeeded)
        return made

    def verify_hypothesis(self, hypothesis_id: str, *, verified: bool = True) -> Hypothesis:
        """Note that a hypothesis held, or did not; UnknownId when there is none of that id."""
        known = self._scope.get(hypothesis_id)
        assert isinstance(known, Hypothesis)
        return self._scope.change(known, verified=verified, confidence=known.confidence if verified else 0.0)

    def top_hypotheses(self, k: int = 3) -> list[Hypothesis]:
        """The surest hypotheses, verified ones first."""
        return sorted(self._scope.of(Hypothesis), key=lambda each: (-each.verified, -each.confidence))[:k]

    def recent_successes(self, k: int = 2) -> list[str]:
        """What led somewhere of late, newest first: verified hypotheses and conclusions that were drawn."""
        found: list[Noted] = [each for each in self._scope.of(Hypothesis) if each.verified]
        found += self._scope.of(ReasoningStep)
        newest = sorted(found, key=lambda each: (each.turn, each.at), reverse=True)
        return [each.content if isinstance(each, Hypothesis) else each.told for each in newest][:k]

    def add_reasoning_step(
        self,
        premise: str,
        conclusion: str,
        *,
        type: Literal["deduction", "induction", "abduction"] = "deduction",
        confidence: float = 0.5,
        turn: int = 0,
    ) -> ReasoningStep:
        """Note a conclusion and what it was drawn from."""
        return self._scope.add(
            ReasoningStep,
            agent=self.agent,
            turn=turn,
            premise=premise,
            conclusion=conclusion,
            type=type,
            confidence=confidence,
        )

    def recent_reasoning(self, k: int = 3) -> list[ReasoningStep]:
        """The newest steps, oldest of them first."""
        return self._scope.of(ReasoningStep)[-k:]

    def add_challenge(self, content: str, *, about: str | None = None, turn: int = 0) -> Challenge:
        """Note a doubt, about a shared record or about the way taken."""
        return self._scope.add(Challenge, agent=self.agent, turn=turn, content=content, about=about)

    @property
    def challenges(self) -> list[Challenge]:
        """All doubts, oldest first."""
        return self._scope.of(Challenge)

    @property
    def evidence(self) -> list[Evidence]:
        """All evidence kept, oldest first."""
        return self._scope.of(Evidence)

    # --- plan --------------------------------------------------------------------------------------------------------

    def add_plan_item(self, description: str, *, priority: int = 0, turn: int = 0) -> PlanItem:
        """Note what to do; what is planned already keeps its place with the higher priority."""
        words = normalised(description)
        for known in self._scope.of(PlanItem):
            if normalised(known.description) == words:
                return self._scope.change(known, priority=max(known.priority, priority))
        return self._scope.add(PlanItem, agent=self.agent, turn=turn, description=description, priority=priority)

    def set_status(self, item_id: str, status: PlanStatus) -> PlanItem:
        """Note how far an item has come."""
        known = self._scope.get(item_id)
        assert isinstance(known, PlanItem)
        return self._scope.change(known, status=status)

    def complete(self, description: str) -> None:
        """Note that whatever the plan says in these words was done."""
        words = normalised(description)
        for known in self._scope.of(PlanItem):
            if normalised(known.description) == words:
                self._scope.change(known, status=PlanStatus.COMPLETED)

    def pending(self) -> list[PlanItem]:
        """What is still to be done, most urgent first."""
        waiting = [item for item in self._scope.of(PlanItem) if item.status is PlanStatus.PENDING]
        return sorted(waiting, key=lambda item: -item.priority)

    # --- peers and the moment ----------------------------------------------------------------------------------------

    def peer(self, name: str) -> PeerProfile | None:
        """What this agent thinks of another."""
        return next((each for each in self._scope.of(PeerProfile) if each.peer == name), None)

    def update_peer(
        self, name: str, *, expertise: Sequence[str] = (), status: Literal["", "working", "stuck", "done"] | None = None
    ) -> PeerProfile:
        """Note what another agent is good at, or how it gets on."""
        known = self.peer(name) or self._scope.add(PeerProfile, agent=self.agent, peer=name)
        joint = tuple(dict.fromkeys((*known.expertise, *expertise)))
        return self._scope.change(known, expertise=joint, status=known.status if status is None else status)

    def record_peer_interaction(self, name: str, *, success: bool) -> PeerProfile:
        """Note whether another's help helped: its success rate moves by `peer_alpha` towards the outcome."""
        known = self.peer(name) or self._scope.add(PeerProfile, agent=self.agent, peer=name)
        alpha = self._settings.peer_alpha
        rate = alpha * float(success) + (1 - alpha) * known.success_rate
        return self._scope.change(known, success_rate=rate, interactions=known.interactions + 1)

    def add_interaction(
        self,
        other: str,
        message: str,
        *,
        type: Literal["request", "response", "suggestion"] = "response",
        turn: int = 0,
    ) -> Interaction:
        """Note a message from or to another agent."""
        made = self._scope.add(Interaction, agent=self.agent, turn=turn, to=other, message=message, type=type)
        self._scope.keep_best(Interaction, self._settings.max_interactions, lambda each: each.turn)
        return made

    def recent_interactions(self, k: int = 3) -> list[Interaction]:
        """The newest messages, oldest of them first."""
        return self._scope.of(Interaction)[-k:]

    def cache_tool_result(self, call: str, result: str, *, turn: int = 0) -> SearchResult:
        """Note what a tool of this agent's own returned."""
        return self._scope.add(
            SearchResult, agent=self.agent, turn=turn, query=call, normalised=normalised(call), result=result
        )

    def tool_result(self, call: str) -> str | None:
        """What the same call returned last."""
        words = normalised(call)
        found = [each for each in self._scope.of(SearchResult) if each.normalised == words]
        return found[-1].result if found else None

    def add_observation(self, content: str, *, turn: int = 0) -> Observation:
        """Note a key observation."""
        made = self._scope.add(Observation, agent=self.agent, turn=turn, content=content)
        self._scope.keep_best(Observation, self._settings.max_observations, lambda each: each.turn)
        return made

    def add_output(self, content: str, *, turn: int = 0) -> None:
        """Keep what the agent's model really answered."""
        self._scope.add(OutputNote, agent=self.agent, turn=turn, content=content)
        self._scope.keep_best(OutputNote, self._settings.max_outputs, lambda each: each.turn)

    @property
    def outputs(self) -> list[OutputNote]:
        """What the agent's model really answered, oldest first."""
        return self._scope.of(OutputNote)

    # --- finding -----------------------------------------------------------------------------------------------------

    def retrieve(
        self,
        query: str,
        *,
        k: int | None = None,
        kinds: tuple[type[Noted], ...] = (Evidence, ReasoningStep, Hypothesis),
    ) -> list[Ranked]:
        """The evidence, steps and hypotheses that help with a sub-question, best first."""
        return self._scope.search(query, kinds=kinds, k=self._settings.top_private if k is None else k)

    def records(self) -> list[Noted]:
        """Everything noted, oldest first."""
        return self._scope.all()

    def get(self, record_id: str) -> Noted:
        """A note by id; UnknownId when it is not this agent's."""
        return self._scope.get(record_id)
