"""AMB for Strands Agents: `Agent(model, tools=[search], plugins=[AMBPlugin(bank)])`, or `attach(agent, bank)`.

Before each model call the transcript is condensed and the memory block put behind it, for that request only; every tool
result is taken in. Nothing of Strands is loaded before the first of these names is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from amb_core.deferred import deferred

if TYPE_CHECKING:
    from amb_strands.attach_agent import attach, detach
    from amb_strands.plugin import AMBPlugin, memory_tools

__all__ = ["AMBPlugin", "attach", "detach", "memory_tools"]

_HOME = {"AMBPlugin": "plugin", "attach": "attach_agent", "detach": "attach_agent", "memory_tools": "plugin"}

__getattr__ = deferred(__name__, _HOME, needs="Strands Agents", extra="strands", modules=("strands",))
