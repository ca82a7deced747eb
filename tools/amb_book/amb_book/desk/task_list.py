"""The tasks of one author as they are called: by title or number; which is the last used, and which are over."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from amb_book.desk.commands import CommandKind
from amb_book.desk.desk_replies import DeskError, Refused
from amb_book.desk.desk_words import Language, say
from amb_book.desk.proposals import ProposalBook
from amb_book.desk.summaries import TaskSummaries
from amb_book.desk.tasks import Task, TaskQueueStore, is_over, task_number
from amb_core.protocols import Clock, Record, RecordStore

__all__ = ["KEEP_HOURS", "TaskList"]

_PLACE = "book:desks"
_SHOWN = 12


KEEP_HOURS = 24
"""So long a closed task can be restarted."""


class TaskList:
    """Finds tasks by what an author calls them, and removes what was closed longer ago than it is kept."""

    def __init__(
        self,
        store: RecordStore,
        queues: TaskQueueStore,
        summaries: TaskSummaries,
        proposals: ProposalBook,
        *,
        clock: Clock,
        user: str,
    ) -> None:
        self._store, self._queues, self._summaries, self._proposals = store, queues, summaries, proposals
        self._clock, self._user = clock, user

    def purge(self) -> None:
        """Remove the tasks whose time is over, with their queues, summaries and proposals."""
        before = self._clock.now() - KEEP_HOURS * 3_600
        over = [task for task in self._queues.tasks() if is_over(task, before)]
        if not over:
            return
        gone = set(self._queues.purge(closed_before=before))
        self._summaries.forget([task for task in over if task.id in gone])
        self._proposals.remove([each.id for each in self._proposals.all() if each.task in gone])

    def last_active(self) -> str:
        """The id of the task the author was at last, "" for none."""
        found = self._store.get(_PLACE, self._user)
        return str(found.data["active"]) if found is not None else ""

    def note_active(self, id: str) -> None:
        """Keep which task the author is at, for when the desk is opened again."""
        if self.last_active() != id:
            self._store.put([Record(_PLACE, self._user, {"active": id}, self._clock.now(), self._clock.now())])

    def named(self, wanted: str, language: Language, command: CommandKind) -> Task:
        """The one task of a title or number, never one that is merely similar; of equal titles the one that is meant.

        A closed task is meant only by `restart`. Refused when there is none, or several.
        """
        if not wanted:
            raise Refused(DeskError("invalid", say(language, "title_needed", command=command)))
        tasks = self._queues.tasks()
        called = [task for task in tasks if _folded(task.title) == _folded(wanted)]
        found = called or [task for task in tasks if _number(wanted) == task_number(task.id)]
        meant = [task for task in found if (task.state == "closed") == (command == "restart")] or found
        if len(meant) == 1:
            return meant[0]
        if meant:
            text = say(language, "ambiguous_task", wanted=wanted, titles=_titles(meant))
            raise Refused(DeskError("ambiguous_task", text, tuple(str(task_number(task.id)) for task in meant)))
        raise Refused(self._nobody(wanted, tasks, language))

    def _nobody(self, wanted: str, tasks: Sequence[Task], language: Language) -> DeskError:
        near = sorted(tasks, key=lambda task: _folded(wanted) not in _folded(task.title))[:_SHOWN]
        hours = str(KEEP_HOURS)
        known = say(language, "known_tasks", titles=_titles(near), hours=hours) if near else say(language, "no_tasks")
        text = say(language, "unknown_task", wanted=wanted[:80], known=known)
        return DeskError("unknown_task", text, tuple(task.title for task in near))


def _titles(tasks: Sequence[Task]) -> str:
    return ", ".join(f"{task_number(task.id)} “{task.title}”" for task in tasks)


def _folded(title: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", title).casefold().split())


def _number(wanted: str) -> int | None:
    told = _folded(wanted).removeprefix("#").removeprefix("t")
    return int(told) if told.isdecimal() and len(told) < 10 else None
