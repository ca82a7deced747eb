"""Every message with the command it was: labelled data for whoever trains a classifier of intents one day."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import JsonValue

from amb_book.desk.tasks import Task, Turn
from amb_core.protocols import Clock, Record, RecordQuery, RecordStore

__all__ = ["CommandLog", "seen_context"]

_LAST = 3
_SHOWN = 200
_TITLES = 20


class CommandLog:
    """Rows of input, context, command and argument, in the order in which they came."""

    NAMESPACE = "book:commands"

    def __init__(self, store: RecordStore, *, clock: Clock, user: str = "author") -> None:
        self._store, self._clock, self._user = store, clock, user

    def note(
        self,
        said: str,
        command: str,
        *,
        argument: str = "",
        context: Mapping[str, JsonValue],
        source: Literal["typed", "button"] = "typed",
        language: str = "en",
    ) -> None:
        """Write one row; `command` is `continue` for plain text and `unknown` for a command nobody knows."""
        now = self._clock.now()
        with self._store.transaction():
            data: dict[str, JsonValue] = {
                "user": self._user,
                "input": said,
                "command": command,
                "argument": argument,
                "context": dict(context),
                "source": source,
                "language": language,
                "at": now,
            }
            number = self._store.count(self.NAMESPACE) + 1
            self._store.put([Record(self.NAMESPACE, f"{number:09}", data, now, now)])

    def rows(self) -> Iterator[dict[str, Any]]:
        """All rows of all authors, oldest first."""
        for record in self._store.search(RecordQuery(self.NAMESPACE)):
            yield {"id": record.id, **record.data}

    def jsonl(self) -> str:
        """All rows as JSON lines; Chinese stays readable, and what is no Unicode is escaped."""
        return "".join(f"{_line(row)}\n" for row in self.rows())

    def export(self, path: str | Path) -> int:
        """Write the JSON lines to a file in UTF-8; returns how many there are."""
        told = self.jsonl()
        Path(path).write_text(told, encoding="utf-8", newline="\n")
        return told.count("\n")


def seen_context(active: Task | None, tasks: Sequence[Task], turns: Sequence[Turn], now: float) -> dict[str, JsonValue]:
    """What an author saw when saying something: the task, the others that are open, what was said last and when."""
    others: list[JsonValue] = [task.title for task in tasks if task.state != "closed" and task != active]
    last: list[JsonValue] = [{"role": turn.role, "text": turn.text[:_SHOWN]} for turn in turns[-_LAST:]]
    return {
        "task": active.title if active else None,
        "state": active.state if active else None,
        "kind": active.kind if active else None,
        "turns": active.turns if active else 0,
        "last": last,
        "seconds_since": round(now - turns[-1].at, 3) if turns else None,
        "others": others[:_TITLES],
    }


def _line(row: Mapping[str, Any]) -> str:
    told = json.dumps(row, ensure_ascii=False, sort_keys=True)
    try:
        told.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(row, sort_keys=True)
    return told.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029").replace("\u0085", "\\u0085")
