"""A summary by a model that names nothing its content does not name."""

from __future__ import annotations

from amb_agents.chunking import chunk_spans
from amb_agents.prompted.asker import Asker
from amb_agents.prompted.shapes import StructureShape
from amb_core.agent_io import StructureAnswer, StructureRequest
from amb_core.text import estimate_tokens
from amb_values import find_unsupported

__all__ = ["SHORT", "PromptedStructure"]

SHORT = 60
"""Content of fewer estimated tokens is its own summary."""


class PromptedStructure:
    """A StructureAgent that asks a model; content over the window is condensed chunk by chunk."""

    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    def structure(self, request: StructureRequest) -> StructureAnswer:
        """The summary; raises a ModelError when every one the model gives is longer than its content or invents."""
        content = request.content
        if estimate_tokens(content) < SHORT:
            return StructureAnswer(summary=content.strip())
        parts = [content[start:end] for start, end in chunk_spans(content, limit=self._asker.window)]
        return StructureAnswer(summary="\n".join(self._condensed(part, request) for part in parts if part.strip()))

    def _condensed(self, content: str, request: StructureRequest) -> str:
        tokens = estimate_tokens(content)

        def wrong(answer: StructureShape) -> str | None:
            if len(answer.summary) > len(content):
                return "the summary is longer than the content; 30 to 50 percent are asked for"
            added = find_unsupported(answer.summary, [content, request.context])
            return f"the content does not say {added}" if added else None

        answer = self._asker.ask(
            "structure",
            StructureShape,
            {"goal": request.task_goal, "topic": request.context, "content": content},
            language=self._asker.language(request.task_goal or content),
            max_output_tokens=max(200, tokens),
            check=wrong,
        )
        return answer.summary.strip()
