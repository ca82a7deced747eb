"""AMB for CrewAI: `with memory(bank, crew): crew.kickoff()`.

Inside, every agent's requests are condensed and carry the memory block, and every tool result is taken in. `attach` and
`detach` do the same without a `with`; `AMBMemory` fits into `Crew(memory=…)`. Nothing of CrewAI is loaded before the
first of these names is used. `attach_team(crew, team)` gives each agent of a crew its part in a team's memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from amb_core.deferred import deferred

if TYPE_CHECKING:
    from amb_crewai.attach_agent import attach, detach, memory
    from amb_crewai.store import AMBMemory
    from amb_crewai.teams import attach_team, detach_team
    from amb_crewai.tools import memory_tools

__all__ = ["AMBMemory", "attach", "attach_team", "detach", "detach_team", "memory", "memory_tools"]

_HOME = {
    "AMBMemory": "store",
    "attach": "attach_agent",
    "attach_team": "teams",
    "detach": "attach_agent",
    "detach_team": "teams",
    "memory": "attach_agent",
    "memory_tools": "tools",
}

__getattr__ = deferred(__name__, _HOME, needs="CrewAI", extra="crewai", modules=("crewai",))
