"""`amb doctor --model`: ten small cases that say which roles a model plays at least as well as the local agents."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from amb_core.agent_io import (
    AnalysisRequest,
    ClassificationRequest,
    JudgeRequest,
    NodeView,
    Statement,
    StructureRequest,
)
from amb_core.agents import local_agents
from amb_core.agents.prompted import PromptedJudge, llm_agents
from amb_core.errors import ModelError
from amb_core.protocols import Agents, ChatModel, Judge

__all__ = ["Trial", "tried_roles"]

_FILE = Path(__file__).with_name("trial_cases.json")


@dataclass(frozen=True, slots=True)
class Trial:
    """How many of the cases of a role the model and the local agent did rightly; `refused` had no usable answer."""

    role: str
    cases: int
    model: int
    local: int
    refused: int

    @property
    def fits(self) -> bool:
        """Whether the role is better not left to the local agent."""
        return self.model >= self.local and self.model > 0


def tried_roles(chat: ChatModel) -> list[Trial]:
    """A trial of each role; twenty calls at most, and a ModelUnavailable counts as no usable answer."""
    prompted, local = llm_agents(chat, fused=False), local_agents()
    cases: dict[str, list[Mapping[str, Any]]] = {}
    for case in json.loads(_FILE.read_text("utf-8")):
        cases.setdefault(case["role"], []).append(case)
    return [_trial(role, each, prompted, local, PromptedJudge(chat)) for role, each in cases.items()]


def _trial(role: str, cases: list[Mapping[str, Any]], prompted: Agents, local: Agents, judge: Judge) -> Trial:
    right = refused = 0
    for case in cases:
        try:
            right += _is_right(case, prompted, judge)
        except ModelError:
            refused += 1
    return Trial(role, len(cases), right, sum(_is_right(case, local, None) for case in cases), refused)


def _is_right(case: Mapping[str, Any], agents: Agents, judge: Judge | None) -> bool:
    """Whether the agents do a case; without a judge, nothing is told of two statements."""
    if case["role"] == "classification":
        text = case["text"]
        clusters = agents.classification.classify(ClassificationRequest(text=text)).clusters
        begins = {text[start:].lstrip()[:9] for cluster in clusters for start, _ in cluster.spans if start}
        return len(begins) == len(case["begins"]) and all(
            any(each.startswith(first) for each in begins) for first in case["begins"]
        )
    if case["role"] == "structure":
        summary = agents.structure.structure(StructureRequest(content=case["text"])).summary
        return all(each in summary for each in case["keep"])
    if case["role"] == "judge":
        said = Statement(text=case["later"], at=2.0), (Statement(text=case["earlier"], at=1.0),)
        if judge is None:
            return bool(case["label"] == "neither")
        (verdict,) = judge.judge(JudgeRequest(later=said[0], earlier=said[1])).verdicts
        return bool(verdict.relation == case["label"])
    old, new = (
        NodeView(id=name, summary=case[name], context="", text=case[name], timestamp=at)
        for name, at in (("earlier", 1.0), ("later", 2.0))
    )
    relations = agents.analysis.analyse(AnalysisRequest(new=new, candidates=(old,))).relationships
    return any(each.relationship == "conflict" for each in relations) is case["conflict"]
