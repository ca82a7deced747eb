"""What a run is told of its user: the profile, within the request, for as long as it is so."""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Iterable, Mapping
from typing import Protocol

from amb_core.bank import MemoryBank
from amb_core.call_lock import CallLock
from amb_core.contributor import Contributor, RecallContext
from amb_core.rendering.labels import MEMORY_CLOSE, MEMORY_OPEN, PROFILE_HEADS, block_pattern
from amb_core.text import estimate_tokens
from amb_longterm.memory_records import MemoryRecord
from amb_longterm.user_profile import KnownOfUser, ProfileItem

__all__ = ["ProfileView"]

_log = logging.getLogger("amb.longterm")
_PROFILE = re.compile(block_pattern(MEMORY_OPEN, PROFILE_HEADS.values(), MEMORY_CLOSE), re.DOTALL)
_SHARE = 5
"""A profile takes at most one part in so many of what a request may have."""
_LEAST = 120
_EACH = 16
"""Tokens that the lines of the block cost at most beside what was estimated: a memory may grow in between."""


class _Profiles(Protocol):
    def known_of(self, user: str, *, room: int, asked: str = "") -> KnownOfUser: ...

    def get(self, id: str, *, namespace: str) -> MemoryRecord | None: ...


class ProfileView(Contributor):
    """Says what is known of the user whose bank a run works with, once; says it anew where something of it changed.

    Without a user nothing is said, which is logged once. What stands in the request word for word, such as what the
    user tells in this very run, is not said beside it. Thread-safe.
    """

    def __init__(self, memory: _Profiles, bank: MemoryBank, *, room: int) -> None:
        self._memory, self._bank = memory, bank
        self._room = max(min(room, bank.settings.prompt_budget_tokens // _SHARE), _LEAST)
        self._told: dict[str, tuple[ProfileItem, ...]] = {}
        self._warned = False
        self._lock = CallLock()

    @property
    def most_tokens(self) -> int:
        """What may be told at most: what is known now takes so much."""
        text = self._known().block(room=self._room).text
        return estimate_tokens(text) + _EACH if text else 0

    def block(self, context: RecallContext, room: int) -> str:
        """What is known of the user and does not stand in the request; "" for nothing."""
        asked, request = "\n".join(filter(None, (context.goal, context.asked))), context.request
        known = self._known(asked)
        with self._lock:
            self._told = {text: items for text, items in self._told.items() if text in request}
            told = frozenset(name for items in self._told.values() for item in items for name in item.ids)
            said = " ".join(request.split())
            known = known.only(lambda item: _is_fresh(item, told, said), unread=0 if told else known.unread)
            block = known.block(room=self._room, language=context.language)
            if block.text:
                self._told[block.text] = block.shown
        return block.text

    def still_true(self, text: str) -> str:
        """What was told, as it is now where something it shows has changed, was told anew, or deleted."""
        found = _PROFILE.search(text)
        if found is None or (shown := self._told.get(found[0])) is None:
            return text
        known = self._known()
        now = {name: item for item in known.items for name in item.ids}
        if self._are_there(shown, now) and all(_says(item) == _says(now.get(item.record.id, item)) for item in shown):
            return text
        ids = {name for item in shown for name in item.ids}
        block = known.only(lambda item: not item.ids.isdisjoint(ids)).block(room=self._room)
        with self._lock:
            self._told.pop(found[0], None)
            if block.text:
                self._told[block.text] = block.shown
        return f"{text[: found.start()]}{block.text}{text[found.end() :]}".strip()

    def _are_there(self, shown: Iterable[ProfileItem], now: Mapping[str, ProfileItem]) -> bool:
        """Whether no record of some items was deleted; one that is too old to be read with the newest is looked up."""
        names = ((name, item.record.namespace) for item in shown for name in item.ids if name not in now)
        return all(self._memory.get(name, namespace=namespace) is not None for name, namespace in names)

    def _known(self, asked: str = "") -> KnownOfUser:
        scope = self._bank.host.scope
        user = scope.user if scope is not None else None
        if not user:
            if not self._warned:
                self._warned = True
                _log.warning("nobody is named whose long-term memory to show: give the bank or the adapter a scope")
            return KnownOfUser()
        return self._memory.known_of(user, room=self._room, asked=asked)


def _is_fresh(item: ProfileItem, told: Collection[str], said: str) -> bool:
    return item.ids.isdisjoint(told) and " ".join(item.record.content.split()) not in said


def _says(item: ProfileItem) -> tuple[str, ...]:
    return (item.record.content, *(text for _, text in item.earlier))
