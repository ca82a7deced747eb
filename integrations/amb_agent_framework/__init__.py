"""AMB for Microsoft Agent Framework: `Agent(client, context_providers=[AMBContextProvider(bank)])`.

Before each model call the transcript is condensed and the memory block put behind it, for that request only; every tool
result is taken in. Nothing of the framework is loaded before the first of these names is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from amb_core.deferred import deferred

if TYPE_CHECKING:
    from amb_agent_framework.attach_agent import attach, detach
    from amb_agent_framework.context_provider import AMBContextProvider, memory_tools

__all__ = ["AMBContextProvider", "attach", "detach", "memory_tools"]

_HOME = {
    "AMBContextProvider": "context_provider",
    "attach": "attach_agent",
    "detach": "attach_agent",
    "memory_tools": "context_provider",
}

__getattr__ = deferred(
    __name__, _HOME, needs="Microsoft Agent Framework", extra="agent-framework", modules=("agent_framework",)
)
