"""AMB for smolagents: `attach(agent, bank)` gives an agent a memory, `detach(agent)` takes it off again.

Each tool result is memory before the next model call, whose messages are condensed and followed by the block.
Nothing of smolagents is loaded before the first of these names is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from amb_core.deferred import deferred

if TYPE_CHECKING:
    from amb_smolagents.attaching import attach, detach
    from amb_smolagents.tools import memory_tools

__all__ = ["attach", "detach", "memory_tools"]

_HOME = {"attach": "attaching", "detach": "attaching", "memory_tools": "tools"}

__getattr__ = deferred(__name__, _HOME, needs="smolagents", extra="smolagents", modules=("smolagents",))
