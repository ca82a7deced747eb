"""Topics by a model that names numbers of paragraphs."""

from __future__ import annotations

from collections.abc import Sequence

from amb_core.agent_io import ClassificationAnswer, ClassificationRequest, Cluster
from amb_core.agents.chunking import chunk_spans
from amb_core.agents.prompted.asker import Asker
from amb_core.agents.prompted.paragraphs import cluster_of, grouped, numbered, paragraphs_of
from amb_core.agents.prompted.shapes import ClassificationShape
from amb_core.protocols import ClassificationAgent

__all__ = ["PromptedClassification"]

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
