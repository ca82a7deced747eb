"""AMB for smolagents: `attach(agent, bank)` gives an agent a memory, `detach(agent)` takes it off again.

Each tool result is memory before the next model call, whose messages are condensed and followed by the block.
`attach_team(agent, team)` gives an agent and those it manages their parts in a team's memory.
Nothing of smolagents is loaded before the first of these names is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from amb_core.deferred import deferred

if TYPE_CHECKING:
    from amb_smolagents.attach_agent import attach, detach
    from amb_smolagents.teams import attach_team, detach_team
    from amb_smolagents.tools import memory_tools

__all__ = ["attach", "attach_team", "detach", "detach_team", "memory_tools"]

_HOME = {
    "attach": "attach_agent",
    "attach_team": "teams",
    "detach": "attach_agent",
    "detach_team": "teams",
    "memory_tools": "tools",
}

__getattr__ = deferred(__name__, _HOME, needs="smolagents", extra="smolagents", modules=("smolagents",))
