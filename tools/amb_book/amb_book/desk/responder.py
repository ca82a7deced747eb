"""Answering the last turn of a task, and putting everything the desk says into the queue it belongs to."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from pydantic import JsonValue

from amb_book.desk.desk_replies import DeskError, Reply
from amb_book.desk.desk_words import say
from amb_book.desk.task_context import ContextBuilder, TaskContext
from amb_book.desk.tasks import ANY_STATE, Task, TaskQueueStore, Turn
from amb_book.desk.workshop import Workshop, WorkshopAnswer, memory_answer, taken_option
from amb_core.errors import ModelError, UnknownId
from amb_core.protocols import Clock

if TYPE_CHECKING:
    from amb_book.story import Story

__all__ = ["Begin", "Responder"]

Begin = Literal["new", "continue", "switch", "restart"]


class Responder:
    """Lets a workshop answer, or the book's memory where there is none or it fails."""

    def __init__(
        self,
        story: Story,
        queues: TaskQueueStore,
        builder: ContextBuilder,
        *,
        workshop: Workshop | None,
        clock: Clock,
    ) -> None:
        self._story, self._queues, self._builder = story, queues, builder
        self._workshop, self._clock = workshop, clock

    def respond(self, task: Task, purpose: Begin, *, turn: str = "") -> Reply:
        """The answer to turn number `task.turns`, which is put into the queue as said with the command `turn`."""
        taken = taken_option(self._queues.turns(task.id)[: task.turns]) if purpose != "new" else None
        context = self._builder.build(task, purpose, now=self._clock.now())
        if taken is not None and (not taken.feedback or self._workshop is None):
            return self._told(task, context, WorkshopAnswer(taken.text), turn)
        base = Reply("memory", "", task, sources=context.sources, context={**context.receipt, "kind": "memory"})
        if self._workshop is None:
            text = f"{self._memory(base)}\n{say(task.language, 'no_model')}"
            return self.tell(replace(base, text=text), turn)
        try:
            if taken is not None:
                answer = self._workshop.rework(context.messages, taken.text, feedback=taken.feedback)
            else:
                answer = self._workshop.answer(context.messages)
        except ModelError as error:
            problem = str(error)[:200]
            if taken is not None:  # what was chosen is agreed, also when it cannot be changed now
                note = say(task.language, "option_stands", problem=problem, number=taken.number)
                return self._told(task, context, WorkshopAnswer(taken.text, note=note), turn, failed=True)
            text = say(task.language, "model_failed", problem=problem)
            failed = replace(base, text=f"{text}\n{self._memory(base)}", error=DeskError("model_failed", text))
            return self.tell(failed, turn)
        return self._told(task, context, answer, turn)

    def _told(
        self, task: Task, context: TaskContext, answer: WorkshopAnswer, turn: str, *, failed: bool = False
    ) -> Reply:
        """An answer with its options, put into the queue."""
        told: dict[str, JsonValue] = {**context.receipt, "kind": "answer", "options": list(answer.options)}
        told |= {"remarks": list(answer.remarks)} if answer.remarks else {}
        told |= {"note": answer.note} if answer.note else {}
        error = DeskError("model_failed", answer.note) if failed else None
        reply = Reply(
            "answer", answer.text, task, options=answer.options, error=error, sources=context.sources, context=told
        )
        return self.tell(reply, turn)

    def tell(self, reply: Reply, command: str) -> Reply:
        """Put what the desk says into the queue of its task, whatever became of that meanwhile."""
        if reply.task is None:
            return reply
        turn = Turn("desk", reply.text, self._clock.now(), command, context=reply.context)
        before = reply.task
        try:
            now = self._queues.append(before.id, turn, states=ANY_STATE) or before
        except UnknownId:
            return reply
        late = before.state == "open" and now.state != "open" and reply.kind in ("answer", "memory")
        error = DeskError("not_open", say(now.language, "late")) if late else reply.error
        return replace(reply, task=now, error=error)

    def _memory(self, reply: Reply) -> str:
        language = reply.task.language if reply.task is not None else "en"
        return memory_answer(reply.sources, chapter=self._story.facts.last_chapter, language=language)
