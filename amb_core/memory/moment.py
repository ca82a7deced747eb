"""What an agent is doing at one model call, and what its request holds already."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from amb_core.memory.passage_terms import words_of
from amb_core.rendering import Language

__all__ = ["Moment"]


@dataclass(frozen=True)
class Moment:
    """One model call as memory sees it: what a block is chosen for, and what it need not say.

    `asked` is the newest user message behind the first, `said` the agent's newest messages and calls and `results` the
    newest results, both newest first; `used` are the texts of its calls and messages so far, oldest first. `held` names
    the results that stand whole in the request, by run and call id, and `request` is all text in it. `question` is what
    is asked just now, by the user's newest words or by the host; "" while the agent works. `between` says that
    the request goes on where the one before ended, so that nothing left it since memory was asked last. `language` is
    that of AMB's own words, and `user_said` the user's newest message; what is asked `of_mate` is no user's.
    """

    goal: str = ""
    asked: str = ""
    said: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    held: frozenset[tuple[str, str]] = frozenset()
    request: str = ""
    question: str = ""
    between: bool = False
    language: Language = "en"
    user_said: str = ""
    of_mate: bool = False

    @cached_property
    def present(self) -> frozenset[str]:
        """The identifiers and longer words of the request."""
        return words_of(self.request)
