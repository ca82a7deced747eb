"""The tool an agent is given to look into its memory, and what results are without it and without AMB's block."""

from __future__ import annotations

from collections.abc import Callable

from amb_core.adapter.tool import Tool
from amb_core.models import ToolResult
from amb_core.rendering import strip_block

__all__ = ["DEEP_RETRIEVAL", "NODE_ID_WANTED", "deep_retrieval_tool", "node_id_in", "without_ours"]

DEEP_RETRIEVAL = "deep_retrieval"

_DESCRIPTION = (
    "Open the full source text behind a note or a step of <memory>: the raw tool results, page by page. "
    "Use it when what is shown is too short to answer from or has to be checked."
)

NODE_ID_WANTED = (
    'Id of a note as shown in brackets, for example n12; or a step: "step 12", "step 12 lines 40-80", '
    'or with the path of a record, "step 12 flights[2]".'
)
"""What a model is told to give as `node_id`."""


def deep_retrieval_tool(function: Callable[..., str]) -> Tool:
    """`deep_retrieval(node_id, page=0)` over `function`."""
    parameters = {
        "type": "object",
        "properties": {
            "node_id": {"type": "string", "description": NODE_ID_WANTED},
            "page": {
                "type": "integer",
                "minimum": 0,
                "description": "Which page, from 0; the text says if there are more.",
            },
        },
        "required": ["node_id"],
        "additionalProperties": False,
    }
    return Tool(DEEP_RETRIEVAL, _DESCRIPTION, parameters, function)


def node_id_in(shown: object) -> str:
    """An id as a model may repeat it: with the brackets it is shown in, or with blanks."""
    bare = str(shown).strip().strip("[]").strip()
    return f"{bare}]" if bare.count("[") > bare.count("]") else bare  # of "step 12 flights[2]" the last one belongs


def without_ours(result: ToolResult) -> ToolResult | None:
    """The result without our own block; None when nothing is left to take in, as of what our own tool returned."""
    if result.tool == DEEP_RETRIEVAL:
        return None
    output = strip_block(result.output)
    if not output.strip() and not result.attachments:
        return None
    return result if output == result.output else result.model_copy(update={"output": output})
