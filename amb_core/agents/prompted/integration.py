"""Merging by a model; whether its decision stands on the texts is checked by the bank."""

from __future__ import annotations

from amb_core.agent_io import IntegrationAnswer, IntegrationRequest, NeighbourUpdate, NodeView
from amb_core.agents.prompted.asking import Asker
from amb_core.agents.prompted.shapes import IntegrationShape
from amb_core.text import clip_tokens

__all__ = ["PromptedIntegration"]

_OUTPUT = 2_000
_MOST_NEIGHBOURS = 12


class PromptedIntegration:
    """An IntegrationAgent that asks a model."""

    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    def integrate(self, request: IntegrationRequest) -> IntegrationAnswer:
        """The merged node, or `decided=False`; raises a ModelError without a usable answer."""
        if not request.verification.strip() or len(request.nodes) < 2:
            return IntegrationAnswer(decided=False, reason="there is nothing to decide by")
        views = [part.node for part in request.nodes]
        neighbours = {view.id: view for part in request.nodes for view in part.neighbours}
        for view in views:
            neighbours.pop(view.id, None)
        room = self._asker.window // (len(views) + 1)
        answer = self._asker.ask(
            "integration",
            IntegrationShape,
            {
                "subject": request.conflict.subject or request.conflict.description,
                "values": list(request.conflict.values),
                "notes": [_shown(view, room) for view in sorted(views, key=lambda view: view.timestamp)],
                "neighbours": [
                    {"id": view.id, "topic": view.context, "keywords": list(view.keywords)}
                    for view in list(neighbours.values())[:_MOST_NEIGHBOURS]
                ],
                "verification": clip_tokens(request.verification, room),
            },
            language=self._asker.language(request.task_goal or views[0].text or views[0].summary),
            max_output_tokens=_OUTPUT,
        )
        return _decided(answer, views, neighbours) if answer.decided else _undecided(answer)


def _shown(view: NodeView, tokens: int) -> dict[str, object]:
    text = clip_tokens(view.text or view.summary, tokens)
    return {"id": view.id, "topic": view.context, "keywords": list(view.keywords), "text": text}


def _undecided(answer: IntegrationShape) -> IntegrationAnswer:
    return IntegrationAnswer(decided=False, reason=answer.reason.strip() or "the verification settles nothing")


def _decided(answer: IntegrationShape, views: list[NodeView], neighbours: dict[str, NodeView]) -> IntegrationAnswer:
    updates = tuple(
        NeighbourUpdate(node_id=one.id, context=one.topic, keywords=tuple(one.keywords))
        for one in answer.neighbour_updates
        if one.id in neighbours
    )
    return IntegrationAnswer(
        decided=True,
        reason=answer.reason.strip(),
        summary=answer.summary.strip(),
        context=" ".join(answer.topic.split()) or views[-1].context,
        keywords=tuple(dict.fromkeys(word.strip() for word in answer.keywords if word.strip())),
        neighbour_updates=updates,
        merge_description=f"{' + '.join(view.id for view in views)}: {answer.reason.strip()}",
        dropped=tuple(sentence.strip() for sentence in answer.dropped if sentence.strip()),
        evidence=tuple(sentence.strip() for sentence in answer.evidence if sentence.strip()),
    )
