"""What a site's robots.txt allows, asked once per site and remembered for a while, and the pause it asks for."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from amb_core import SystemClock
from amb_core.protocols import Clock
from amb_tools.guard import Location
from amb_tools.http_client import HttpClient, Limits
from amb_tools.tool_errors import FetchFailed, RobotsRefused, ToolFailed

if TYPE_CHECKING:
    from protego import Protego

__all__ = ["Pacing", "RobotsRules"]

_LIMITS = Limits(max_bytes=512_000, max_seconds=10.0, max_redirects=5, cut=True)
_SITES = 500
_KEPT_SECONDS = 12 * 3_600.0
_FAILURE_KEPT_SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class _Rules:
    """The rules of one site; without rules `problem` says why nothing may be fetched, or all may."""

    rules: Protego | None
    problem: str
    until: float


class RobotsRules:
    """Asks sites for their robots.txt through `client`, whose user agent the rules are read for.

    A site that has none (4xx) allows everything; one that cannot be asked, or answers with an error of its own (5xx),
    allows nothing for the next minutes. Thread-safe.
    """

    def __init__(self, client: HttpClient, *, clock: Clock | None = None) -> None:
        self._client = client
        self._clock = clock or SystemClock()
        self._agent = client.user_agent
        self._lock = threading.Lock()
        self._sites: OrderedDict[str, _Rules] = OrderedDict()

    def check(self, location: Location) -> None:
        """Raise RobotsRefused when the site does not want this page fetched."""
        site = self._site(location)
        if site.problem:
            raise RobotsRefused(f"{location.host}: {site.problem}; try another source.")
        if site.rules is not None and not site.rules.can_fetch(location.url, self._agent):
            raise RobotsRefused(
                f"robots.txt of {location.host} does not want {location.path[:200]} read; use another source."
            )

    def crawl_delay(self, location: Location) -> float | None:
        """How many seconds the site asks to leave between two requests; None when it says nothing."""
        rules = self._site(location).rules
        delay = None if rules is None else rules.crawl_delay(self._agent)
        return None if delay is None else float(delay)

    def _site(self, location: Location) -> _Rules:
        now = self._clock.now()
        with self._lock:
            known = self._sites.get(location.origin)
            if known is not None and now < known.until:
                self._sites.move_to_end(location.origin)
                return known
        asked = self._asked(location.origin, now)
        with self._lock:
            self._sites[location.origin] = asked
            self._sites.move_to_end(location.origin)
            while len(self._sites) > _SITES:
                self._sites.popitem(last=False)
        return asked

    def _asked(self, origin: str, now: float) -> _Rules:
        try:
            reply = self._client.request(f"{origin}/robots.txt", limits=_LIMITS)
        except FetchFailed as error:
            return _Rules(None, f"its robots.txt cannot be fetched ({error})", now + _FAILURE_KEPT_SECONDS)
        except ToolFailed as error:
            return _Rules(
                None, f"its robots.txt leads to a place that is not fetched ({error})", now + _FAILURE_KEPT_SECONDS
            )
        if reply.status >= 500:
            problem = f"its robots.txt cannot be fetched (status {reply.status})"
            return _Rules(None, problem, now + _FAILURE_KEPT_SECONDS)
        if reply.status >= 300:
            return _Rules(None, "", now + _KEPT_SECONDS)
        return _Rules(_parsed(reply.body), "", now + _KEPT_SECONDS)


def _parsed(body: bytes) -> Protego:
    from protego import Protego

    return Protego.parse(body.decode("utf-8-sig", "replace"))


_LONGEST = 10.0
_PACED_SITES = 500


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
            while len(self._next) > _PACED_SITES:
                self._next.pop(next(iter(self._next)))
        time.sleep(turn - now)
