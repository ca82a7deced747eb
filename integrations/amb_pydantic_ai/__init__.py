"""AMB for Pydantic AI: `Agent(model, capabilities=[AMBCapability(bank)])`.

Before each model call the transcript is condensed and the memory block put behind it, for that request only; every tool
result is taken in. `AMBModel` does the same to any model, also with older versions; `attach` and `detach` to an agent
that exists. Nothing of Pydantic AI is loaded before the first of these names is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from amb_core.deferred import deferred

if TYPE_CHECKING:
    from amb_pydantic_ai.agent_memory import AgentMemory
    from amb_pydantic_ai.attach_agent import attach, detach
    from amb_pydantic_ai.capability import AMBCapability
    from amb_pydantic_ai.model import AMBModel
    from amb_pydantic_ai.tools import memory_tools, memory_toolset

__all__ = ["AMBCapability", "AMBModel", "AgentMemory", "attach", "detach", "memory_tools", "memory_toolset"]

_HOME = {
    "AMBCapability": "capability",
    "AMBModel": "model",
    "AgentMemory": "agent_memory",
    "attach": "attach_agent",
    "detach": "attach_agent",
    "memory_tools": "tools",
    "memory_toolset": "tools",
}

__getattr__ = deferred(__name__, _HOME, needs="Pydantic AI", extra="pydantic-ai", modules=("pydantic_ai",))
