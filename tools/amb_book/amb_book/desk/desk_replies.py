"""What the desk answers, and the ways in which it says no."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from pydantic import JsonValue

from amb_book.desk.background import Source
from amb_book.desk.proposals import Proposal
from amb_book.desk.tasks import Task
from amb_core.errors import AmbError

__all__ = ["DeskError", "DeskErrorKind", "Refused", "Reply", "ReplyKind"]

ReplyKind = Literal["answer", "memory", "task", "tasks", "help", "proposal", "settled", "discarded", "error"]
DeskErrorKind = Literal[
    "unknown_command",
    "unknown_task",
    "ambiguous_task",
    "no_task",
    "not_open",
    "being_settled",
    "already_settled",
    "discarded",
    "nothing_proposed",
    "contradiction",
    "changed",
    "invalid",
    "model_failed",
]


@dataclass(frozen=True, slots=True)
class DeskError:
    """Why something was not done; nothing was changed. `known` are what could be said instead: commands, or titles."""

    kind: DeskErrorKind
    text: str
    known: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to one message.

    `answer` is a model's, `memory` what the book has on the message, `task` where a task stands. `proposal` waits for
    the author or was just settled. With an `error` nothing was changed, but what the author said is in the queue if the
    task was open. `context` says what an answer was built from; `sources` are what memory had on it.
    """

    kind: ReplyKind
    text: str
    task: Task | None = None
    options: tuple[str, ...] = ()
    proposal: Proposal | None = None
    error: DeskError | None = None
    tasks: tuple[Task, ...] = ()
    sources: tuple[Source, ...] = ()
    context: Mapping[str, JsonValue] = field(default_factory=dict)

    @property
    def note(self) -> str:
        """What did not go well while it was answered or read off: fewer options than wanted, a model that failed."""
        return str(self.context.get("note", "")) or (self.proposal.note if self.proposal is not None else "")


class Refused(AmbError):
    """The desk says no; what it answers is in `error`, with the proposal it is about."""

    def __init__(self, error: DeskError, *, proposal: Proposal | None = None, task: Task | None = None) -> None:
        self.error, self.proposal, self.task = error, proposal, task
        super().__init__(error.text)
