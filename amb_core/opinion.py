"""What the agent at work says of a dispute."""

from __future__ import annotations

from amb_core.frozen import Frozen

__all__ = ["Opinion"]


class Opinion(Frozen):
    """What the agent at work says of a dispute: the value that `holds`, why, and the entries that it names for it.

    It was given `at` (seconds since the epoch), and counts only as long as the evidence in memory says so too.
    """

    holds: str
    because: str = ""
    entries: tuple[str, ...] = ()
    at: float = 0.0
