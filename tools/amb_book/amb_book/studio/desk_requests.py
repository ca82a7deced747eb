"""What the page asks of the desk: tasks, messages and settlements; each window says which task it shows."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from pydantic import Field

from amb_book.desk import Command, Proposal, Reply, Task
from amb_book.desk.commands import CommandKind
from amb_book.desk.task_list import KEEP_HOURS
from amb_book.desk.tasks import task_number
from amb_book.studio.page_requests import Asked, Chapter, Json, Name, OpenBook, Text
from amb_core.errors import UnknownId

__all__ = ["Confirm", "Correct", "Discard", "OneTask", "Press", "Say", "Tasks"]

_MOST_ROWS = 2_000
_NOT_OF_A_PROPOSAL = ("at", "replace")
"""What the page has no use for."""


class Tasks(Asked):
    """All tasks, the one used last, and the chapter the story stands at."""

    def answer(self, book: OpenBook) -> Json:
        """The tasks as the page lists them."""
        active = book.desk.active
        return {
            "tasks": [_task(each, book) for each in book.desk.tasks()],
            "active": active.id if active is not None else "",
            "chapter": book.story.facts.last_chapter,
        }


class OneTask(Asked):
    """A task with its whole queue, and what waits to be confirmed for it."""

    name: Name

    def answer(self, book: OpenBook) -> Json:
        """The task; UnknownId when there is none of that id."""
        task = next((each for each in book.desk.tasks() if each.id == self.name), None)
        if task is None:
            raise UnknownId("task", self.name)
        waiting = book.desk.proposal(task.proposal) if task.state == "settling" and task.proposal else None
        return {
            "task": _task(task, book),
            "turns": [asdict(each) for each in book.desk.turns(task.id)],
            "proposal": _proposal(waiting),
        }


class Say(Asked):
    """Something the author typed, in the task a window shows ("" for none)."""

    text: Text
    task: Name = ""

    def answer(self, book: OpenBook) -> Json:
        """The desk's reply, and the tasks as they are by then."""
        return _replied(book, book.desk.send(self.text, task=self.task))


class Press(Asked):
    """A button: a command with its argument, and the text that goes with it."""

    kind: CommandKind
    argument: Name = ""
    text: Text = ""
    task: Name = ""

    def answer(self, book: OpenBook) -> Json:
        """The desk's reply, and the tasks as they are by then."""
        return _replied(book, book.desk.send(Command(self.kind, self.argument, self.text), task=self.task))


class Correct(Asked):
    """Corrections to a proposal, kept but not settled."""

    proposal: Name
    statements: list[dict[str, Any]] = Field(max_length=_MOST_ROWS)
    chapter: Chapter
    text: Text | None = None
    revision: int | None = None

    def answer(self, book: OpenBook) -> Json:
        """The proposal as it stands to settled facts by then."""
        return _replied(book, book.desk.correct(**self.model_dump()))


class Confirm(Correct):
    """A proposal that is to be settled as it is written here."""

    title: Name | None = None
    replace: bool = False

    def answer(self, book: OpenBook) -> Json:
        """What was settled, or why not."""
        return _replied(book, book.desk.confirm(**self.model_dump()))


class Discard(Asked):
    """A proposal that is to be thrown away."""

    proposal: Name

    def answer(self, book: OpenBook) -> Json:
        """The desk's reply, and the tasks as they are by then."""
        return _replied(book, book.desk.discard(self.proposal))


def _replied(book: OpenBook, reply: Reply) -> Json:
    told = {
        "kind": reply.kind,
        "text": reply.text,
        "task": reply.task.id if reply.task else "",
        "options": list(reply.options),
        "proposal": _proposal(reply.proposal),
        "error": asdict(reply.error) if reply.error else None,
    }
    return {"reply": told, **Tasks().answer(book)}


def _task(task: Task, book: OpenBook) -> Json:
    """A task; `hours_left` says how long a closed one can still be restarted."""
    gone = 0.0 if task.closed is None else (book.clock.now() - task.closed) / 3_600
    left = None if task.closed is None else max(0.0, round(KEEP_HOURS - gone, 1))
    return {**asdict(task), "number": task_number(task.id), "hours_left": left}


def _proposal(proposal: Proposal | None) -> Json | None:
    """What would be settled, row by row."""
    if proposal is None:
        return None
    return {name: value for name, value in asdict(proposal).items() if name not in _NOT_OF_A_PROPOSAL}
