"""What the local agents say to the questions of the model-driven ones, as the JSON those ask for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from amb_agents import contradictions
from amb_core.agent_io import (
    AnalysisRequest,
    ClassificationRequest,
    IntegrationRequest,
    MergeInput,
    NodeView,
    PlanningRequest,
    StructureRequest,
)
from amb_core.models import CompletedTask, Conflict, InsightDoc, TaskStatus, TaskType
from amb_core.protocols import Agents

__all__ = ["ANSWERS"]

Asked = Mapping[str, Any]
_ID, _WORDS, _VALUE, _LINE, _TEXT = 12, 60, 120, 300, 6_000
"""Characters the answers may have."""
_JOINT = "\n\n"


def _classification(agents: Agents, asked: Asked) -> dict[str, Any]:
    return {"topics": [topic for topic, _ in _topics(agents, asked)]}


def _topics(agents: Agents, asked: Asked) -> list[tuple[dict[str, Any], str]]:
    """The topics with their texts; a paragraph belongs to the local agent's cluster it begins in."""
    paragraphs, starts, text = asked["paragraphs"], [], ""
    for paragraph in paragraphs:
        starts.append(len(text))
        text += paragraph["text"] + _JOINT
    clusters = agents.classification.classify(
        ClassificationRequest(text=text, task_goal=asked.get("goal", ""))
    ).clusters
    held: dict[int, list[int]] = {}
    for number, at in enumerate(starts):
        owners = (n for n, cluster in enumerate(clusters) if any(a <= at < b for a, b in cluster.spans))
        held.setdefault(next(owners, 0), []).append(number)
    found = []
    for owner, numbers in held.items():
        topic = {
            "paragraphs": [paragraphs[number]["n"] for number in numbers],
            "topic": clusters[owner].context[:_LINE] if clusters else "",
            "keywords": _words(clusters[owner].keywords) if clusters else [],
        }
        found.append((topic, _JOINT.join(paragraphs[number]["text"] for number in numbers)))
    return found[:40]


def _digest(agents: Agents, asked: Asked) -> dict[str, Any]:
    """The three answers in one; relations only to candidates that a topic has to do with."""
    goal, topics, relations = asked.get("goal", ""), [], []
    for number, (topic, content) in enumerate(_topics(agents, asked), 1):
        request = StructureRequest(content=content, context=topic["topic"], task_goal=goal)
        judged = _judged(agents, NodeView(id="new", summary=content, context=topic["topic"], text=content), asked)
        relations += [{"topic": number, **one} for one in judged if one["incompatible"] or one["related"]]
        topics.append({**topic, "summary": agents.structure.structure(request).summary[:_TEXT]})
    relations.sort(key=lambda one: not one["incompatible"])
    return {"topics": topics, "relations": relations[:12]}


def _structure(agents: Agents, asked: Asked) -> dict[str, Any]:
    request = StructureRequest(
        content=asked["content"], context=asked.get("topic", ""), task_goal=asked.get("goal", "")
    )
    return {"summary": agents.structure.structure(request).summary[:_TEXT]}


def _analysis(agents: Agents, asked: Asked) -> dict[str, Any]:
    return {"candidates": _judged(agents, _view(asked["new"], "new"), asked)[:24]}


def _judged(agents: Agents, new: NodeView, asked: Asked) -> list[dict[str, Any]]:
    """The answers to the questions on every candidate; a conflict with both sentences word for word."""
    views = tuple(_view(told, told["id"]) for told in asked["candidates"])
    answer = agents.analysis.analyse(AnalysisRequest(new=new, candidates=views, task_goal=asked.get("goal", "")))
    found = {relation.existing_node: relation for relation in answer.relationships}
    judged = []
    for view in views:
        relation = found[view.id]
        against = relation.relationship == "conflict"
        pairs = contradictions(view.text, new.text, topics=(view.context, new.context)) if against else ()
        pairs = pairs or (contradictions(view.text, new.text) if against else ())
        judged.append(
            {
                "id": view.id,
                "same_subject": bool(pairs),
                "same_attribute": bool(pairs),
                "incompatible": bool(pairs),
                "quote_new": pairs[0].b.sentence[:_LINE] if pairs else "",
                "quote_candidate": pairs[0].a.sentence[:_LINE] if pairs else "",
                "value_new": pairs[0].values[1][:_VALUE] if pairs else "",
                "value_candidate": pairs[0].values[0][:_VALUE] if pairs else "",
                "subject": pairs[0].subject[:_VALUE] if pairs else "",
                "related": relation.relationship == "related",
                "reason": relation.reasoning[:_LINE],
            }
        )
    return judged


def _integration(agents: Agents, asked: Asked) -> dict[str, Any]:
    views = [_view(told, told["id"], at=float(at)) for at, told in enumerate(asked["notes"])]
    conflict = Conflict(
        id="c1",
        node_ids=tuple(view.id for view in views),
        description=asked["subject"],
        subject=asked["subject"],
        values=tuple(asked.get("values", ())),
    )
    nodes = tuple(MergeInput(node=view) for view in views)
    answer = agents.integration.integrate(
        IntegrationRequest(nodes=nodes, conflict=conflict, verification=asked["verification"])
    )
    return {
        "evidence": [sentence[:_LINE] for sentence in answer.evidence[:3]],
        "decided": answer.decided,
        "reason": answer.reason[:_LINE],
        "summary": answer.summary[:_TEXT],
        "topic": answer.context[:_LINE],
        "keywords": _words(answer.keywords),
        "dropped": [sentence[:_LINE] for sentence in answer.dropped[:8]],
    }


def _planning(agents: Agents, asked: Asked) -> dict[str, Any]:
    """The local planner's step for the state as it is once the pending step is recorded."""
    done = [(one["step"], one["status"], one["learnt"]) for one in asked["done"]]
    pending = asked.get("pending")
    if pending is not None and pending["outcome"] is not None:
        done.append((pending["step"], pending["outcome"]["status"], pending["outcome"]["text"]))
    completed = tuple(
        CompletedTask(type=TaskType.NORMAL, description=step, status=TaskStatus(status), context=learnt)
        for step, status, learnt in done
    )
    known = tuple(
        NodeView(id=f"k{number}", summary=topic, context=topic) for number, topic in enumerate(asked.get("known", ()))
    )
    insight = InsightDoc(doc_id="asked", task_goal=asked["goal"], completed_tasks=completed)
    step = agents.planning.plan(PlanningRequest(insight=insight, relevant=known)).pending
    chosen = "nothing" if step is None else "answer" if step.answers_goal else "search"
    return {
        "succeeded": not completed or completed[-1].status is TaskStatus.SUCCESS,
        "learnt": "",
        "give_up": False,
        "next": chosen,
        "target": "",
        "description": "" if step is None else step.description[:_LINE],
    }


def _view(told: Asked, name: str, *, at: float = 0.0) -> NodeView:
    text = str(told.get("text", ""))
    return NodeView(
        id=name,
        summary=text,
        context=str(told.get("topic", "")),
        keywords=tuple(told.get("keywords", ())),
        text=text,
        timestamp=at,
        source=str(told.get("source", "")),
    )


def _words(found: tuple[str, ...]) -> list[str]:
    return [word[:_WORDS] for word in found[:10]]


ANSWERS: Mapping[str, Callable[[Agents, Asked], dict[str, Any]]] = {
    "classification": _classification,
    "structure": _structure,
    "analysis": _analysis,
    "digest": _digest,
    "integration": _integration,
    "planning": _planning,
}
"""The answer to each role's material."""
