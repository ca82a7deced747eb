"""From a name to the agents that judge what comes in, by the entry points `amb.judges`."""

from __future__ import annotations

from amb_agents import local_agents
from amb_core.errors import InvalidParameter
from amb_core.protocols import Agents
from amb_core.registry import registered
from amb_core.settings import Settings

__all__ = ["open_agents", "open_local"]


def open_agents(name: str, *, settings: Settings | None = None) -> Agents:
    """The agents called `name`: "local" ones, or "prompted" ones that ask a chat model ("prompted:MODEL").

    What an entry point names is called with what follows the name and a colon, and with the settings; it returns
    Agents, or None where it has none of that name. Raises InvalidParameter for an unknown name, and for a model that
    is not set.
    """
    kind, _, model = name.strip().partition(":")
    point = registered("amb.judges").get(kind)
    agents: Agents | None = None if point is None else point.load()(model, settings=settings or Settings())
    if agents is None:
        known = ", ".join(registered("amb.judges"))
        raise InvalidParameter(f"there is no judge {name[:80]!r}; known are {known}; a model follows after a colon.")
    return agents


def open_local(model: str, *, settings: Settings) -> Agents | None:
    """What `open_agents` gives for "local"; None for anything after a colon."""
    return None if model else local_agents(settings)
