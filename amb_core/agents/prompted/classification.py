"""Topics by a model: it names numbers of paragraphs, the program copies their text, so that nothing can be altered."""

from __future__ import annotations

from collections.abc import Sequence

from amb_core.agent_io import ClassificationAnswer, ClassificationRequest, Cluster
from amb_core.agents.chunking import chunk_spans
from amb_core.agents.prompted.asking import Asker
from amb_core.agents.prompted.shapes import ClassificationShape, TopicShape
from amb_core.text import keywords, paragraph_spans

__all__ = ["PromptedClassification"]

Span = tuple[int, int]
_MOST_PARAGRAPHS = 120
"""More paragraphs than that are joined with their neighbours, so that a topic's numbers stay few."""
_OUTPUT = 1_500


class PromptedClassification:
    """A ClassificationAgent that asks a model; a text over the window is taken chunk by chunk."""

    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    def classify(self, request: ClassificationRequest) -> ClassificationAnswer:
        """The topics of the text in order; raises a ModelError when the model names none that can be used."""
        clusters: list[Cluster] = []
        for start, end in chunk_spans(request.text, limit=self._asker.window):
            paragraphs = _numbered(request.text, start, end)
            if paragraphs:
                clusters += self._topics(request, paragraphs, first=len(clusters) + 1)
        return ClassificationAnswer(should_cluster=len(clusters) > 1, clusters=tuple(clusters))

    def _topics(self, request: ClassificationRequest, paragraphs: Sequence[Span], *, first: int) -> list[Cluster]:
        text = request.text
        parts = [{"n": n, "text": text[start:end]} for n, (start, end) in enumerate(paragraphs, 1)]
        answer = self._asker.ask(
            "classification",
            ClassificationShape,
            {"goal": request.task_goal, "paragraphs": parts},
            language=self._asker.language(text),
            max_output_tokens=_OUTPUT,
        )
        groups = _assigned(answer.topics, len(paragraphs))
        return [
            _cluster(text, topic, [paragraphs[n] for n in numbers], f"t{number}")
            for number, (topic, numbers) in enumerate(groups, first)
        ]


def _numbered(text: str, start: int, end: int) -> list[Span]:
    """The paragraphs of a stretch; neighbours joined where there are too many."""
    spans = [(start + a, start + b) for a, b in paragraph_spans(text[start:end]) if text[start + a : start + b].strip()]
    step = -(-len(spans) // _MOST_PARAGRAPHS) or 1
    groups = (spans[at : at + step] for at in range(0, len(spans), step))
    return [(group[0][0], group[-1][1]) for group in groups]


def _assigned(topics: Sequence[TopicShape], count: int) -> list[tuple[TopicShape, list[int]]]:
    """Every paragraph (from 0) with exactly one topic, in text order; one nobody named goes with the one before it."""
    owner: dict[int, int] = {}
    for at, topic in enumerate(topics):
        for number in topic.paragraphs:
            if 1 <= number <= count:
                owner.setdefault(number - 1, at)
    groups: dict[int, list[int]] = {}
    last = owner[min(owner)] if owner else 0
    for number in range(count):
        last = owner.get(number, last)
        groups.setdefault(last, []).append(number)
    return [(topics[at], numbers) for at, numbers in groups.items()]


def _cluster(text: str, topic: TopicShape, paragraphs: Sequence[Span], name: str) -> Cluster:
    spans: list[Span] = []
    for start, end in paragraphs:
        if spans and not text[spans[-1][1] : start].strip():
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    content = "\n\n".join(text[start:end] for start, end in spans)
    said = tuple(
        word.strip() for word in topic.keywords if word.strip() and word.strip().casefold() in content.casefold()
    )
    return Cluster(
        cluster_id=name,
        context=" ".join(topic.topic.split()),
        content=content,
        keywords=said or keywords(content),
        spans=tuple(spans),
    )
