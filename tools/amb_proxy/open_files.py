"""How many requests the limit of open file descriptors is enough for."""

from __future__ import annotations

import sys
from dataclasses import dataclass

if sys.platform != "win32":
    import resource

__all__ = ["MOST_CONNECTIONS", "MOST_OPEN_BANKS", "Room", "limit", "raise_limit", "room"]

_OF_A_BANK, _KEPT_FREE = 4, 128
"""Descriptors that an open bank has, and those for the gateway's own store and a few more."""
MOST_CONNECTIONS, MOST_OPEN_BANKS = 1_000, 48
_ENOUGH = 65_536
"""The limit is raised no further, since some systems have one of a thousand million."""


@dataclass(frozen=True, slots=True)
class Room:
    """So many connections to the provider at once, and so many requests, of which some wait for one."""

    connections: int
    requests: int


def limit() -> int:
    """How many file descriptors this process may have open."""
    if sys.platform == "win32":
        return _ENOUGH
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _ENOUGH if soft == resource.RLIM_INFINITY else soft


def raise_limit() -> None:
    """Raise this process's limit as far as it may without the rights of an administrator."""
    if sys.platform == "win32":
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _ENOUGH if hard == resource.RLIM_INFINITY else min(hard, _ENOUGH)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError):
            return  # some systems allow less than they say


def room(most_connections: int = MOST_CONNECTIONS, *, open_banks: int = MOST_OPEN_BANKS) -> Room:
    """What is left beside so many open banks: a request has a descriptor, and its connection another."""
    left = max(limit() - _KEPT_FREE - _OF_A_BANK * open_banks, limit() // 2)
    connections = min(most_connections, left // 2)
    return Room(connections, left - connections)
