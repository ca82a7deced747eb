"""Classification, structure and analysis of a tool result in one question to a model for each window of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from amb_agents.chunking import chunk_spans
from amb_agents.prompted.asker import Asker, material
from amb_agents.prompted.prompted_analysis import bearing, in_order, relationship, shown
from amb_agents.prompted.prompted_classification import cluster_of, grouped, numbered, paragraphs_of
from amb_agents.prompted.prompted_structure import SHORT
from amb_agents.prompted.shapes import DigestShape, DigestTopicShape, RelationShape
from amb_agents.prompts import prompt
from amb_chat.structured_chat import answer_schema
from amb_core.agent_io import (
    ClassificationRequest,
    Cluster,
    DigestAnswer,
    DigestedTopic,
    DigestRequest,
    NodeView,
    Relationship,
    StructureRequest,
)
from amb_core.errors import ModelError
from amb_core.protocols import Agents
from amb_core.text import clip_tokens, estimate_tokens
from amb_core.text.language import Language
from amb_values import find_unsupported, sentence_spans

__all__ = ["PromptedDigest"]

_SHARE = 0.75
"""What share of the window the text may take."""
_LEAST, _EACH = 8, 60
"""A text may have that many paragraphs, and one more for so many tokens: each number costs a few tokens, too."""
_ALLOWED, _PER_TOKEN = 1_500, 2.5
"""Tokens the whole call is to cost: so many, and so many more for each token of the text."""
_SUMMARIES, _TOPICS = 0.45, 70
"""Of these for the topics of the answer: so many for each token of the paragraphs as sent, and so many more."""
_LEAST_EACH, _LEAST_TEXT, _RELATION = 50, 20, 45
"""Tokens a candidate takes at least, all told, and its text alone, and what is said of it in the answer."""
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
        """Whether there is something to digest: what is over the window is digested part by part."""
        return bool(request.text.strip())

    def digest(self, request: DigestRequest) -> DigestAnswer:
        """The topics with their summaries and relationships; raises a ModelError without a usable answer.

        A text over the window takes a call for each part of it. When one of these fails, the local agents do that part
        and those behind it.
        """
        topics: list[DigestedTopic] = []
        judged: dict[str, None] = {}
        mended: list[str] = []
        for start, end in chunk_spans(request.text, limit=max(1, int(self._asker.window * _SHARE))):
            if not request.text[start:end].strip():
                continue
            part = request.model_copy(update={"text": request.text[start:end]})
            try:
                answer = self._without_model(part) if "part" in mended else self._asked(part)
            except ModelError:
                if not topics:
                    raise
                answer = self._without_model(part)
            topics += (_moved(each, start, len(topics) + n) for n, each in enumerate(answer.topics, 1))
            judged |= dict.fromkeys(answer.judged)
            mended += answer.mended
        return DigestAnswer(topics=tuple(topics), judged=tuple(judged), mended=tuple(mended))

    def _asked(self, request: DigestRequest) -> DigestAnswer:
        """What a model makes of a text that fits."""
        text, tokens = request.text, estimate_tokens(request.text)
        paragraphs = paragraphs_of(text, 0, len(text), most=_LEAST + tokens // _EACH)
        language = self._asker.language(request.task_goal or text)
        given = {"goal": request.task_goal, "paragraphs": numbered(text, paragraphs)}
        sent = estimate_tokens(material(**given))
        spent = self._fixed(language) + sent + _TOPICS + int(_SUMMARIES * sent)
        candidates = self._shown(request, int(_ALLOWED + _PER_TOKEN * tokens) - spent)
        answer = self._asker.ask(
            "digest",
            DigestShape,
            {**given, "candidates": candidates},
            language=language,
            max_output_tokens=_OUTPUT + int(tokens * _OUTPUT_PER_TOKEN) + _OUTPUT_EACH * len(candidates),
        )
        seen = {candidate["id"] for candidate in candidates}
        views = {view.id: view for view in request.candidates if view.id in seen}
        mended: list[str] = []
        topics = []
        for at, spans in grouped(answer.topics, paragraphs).items():
            topic = answer.topics[at]
            told = [relation for relation in answer.relations if relation.topic == at + 1]
            goal, rules = request.task_goal, self._local.classification
            cluster = cluster_of(text, topic, spans, name="", goal=goal, rules=rules)
            topics.append(
                DigestedTopic(
                    cluster=cluster,
                    summary=self._summary(topic, cluster, request.task_goal, mended),
                    relationships=in_order(_relationships(told, cluster, views)),
                )
            )
        return DigestAnswer(topics=tuple(topics), judged=tuple(views), mended=tuple(mended))

    def _without_model(self, request: DigestRequest) -> DigestAnswer:
        """What the local agents make of a part; the candidates are theirs to compare afterwards."""
        asked = ClassificationRequest(text=request.text, task_goal=request.task_goal)
        clusters = self._local.classification.classify(asked).clusters
        topics = (DigestedTopic(cluster=one, summary=self._condensed(one, request.task_goal)) for one in clusters)
        return DigestAnswer(topics=tuple(topics), mended=("part",))

    @staticmethod
    @cache
    def _fixed(language: Language) -> int:
        """Tokens of the prompt and of the form of the answer."""
        return estimate_tokens(prompt("digest", language)) + estimate_tokens(json.dumps(answer_schema(DigestShape)))

    def _shown(self, request: DigestRequest, room: int) -> list[dict[str, str]]:
        """The candidates as material, cut down to what bears on the text; the last ones go where there is no room.

        The first is always shown: it is the one most likely to say otherwise.
        """
        room = min(self._asker.window - estimate_tokens(request.text), room)
        views = request.candidates[: max(room // (_LEAST_EACH + _RELATION), 1)]
        told = []
        for view in views:
            frame = {name: clip_tokens(said, _MOST_FRAME) for name, said in shown(view, text="").items()}
            left = room // len(views) - _RELATION - estimate_tokens(material(id=view.id, **frame))
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
        return self._condensed(cluster, goal)

    def _condensed(self, cluster: Cluster, goal: str) -> str:
        """The local agent's summary."""
        told = cluster.model_dump(include={"content", "context", "keywords"})
        return self._local.structure.structure(StructureRequest(**told, task_goal=goal)).summary


def _moved(topic: DigestedTopic, by: int, number: int) -> DigestedTopic:
    """The topic of a part as one of the whole text, so many characters further on."""
    spans = tuple((start + by, end + by) for start, end in topic.cluster.spans)
    cluster = topic.cluster.model_copy(update={"spans": spans, "cluster_id": f"t{number}"})
    return topic.model_copy(update={"cluster": cluster})


def _relationships(
    told: Sequence[RelationShape], cluster: Cluster, views: Mapping[str, NodeView]
) -> Iterator[Relationship]:
    """How a topic stands to the candidates it names; the first word on each counts."""
    named = {judged.id: judged for judged in reversed(told) if judged.id in views}
    for name, judged in named.items():
        yield relationship(judged, new=cluster.content, candidate=views[name])
