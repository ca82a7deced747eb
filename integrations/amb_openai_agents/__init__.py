"""AMB for the OpenAI Agents SDK: `attach(agent, bank)`, or `Agent("a", **with_memory(bank, tools=[search]))`.

Before each model call of such an agent the transcript is condensed and the memory block put behind it, for that request
only; every tool result is taken in. `run_options` does the same for a whole run, by RunConfig and RunHooks. Nothing of
the SDK is loaded before the first of these names is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from amb_core.deferred import deferred

if TYPE_CHECKING:
    from amb_openai_agents.agent_memory import AgentMemory
    from amb_openai_agents.attach_agent import attach, detach, run_options, with_memory
    from amb_openai_agents.session import AMBSession
    from amb_openai_agents.tools import memory_tools

__all__ = ["AMBSession", "AgentMemory", "attach", "detach", "memory_tools", "run_options", "with_memory"]

_HOME = {
    "AMBSession": "session",
    "AgentMemory": "agent_memory",
    "attach": "attach_agent",
    "detach": "attach_agent",
    "memory_tools": "tools",
    "run_options": "attach_agent",
    "with_memory": "attach_agent",
}

__getattr__ = deferred(__name__, _HOME, needs="The OpenAI Agents SDK", extra="openai-agents", modules=("agents",))
