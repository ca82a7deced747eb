"""The adapter every integration speaks to, and the pieces it is made of."""

from amb_core.adapter.content import TokenCounter, attachment_part, digest_of, text_of
from amb_core.adapter.context_adapter import ContextAdapter
from amb_core.adapter.intercepted import Intercepted
from amb_core.adapter.memory_tools import MemoryTool
from amb_core.adapter.message_lists import Placement
from amb_core.adapter.nested_runs import enter_run, inside_run, outer_run
from amb_core.adapter.options import AdapterOptions
from amb_core.adapter.origins import made_from, origin_of, parts_written_back, written_back
from amb_core.adapter.scope_guard import Caller, scope_in
from amb_core.adapter.teamwork import Teammate

__all__ = [
    "AdapterOptions",
    "Caller",
    "ContextAdapter",
    "Intercepted",
    "MemoryTool",
    "Placement",
    "Teammate",
    "TokenCounter",
    "attachment_part",
    "digest_of",
    "enter_run",
    "inside_run",
    "made_from",
    "origin_of",
    "outer_run",
    "parts_written_back",
    "scope_in",
    "text_of",
    "written_back",
]
