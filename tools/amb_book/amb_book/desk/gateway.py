"""Desk: the only door between an author and the tasks, what answers them, and the book's memory."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from amb_book.desk.author_lines import help_lines, proposal_lines, task_lines, unknown_command, where_it_stands
from amb_book.desk.command_log import CommandLog, seen_context
from amb_book.desk.commands import REPLACE_WORDS, Command, Heard, heard_as
from amb_book.desk.desk_replies import DeskError, Refused, Reply
from amb_book.desk.desk_words import Language, kind_of, language_of, say
from amb_book.desk.extractors import ExtractorsTogether, StatementExtractor, WrittenStatements
from amb_book.desk.plain_sentences import PlainSentences
from amb_book.desk.proposals import Proposal, ProposalBook
from amb_book.desk.responder import Begin, Responder
from amb_book.desk.summaries import TaskSummaries
from amb_book.desk.task_context import ContextBuilder, ContextLimits, TaskContext
from amb_book.desk.task_list import KEEP_HOURS, TaskList
from amb_book.desk.task_settler import TaskSettler
from amb_book.desk.tasks import ANY_STATE, OPEN, Task, TaskQueueStore, Turn, task_number
from amb_book.desk.workshop import Workshop, memory_answer
from amb_book.statements import Statement
from amb_core.errors import InvalidInput, UnknownId
from amb_core.protocols import ChatModel, Clock, RecordStore

if TYPE_CHECKING:
    from amb_book.story import Story

__all__ = ["Desk"]


class Desk:
    """Where one author works on any number of tasks at once; thread-safe, and several windows may share one place.

    What is sent is a command or plain text, which goes on with the task the author is at. Everything said in a task is
    in its own queue and in no other. `workshop` invents; without one the desk answers with what the book's memory has.
    `chat` sums up earlier turns. `extractor` reads off what was agreed when a task is settled; without one it is what
    the author wrote as statements. What else was named is a form to fill in. Closed tasks are kept for 24 hours.
    """

    def __init__(
        self,
        story: Story,
        *,
        store: RecordStore,
        queues: TaskQueueStore,
        clock: Clock,
        user: str = "author",
        chat: ChatModel | None = None,
        workshop: Workshop | None = None,
        extractor: StatementExtractor | None = None,
        limits: ContextLimits | None = None,
    ) -> None:
        self._story, self._queues, self._clock = story, queues, clock
        limits = limits or ContextLimits()
        self._summaries = TaskSummaries(store, user=user, chat=chat, budget_tokens=limits.summary_tokens)
        self._builder = ContextBuilder(story, queues, self._summaries, limits=limits)
        self._responder = Responder(story, queues, self._builder, workshop=workshop, clock=clock)
        self._proposals = ProposalBook(store, clock=clock, user=user)
        self._settler = TaskSettler(
            story,
            queues,
            self._proposals,
            extractor=extractor or ExtractorsTogether(WrittenStatements(), PlainSentences()),
            clock=clock,
            user=user,
        )
        self.commands = CommandLog(store, clock=clock, user=user)
        self._list = TaskList(store, queues, self._summaries, self._proposals, clock=clock, user=user)
        self._active = self._list.last_active()
        self._lock = threading.Lock()
        self._settler.recover()
        self._list.purge()

    # --- the door ----------------------------------------------------------------------------------------------------

    def send(self, message: str | Command, *, task: str = "") -> Reply:
        """Say something: plain text, a typed command, or the command of a button.

        `task` is the id of the task a window shows; by default it is the one this desk is at. What the author gets
        wrong comes back as the reply's `error`, not as an exception; only a StoreError is raised.
        """
        heard = heard_as(message)
        self._list.purge()
        at = self._shown(task)
        self._note(heard, at)
        language: Language = at.language if at is not None else language_of(heard.said)
        try:
            if heard.unknown:
                return unknown_command(heard.unknown, language, at)
            return self._carry_out(heard, at, language)
        except Refused as no:
            return Reply("error", no.error.text, no.task or at, proposal=no.proposal, error=no.error)
        except InvalidInput as error:
            return Reply("error", str(error), at, error=DeskError("invalid", str(error)))

    def confirm(
        self,
        proposal: str,
        *,
        statements: Iterable[Statement | Mapping[str, Any]] | None = None,
        chapter: int | None = None,
        text: str | None = None,
        title: str | None = None,
        replace: bool = False,
        revision: int | None = None,
    ) -> Reply:
        """Settle a proposal, as it is or as the author corrected it, and close its task.

        `replace` lets it hold where it contradicts what is settled in its chapter. `text` is the
        text of the chapter that goes to the archive, "" for none. What was corrected is kept also when it cannot be
        settled. With `revision` it is refused when another window corrected it since that one.
        """
        fields: dict[str, Any] = {"statements": statements, "chapter": chapter, "text": text}
        fields |= {"title": title, "revision": revision}
        return self._settled(lambda: self._settler.confirm(proposal, replace_others=replace, **fields), self._confirmed)

    def correct(
        self,
        proposal: str,
        *,
        statements: Iterable[Statement | Mapping[str, Any]] | None = None,
        chapter: int | None = None,
        text: str | None = None,
        revision: int | None = None,
    ) -> Reply:
        """Keep corrections to a proposal without settling it; the reply shows how they stand to what is settled.

        With `revision` they are refused when another window corrected the proposal since that one.
        """
        fields: dict[str, Any] = {"statements": statements, "chapter": chapter, "text": text, "revision": revision}
        return self._settled(lambda: self._settler.edit(proposal, **fields), self._proposed)

    def discard(self, proposal: str) -> Reply:
        """Throw a proposal away and go on with its task."""
        return self._settled(lambda: self._settler.discard(proposal), self._discarded)

    def _settled(self, step: Callable[[], Proposal], told: Callable[[Proposal, Task | None, Language], Reply]) -> Reply:
        """What a step of a proposal comes to, or why it was refused."""
        try:
            done = step()
        except Refused as no:
            return Reply("error", no.error.text, no.task, proposal=no.proposal, error=no.error)
        task = self._known(done.task)
        return told(done, task, task.language if task else "en")

    def _confirmed(self, done: Proposal, task: Task | None, language: Language) -> Reply:
        fields = {"chapter": done.chapter, "count": len(done.rows), "hours": KEEP_HOURS}
        text = say(language, "settled" if done.rows or done.text else "closed_empty", title=done.title, **fields)
        text += say(language, "text_kept", chapter=done.chapter, chars=len(done.text)) if done.text else ""
        return self._responder.tell(Reply("settled", text, task, proposal=done), "confirm")

    def _proposed(self, kept: Proposal, task: Task | None, language: Language) -> Reply:
        return Reply("proposal", proposal_lines(kept, language), task, proposal=kept)

    def _discarded(self, gone: Proposal, task: Task | None, language: Language) -> Reply:
        text = say(language, "discarded", title=gone.title)
        return self._responder.tell(Reply("discarded", text, task, proposal=gone), "discard")

    # --- looking -----------------------------------------------------------------------------------------------------

    @property
    def active(self) -> Task | None:
        """The task this desk is at, None when it is at none."""
        return self._shown("")

    def tasks(self) -> list[Task]:
        """All tasks that are open, wait for confirmation, or were closed less than 24 hours ago."""
        self._list.purge()
        return self._queues.tasks()

    def turns(self, task: str) -> list[Turn]:
        """Everything that was said in a task; UnknownId when there is none of that id."""
        return self._queues.turns(task)

    def context(self, task: str) -> TaskContext:
        """What an answer to the last thing said in a task would be built from."""
        return self._builder.build(self._queues.task(task), "continue", now=self._clock.now())

    def proposal(self, id: str) -> Proposal:
        """A proposal as it stands to what is settled by now; UnknownId when there is none."""
        found = self._proposals.get(id)
        return self._settler.look(found) if found.state == "open" else found

    # --- commands ----------------------------------------------------------------------------------------------------

    def _carry_out(self, heard: Heard, at: Task | None, language: Language) -> Reply:
        command = heard.command
        match command.kind:
            case "new":
                return self._new(command)
            case "continue":
                return self._continue(heard, at, language)
            case "switch" | "restart":
                return self._go_to(heard, at, language)
            case "settle":
                return self._settle(heard, at, language)
            case "confirm" | "discard":
                return self._decide(heard, at, language)
            case "tasks":
                found = self.tasks()
                return Reply("tasks", task_lines(found, at, language), at, tasks=tuple(found))
            case "help":
                return Reply("help", help_lines(language), at)

    def _new(self, command: Command) -> Reply:
        now = self._clock.now()
        language = language_of(f"{command.argument}\n{command.text}")
        task = self._queues.add(command.argument, now=now, kind=kind_of(command.argument), language=language)
        self._go(task)
        self._hear(task, command.argument, "new")
        if command.text:
            self._hear(task, command.text, "")
        return self._responder.respond(self._queues.task(task.id), "new", turn="" if command.text else "new")

    def _continue(self, heard: Heard, at: Task | None, language: Language) -> Reply:
        task = _there(at, language)
        if not heard.command.text.strip():
            return Reply("task", where_it_stands(task, self._queues.turns(task.id), "", task.language), task)
        heard_in = self._hear(task, heard.command.text, "")
        return self._responder.respond(heard_in, self._purpose(task))

    def _purpose(self, task: Task) -> Begin:
        """A task that was just taken up again begins with broad retrieval."""
        before = [turn for turn in self._queues.turns(task.id) if turn.role == "desk"]
        return "restart" if before and before[-1].command == "restart" else "continue"

    def _go_to(self, heard: Heard, at: Task | None, language: Language) -> Reply:
        command = heard.command
        task = self._list.named(command.argument, language, command.kind)
        if command.kind == "restart":
            task = self._reopened(task)
        elif task.state == "closed":
            raise Refused(_not_open(task), task=task)
        self._go(task)
        said = self._queues.append(task.id, self._turn("author", heard.said, command.kind), states=ANY_STATE) or task
        if command.text and said.state == "open":
            return self._responder.respond(
                self._hear(task, command.text, ""), "restart" if command.kind == "restart" else "switch"
            )
        return self._show(said, command.kind)

    def _reopened(self, task: Task) -> Task:
        """A task open again, with what was said in it summed up anew."""
        if task.state == "settling":
            raise Refused(_not_open(task), proposal=self.proposal(task.proposal), task=task)
        if task.state == "closed":
            task = self._queues.change(task, state="open") or self._queues.task(task.id)
        self._builder.refresh(task, now=self._clock.now())
        return task

    def _show(self, task: Task, kind: str) -> Reply:
        """Where a task stands; for one that was restarted, with what the book has on it by now."""
        context = self._builder.build(task, "restart" if kind == "restart" else "switch", now=self._clock.now())
        text = where_it_stands(task, self._queues.turns(task.id), context.summary, task.language)
        if kind == "restart":
            chapter = self._story.facts.last_chapter
            fields = {"title": task.title, "number": task_number(task.id), "chapter": chapter}
            memory = memory_answer(context.sources, chapter=chapter, language=task.language)
            text = "\n".join([say(task.language, "restarted", **fields), *text.splitlines()[1:], memory])
        waiting = self.proposal(task.proposal) if task.state == "settling" else None
        reply = Reply("task", text, task, proposal=waiting, sources=context.sources, context=context.receipt)
        return self._responder.tell(reply, kind)

    def _settle(self, heard: Heard, at: Task | None, language: Language) -> Reply:
        named = self._list.named(heard.command.argument, language, "settle") if heard.command.argument else at
        task = _there(named, language)
        asked = self._queues.append(task.id, self._turn("author", heard.said, "settle"), states=ANY_STATE) or task
        self._settler.leave_empty(asked)
        proposal = self._settler.propose(asked, attempt=asked.turns)
        self._go(task)
        settling = self._queues.task(task.id)
        return self._responder.tell(
            Reply("proposal", proposal_lines(proposal, task.language), settling, proposal=proposal), "settle"
        )

    def _decide(self, heard: Heard, at: Task | None, language: Language) -> Reply:
        command = heard.command
        task = _there(at, language)
        if not task.proposal:
            raise Refused(
                DeskError("nothing_proposed", say(task.language, "nothing_proposed", title=task.title)), task=task
            )
        self._queues.append(task.id, self._turn("author", heard.said, command.kind), states=ANY_STATE)
        if command.kind == "discard":
            return self.discard(task.proposal)
        words = command.argument.casefold().split()
        numbers = [word for word in words if word not in REPLACE_WORDS]
        if len(numbers) > 1 or not all(word.isdecimal() and len(word) < 7 for word in numbers):
            chapter = self._proposals.get(task.proposal).chapter
            text = say(task.language, "bad_chapter", wanted=command.argument[:40], chapter=chapter)
            raise Refused(DeskError("invalid", text), task=task)
        return self.confirm(
            task.proposal, chapter=int(numbers[0]) if numbers else None, replace=len(words) > len(numbers)
        )

    # --- inside ------------------------------------------------------------------------------------------------------

    def _hear(self, task: Task, text: str, command: str) -> Task:
        """Put what the author says into the queue of an open task; refused for one that is not."""
        self._settler.leave_empty(task)
        heard = self._queues.append(task.id, self._turn("author", text, command), states=OPEN)
        if heard is not None:
            return heard
        now = self._queues.task(task.id)
        waiting = self.proposal(now.proposal) if now.state == "settling" else None
        error = _not_open(now)
        raise Refused(error, proposal=waiting, task=now)

    def _turn(self, role: Literal["author", "desk"], text: str, command: str) -> Turn:
        return Turn(role, text, self._clock.now(), command)

    def _go(self, task: Task) -> None:
        with self._lock:
            self._active = task.id
        self._list.note_active(task.id)

    def _shown(self, task: str) -> Task | None:
        if task:  # one that expired is nowhere: never the task another window is at
            return self._known(task)
        with self._lock:
            active = self._active
        return self._known(active) if active else None

    def _known(self, task: str) -> Task | None:
        try:
            return self._queues.task(task)
        except UnknownId:
            return None

    def _note(self, heard: Heard, at: Task | None) -> None:
        turns: Sequence[Turn] = self._queues.turns(at.id) if at is not None else ()
        self.commands.note(
            heard.said,
            "unknown" if heard.unknown else heard.command.kind,
            argument=heard.unknown or heard.command.argument,
            context=seen_context(at, self._queues.tasks(), turns, self._clock.now()),
            source="typed" if heard.typed else "button",
            language=language_of(heard.said),
        )


def _not_open(task: Task) -> DeskError:
    if task.state == "settling":
        return DeskError("being_settled", say(task.language, "settling", title=task.title))
    return DeskError("not_open", say(task.language, "closed", title=task.title, number=task_number(task.id)))


def _there(task: Task | None, language: Language) -> Task:
    if task is None:
        raise Refused(DeskError("no_task", say(language, "no_task")))
    return task
