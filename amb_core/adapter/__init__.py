"""The adapter every integration speaks to, and the pieces it is made of.

    context_adapter.py   ContextAdapter: what goes into a prompt, what comes out of a tool
    chat_messages.py     OpenAI-style messages: read, counted, and put together anew with the block in them
    levels.py            the agent's own bank and the shared one: where a result is kept, whose a shown id is
    scope_guard.py       refuses whoever a bank does not belong to
    teammate.py          the agent's part in a team memory
    memory_tools.py      `deep_retrieval`, and what of a tool's output is our own
    tool.py              the one form of a tool that a model may call, and of what it brings
    origins.py           a framework's own messages → OpenAI-style ones, and back to the very same objects

Old messages are cut in `amb_core.condenser`, the block itself in `amb_core.rendering`.
"""

from amb_core.adapter.chat_messages import (
    Placement,
    TokenCounter,
    attachment_part,
    digest_of,
    parts_of,
    strip_blocks,
    text_of,
)
from amb_core.adapter.context_adapter import AdapterOptions, ContextAdapter, Intercepted
from amb_core.adapter.origins import made_from, origin_of, parts_written_back, written_back
from amb_core.adapter.scope_guard import Caller, enter_run, inside_run, outer_run, scope_in
from amb_core.adapter.teammate import Teammate, ToolMember
from amb_core.adapter.tool import Tool, ToolOutput
from amb_core.deferred import deferred

__getattr__ = deferred(__name__, {}, renamed={"MemoryTool": "Tool"})

__all__ = [
    "AdapterOptions",
    "Caller",
    "ContextAdapter",
    "Intercepted",
    "Placement",
    "Teammate",
    "TokenCounter",
    "Tool",
    "ToolMember",
    "ToolOutput",
    "attachment_part",
    "digest_of",
    "enter_run",
    "inside_run",
    "made_from",
    "origin_of",
    "outer_run",
    "parts_of",
    "parts_written_back",
    "scope_in",
    "strip_blocks",
    "text_of",
    "written_back",
]
