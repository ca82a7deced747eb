"""`amb doctor --model`: ten small cases that say which roles a model plays at least as well as the local agents."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from amb_agents import local_agents
from amb_agents.prompted import llm_agents
from amb_core.agent_io import (
    AnalysisRequest,
    ClassificationRequest,
    JudgeRequest,
    NodeView,
    Statement,
    StructureRequest,
)
from amb_core.errors import ModelError, ModelRefused, ModelUnavailable
from amb_core.protocols import Agents, ChatModel, Judge
from amb_readers import PromptedJudge
from amb_team import CuratedObservation, Curator, CuratorRequest, LocalCurator, PromptedCurator

__all__ = ["Trial", "tried_roles"]

_FILE = Path(__file__).with_name("trial_cases.json")
_SHORTER = 0.7
"""A summary of more than this share of its text is none; 30 to 50 per cent are asked for."""


@dataclass(frozen=True, slots=True)
class Trial:
    """How many of the cases of a role the model and the local agents did rightly; `refused` had no usable answer."""

    role: str
    cases: int
    model: int
    local: int
    refused: int

    @property
    def fits(self) -> bool:
        """Whether the model did all cases, or more than the local agents: those cost nothing."""
        return self.model == self.cases or self.model > self.local


class _NotLocal:
    """Stands in for the local curator: when the prompted one turns to it, the reason is raised."""

    def curate(self, request: CuratorRequest) -> CuratedObservation:
        reason = sys.exception()
        if isinstance(reason, ModelError):
            raise reason
        return CuratedObservation()


@dataclass(frozen=True, slots=True)
class _Players:
    """Who plays the roles; without a judge nothing is told of two statements."""

    agents: Agents
    curator: Curator
    judge: Judge | None = None


def tried_roles(chat: ChatModel) -> list[Trial]:
    """A trial of each role, in twenty calls at most.

    An answer that does not come is one of no use. ModelUnavailable and ModelRefused where the first does not come.
    """
    asked = PromptedCurator(chat, local=_NotLocal())
    prompted = _Players(llm_agents(chat, fused=False), asked, PromptedJudge(chat))
    local = _Players(local_agents(), LocalCurator())
    cases: list[Mapping[str, Any]] = json.loads(_FILE.read_text("utf-8"))
    ended = [
        (case["role"], _ended(case, prompted, first=n == 0), _is_right(case, local)) for n, case in enumerate(cases)
    ]
    trials = []
    for role in dict.fromkeys(case["role"] for case in cases):
        model, twin = zip(*((one, other) for name, one, other in ended if name == role), strict=True)
        trials.append(Trial(role, len(model), model.count(True), twin.count(True), model.count(None)))
    return trials


def _ended(case: Mapping[str, Any], prompted: _Players, *, first: bool) -> bool | None:
    """Whether a case was done rightly; None without a usable answer."""
    try:
        return _is_right(case, prompted)
    except (ModelUnavailable, ModelRefused):
        if first:
            raise
        return None
    except ModelError:
        return None


def _is_right(case: Mapping[str, Any], players: _Players) -> bool:
    agents, judge = players.agents, players.judge
    if case["role"] == "curator":
        asked = CuratorRequest(task=case["task"], action=case["action"], observation=case["text"])
        facts = " ".join(fact.text for fact in players.curator.curate(asked).facts)
        return case["keep"] in facts and case["never"] not in facts
    if case["role"] == "classification":
        text = case["text"]
        clusters = agents.classification.classify(ClassificationRequest(text=text)).clusters
        begins = {text[start:].lstrip()[:9] for cluster in clusters for start, _ in cluster.spans if start}
        return len(begins) == len(case["begins"]) and all(
            any(each.startswith(first) for each in begins) for first in case["begins"]
        )
    if case["role"] == "structure":
        summary = agents.structure.structure(StructureRequest(content=case["text"])).summary
        return len(summary) <= _SHORTER * len(case["text"]) and all(each in summary for each in case["keep"])
    if case["role"] == "judge":
        said = Statement(text=case["later"]), (Statement(text=case["earlier"]),)
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
