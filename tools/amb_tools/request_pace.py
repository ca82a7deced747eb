"""Leaves the pause between two requests that a site asks for."""

from __future__ import annotations

import threading
import time

from amb_tools.tool_errors import RobotsRefused

__all__ = ["Pacing"]

_LONGEST = 10.0
_SITES = 500


class Pacing:
    """Remembers when each site may be asked next; thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._next: dict[str, float] = {}

    def wait(self, site: str, delay: float | None) -> None:
        """Take the site's next turn: at once, after a wait, or RobotsRefused when the turn is too far away."""
        if not delay or delay <= 0:
            return
        with self._lock:
            now = time.monotonic()
            turn = max(self._next.get(site, now), now)
            if turn - now > _LONGEST:
                raise RobotsRefused(f"{site} asks for {delay:g} s between two requests; try another source meanwhile.")
            self._next.pop(site, None)
            self._next[site] = turn + delay
            while len(self._next) > _SITES:
                self._next.pop(next(iter(self._next)))
        time.sleep(turn - now)
