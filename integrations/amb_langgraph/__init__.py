"""AMB for LangChain and LangGraph: `create_agent(model, tools, middleware=[AMBMiddleware(bank)])`.

Each tool result is memory as it comes, and each model call gets a bounded transcript with the block behind it; the
graph's state is not touched. Nothing of LangChain is loaded before one of these names is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from amb_core.deferred import deferred

if TYPE_CHECKING:
    from amb_langgraph.amb_supervisor import AMBSupervisor
    from amb_langgraph.attach_agent import attach, detach
    from amb_langgraph.langgraph_store import AMBStore
    from amb_langgraph.middleware import AMBMiddleware, memory_tools
    from amb_langgraph.teams import attach_team, detach_team

__all__ = [
    "AMBMiddleware",
    "AMBStore",
    "AMBSupervisor",
    "attach",
    "attach_team",
    "detach",
    "detach_team",
    "memory_tools",
]

_HOME = {
    "AMBMiddleware": "middleware",
    "AMBStore": "langgraph_store",
    "AMBSupervisor": "amb_supervisor",
    "attach": "attach_agent",
    "attach_team": "teams",
    "detach": "attach_agent",
    "detach_team": "teams",
    "memory_tools": "middleware",
}

__getattr__ = deferred(
    __name__, _HOME, needs="LangChain", extra="langgraph", modules=("langchain", "langchain_core", "langgraph")
)
