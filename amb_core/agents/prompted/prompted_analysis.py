"""How a new note stands to its candidates, by a model that is asked decomposed questions and must quote."""

from __future__ import annotations

from amb_core.agent_io import AnalysisAnswer, AnalysisRequest, with_conflicts
from amb_core.agents.contradiction import admit
from amb_core.agents.prompted.asker import Asker
from amb_core.agents.prompted.model_relationship import bearing, in_order, relationship, shown
from amb_core.agents.prompted.shapes import AnalysisShape
from amb_core.protocols import AnalysisAgent
from amb_core.text import clip_tokens

__all__ = ["PromptedAnalysis"]

_OUTPUT_EACH = 220
_SHARE = 0.5
"""What share of the window the new note may take; the candidates share the rest."""


class PromptedAnalysis:
    """An AnalysisAgent that asks a model; what `rules` call a conflict is one, whatever the model says."""

    def __init__(self, asker: Asker, *, rules: AnalysisAgent | None = None) -> None:
        self._asker = asker
        self._rules = rules

    def analyse(self, request: AnalysisRequest) -> AnalysisAnswer:
        """The relationships, conflicts first; raises a ModelError unless the model judges every candidate."""
        candidates = {view.id: view for view in request.candidates}
        new = f"{request.new.text}\n{request.new.summary}"
        text = clip_tokens(request.new.text or request.new.summary, int(self._asker.window * _SHARE))
        each = int(self._asker.window * (1 - _SHARE)) // max(len(candidates), 1)

        def missing(answer: AnalysisShape) -> str | None:
            left = candidates.keys() - {judged.id for judged in answer.candidates}
            return f"there is no answer for candidate {min(left)}" if left else None

        answer = self._asker.ask(
            "analysis",
            AnalysisShape,
            {
                "goal": request.task_goal,
                "new": shown(request.new, text=text),
                "candidates": [
                    {"id": view.id, **shown(view, text=bearing(view, on=[text], tokens=each))}
                    for view in candidates.values()
                ],
            },
            language=self._asker.language(request.task_goal or text),
            max_output_tokens=200 + _OUTPUT_EACH * len(candidates),
            check=missing,
        )
        judged = {one.id: one for one in reversed(answer.candidates)}
        found = [
            admit(relationship(judged[name], new=new, candidate=view), new=request.new, candidate=view)
            for name, view in candidates.items()
        ]
        seen = self._rules.analyse(request).relationships if self._rules is not None else ()
        return AnalysisAnswer(relationships=in_order(with_conflicts(found, seen)))
