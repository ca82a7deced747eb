"""Merging by a model; whether its decision stands on the texts is checked by the bank.

A model may be led on by the very text it verifies with. So its evidence has to state the value that it keeps, and its
reason counts only if it names that value. Which value may win is no question to a model: the bank counts witnesses.
"""

from __future__ import annotations

from amb_agents.prompted.asker import Asker
from amb_agents.prompted.shapes import IntegrationShape
from amb_core.agent_io import IntegrationAnswer, IntegrationRequest, NodeView
from amb_core.models import Conflict
from amb_core.text import clip_tokens, index_tokens
from amb_values import find_unsupported, value_signature

__all__ = ["PromptedIntegration"]

_OUTPUT = 2_000


class PromptedIntegration:
    """An IntegrationAgent that asks a model."""

    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    def integrate(self, request: IntegrationRequest) -> IntegrationAnswer:
        """The merged node, or `decided=False`; raises a ModelError without a usable answer."""
        if not request.verification.strip() or len(request.nodes) < 2:
            return IntegrationAnswer(decided=False, reason="there is nothing to decide by")
        views = [part.node for part in request.nodes]
        room = self._asker.window // (len(views) + 1)
        answer = self._asker.ask(
            "integration",
            IntegrationShape,
            {
                "subject": request.conflict.subject or request.conflict.description,
                "values": list(request.conflict.values),
                "notes": [_shown(view, room) for view in sorted(views, key=lambda view: view.timestamp)],
                "verification": clip_tokens(request.verification, room),
            },
            language=self._asker.language(request.task_goal or views[0].text or views[0].summary),
            max_output_tokens=_OUTPUT,
            check=lambda shape: _wrong(shape, request.conflict),
        )
        return _decided(answer, views, request) if answer.decided else _undecided(answer)


def _shown(view: NodeView, tokens: int) -> dict[str, object]:
    text = clip_tokens(view.text or view.summary, tokens)
    return {"id": view.id, "topic": view.context, "keywords": list(view.keywords), "text": text}


def _undecided(answer: IntegrationShape) -> IntegrationAnswer:
    return IntegrationAnswer(decided=False, reason=answer.reason.strip() or "the verification settles nothing")


def _wrong(answer: IntegrationShape, conflict: Conflict) -> str | None:
    """What speaks against a decision whose evidence is a sentence of the verification, but about something else."""
    kept = [value for value in conflict.values if _states(answer.summary, value)]
    if answer.decided and kept and not any(_states(line, value) for line in answer.evidence for value in kept):
        return "no sentence of the evidence states the value that is kept; decide nothing without one"
    about = set(index_tokens(f"{conflict.subject} {conflict.description}"))
    if answer.decided and not conflict.values and about.isdisjoint(index_tokens(" ".join(answer.evidence))):
        return "no sentence of the evidence is about the disagreement; decide nothing without one"
    return None


def _states(text: str, value: str) -> bool:
    figures = value_signature(value)
    return value.casefold() in text.casefold() or (bool(figures) and figures <= value_signature(text))


def _decided(answer: IntegrationShape, views: list[NodeView], request: IntegrationRequest) -> IntegrationAnswer:
    kept = [value for value in request.conflict.values if _states(answer.summary, value)]
    texts = [request.verification, *(view.text or view.summary for view in views)]
    reason = " ".join(answer.reason.split())
    if find_unsupported(reason, texts) is not None or not any(_states(reason, value) for value in kept):
        reason = ""
    return IntegrationAnswer(
        decided=True,
        reason=reason,
        summary=answer.summary.strip(),
        context=" ".join(answer.topic.split()) or views[-1].context,
        keywords=tuple(dict.fromkeys(word.strip() for word in answer.keywords if word.strip())),
        merge_description=f"{' + '.join(view.id for view in views)}: {reason or ' / '.join(kept)}",
        dropped=tuple(sentence.strip() for sentence in answer.dropped if sentence.strip()),
        evidence=tuple(sentence.strip() for sentence in answer.evidence if sentence.strip()),
    )
