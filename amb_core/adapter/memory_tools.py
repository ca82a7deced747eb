"""The tools an agent has for its memory, the node id a call of them names, and results without what is AMB's."""

from __future__ import annotations

from collections.abc import Callable

from amb_core.adapter.tool import Tool
from amb_core.memory.events import HeardOpinion
from amb_core.models import ToolResult
from amb_core.rendering import Language, escape_line, strip_block

__all__ = [
    "DEEP_RETRIEVAL",
    "DISPUTE_WANTED",
    "NODE_ID_WANTED",
    "SETTLE_DISPUTE",
    "agent_tools",
    "deep_retrieval_tool",
    "node_id_in",
    "settle_dispute_tool",
    "told_of_dispute",
    "without_ours",
]

DEEP_RETRIEVAL, SETTLE_DISPUTE = "deep_retrieval", "settle_dispute"

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


_SETTLE = (
    "Say which of the two values holds where <memory> says that sources differ, once you have looked at both. "
    "It counts if the steps you name say so and more independent sources do; else it is shown as your opinion."
)
DISPUTE_WANTED = "The dispute, for example c3, or the id of a note that is disputed, such as n12."
"""What a model is told to give as `id`."""
_FIELDS = {
    "id": DISPUTE_WANTED,
    "holds": "The value that holds, as one of the two sides has it; empty to take back what you said.",
    "because": 'Why, with the steps that say so, for example: step 4 and step 9 both say "18 MWh".',
}
_MISSING: dict[str, dict[Language, str]] = {
    "entries": {
        "en": "name the steps that say so in `because`, such as step 4",
        "zh": "请在 because 中写明是哪一步说的，例如“第4步”",
    },
    "quote": {
        "en": "not every step you name states this value; name those that do",
        "zh": "所列步骤并非都说到这个值；请只列说到它的步骤",
    },
    "sources": {
        "en": "not more independent sources say so than say otherwise; look for another source",
        "zh": "说这个值的独立来源并不更多；请再找一个来源",
    },
}
_HEARD: dict[str, dict[Language, str]] = {
    "counts": {"en": "{id} is settled: {holds} holds.", "zh": "{id} 已裁定：{holds} 成立。"},
    "opinion": {
        "en": "Kept as your opinion of {id}: {holds}. It does not count yet: {missing}.",
        "zh": "已记为你对 {id} 的看法：{holds}。尚不作数：{missing}。",
    },
    "taken_back": {"en": "What you said of {id} is taken back.", "zh": "已撤回你对 {id} 的看法。"},
}


def settle_dispute_tool(function: Callable[..., str]) -> Tool:
    """`settle_dispute(id, holds, because)` over `function`."""
    parameters = {
        "type": "object",
        "properties": {name: {"type": "string", "description": text} for name, text in _FIELDS.items()},
        "required": [*_FIELDS],
        "additionalProperties": False,
    }
    return Tool(SETTLE_DISPUTE, _SETTLE, parameters, function)


def agent_tools(opened: Callable[..., str], settled: Callable[..., str], *, settles: bool) -> list[Tool]:
    """The tools an agent gets, the same in the whole of a run: `deep_retrieval`, and where it `settles` the other."""
    return [deep_retrieval_tool(opened), *([settle_dispute_tool(settled)] if settles else [])]


def told_of_dispute(heard: HeardOpinion, language: Language) -> str:
    """What a model is told of what it said of a dispute."""
    opinion, name = heard.conflict.opinion, heard.conflict.id
    if opinion is None:
        return _HEARD["taken_back"][language].format(id=name)
    holds = escape_line(opinion.holds)
    if not heard.missing:
        return _HEARD["counts"][language].format(id=name, holds=holds)
    return _HEARD["opinion"][language].format(id=name, holds=holds, missing=_MISSING[heard.missing][language])


def node_id_in(shown: object) -> str:
    """An id as a model may repeat it: with the brackets it is shown in, or with blanks."""
    bare = str(shown).strip().strip("[]").strip()
    return f"{bare}]" if bare.count("[") > bare.count("]") else bare  # of "step 12 flights[2]" the last one belongs


def without_ours(result: ToolResult) -> ToolResult | None:
    """The result without our own block; None when nothing is left to take in, as of what our own tool returned.

    Of a call that brought nothing, what it asked for is left: it may have written or sent that.
    """
    if result.tool in (DEEP_RETRIEVAL, SETTLE_DISPUTE):
        return None
    output = strip_block(result.output)
    if not output.strip() and not result.attachments and (result.output.strip() or not result.arguments):
        return None
    return result if output == result.output else result.model_copy(update={"output": output})
