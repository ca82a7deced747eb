"""Topics by a model that names numbers of paragraphs; the program copies their text, so that nothing can be altered."""

from __future__ import annotations

from collections.abc import Sequence

from amb_agents.chunking import chunk_spans
from amb_agents.key_terms import keywords
from amb_agents.prompted.asker import Asker
from amb_agents.prompted.shapes import ClassificationShape, TopicShape
from amb_core.agent_io import ClassificationAnswer, ClassificationRequest, Cluster
from amb_core.protocols import ClassificationAgent
from amb_values import find_unsupported, paragraph_spans

__all__ = ["PromptedClassification", "cluster_of", "grouped", "numbered", "paragraphs_of"]


_MOST_PARAGRAPHS = 120
"""More paragraphs than that are joined with their neighbours, so that a topic's numbers stay few."""
_OUTPUT = 1_500


class PromptedClassification:
    """A ClassificationAgent that asks a model; a text over the window is taken chunk by chunk.

    `rules` name the topics that the model names by what the text does not say.
    """

    def __init__(self, asker: Asker, *, rules: ClassificationAgent) -> None:
        self._asker = asker
        self._rules = rules

    def classify(self, request: ClassificationRequest) -> ClassificationAnswer:
        """The topics of the text in order; raises a ModelError when the model names none that can be used."""
        clusters: list[Cluster] = []
        for start, end in chunk_spans(request.text, limit=self._asker.window):
            paragraphs = paragraphs_of(request.text, start, end, most=_MOST_PARAGRAPHS)
            if paragraphs:
                clusters += self._topics(request, paragraphs, first=len(clusters) + 1)
        return ClassificationAnswer(should_cluster=len(clusters) > 1, clusters=tuple(clusters))

    def _topics(
        self, request: ClassificationRequest, paragraphs: Sequence[tuple[int, int]], *, first: int
    ) -> list[Cluster]:
        text = request.text
        answer = self._asker.ask(
            "classification",
            ClassificationShape,
            {"goal": request.task_goal, "paragraphs": numbered(text, paragraphs)},
            language=self._asker.language(request.task_goal or text),
            max_output_tokens=_OUTPUT,
        )
        return [
            cluster_of(text, answer.topics[at], spans, name=f"t{number}", goal=request.task_goal, rules=self._rules)
            for number, (at, spans) in enumerate(grouped(answer.topics, paragraphs).items(), first)
        ]


# --- numbered paragraphs ---------------------------------------------------------------------------------------------

Span = tuple[int, int]


def paragraphs_of(text: str, start: int, end: int, *, most: int) -> list[Span]:
    """The spans of the paragraphs of a stretch; neighbours are joined where there are more than `most`."""
    spans = [(start + a, start + b) for a, b in paragraph_spans(text[start:end]) if text[start + a : start + b].strip()]
    step = -(-len(spans) // most) or 1
    groups = (spans[at : at + step] for at in range(0, len(spans), step))
    return [(group[0][0], group[-1][1]) for group in groups]


def numbered(text: str, paragraphs: Sequence[Span]) -> list[dict[str, object]]:
    """The paragraphs as material, numbered from 1."""
    return [{"n": n, "text": text[start:end]} for n, (start, end) in enumerate(paragraphs, 1)]


def grouped(topics: Sequence[TopicShape], paragraphs: Sequence[Span]) -> dict[int, list[Span]]:
    """The paragraphs of each topic, by its place among the topics, in text order.

    Every paragraph is with exactly one topic; one nobody named goes with the one before it.
    """
    owner: dict[int, int] = {}
    for at, topic in enumerate(topics):
        for number in topic.paragraphs:
            if 1 <= number <= len(paragraphs):
                owner.setdefault(number - 1, at)
    groups: dict[int, list[Span]] = {}
    last = owner[min(owner)] if owner else 0
    for number, span in enumerate(paragraphs):
        last = owner.get(number, last)
        groups.setdefault(last, []).append(span)
    return groups


def cluster_of(
    text: str, topic: TopicShape, paragraphs: Sequence[Span], *, name: str, goal: str, rules: ClassificationAgent
) -> Cluster:
    """The cluster a topic names, its text copied.

    Only keywords that stand in it are kept, and a topic only if no number, date or name in it is the model's own; then
    `rules` name it.
    """
    spans: list[Span] = []
    for start, end in paragraphs:
        if spans and not text[spans[-1][1] : start].strip():
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    content = "\n\n".join(text[start:end] for start, end in spans)
    words = (word.strip() for word in topic.keywords)
    said = tuple(dict.fromkeys(word for word in words if word and word.casefold() in content.casefold()))
    return Cluster(
        cluster_id=name,
        context=_named(" ".join(topic.topic.split()), content, goal, rules),
        content=content,
        keywords=said or keywords(content),
        spans=tuple(spans),
    )


def _named(topic: str, content: str, goal: str, rules: ClassificationAgent) -> str:
    if topic and find_unsupported(topic, [content, goal]) is None:
        return topic
    found = rules.classify(ClassificationRequest(text=content, task_goal=goal)).clusters
    return found[0].context if found else topic
