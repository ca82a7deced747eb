"""The adapter every integration speaks to, and the pieces it is made of."""

from amb_core.adapter.content import TokenCounter, attachment_part, digest_of, text_of
from amb_core.adapter.context_adapter import ContextAdapter, Intercepted
from amb_core.adapter.memory_tools import MemoryTool
from amb_core.adapter.message_lists import Placement
from amb_core.adapter.options import AdapterOptions
from amb_core.adapter.origins import made_from, origin_of, parts_written_back, written_back
from amb_core.adapter.teamwork import Teammate

__all__ = [
    "AdapterOptions",
    "ContextAdapter",
    "Intercepted",
    "MemoryTool",
    "Placement",
    "Teammate",
    "TokenCounter",
    "attachment_part",
    "digest_of",
    "made_from",
    "origin_of",
    "parts_written_back",
    "text_of",
    "written_back",
]
