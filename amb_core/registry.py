"""What installed distributions bring to AMB, found by entry point: no list of it is kept anywhere else.

`amb.commands`   a function `add_to(commands)` that adds commands to the parser of `amb`
`amb.embedders`  a function that makes an embedder of what follows its name and a colon (see `open_embedder`)
`amb.extras`     what an extra makes possible, under the name by which the core asks for it (see `find_extra`)
`amb.judges`     a function that makes Agents of what follows its name and a colon (see `open_agents`)
`amb.stores`     a StoreOpener, under the scheme of its URLs (see `open_store`)
`amb.wire_forms` a class of WireForm, under its name: how a provider writes a transcript (see `read_transcript`)
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType
from typing import Any

__all__ = ["GROUPS", "find_extra", "from_package", "registered"]

GROUPS = ("amb.commands", "amb.embedders", "amb.extras", "amb.judges", "amb.stores", "amb.wire_forms")
"""What can be brought."""


@cache
def registered(group: str) -> Mapping[str, EntryPoint]:
    """The entry points of a group by name, in the order of their names; the first of two with one name counts.

    They are read once a process.
    """
    found: dict[str, EntryPoint] = {}
    for point in sorted(entry_points(group=group), key=lambda point: point.name):
        found.setdefault(point.name, point)
    return MappingProxyType(found)


def find_extra(name: str) -> Any:
    """What an entry point of `amb.extras` names; AttributeError where AMB is only on the path, not installed."""
    point = registered("amb.extras").get(name)
    if point is None:
        raise AttributeError(f"{name} is in a package that is found when AMB is installed; run pip install -e .")
    return point.load()


def from_package(place: str) -> Any:
    """What "package.module:name" names, of a package that stands on the core: loaded only where somebody needs it."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)
