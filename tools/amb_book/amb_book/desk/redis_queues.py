"""Tasks and queues in Redis, for several processes at one desk (extra `redis`)."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from amb_book.desk.tasks import (
    OPEN,
    Task,
    TaskState,
    Turn,
    checked_title,
    is_over,
    task_from_json,
    turn_from_json,
    turn_to_json,
)
from amb_core.errors import MissingExtra, StoreCorrupt, StoreError, UnknownId
from amb_core.rendering import Language

__all__ = ["RedisTaskQueues"]

_SECONDS = 10.0
_APPEND = """
local state = redis.call('HGET', KEYS[1], 'state')
if not state then return 'gone' end
if not string.find(ARGV[1], ' ' .. state .. ' ', 1, true) then return 'closed' end
redis.call('HINCRBY', KEYS[1], 'revision', 1)
return tostring(redis.call('RPUSH', KEYS[2], ARGV[2]))
"""
_CHANGE = """
local revision = redis.call('HGET', KEYS[1], 'revision')
if not revision then return 'gone' end
if revision ~= ARGV[1] then return 'changed' end
redis.call('HINCRBY', KEYS[1], 'revision', 1)
redis.call('HSET', KEYS[1], 'state', ARGV[2], 'waits', ARGV[3])
return 'done'
"""
_REMOVE = """
if redis.call('HGET', KEYS[1], 'revision') ~= ARGV[1] then return 'changed' end
redis.call('DEL', KEYS[1], KEYS[2])
redis.call('LREM', KEYS[3], 0, ARGV[2])
return 'done'
"""
"""Each is carried out by the server in one step, so that two windows cannot both win."""


class RedisTaskQueues:
    """A `TaskQueueStore` on a Redis server: a hash and a list for each task, under the name of book and author.

    `place` is a URL, or a client of redis-py that is not closed with this (one that does not decode responses).
    """

    def __init__(self, place: Any, *, book: str = "book", user: str = "author") -> None:
        try:
            import redis
        except ModuleNotFoundError as error:
            raise MissingExtra("redis", extra="redis") from error
        self._failure = redis.RedisError
        self._owns = isinstance(place, str)
        # The clients of redis-py have no stable types between its versions.
        self._redis: Any = redis.Redis.from_url(place, socket_timeout=_SECONDS) if isinstance(place, str) else place
        self._root = "amb:{" + json.dumps([book, user]) + "}"
        self._append, self._change, self._remove = map(self._redis.register_script, (_APPEND, _CHANGE, _REMOVE))
        with self._errors():
            self._redis.ping()

    def add(self, title: str, *, now: float, kind: str = "other", language: Language = "en") -> Task:
        """A new open task."""
        told = checked_title(title)
        data = json.dumps({"title": told, "opened": now, "kind": kind, "language": language})
        waits = json.dumps({"proposal": "", "closed": None})
        with self._errors():
            name = f"t{int(self._redis.incr(f'{self._root}:last'))}"
            with self._redis.pipeline(transaction=True) as pipe:
                pipe.hset(self._key(name), mapping={"data": data, "state": "open", "waits": waits, "revision": 0})
                pipe.rpush(f"{self._root}:ids", name)
                pipe.execute()
        return Task(name, told, "open", now, kind=kind, language=language)

    def append(self, id: str, turn: Turn, *, states: Collection[TaskState] = OPEN) -> Task | None:
        """Put a turn at the end of a queue."""
        allowed = f" {' '.join(states)} "
        with self._errors():
            done = self._append(keys=[self._key(id), self._queue(id)], args=[allowed, json.dumps(turn_to_json(turn))])
        place = self._told(done, id)
        return None if place == "closed" else replace(self.task(id), turns=int(place))

    def turns(self, id: str) -> list[Turn]:
        """The whole queue."""
        self.task(id)
        with self._errors():
            found = self._redis.lrange(self._queue(id), 0, -1)
        return [turn_from_json(_json(each), number) for number, each in enumerate(found, 1)]

    def task(self, id: str) -> Task:
        """One task."""
        with self._errors():
            fields, turns = self._read([id])[0]
        if not fields:
            raise UnknownId("task", id)
        return _task(id, fields, turns)

    def tasks(self) -> list[Task]:
        """All tasks."""
        with self._errors():
            ids = [bytes(each).decode("ascii") for each in self._redis.lrange(f"{self._root}:ids", 0, -1)]
            found = self._read(ids) if ids else []
        return [_task(name, fields, turns) for name, (fields, turns) in zip(ids, found, strict=True) if fields]

    def change(self, task: Task, *, state: TaskState, proposal: str = "", closed: float | None = None) -> Task | None:
        """Set the state of a task nobody changed since."""
        waits = json.dumps({"proposal": proposal, "closed": closed})
        with self._errors():
            done = self._change(keys=[self._key(task.id)], args=[task.revision, state, waits])
        return self.task(task.id) if self._told(done, task.id) == "done" else None

    def purge(self, *, closed_before: float) -> list[str]:
        """Remove tasks closed by then."""
        over = [task for task in self.tasks() if is_over(task, closed_before)]
        with self._errors():
            return [task.id for task in over if self._removed(task)]

    def close(self) -> None:
        """Close the connections, when the client is its own."""
        if self._owns:
            self._redis.close()

    # --- inside ------------------------------------------------------------------------------------------------------

    def _removed(self, task: Task) -> bool:
        keys = [self._key(task.id), self._queue(task.id), f"{self._root}:ids"]
        return bytes(self._remove(keys=keys, args=[task.revision, task.id])) == b"done"

    def _read(self, ids: list[str]) -> list[tuple[dict[bytes, bytes], int]]:
        with self._redis.pipeline(transaction=True) as pipe:
            for name in ids:
                pipe.hgetall(self._key(name))
                pipe.llen(self._queue(name))
            found = pipe.execute()
        return list(zip(found[::2], found[1::2], strict=True))

    def _told(self, answer: Any, id: str) -> str:
        told = bytes(answer).decode("ascii")
        if told == "gone":
            raise UnknownId("task", id)
        return told

    def _key(self, id: str) -> str:
        return f"{self._root}:task:{json.dumps(id)}"

    def _queue(self, id: str) -> str:
        return f"{self._root}:turns:{json.dumps(id)}"

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except self._failure as error:
            told = str(error).rstrip(". ")
            raise StoreError(f"Redis did not do its work: {told}. Is the server running and its URL right?") from error


def _task(id: str, fields: dict[bytes, bytes], turns: int) -> Task:
    told = {**_json(fields[b"data"]), **_json(fields[b"waits"])}
    counted = {"turns": turns, "revision": int(fields[b"revision"])}
    return task_from_json({**told, **counted, "id": id, "state": fields[b"state"].decode("ascii")})


def _json(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except ValueError as error:
        raise StoreCorrupt(f"a task in Redis cannot be read back: {error}") from None
