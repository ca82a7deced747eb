"""Local analysis: the published contract, and what is particular to names and keywords."""

from __future__ import annotations

import pytest

from amb_agents.local_analysis import LocalAnalysis
from amb_contracts.agents_conflict import AnalysisContract
from amb_core.agent_io import AnalysisRequest, NodeView, Relationship


class TestContract(AnalysisContract):
    @pytest.fixture
    def agent(self) -> LocalAnalysis:
        return LocalAnalysis()


def node(id: str, text: str, context: str = "", keywords: tuple[str, ...] = ()) -> NodeView:
    return NodeView(id=id, summary=text, context=context, keywords=keywords, text=text)


def judge(new: NodeView, *candidates: NodeView) -> list[Relationship]:
    return list(LocalAnalysis().analyse(AnalysisRequest(new=new, candidates=candidates)).relationships)


def test_two_texts_of_one_document_are_in_no_conflict() -> None:
    texts = "Acme has 3,500 employees in Leeds.", "Acme has 2,980 employees in Leeds."
    addresses = "https://acme.example/staff?page=1", "https://acme.example/staff?page=2#top"
    old, new = (node(f"n{n}", texts[n]).model_copy(update={"source": addresses[n]}) for n in (0, 1))
    assert [one.relationship for one in judge(new, old)] != ["conflict"]
