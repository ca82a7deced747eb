"""Where tasks and their queues are kept: in memory, in the book's own record store, or in Redis."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from amb_book.desk.tasks import (
    OPEN,
    TASKS,
    Task,
    TaskQueueStore,
    TaskState,
    Turn,
    checked_title,
    is_over,
    task_from_json,
    turn_from_json,
    turn_to_json,
)
from amb_core.errors import InvalidParameter, UnknownId
from amb_core.protocols import Record, RecordQuery, RecordStore
from amb_core.rendering import Language
from amb_core.stores import InMemoryStore

__all__ = ["InMemoryTaskQueues", "RecordTaskQueues", "open_task_queues"]


class RecordTaskQueues:
    """A `TaskQueueStore` in a record store, by default the book's own file; every change is one transaction."""

    def __init__(self, store: RecordStore, *, user: str = "author") -> None:
        self._store, self._user = store, user
        self._tasks = f"book:tasks:{user}"

    def add(self, title: str, *, now: float, kind: str = "other", language: Language = "en") -> Task:
        """A new open task."""
        told = checked_title(title)
        with self._store.transaction():
            task = Task(f"t{self._next()}", told, "open", now, kind=kind, language=language)
            self._write(task)
            return task

    def append(self, id: str, turn: Turn, *, states: Collection[TaskState] = OPEN) -> Task | None:
        """Put a turn at the end of a queue."""
        with self._store.transaction():
            task = self.task(id)
            if task.state not in states:
                return None
            task = replace(task, turns=task.turns + 1, revision=task.revision + 1)
            place = self._queue(id)
            self._store.put([Record(place, f"{task.turns:08}", turn_to_json(turn), turn.at, turn.at)])
            self._write(task)
            return task

    def turns(self, id: str) -> list[Turn]:
        """The whole queue; a turn whose record is damaged hides no other."""
        self.task(id)
        records = self._store.search(RecordQuery(self._queue(id)))
        return [turn_from_json(record.data, int(record.id)) for record in records]

    def task(self, id: str) -> Task:
        """One task."""
        found = self._store.get(self._tasks, id)
        if found is None:
            raise UnknownId("task", id)
        return _task(found)

    def tasks(self) -> list[Task]:
        """All tasks."""
        return [_task(record) for record in self._store.search(RecordQuery(self._tasks))]

    def change(self, task: Task, *, state: TaskState, proposal: str = "", closed: float | None = None) -> Task | None:
        """Set the state of a task nobody changed since."""
        with self._store.transaction():
            now = self.task(task.id)
            if now.revision != task.revision:
                return None
            changed = replace(now, state=state, proposal=proposal, closed=closed, revision=now.revision + 1)
            self._write(changed)
            return changed

    def purge(self, *, closed_before: float) -> list[str]:
        """Remove tasks closed by then."""
        if not any(is_over(task, closed_before) for task in self.tasks()):
            return []
        with self._store.transaction():
            gone = [task.id for task in self.tasks() if is_over(task, closed_before)]
            for name in gone:
                queue = self._queue(name)
                turns = [record.id for record in self._store.search(RecordQuery(queue))]
                self._store.delete(queue, [*turns, *self._store.damaged(queue)])
            self._store.delete(self._tasks, gone)
            return gone

    def close(self) -> None:
        """The record store is closed by whoever opened it."""

    def _next(self) -> int:
        counted = self._store.get("book:task-numbers", self._user)
        number = 1 + (int(str(counted.data["last"])) if counted is not None else 0)
        self._store.put([Record("book:task-numbers", self._user, {"last": number})])
        return number

    def _queue(self, id: str) -> str:
        return f"book:turns:{self._user}:{id}"

    def _write(self, task: Task) -> None:
        data = TASKS.dump_python(task, mode="json", exclude={"id", "opened"})
        self._store.put([Record(self._tasks, task.id, data, task.opened, task.opened)])


class InMemoryTaskQueues(RecordTaskQueues):
    """A `TaskQueueStore` in this process; gone with it."""

    def __init__(self) -> None:
        super().__init__(InMemoryStore())


def open_task_queues(url: str, *, book: str = "book", user: str = "author") -> TaskQueueStore:
    """The queues a URL names: `memory://`, or `redis://host:port/database` for several processes (extra `redis`)."""
    if url == "memory://":
        return InMemoryTaskQueues()
    if url.startswith(("redis://", "rediss://", "unix://")):
        from amb_book.desk.redis_queues import RedisTaskQueues

        return RedisTaskQueues(url, book=book, user=user)
    raise InvalidParameter(
        f"{url!r:.100} names no place for tasks; known are memory:// and redis://host:port/database."
    )


def _task(record: Record) -> Task:
    return task_from_json({**record.data, "id": record.id, "opened": record.created_at})
