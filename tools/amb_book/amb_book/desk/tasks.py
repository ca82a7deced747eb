"""Tasks an author has open at once, each with a queue of its own; and the protocol of what keeps them."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, get_args

from pydantic import JsonValue, TypeAdapter

from amb_core.errors import InvalidInput, StoreCorrupt
from amb_core.rendering import Language

__all__ = [
    "ANY_STATE",
    "MOST_TITLE",
    "OPEN",
    "TASKS",
    "Role",
    "Task",
    "TaskQueueStore",
    "TaskState",
    "Turn",
    "checked_title",
    "is_over",
    "task_from_json",
    "task_number",
    "turn_from_json",
    "turn_to_json",
]

TaskState = Literal["open", "settling", "closed"]
Role = Literal["author", "desk"]
ANY_STATE: tuple[TaskState, ...] = get_args(TaskState)
OPEN: tuple[TaskState, ...] = ("open",)
MOST_TITLE = 200


@dataclass(frozen=True, slots=True)
class Turn:
    """One thing that was said in a task: by whom, when, and with which command ("" for plain text).

    `number` counts the turns of the task from 1. `context` tells what an answer of the desk was built from.
    """

    role: Role
    text: str
    at: float
    command: str = ""
    number: int = 0
    context: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Task:
    """A task: open → settling (a proposal waits for the author) → closed, and open again when it is restarted.

    `turns` is how many there are in its queue; `revision` counts every change, so that of two windows that saw the same
    revision only one can change the task. `proposal` is the id of what waits for the author. Times are seconds.
    """

    id: str
    title: str
    state: TaskState
    opened: float
    closed: float | None = None
    kind: str = "other"
    language: Language = "en"
    proposal: str = ""
    turns: int = 0
    revision: int = 0


class TaskQueueStore(Protocol):
    """The tasks of one author with one clean queue each; any number of threads, windows and processes at once.

    A turn goes into the queue of exactly the task it is appended to, behind all that stand there. Ids are never given
    twice. An unknown id is an UnknownId. Any text survives. Errors of the place itself are StoreErrors.
    """

    def add(self, title: str, *, now: float, kind: str = "other", language: Language = "en") -> Task:
        """A new open task with an empty queue; InvalidInput for a blank title or one of over 200 characters."""
        ...

    def append(self, id: str, turn: Turn, *, states: Collection[TaskState] = OPEN) -> Task | None:
        """Put a turn at the end of a queue if the task is in one of the states, in one step; None if it is not.

        `turns` of the task that comes back is the number of this turn.
        """
        ...

    def turns(self, id: str) -> list[Turn]:
        """The whole queue, in order, numbered from 1."""
        ...

    def task(self, id: str) -> Task: ...

    def tasks(self) -> list[Task]:
        """All tasks in the order in which they were added."""
        ...

    def change(self, task: Task, *, state: TaskState, proposal: str = "", closed: float | None = None) -> Task | None:
        """Set the state of a task that is still as `task` tells it; None when anything happened to it since."""
        ...

    def purge(self, *, closed_before: float) -> list[str]:
        """Remove tasks closed at or before a time, with their queues; returns their ids."""
        ...

    def close(self) -> None:
        """Release what it opened itself; calling twice is no error."""
        ...


def checked_title(title: str) -> str:
    """A title on one line; InvalidInput for a blank or too long one."""
    told = " ".join(title.split())
    if not told:
        raise InvalidInput("a task needs a title; say what it is about, as in: /new outline the siege")
    if len(told) > MOST_TITLE:
        raise InvalidInput(f"a title has at most {MOST_TITLE} characters; put the rest on the lines below it.")
    return told


def task_number(id: str) -> int:
    """The number an author may call a task by."""
    return int(id.removeprefix("t"))


TASKS = TypeAdapter(Task)
"""How a task is written as JSON, and read back."""


def task_from_json(data: Mapping[str, Any]) -> Task:
    """The task of a JSON object; StoreCorrupt when it is none."""
    try:
        return TASKS.validate_python(dict(data))
    except ValueError:
        raise StoreCorrupt(
            f"the record of task {data.get('id', '?')} is damaged; restore the book from a copy, or delete this record."
        ) from None


def turn_to_json(turn: Turn) -> dict[str, JsonValue]:
    """A turn as JSON, without its number, which is its place."""
    return {
        "role": turn.role,
        "text": turn.text,
        "at": turn.at,
        "command": turn.command,
        "context": json.loads(json.dumps(dict(turn.context))),
    }


def turn_from_json(data: Any, number: int) -> Turn:
    """The turn of a JSON object; StoreCorrupt when it is none."""
    try:
        role: Role = "author" if data["role"] == "author" else "desk"
        return Turn(role, str(data["text"]), float(data["at"]), str(data["command"]), number, dict(data["context"]))
    except (KeyError, TypeError, ValueError) as error:
        raise StoreCorrupt(f"turn {number} of a task cannot be read back: {error}") from None


def is_over(task: Task, closed_before: float) -> bool:
    """Whether a task was closed by a time."""
    return task.state == "closed" and task.closed is not None and task.closed <= closed_before
