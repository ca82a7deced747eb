"""The contracts of `AnalysisAgent` and `IntegrationAgent`: subclass them and provide the fixture `agent`."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from amb_contracts.agents import ODD_TEXTS
from amb_core.agent_io import (
    AnalysisRequest,
    IntegrationAnswer,
    IntegrationRequest,
    MergeInput,
    NodeView,
    Relationship,
)
from amb_core.models import Conflict
from amb_core.protocols import AnalysisAgent, IntegrationAgent
from amb_values import values

__all__ = ["AnalysisContract", "IntegrationContract"]


@dataclass(frozen=True, slots=True)
class Case:
    """Two sources that contradict each other in one value, and what else there is on the matter."""

    older: NodeView
    newer: NodeView
    related: NodeView
    unrelated: NodeView
    other_time: NodeView
    said: tuple[str, str]
    independent: tuple[str, str]
    beside: str


def _node(id: str, text: str, *, context: str = "", keywords: tuple[str, ...] = (), timestamp: float = 0.0) -> NodeView:
    return NodeView(
        id=id, summary=text, context=context, keywords=keywords, text=text, timestamp=timestamp, source=f"{id}.txt"
    )


BRIDGE = Case(
    older=_node(
        "n1",
        "The Riverton Bridge is 1,204 metres long. It was designed by Ada Harlow.",
        context="The Riverton Bridge, 1,204 metres",
        keywords=("Riverton Bridge", "1,204 metres"),
        timestamp=10.0,
    ),
    newer=_node(
        "n2",
        "The Riverton Bridge is 1,250 metres long. It carries 30,000 cars a day.",
        context="The Riverton Bridge and its traffic",
        keywords=("Riverton Bridge", "traffic"),
        timestamp=20.0,
    ),
    related=_node(
        "n3", "Ada Harlow drew the plans of the Riverton Bridge in her office in Lyness.", context="Ada Harlow"
    ),
    unrelated=_node("n4", "Sourdough rises for twelve hours before it is baked.", context="Sourdough"),
    other_time=_node("n5", "In 1950, the Riverton Bridge carried 8,000 cars a day.", context="Traffic in 1950"),
    said=("1,204 metres", "1,250 metres"),
    independent=(
        "A survey of the county lists the Riverton Bridge. The Riverton Bridge is 1,204 metres long.",
        "A survey of the county lists the Riverton Bridge. The Riverton Bridge is 1,250 metres long.",
    ),
    beside="The county has four bridges and a ferry.",
)
PLANT = Case(
    older=_node(
        "n1",
        "青屿水厂的日产水量为5万吨。厂长是陈海生。",
        context="青屿水厂，日产5万吨",
        keywords=("青屿水厂", "5万吨"),
        timestamp=10.0,
    ),
    newer=_node(
        "n2",
        "青屿水厂的日产水量为8万吨。工厂采用反渗透工艺。",
        context="青屿水厂的工艺",
        keywords=("青屿水厂", "工艺"),
        timestamp=20.0,
    ),
    related=_node("n3", "海岛日报介绍了青屿水厂的展览馆。", context="展览馆"),
    unrelated=_node("n4", "面团要发酵十二个小时才能烤。", context="烘焙"),
    other_time=_node("n5", "2003年，青屿水厂的日产水量为1万吨。", context="2003年的供水"),
    said=("5万吨", "8万吨"),
    independent=(
        "登记表按照现场核验结果填写。青屿水厂的日产水量为5万吨。",
        "登记表按照现场核验结果填写。青屿水厂的日产水量为8万吨。",
    ),
    beside="岛上有四座水库和一个渔港。",
)
CASES = pytest.mark.parametrize("case", [BRIDGE, PLANT], ids=["English", "Chinese"])


class AnalysisContract:
    """What every analysis agent promises, one sentence a test."""

    @staticmethod
    def judged(agent: AnalysisAgent, new: NodeView, *candidates: NodeView) -> dict[str, Relationship]:
        """The relationships by candidate."""
        answer = agent.analyse(AnalysisRequest(new=new, candidates=candidates))
        return {relation.existing_node: relation for relation in answer.relationships}

    def test_without_candidates_there_are_no_relationships(self, agent: AnalysisAgent) -> None:
        assert agent.analyse(AnalysisRequest(new=BRIDGE.newer, candidates=())).relationships == ()

    @CASES
    def test_every_candidate_is_judged_once(self, agent: AnalysisAgent, case: Case) -> None:
        request = AnalysisRequest(new=case.newer, candidates=(case.unrelated, case.related))
        judged = [relation.existing_node for relation in agent.analyse(request).relationships]
        assert sorted(judged) == ["n3", "n4"]

    @CASES
    def test_two_values_for_one_thing_are_a_conflict(self, agent: AnalysisAgent, case: Case) -> None:
        assert self.judged(agent, case.newer, case.older)["n1"].relationship == "conflict"

    @CASES
    def test_a_conflict_names_both_values_the_existing_one_first(self, agent: AnalysisAgent, case: Case) -> None:
        found = self.judged(agent, case.newer, case.older)["n1"]
        assert found.conflict_values == case.said
        assert all(value in found.conflict_description for value in case.said)

    @CASES
    def test_a_conflict_has_a_subject_to_search_for(self, agent: AnalysisAgent, case: Case) -> None:
        found = self.judged(agent, case.newer, case.older)["n1"]
        assert found.conflict_subject.strip()
        assert not any(value in found.conflict_subject for value in case.said)

    @CASES
    def test_conflicts_come_first(self, agent: AnalysisAgent, case: Case) -> None:
        request = AnalysisRequest(new=case.newer, candidates=(case.unrelated, case.related, case.older))
        assert agent.analyse(request).relationships[0].relationship == "conflict"

    @CASES
    def test_another_time_is_no_conflict(self, agent: AnalysisAgent, case: Case) -> None:
        assert self.judged(agent, case.newer, case.other_time)["n5"].relationship != "conflict"

    @CASES
    def test_the_same_said_again_is_no_conflict(self, agent: AnalysisAgent, case: Case) -> None:
        again = case.older.model_copy(update={"id": "n9"})
        assert self.judged(agent, case.older, again)["n9"].relationship != "conflict"

    @CASES
    def test_a_shared_name_relates_and_says_why(self, agent: AnalysisAgent, case: Case) -> None:
        found = self.judged(agent, case.older, case.related)["n3"]
        assert found.relationship == "related"
        assert found.reasoning.strip()

    @CASES
    def test_what_has_nothing_in_common_is_unrelated(self, agent: AnalysisAgent, case: Case) -> None:
        found = self.judged(agent, case.newer, case.unrelated)["n4"]
        assert (found.relationship, found.conflict_description) == ("unrelated", "")

    @CASES
    def test_the_summary_counts_where_the_text_is_missing(self, agent: AnalysisAgent, case: Case) -> None:
        bare = case.older.model_copy(update={"text": ""})
        assert self.judged(agent, case.newer, bare)["n1"].relationship == "conflict"

    @pytest.mark.parametrize("text", ODD_TEXTS)
    def test_any_text_can_be_judged(self, agent: AnalysisAgent, text: str) -> None:
        judged = self.judged(agent, _node("n1", text), BRIDGE.newer, _node("n8", text))
        assert set(judged) == {"n2", "n8"}


class IntegrationContract:
    """What every integration agent promises, one sentence a test."""

    @staticmethod
    def merged(agent: IntegrationAgent, case: Case, verification: str) -> IntegrationAnswer:
        """What the agent makes of the case's two nodes."""
        conflict = Conflict(
            id="c1",
            node_ids=("n1", "n2"),
            description=f"{case.said[0]} / {case.said[1]}",
            subject=case.newer.keywords[0],
            values=case.said,
        )
        nodes = (MergeInput(node=case.older), MergeInput(node=case.newer))
        return agent.integrate(IntegrationRequest(nodes=nodes, conflict=conflict, verification=verification))

    @CASES
    @pytest.mark.parametrize("winner", [0, 1])
    def test_the_verified_value_wins_whichever_node_has_it(
        self, agent: IntegrationAgent, case: Case, winner: int
    ) -> None:
        answer = self.merged(agent, case, case.independent[winner])
        assert answer.decided
        assert case.said[winner] in answer.summary
        assert case.said[1 - winner] not in f"{answer.summary} {answer.context} {' '.join(answer.keywords)}"

    @CASES
    def test_what_only_one_side_says_is_kept(self, agent: IntegrationAgent, case: Case) -> None:
        answer = self.merged(agent, case, case.independent[1])
        for node in (case.older, case.newer):
            only = node.text.replace("。", "。\n").replace(". ", ".\n").splitlines()[1]
            assert only in answer.summary

    @CASES
    def test_the_refuted_statement_is_named_as_dropped(self, agent: IntegrationAgent, case: Case) -> None:
        answer = self.merged(agent, case, case.independent[1])
        assert any(case.said[0] in sentence for sentence in answer.dropped)
        assert not any(case.said[1] in sentence for sentence in answer.dropped)

    @CASES
    @pytest.mark.parametrize("verified", [0, 1])
    def test_every_number_date_and_name_occurs_in_a_source(
        self, agent: IntegrationAgent, case: Case, verified: int
    ) -> None:
        answer = self.merged(agent, case, case.independent[verified])
        sources = "\n".join([case.older.text, case.newer.text, case.older.context, case.independent[verified]])
        known = {(value.kind, value.key) for value in values(f"{sources}\n{case.newer.context}")}
        assert {(value.kind, value.key) for value in values(f"{answer.summary}\n{answer.context}")} <= known

    @CASES
    @pytest.mark.parametrize("verified", [0, 1])
    def test_a_decision_quotes_the_verification_word_for_word(
        self, agent: IntegrationAgent, case: Case, verified: int
    ) -> None:
        answer = self.merged(agent, case, case.independent[verified])
        assert answer.evidence
        assert all(sentence.strip() and sentence in case.independent[verified] for sentence in answer.evidence)

    @CASES
    def test_the_merge_is_described(self, agent: IntegrationAgent, case: Case) -> None:
        assert case.said[1] in self.merged(agent, case, case.independent[1]).merge_description

    @CASES
    @pytest.mark.parametrize("blank", [True, False])
    def test_a_verification_that_settles_nothing_decides_nothing(
        self, agent: IntegrationAgent, case: Case, blank: bool
    ) -> None:
        answer = self.merged(agent, case, "" if blank else case.beside)
        assert not answer.decided
        assert answer.reason.strip()
        assert answer.summary == ""

    @CASES
    def test_equal_support_for_both_decides_nothing(self, agent: IntegrationAgent, case: Case) -> None:
        answer = self.merged(agent, case, f"{case.independent[0]}\n\n{case.independent[1]}")
        assert not answer.decided

    @pytest.mark.parametrize("text", ODD_TEXTS)
    def test_any_verification_can_be_read(self, agent: IntegrationAgent, text: str) -> None:
        assert not self.merged(agent, BRIDGE, text).decided
