"""A private note is nobody else's: whatever agents do, it is in no other block, snapshot, export or error."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amb_core.errors import UnknownId
from amb_team import TeamMemory
from amb_team.team_records import (
    Challenge,
    Evidence,
    Hypothesis,
    OutputNote,
    PlanItem,
    ReasoningStep,
    SearchResult,
)

AGENTS = ("solver", "retriever", "ground_truth")
SECRETS = {agent: f"Secret{number}word of {agent}" for number, agent in enumerate(AGENTS)}

steps = st.lists(
    st.tuples(
        st.sampled_from(AGENTS),
        st.sampled_from(
            ["evidence", "hypothesis", "reasoning", "challenge", "plan", "output", "tool", "observe", "promote"]
        ),
        st.sampled_from(["", "Titanic", "secret"]),
    ),
    max_size=14,
)


def noted(team, agent, kind, query):
    private, secret = team.private(agent), SECRETS[agent]
    match kind:
        case "evidence":
            private.note(Evidence, content=f"{secret} {query}", source="x", relevance=0.4)
        case "hypothesis":
            private.note(Hypothesis, content=f"{secret} {query}", confidence=0.9)
        case "reasoning":
            private.note(ReasoningStep, premise=query or "so", conclusion=secret)
        case "challenge":
            private.note(Challenge, content=secret)
        case "plan":
            private.note(PlanItem, description=f"{secret} {query}")
        case "output":
            private.note(OutputNote, content=secret)
        case "tool":
            private.note(SearchResult, query=query or "x", normalised="x", result=secret)
        case "observe":
            team.observe(
                agent=agent, action=f"Search[{query or 'x'}]", observation="Titanic is a film.", raw_output=secret
            )
        case "promote":
            for record in private.records():
                with pytest.raises(UnknownId) as refused:
                    team.promote("solver" if agent != "solver" else "retriever", record.id)
                assert secret not in str(refused.value)


@given(steps=steps)
def test_a_private_note_is_seen_by_its_agent_alone(steps):
    with TeamMemory("Who directed Titanic?", agents=AGENTS, team_id="t") as team:
        for agent, kind, query in steps:
            noted(team, agent, kind, query)
        shared = json.dumps(team.snapshot())
        for agent in AGENTS:
            own = team.inject(agent, query="secret Titanic", budget_tokens=2_000) + json.dumps(team.snapshot(agent))
            for other in AGENTS:
                if other != agent:
                    assert SECRETS[other] not in own
            assert SECRETS[agent] not in shared
