"""What installed distributions bring to AMB, found by entry point: no list of it is kept anywhere else.

`amb.commands`  a function `add_to(commands)` that adds commands to the parser of `amb`
"""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points

__all__ = ["registered"]


def registered(group: str) -> dict[str, EntryPoint]:
    """The entry points of a group by name, in the order of their names; the first of two with one name counts."""
    found: dict[str, EntryPoint] = {}
    for point in sorted(entry_points(group=group), key=lambda point: point.name):
        found.setdefault(point.name, point)
    return found
