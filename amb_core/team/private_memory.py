"""What one agent notes for itself for one task; no other agent ever sees it, unless it is promoted."""

from __future__ import annotations

from collections.abc import Sequence

from amb_core.team.actions import normalised
from amb_core.team.record_scope import Keeping, Ranked, RecordScope
from amb_core.team.team_records import (
    Challenge,
    Evidence,
    Hypothesis,
    Interaction,
    MessageType,
    Noted,
    Observation,
    OutputNote,
    PeerProfile,
    PeerStatus,
    PlanItem,
    PlanStatus,
    ReasoningStep,
    RoleContract,
    SearchResult,
    StepType,
)

__all__ = ["PrivateMemory"]


class PrivateMemory(RecordScope):
    """The notes of `agent`; capacities evict evidence by relevance, hypotheses by confidence, the rest by age."""

    def __init__(self, agent: str, keeping: Keeping, *, role: RoleContract | None = None) -> None:
        super().__init__(f"private.{agent}", keeping)
        self.agent = agent
        self.role = role

    # --- evidence, steps, hypotheses ---------------------------------------------------------------------------------

    def add_evidence(
        self, content: str, *, source: str, relevance: float = 0.5, supports: str | None = None, turn: int = 0
    ) -> Evidence:
        """Note a statement and where it was seen; the same statement is noted once, with its best relevance."""
        known = self.said(Evidence, content)
        if known is not None:
            better = max(known.relevance, relevance)
            return self.change(known, relevance=better, supports=supports or known.supports)
        made = Evidence(
            agent=self.agent, turn=turn, content=content, source=source, relevance=relevance, supports=supports
        )
        return self.add(made, most=self.settings.max_evidence)

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
        known = self.said(Hypothesis, content)
        new = known or Hypothesis(agent=self.agent, turn=turn, content=content, confidence=confidence)
        changes = {
            "confidence": max(new.confidence, confidence),
            "pros": tuple(dict.fromkeys((*new.pros, *pros))),
            "cons": tuple(dict.fromkeys((*new.cons, *cons))),
            "risks": tuple(dict.fromkeys((*new.risks, *risks))),
        }
        if known is not None:
            return self.change(known, **changes)
        return self.add(new.model_copy(update=changes), most=self.settings.max_hypotheses)

    def verify_hypothesis(self, hypothesis_id: str, *, verified: bool = True) -> Hypothesis:
        """Note that a hypothesis held, or did not; UnknownId when there is none of that id."""
        known = self.get(hypothesis_id)
        assert isinstance(known, Hypothesis)
        return self.change(known, verified=verified, confidence=known.confidence if verified else 0.0)

    def top_hypotheses(self, k: int = 3) -> list[Hypothesis]:
        """The surest hypotheses, verified ones first."""
        return sorted(self.of(Hypothesis), key=lambda each: (-each.verified, -each.confidence))[:k]

    def recent_successes(self, k: int = 2) -> list[str]:
        """What led somewhere of late, newest first: verified hypotheses and conclusions that were drawn."""
        found: list[Noted] = [each for each in self.of(Hypothesis) if each.verified]
        found += self.of(ReasoningStep)
        newest = sorted(found, key=lambda each: (each.turn, each.at), reverse=True)
        return [each.told for each in newest][:k]

    def add_reasoning_step(
        self, premise: str, conclusion: str, *, type: StepType = "deduction", confidence: float = 0.5, turn: int = 0
    ) -> ReasoningStep:
        """Note a conclusion and what it was drawn from."""
        step = ReasoningStep(
            agent=self.agent, turn=turn, premise=premise, conclusion=conclusion, type=type, confidence=confidence
        )
        return self.add(step)

    def recent_reasoning(self, k: int = 3) -> list[ReasoningStep]:
        """The newest steps, oldest of them first."""
        return self.of(ReasoningStep)[-k:]

    def add_challenge(self, content: str, *, about: str | None = None, turn: int = 0) -> Challenge:
        """Note a doubt, about a shared record or about the way taken."""
        return self.add(Challenge(agent=self.agent, turn=turn, content=content, about=about))

    @property
    def challenges(self) -> list[Challenge]:
        """All doubts, oldest first."""
        return self.of(Challenge)

    @property
    def evidence(self) -> list[Evidence]:
        """All evidence kept, oldest first."""
        return self.of(Evidence)

    # --- plan --------------------------------------------------------------------------------------------------------

    def add_plan_item(self, description: str, *, priority: int = 0, turn: int = 0) -> PlanItem:
        """Note what to do; what is planned already keeps its place with the higher priority."""
        known = self.said(PlanItem, description)
        if known is not None:
            return self.change(known, priority=max(known.priority, priority))
        return self.add(PlanItem(agent=self.agent, turn=turn, description=description, priority=priority))

    def set_status(self, item_id: str, status: PlanStatus) -> PlanItem:
        """Note how far an item has come."""
        known = self.get(item_id)
        assert isinstance(known, PlanItem)
        return self.change(known, status=status)

    def complete(self, description: str) -> None:
        """Note that what the plan says in these words was done."""
        known = self.said(PlanItem, description)
        if known is not None:
            self.change(known, status=PlanStatus.COMPLETED)

    def pending(self) -> list[PlanItem]:
        """What is still to be done, most urgent first."""
        waiting = [item for item in self.of(PlanItem) if item.status is PlanStatus.PENDING]
        return sorted(waiting, key=lambda item: -item.priority)

    # --- peers and the moment ----------------------------------------------------------------------------------------

    def peer(self, name: str) -> PeerProfile | None:
        """What this agent thinks of another."""
        return next((each for each in self.of(PeerProfile) if each.peer == name), None)

    def update_peer(self, name: str, *, expertise: Sequence[str] = (), status: PeerStatus | None = None) -> PeerProfile:
        """Note what another agent is good at, or how it gets on."""
        known = self.peer(name) or self.add(PeerProfile(agent=self.agent, peer=name))
        joint = tuple(dict.fromkeys((*known.expertise, *expertise)))
        return self.change(known, expertise=joint, status=known.status if status is None else status)

    def record_peer_interaction(self, name: str, *, success: bool) -> PeerProfile:
        """Note whether another's help helped: its success rate moves by `peer_alpha` towards the outcome."""
        known = self.peer(name) or self.add(PeerProfile(agent=self.agent, peer=name))
        alpha = self.settings.peer_alpha
        rate = alpha * float(success) + (1 - alpha) * known.success_rate
        return self.change(known, success_rate=rate, interactions=known.interactions + 1)

    def add_interaction(
        self,
        other: str,
        message: str,
        *,
        type: MessageType = "response",
        turn: int = 0,
    ) -> Interaction:
        """Note a message from or to another agent."""
        made = Interaction(agent=self.agent, turn=turn, to=other, message=message, type=type)
        return self.add(made, most=self.settings.max_interactions)

    def recent_interactions(self, k: int = 3) -> list[Interaction]:
        """The newest messages, oldest of them first."""
        return self.of(Interaction)[-k:]

    def cache_tool_result(self, call: str, result: str, *, turn: int = 0) -> SearchResult:
        """Note what a tool of this agent's own returned."""
        words = normalised(call)
        return self.add(SearchResult(agent=self.agent, turn=turn, query=call, normalised=words, result=result))

    def tool_result(self, call: str) -> str | None:
        """What the same call returned last."""
        words = normalised(call)
        return next((each.result for each in reversed(self.of(SearchResult)) if each.normalised == words), None)

    def add_observation(self, content: str, *, turn: int = 0) -> Observation:
        """Note a key observation."""
        made = Observation(agent=self.agent, turn=turn, content=content)
        return self.add(made, most=self.settings.max_observations)

    def add_output(self, content: str, *, turn: int = 0) -> None:
        """Keep what the agent's model really answered."""
        self.add(OutputNote(agent=self.agent, turn=turn, content=content), most=self.settings.max_outputs)

    @property
    def outputs(self) -> list[OutputNote]:
        """What the agent's model really answered, oldest first."""
        return self.of(OutputNote)

    def retrieve(
        self,
        query: str,
        *,
        k: int | None = None,
        kinds: tuple[type[Noted], ...] = (Evidence, ReasoningStep, Hypothesis),
    ) -> list[Ranked]:
        """The evidence, steps and hypotheses that help with a sub-question, best first."""
        return self.search(query, kinds=kinds, k=self.settings.top_private if k is None else k)
