"""AMB for AutoGen: `AssistantAgent("a", client, **with_memory(bank, tools=[search]))`.

`AMBContext` is the agent's model context: it takes each tool result into memory as it comes, and before each model
call it condenses the transcript and puts the block behind it. `attach` and `detach` do the same to an agent that
exists, `attach_team` to all agents of a group chat; `AMBMemory` is what AutoGen's Memory protocol allows. Nothing of
AutoGen is loaded before one of them is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from amb_core.deferred import deferred

if TYPE_CHECKING:
    from amb_autogen.amb_memory import AMBMemory
    from amb_autogen.attach_agent import attach, detach, with_memory
    from amb_autogen.context import AMBContext, summary_formatter
    from amb_autogen.ground_truth import GroundTruthParticipant
    from amb_autogen.teams import attach_team, detach_team
    from amb_autogen.tools import memory_tools

__all__ = [
    "AMBContext",
    "AMBMemory",
    "GroundTruthParticipant",
    "attach",
    "attach_team",
    "detach",
    "detach_team",
    "memory_tools",
    "summary_formatter",
    "with_memory",
]

_HOME = {
    "AMBContext": "context",
    "AMBMemory": "amb_memory",
    "GroundTruthParticipant": "ground_truth",
    "attach": "attach_agent",
    "attach_team": "teams",
    "detach": "attach_agent",
    "detach_team": "teams",
    "memory_tools": "tools",
    "summary_formatter": "context",
    "with_memory": "attach_agent",
}

__getattr__ = deferred(
    __name__, _HOME, needs="AutoGen", extra="autogen", modules=("autogen_agentchat", "autogen_core", "autogen_ext")
)
