"""How a new note stands to its candidates, by a model that is asked decomposed questions and must quote."""

from __future__ import annotations

from amb_core.agent_io import AnalysisAnswer, AnalysisRequest, NodeView, Relationship
from amb_core.agents.prompted.asking import Asker
from amb_core.agents.prompted.shapes import AnalysisShape, JudgedShape
from amb_core.text import clip_tokens, quoted

__all__ = ["PromptedAnalysis"]

_OUTPUT_EACH = 220
_SHARE = 0.5
"""What share of the window the new note may take; the candidates share the rest."""


class PromptedAnalysis:
    """An AnalysisAgent that asks a model.

    A conflict needs all three: the same subject, the same attribute, incompatible values; and both statements quoted
    word for word, because small models call everything a conflict otherwise.
    """

    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    def analyse(self, request: AnalysisRequest) -> AnalysisAnswer:
        """One relationship per candidate, conflicts first; raises a ModelError without a usable answer."""
        candidates = {view.id: view for view in request.candidates}
        new = _shown(request.new, int(self._asker.window * _SHARE))
        each = int(self._asker.window * (1 - _SHARE)) // max(len(candidates), 1)
        answer = self._asker.ask(
            "analysis",
            AnalysisShape,
            {
                "goal": request.task_goal,
                "new": new,
                "candidates": [{"id": view.id, **_shown(view, each)} for view in candidates.values()],
            },
            language=self._asker.language(request.new.text or request.new.summary),
            max_output_tokens=200 + _OUTPUT_EACH * len(candidates),
        )
        found = {judged.id: judged for judged in answer.candidates if judged.id in candidates}
        relations = []
        for name, view in candidates.items():
            judged = found.get(name)
            if judged is None:
                relations.append(Relationship(existing_node=name, relationship="unrelated"))
            elif (
                judged.same_subject and judged.same_attribute and judged.incompatible and _quoted(judged, request, view)
            ):
                values = tuple(value for value in (judged.value_candidate, judged.value_new) if value.strip())
                relations.append(
                    Relationship(
                        existing_node=name,
                        relationship="conflict",
                        reasoning=judged.reason,
                        conflict_description=f"“{judged.quote_candidate}” / “{judged.quote_new}”",
                        conflict_subject=judged.subject,
                        conflict_values=values if len(values) == 2 else (),
                    )
                )
            elif judged.related and judged.reason.strip():
                relations.append(
                    Relationship(existing_node=name, relationship="related", reasoning=judged.reason.strip())
                )
            else:
                relations.append(Relationship(existing_node=name, relationship="unrelated"))
        order = {"conflict": 0, "related": 1, "unrelated": 2}
        return AnalysisAnswer(relationships=tuple(sorted(relations, key=lambda one: order[one.relationship])))


def _shown(view: NodeView, tokens: int) -> dict[str, str]:
    return {"topic": view.context, "text": clip_tokens(view.text or view.summary, tokens), "source": view.source}


def _quoted(judged: JudgedShape, request: AnalysisRequest, candidate: NodeView) -> bool:
    """Whether both statements stand in the notes they are said to come from, white space aside."""
    new, old = (f"{view.text}\n{view.summary}" for view in (request.new, candidate))
    return quoted(judged.quote_new, new) is not None and quoted(judged.quote_candidate, old) is not None
