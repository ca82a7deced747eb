"""AMB for Google's Agent Development Kit: `App(…, plugins=[AMBPlugin(bank)])`, or `attach(agent, bank)`.

Before each model call the contents are condensed and the memory block put behind them, for that request only; every
tool result is taken in. `AMBMemoryService` is ADK's memory of users over AMB's long-term memory. Nothing of ADK is
loaded before the first of these names is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from amb_core.deferred import deferred

if TYPE_CHECKING:
    from amb_google_adk.agent_memory import memory_tools
    from amb_google_adk.attach_agent import AMBPlugin, attach, detach
    from amb_google_adk.memory_service import AMBMemoryService

__all__ = ["AMBMemoryService", "AMBPlugin", "attach", "detach", "memory_tools"]

_HOME = {
    "AMBMemoryService": "memory_service",
    "AMBPlugin": "attach_agent",
    "attach": "attach_agent",
    "detach": "attach_agent",
    "memory_tools": "agent_memory",
}

__getattr__ = deferred(__name__, _HOME, needs="Google ADK", extra="google-adk", modules=("google.adk", "google.genai"))
