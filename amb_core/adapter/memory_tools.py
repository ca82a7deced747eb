"""The tools an agent is given to look into its memory, in a form any framework can take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from amb_core.models import ToolResult
from amb_core.rendering import strip_block

__all__ = ["DEEP_RETRIEVAL", "MemoryTool", "deep_retrieval_tool", "node_id_in", "without_ours"]

DEEP_RETRIEVAL = "deep_retrieval"

_DESCRIPTION = (
    "Open the full source text behind a note of <memory>: the raw tool results it was made from, page by page. "
    "Use it when a note is too short to answer from or has to be checked."
)


@dataclass(frozen=True, slots=True)
class MemoryTool:
    """One tool: call it with the arguments its JSON-schema `parameters` describe; it returns text, also for errors."""

    name: str
    description: str
    parameters: dict[str, Any]
    function: Callable[..., str]

    @property
    def schema(self) -> dict[str, Any]:
        """The OpenAI-style tool definition."""
        return {
            "type": "function",
            "function": {"name": self.name, "description": self.description, "parameters": self.parameters},
        }

    def __call__(self, **arguments: Any) -> str:
        """Run the tool with whatever a model passed; what it made up beside the parameters is ignored."""
        known = self.parameters["properties"].keys() & arguments.keys()
        return self.function(**{name: arguments[name] for name in known if arguments[name] is not None})


def deep_retrieval_tool(function: Callable[..., str]) -> MemoryTool:
    """`deep_retrieval(node_id, page=0)` over `function`."""
    parameters = {
        "type": "object",
        "properties": {
            "node_id": {"type": "string", "description": "Id of a note as shown in brackets, for example n12."},
            "page": {
                "type": "integer",
                "minimum": 0,
                "description": "Which page, from 0; the text says if there are more.",
            },
        },
        "required": ["node_id"],
        "additionalProperties": False,
    }
    return MemoryTool(DEEP_RETRIEVAL, _DESCRIPTION, parameters, function)


def node_id_in(shown: object) -> str:
    """An id as a model may repeat it: with the brackets it is shown in, or with blanks."""
    return str(shown).strip().strip("[]").strip()


def without_ours(result: ToolResult) -> ToolResult | None:
    """The result without our own block; None when nothing is left to take in, as of what our own tool returned."""
    if result.tool == DEEP_RETRIEVAL:
        return None
    output = strip_block(result.output)
    if not output.strip() and not result.attachments:
        return None
    return result if output == result.output else result.model_copy(update={"output": output})
