"""What was forgotten of a task, told to whoever in this process keeps something that was made of it."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Protocol
from weakref import WeakSet

from amb_core.errors import StoreError

__all__ = ["FollowsForgetting", "Forgotten", "follow_forgetting", "tell_forgotten", "unfollow_forgetting"]

_log = logging.getLogger("amb.memory")


@dataclass(frozen=True, slots=True)
class Forgotten:
    """Some entries of a run (the id of its Insight Doc), or all that is a user's, or a user's in one thread."""

    run: str = ""
    entries: frozenset[str] = frozenset()
    user: str | None = None
    thread: str | None = None


class FollowsForgetting(Protocol):
    """Keeps what was made of tasks, and lets go of what stands on nothing else than something forgotten."""

    def forget_promoted(self, gone: Forgotten) -> int:
        """Take out what was forgotten; returns how many records that changed or deleted."""
        ...


_followers: WeakSet[FollowsForgetting] = WeakSet()


def follow_forgetting(follower: FollowsForgetting) -> None:
    """Tell it from now on, while it lives."""
    _followers.add(follower)


def unfollow_forgetting(follower: FollowsForgetting) -> None:
    """Tell it nothing any more."""
    _followers.discard(follower)


def tell_forgotten(gone: Forgotten) -> None:
    """Tell all who follow; for one that cannot do it now, it is logged what is left to do."""
    for follower in tuple(_followers):
        try:
            follower.forget_promoted(gone)
        except StoreError as error:
            _log.warning("facts promoted from what was forgotten are still there (%s); forget it again later", error)
