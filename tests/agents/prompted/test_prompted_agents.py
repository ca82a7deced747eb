"""The model-driven agents with scripted models: what they ask, what they accept, and what becomes of a bad answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from amb_agents.prompted import Asker, PromptedAnalysis, llm_agents
from amb_chat import Budget, ScriptedChatModel, StructuredChat, UsageMeter
from amb_core import ConflictStatus, ManualClock, MemoryBank, Settings, ToolResult
from amb_core.agent_io import AnalysisRequest, ClassificationRequest, NodeView, StructureRequest
from amb_core.chat_io import ChatRequest
from amb_core.errors import InvalidParameter, ModelAnswerInvalid

OPERATOR = "The Harbour Point battery has a usable capacity of 18 MWh."
COURIER = "The Harbour Point battery has a usable capacity of 12 MWh."
REGISTER = "Checked on site in May. The Harbour Point battery has a usable capacity of 18 MWh."


def asked(request: ChatRequest) -> dict[str, Any]:
    """The material of a request."""
    return json.loads(request.messages[-1]["content"])


def agents(script: Callable[[ChatRequest], Any], **options: Any) -> Any:
    return llm_agents(ScriptedChatModel(lambda request: json.dumps(script(request), ensure_ascii=False)), **options)


def judged(name: str, **changes: Any) -> dict[str, Any]:
    told = {"id": name, "same_subject": True, "same_attribute": True, "incompatible": True, "related": True}
    said = {"quote_new": COURIER, "quote_candidate": OPERATOR, "value_new": "12 MWh", "value_candidate": "18 MWh"}
    return {**told, **said, "subject": "capacity of Harbour Point", "reason": "both are about the battery", **changes}


def by_role(request: ChatRequest) -> dict[str, Any]:
    """A model that does its work well on the texts above."""
    told = asked(request)
    match request.purpose:
        case "classification":
            numbers = [one["n"] for one in told["paragraphs"]]
            return {
                "topics": [{"paragraphs": numbers, "topic": "The Harbour Point battery", "keywords": ["Harbour Point"]}]
            }
        case "digest":
            return _digested(told)
        case "structure":
            return {"summary": told["content"]}
        case "analysis":
            text = told["new"]["text"]
            return {"candidates": [_against(one, text) for one in told["candidates"]]}
        case "integration":
            return {
                "decided": True,
                "evidence": [OPERATOR],
                "reason": "the register says 18 MWh",
                "summary": OPERATOR,
                "topic": "Capacity of the Harbour Point battery",
                "keywords": ["Harbour Point"],
                "dropped": [COURIER],
            }
        case _:
            return {"next": "search", "description": "Find the capacity of Harbour Point", "learnt": "18 MWh"}


def _digested(told: dict[str, Any]) -> dict[str, Any]:
    text = "\n".join(one["text"] for one in told["paragraphs"])
    numbers = [one["n"] for one in told["paragraphs"]]
    topic = {"paragraphs": numbers, "topic": "The Harbour Point battery", "keywords": [], "summary": text}
    return {"topics": [topic], "relations": [{"topic": 1, **_against(one, text)} for one in told["candidates"]]}


def _against(candidate: dict[str, str], text: str) -> dict[str, Any]:
    differs = ("12 MWh" in text) != ("12 MWh" in candidate["text"])
    new, old = (COURIER, OPERATOR) if "12 MWh" in text else (OPERATOR, COURIER)
    return judged(candidate["id"], incompatible=differs, quote_new=new, quote_candidate=old)


def read(bank: MemoryBank, text: str, source: str) -> Any:
    return bank.absorb(ToolResult(tool="read", output=text, source=source))


@pytest.mark.parametrize("fused", [True, False])
def test_a_whole_conflict_is_found_and_settled_by_a_model(fused: bool) -> None:
    meter = UsageMeter()
    steps = {"digest"} if fused else {"classification", "analysis"}
    asking = agents(by_role, meter=meter, fused=fused)
    with MemoryBank("What is the capacity?", agents=asking, clock=ManualClock(1, step=1)) as bank:
        for text, source in ((OPERATOR, "a"), (COURIER, "b"), (REGISTER, "c")):
            read(bank, text, source)
            bank.plan()
        assert [conflict.status for conflict in bank.conflicts] == [ConflictStatus.RESOLVED]
        assert bank.merges[0].evidence
        assert bank.usage.fallbacks == {}
        assert bank.usage.spent == meter.by_purpose
        assert {"planning", "integration", *steps} <= set(meter.by_purpose)


def test_a_spent_budget_leaves_the_rest_to_local_agents() -> None:
    chat = ScriptedChatModel(lambda request: json.dumps(by_role(request)))
    with MemoryBank("What is the capacity?", agents=llm_agents(chat, meter=UsageMeter(budget=Budget(calls=2)))) as bank:
        for number in range(4):
            read(bank, f"Crate {number} of shed {number} holds {number}7 bolts of grade A.", f"s{number}")
        assert len(bank.nodes) == 4
    assert len(chat.requests) == 2


@pytest.mark.parametrize("topics", [[[1], [2, 3]], [[3, 1], [2]], [[1, 1, 2], [2, 3, 99]], [[2]], [[7]]])
def test_every_paragraph_is_in_one_topic_whatever_the_model_numbers(topics: list[list[int]]) -> None:
    text = "第一段讲电池。\n\nSecond paragraph, on gulls.\n\nThird one, on the pier."
    told = {"topics": [{"paragraphs": numbers, "topic": "t", "keywords": ["gulls", "invented"]} for numbers in topics]}
    answer = agents(lambda _: told).classification.classify(ClassificationRequest(text=text))
    covered = sorted(span for cluster in answer.clusters for span in cluster.spans)
    assert " ".join(text[a:b] for a, b in covered).split() == text.split()
    assert all(a[1] <= b[0] for a, b in pairwise(covered))
    assert not any("invented" in cluster.keywords for cluster in answer.clusters)


def test_text_over_the_window_is_asked_about_in_chunks() -> None:
    text = "\n\n".join(f"Paragraph {n} tells of pier {n} and its {n} gulls." for n in range(60))
    chat = ScriptedChatModel(lambda request: json.dumps(by_role(request)))
    small = llm_agents(chat, settings=Settings(agent_window=200))
    answer = small.classification.classify(ClassificationRequest(text=text))
    assert len(chat.requests) == len(answer.clusters) > 3
    assert " ".join(text[a:b] for c in answer.clusters for a, b in c.spans).split() == text.split()


def test_a_summary_that_names_something_new_is_sent_back_and_then_refused() -> None:
    content = "The quay of Lyness is 80 metres long. " * 12
    chat = ScriptedChatModel(['{"summary": "The quay is 85 metres long."}', '{"summary": "Ada Harlow built it."}'])
    with pytest.raises(ModelAnswerInvalid, match="Ada Harlow"):
        llm_agents(chat).structure.structure(StructureRequest(content=content))
    assert "85" in chat.requests[1].messages[-1]["content"]


@pytest.mark.parametrize(
    "changes",
    [
        {"same_subject": False},
        {"same_attribute": False},
        {"incompatible": False},
        {"quote_new": "It has 12 MWh, they say."},
        {"quote_candidate": ""},
    ],
    ids=["another subject", "another attribute", "compatible", "made up", "no quote"],
)
def test_a_conflict_needs_every_answer_and_both_quotes(changes: dict[str, Any]) -> None:
    new = NodeView(id="new", summary=COURIER, context="", text=COURIER)
    old = NodeView(id="n1", summary=OPERATOR, context="", text=OPERATOR)
    chat = StructuredChat(ScriptedChatModel(lambda _: json.dumps({"candidates": [judged("n1", **changes)]})))
    asking = PromptedAnalysis(Asker(chat, settings=Settings()))
    [relation] = asking.analyse(AnalysisRequest(new=new, candidates=(old,))).relationships
    assert relation.relationship == "related"


def test_a_role_there_is_not_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="planning"):
        llm_agents({"cooking": ScriptedChatModel([])})
