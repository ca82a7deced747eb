"""Whose a memory is."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from amb_core.errors import InvalidParameter
from amb_core.frozen import Frozen

__all__ = ["Scope"]


class Scope(Frozen):
    """The user and the thread of conversation a memory belongs to; None, or blank, is one that nobody named.

    Both are texts, such as ids of yours. Raises InvalidParameter for anything else.
    """

    user: str | None = None
    thread: str | None = None

    def __init__(self, user: str | None = None, thread: str | None = None) -> None:
        named: dict[str, Any] = {"user": user or None, "thread": thread or None}
        try:
            super().__init__(**named)
        except ValidationError:
            raise InvalidParameter("a Scope is Scope(user=…, thread=…), each a text or None.") from None

    def __bool__(self) -> bool:
        return self.user is not None or self.thread is not None

    def differs(self, other: Scope) -> bool:
        """Whether both name a user, or both a thread, and not the same one."""
        pairs = ((self.user, other.user), (self.thread, other.thread))
        return any(one is not None and two is not None and one != two for one, two in pairs)

    def agrees(self, other: Scope) -> bool:
        """Whether both name the same user or the same thread, and neither names another."""
        same = (self.user is not None and self.user == other.user) or (
            self.thread is not None and self.thread == other.thread
        )
        return same and not self.differs(other)

    def joined(self, other: Scope) -> Scope:
        """This scope, with what only the other one names."""
        return Scope(self.user or other.user, self.thread or other.thread)
