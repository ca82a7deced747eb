"""Classification, structure and analysis of one tool result in one question to a model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from amb_core.agent_io import (
    Cluster,
    DigestAnswer,
    DigestedTopic,
    DigestRequest,
    NodeView,
    Relationship,
    StructureRequest,
)
from amb_core.agents.prompted.asker import Asker, material
from amb_core.agents.prompted.model_relationship import bearing, in_order, relationship, shown
from amb_core.agents.prompted.paragraphs import cluster_of, grouped, numbered, paragraphs_of
from amb_core.agents.prompted.prompted_structure import SHORT
from amb_core.agents.prompted.shapes import DigestShape, DigestTopicShape, RelationShape
from amb_core.protocols import Agents
from amb_core.text import clip_tokens, estimate_tokens, find_unsupported, sentence_spans

__all__ = ["PromptedDigest"]

_SHARE = 0.75
"""What share of the window the text may take."""
_LEAST, _EACH = 8, 40
"""A text may have that many paragraphs, and one more for so many tokens: each number costs a few tokens, too."""
_CANDIDATES, _PER_TOKEN = 350, 0.8
"""Tokens for all candidates together: so many, and so many more for each token of the text."""
_LEAST_EACH, _LEAST_TEXT = 50, 20
"""Tokens a candidate takes at least, all told, and its text alone."""
_MOST_FRAME = 16
"""Tokens its topic and its source may take each: what contradicts stands in the text."""
_FEW_SENTENCES = 2
"""Up to so many need no summary of the model's."""
_OUTPUT, _OUTPUT_PER_TOKEN, _OUTPUT_EACH = 400, 1.5, 150
"""Tokens the answer may have: so many, and more for each token of the text and for each candidate."""


class PromptedDigest:
    """A DigestAgent that asks a model; `local` agents name and condense what its answer cannot be used for."""

    def __init__(self, asker: Asker, *, local: Agents) -> None:
        self._asker = asker
        self._local = local

    def fits(self, request: DigestRequest) -> bool:
        """Whether the text leaves room in the window for the candidates."""
        return estimate_tokens(request.text) <= self._asker.window * _SHARE

    def digest(self, request: DigestRequest) -> DigestAnswer:
        """The topics with their summaries and relationships; raises a ModelError without a usable answer."""
        text, tokens = request.text, estimate_tokens(request.text)
        paragraphs = paragraphs_of(text, 0, len(text), most=_LEAST + tokens // _EACH)
        candidates = self._shown(request, tokens)
        answer = self._asker.ask(
            "digest",
            DigestShape,
            {"goal": request.task_goal, "paragraphs": numbered(text, paragraphs), "candidates": candidates},
            language=self._asker.language(request.task_goal or text),
            max_output_tokens=_OUTPUT + int(tokens * _OUTPUT_PER_TOKEN) + _OUTPUT_EACH * len(candidates),
        )
        seen = {candidate["id"] for candidate in candidates}
        views = {view.id: view for view in request.candidates if view.id in seen}
        mended: list[str] = []
        topics = []
        for number, (at, spans) in enumerate(grouped(answer.topics, paragraphs).items(), 1):
            topic = answer.topics[at]
            told = [relation for relation in answer.relations if relation.topic == at + 1]
            name, goal, rules = f"t{number}", request.task_goal, self._local.classification
            cluster = cluster_of(text, topic, spans, name=name, goal=goal, rules=rules)
            topics.append(
                DigestedTopic(
                    cluster=cluster,
                    summary=self._summary(topic, cluster, request.task_goal, mended),
                    relationships=in_order(_relationships(told, cluster, views)),
                )
            )
        return DigestAnswer(topics=tuple(topics), judged=tuple(views), mended=tuple(mended))

    def _shown(self, request: DigestRequest, tokens: int) -> list[dict[str, str]]:
        """The candidates as material, cut down to what bears on the text; the last ones go where there is no room."""
        room = max(min(self._asker.window - tokens, int(_CANDIDATES + _PER_TOKEN * tokens)), 0)
        views = request.candidates[: room // _LEAST_EACH]
        told = []
        for view in views:
            frame = {name: clip_tokens(said, _MOST_FRAME) for name, said in shown(view, text="").items()}
            left = room // len(views) - estimate_tokens(material(id=view.id, **frame))
            told.append(
                {"id": view.id, **frame, "text": bearing(view, on=[request.text], tokens=max(left, _LEAST_TEXT))}
            )
        return told

    def _summary(self, topic: DigestTopicShape, cluster: Cluster, goal: str, mended: list[str]) -> str:
        """The model's summary, when it says nothing new and is no longer than the text; else the local one."""
        content, said = cluster.content, topic.summary.strip()
        if estimate_tokens(content) < SHORT:
            return content.strip()
        if said and len(said) <= len(content) and not find_unsupported(said, [content]):
            return said
        if said or len(sentence_spans(content)) > _FEW_SENTENCES:
            mended.append("summary")
        request = StructureRequest(content=content, context=cluster.context, keywords=cluster.keywords, task_goal=goal)
        return self._local.structure.structure(request).summary


def _relationships(
    told: Sequence[RelationShape], cluster: Cluster, views: Mapping[str, NodeView]
) -> Iterator[Relationship]:
    """How a topic stands to the candidates it names; the first word on each counts."""
    named = {judged.id: judged for judged in reversed(told) if judged.id in views}
    for name, judged in named.items():
        yield relationship(judged, new=cluster.content, candidate=views[name])
