"""The adapter every integration speaks to, and the pieces it is made of."""

from amb_core.adapter.content import TokenCounter, attachment_part, digest_of, text_of
from amb_core.adapter.context_adapter import ContextAdapter, Intercepted
from amb_core.adapter.memory_tools import MemoryTool
from amb_core.adapter.message_lists import Placement

__all__ = [
    "ContextAdapter",
    "Intercepted",
    "MemoryTool",
    "Placement",
    "TokenCounter",
    "attachment_part",
    "digest_of",
    "text_of",
]
