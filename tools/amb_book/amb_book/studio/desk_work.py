"""Tasks, messages and settlements: what the page asks of the desk."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from amb_book import Story
from amb_book.desk import Command, Desk, Reply
from amb_book.studio.page_requests import Confirm, Correct, Discard, Named, Press, Say
from amb_book.studio.told import told_proposal, told_reply, told_task
from amb_core.clock import SystemClock
from amb_core.errors import UnknownId
from amb_core.protocols import Clock

__all__ = ["DeskWork"]

Json = dict[str, Any]


class DeskWork:
    """One desk for any number of windows; each says with every request which task it shows."""

    def __init__(self, story: Story, desk: Desk, *, clock: Clock | None = None) -> None:
        self._story, self._desk = story, desk
        self._clock = clock or SystemClock()

    def state(self) -> Json:
        """All tasks, the one used last, and the chapter the story stands at."""
        active = self._desk.active
        return {
            "tasks": [self._told(each) for each in self._desk.tasks()],
            "active": active.id if active is not None else "",
            "chapter": self._story.facts.last_chapter,
        }

    def task(self, asked: Named) -> Json:
        """A task with its whole queue, and what waits to be confirmed for it."""
        task = next((each for each in self._desk.tasks() if each.id == asked.name), None)
        if task is None:
            raise UnknownId("task", asked.name)
        waiting = self._desk.proposal(task.proposal) if task.state == "settling" and task.proposal else None
        return {
            "task": self._told(task),
            "turns": [asdict(each) for each in self._desk.turns(task.id)],
            "proposal": told_proposal(waiting) if waiting is not None else None,
        }

    def say(self, asked: Say) -> Json:
        """Send what was typed."""
        return self._answered(self._desk.send(asked.text, task=asked.task))

    def press(self, asked: Press) -> Json:
        """Send the command of a button."""
        return self._answered(self._desk.send(Command(asked.kind, asked.argument, asked.text), task=asked.task))

    def correct(self, asked: Correct) -> Json:
        """Keep corrections to a proposal; what they would do to settled facts comes back with them."""
        kept = self._desk.correct(
            asked.proposal,
            statements=asked.statements,
            chapter=asked.chapter,
            text=asked.text,
            revision=asked.revision,
        )
        return self._answered(kept)

    def confirm(self, asked: Confirm) -> Json:
        """Settle a proposal as the author wrote it."""
        done = self._desk.confirm(
            asked.proposal,
            statements=asked.statements,
            chapter=asked.chapter,
            text=asked.text,
            title=asked.title,
            replace=asked.replace,
            revision=asked.revision,
        )
        return self._answered(done)

    def discard(self, asked: Discard) -> Json:
        """Throw a proposal away."""
        return self._answered(self._desk.discard(asked.proposal))

    # --- inside ------------------------------------------------------------------------------------------------------

    def _answered(self, reply: Reply) -> Json:
        return {"reply": told_reply(reply), **self.state()}

    def _told(self, task: Any) -> Json:
        return told_task(task, now=self._clock.now())
