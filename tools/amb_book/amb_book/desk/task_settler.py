"""Settling a task: everything said is read off into a proposal, the author confirms it, the book's memory takes it."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pydantic import JsonValue

from amb_book.desk.clashes import examined
from amb_book.desk.desk_replies import DeskError, DeskErrorKind, Refused
from amb_book.desk.desk_words import Language, chapter_in, say
from amb_book.desk.extractors import StatementExtractor, agreed_turns, last_draft
from amb_book.desk.proposals import Clash, Proposal, ProposalBook, ProposalChanged, ProposalState, Row
from amb_book.desk.read_off import Extracted, ReadOff
from amb_book.desk.tasks import Task, TaskQueueStore, TaskState, Turn
from amb_book.desk.workshop import has_open_options
from amb_book.forms import FormRow, form_rows, slot_of_statement
from amb_book.statements import Statement, parsed
from amb_core.errors import InvalidInput, ModelError, UnknownId
from amb_core.protocols import Clock

if TYPE_CHECKING:
    from amb_book.story import Story

__all__ = ["TaskSettler"]

_log = logging.getLogger("amb.narrative")
_ATTEMPTS = 3
_MOST_TOLD = 5


class TaskSettler:
    """Takes tasks from open over a proposal to closed; every step is kept, and a step done twice is done once."""

    def __init__(
        self,
        story: Story,
        queues: TaskQueueStore,
        proposals: ProposalBook,
        *,
        extractor: StatementExtractor,
        clock: Clock,
        user: str = "author",
    ) -> None:
        self._story, self._queues, self._proposals = story, queues, proposals
        self._extractor, self._clock, self._user = extractor, clock, user

    def propose(self, task: Task, *, attempt: int) -> Proposal:
        """Read off the whole queue of an open task; `attempt` is the number of the turn that asked for it.

        Refused when another window settles the task, or goes on with it while it is read.
        """
        for _ in range(_ATTEMPTS):
            now = self._queues.task(task.id)
            self._check_open(now)
            turns = self._queues.turns(task.id)
            chapter = self._chapter(now)
            extracted = self._extracted(turns, chapter)
            name = self._free_id(f"{self._user}:{task.id}:{attempt}")
            rows = [Row(_plain(each.statement), each.evidence, each.confidence) for each in extracted]
            rows_seen = examined(self._story, rows, chapter=chapter, settlement=name)
            proposal = Proposal(name, task.id, task.title, chapter, rows_seen, at=self._clock.now(), turns=len(turns))
            text = self._text(now, extracted, turns, chapter)
            form = self._form(now, turns, chapter, text)
            note = _note(extracted, turns, now.language)
            proposal = replace(proposal, note=note, form=form, text=text)
            self._proposals.put(proposal)
            if self._queues.change(now, state="settling", proposal=name) is not None:
                return self._with_open_places(proposal)
            self._proposals.remove([name])
        raise _refused("being_settled", self._queues.task(task.id), "busy")

    def look(self, proposal: Proposal) -> Proposal:
        """The proposal as it stands to what is settled by now."""
        rows = examined(self._story, proposal.rows, chapter=proposal.chapter, settlement=proposal.id)
        return self._with_open_places(replace(proposal, rows=rows))

    def edit(
        self,
        id: str,
        *,
        statements: Iterable[Statement | Mapping[str, Any]] | None = None,
        chapter: int | None = None,
        text: str | None = None,
        revision: int | None = None,
    ) -> Proposal:
        """Keep what an author corrected, without confirming it; statements that cannot be read are shown as such.

        Refused when the proposal is not the one of the `revision` any more.
        """
        known = self._proposal(id)
        number = known.chapter if chapter is None else _checked_chapter(chapter, known, self._task(known))
        rows = known.rows if statements is None else self._edited(known, statements)
        rows = examined(self._story, rows, chapter=number, settlement=id)
        said = known.text if text is None else text.strip()
        return self._with_open_places(self._step(id, "open", revision, rows=rows, chapter=number, text=said))

    def confirm(
        self,
        id: str,
        *,
        statements: Iterable[Statement | Mapping[str, Any]] | None = None,
        chapter: int | None = None,
        text: str | None = None,
        title: str | None = None,
        replace_others: bool = False,
        revision: int | None = None,
    ) -> Proposal:
        """Write what the author confirmed into the book's memory and close the task.

        Refused when a statement cannot be settled or contradicts what is settled, unless the new one holds; what was
        corrected is kept in the proposal then. Refused as well when another window was first.
        """
        known = self.edit(id, statements=statements, chapter=chapter, text=text, revision=revision)
        problems = known.problems(replace_others=replace_others)
        if problems:
            raise self._forbidden(known, problems)
        fields: dict[str, Any] = {"replace": replace_others, "chapter_title": title, "rows": known.rows}
        return self._apply(self._step(id, "confirming", known.revision, **fields))

    def discard(self, id: str) -> Proposal:
        """Throw a proposal away; its task is open again."""
        self._check_waiting(self._proposal(id))
        gone = self._step(id, "discarded", None)
        self._leave(gone, reopen=True)
        return gone

    def leave_empty(self, task: Task) -> None:
        """Open a task again of which nothing was read off and nothing corrected: there is nothing to confirm."""
        now = self._queues.task(task.id)
        if now.state == "settling" and now.proposal:
            with suppress(Refused):
                waiting = self._proposal(now.proposal)
                if waiting.state == "open" and not (waiting.rows or waiting.text or waiting.revision):
                    self.discard(waiting.id)

    def recover(self) -> None:
        """Bring what was broken off to its end: confirmed proposals are settled, tasks without one are open again."""
        for task in self._queues.tasks():
            if task.state != "settling":
                continue
            try:
                proposal = self._proposals.get(task.proposal)
            except UnknownId:
                self._queues.change(task, state="open")
                continue
            if proposal.state == "confirming":
                with suppress(Refused):
                    self._apply(proposal)
            elif proposal.state != "open":
                self._leave(proposal, reopen=proposal.state == "discarded")

    # --- inside ------------------------------------------------------------------------------------------------------

    def _step(self, id: str, after: ProposalState, seen: int | None, **changes: Any) -> Proposal:
        """A step from `open`; refused when another window took one, or corrected it since the revision seen."""
        with suppress(ProposalChanged):
            done = self._proposals.step(id, before=("open",), after=after, seen=seen, **changes)
            if done is not None:
                return done
            self._check_waiting(self._proposal(id))
        now = self.look(self._proposal(id))
        raise _refused("changed", self._task(now), "changed", now)

    def _forbidden(self, known: Proposal, problems: Sequence[tuple[int, Clash]]) -> Refused:
        """What forbids settling, row by row, and how to go on; what cannot be read comes before contradictions."""
        invalid = [each for each in problems if each[1].kind == "invalid"]
        kind: DeskErrorKind = "invalid" if invalid else "contradiction"
        told = "; ".join(f"{number}. {each.text}" for number, each in (invalid or problems)[:_MOST_TOLD])
        task = self._task(known)
        return _refused(kind, task, kind, known, problem=told, clash=told, chapter=known.chapter)

    def _extracted(self, turns: Sequence[Turn], chapter: int) -> Sequence[Extracted]:
        """What can be read off; where a model fails, the form is left to the author."""
        try:
            return self._extractor.extract(turns, story=self._story, chapter=chapter)
        except ModelError as error:
            _log.warning("nothing was read off a task, for the model failed: %s", error)
            return ReadOff(problems=[str(error)])

    def _text(self, task: Task, extracted: Sequence[Extracted], turns: Sequence[Turn], chapter: int) -> str:
        """The text of the chapter that a task about one agreed on, where the archive does not have it."""
        if task.kind != "chapter":
            return ""
        told = extracted.draft if isinstance(extracted, ReadOff) else None
        text = (last_draft(turns) if told is None else told).strip()
        return "" if "".join(text.split()) == "".join(self._story.episodes.text(chapter).split()) else text

    def _form(self, task: Task, turns: Sequence[Turn], chapter: int, text: str) -> tuple[FormRow, ...]:
        """Places for whom the talk and the chapter's own text name; for a chapter also the steps of the plan."""
        texts = [self._story.episodes.text(chapter) or text, *(turn.text for turn in agreed_turns(turns))]
        return form_rows(self._story, texts, chapter=chapter, plan=task.kind == "chapter")

    def _with_open_places(self, proposal: Proposal) -> Proposal:
        """A proposal whose form has no place for what one of its rows says."""
        said = {slot_of_statement(row.statement, self._story) for row in proposal.rows}
        form = tuple(row for row in proposal.form if slot_of_statement(row.statement, self._story) not in said)
        there = len(self._story.episodes.text(proposal.chapter)) if proposal.text else 0
        return replace(proposal, form=form, there=there)

    def _edited(self, proposal: Proposal, statements: Iterable[Statement | Mapping[str, Any]]) -> tuple[Row, ...]:
        """Rows of corrected statements; one that was left as it was keeps its evidence, as does a place filled in.

        A place of the form that comes back as it was is no statement.
        """
        before = {json.dumps(row.statement, sort_keys=True): row for row in proposal.rows}
        places = {slot_of_statement(row.statement, self._story): row.evidence for row in proposal.form}
        blank = [row.statement for row in proposal.form]
        rows = [Row(_plain(statement)) for statement in statements]
        return tuple(
            before.get(json.dumps(row.statement, sort_keys=True))
            or replace(row, evidence=places.get(slot_of_statement(row.statement, self._story), ""))
            for row in rows
            if row.statement not in blank
        )

    def _apply(self, proposal: Proposal) -> Proposal:
        """Settle a proposal that was confirmed; saying it again changes nothing."""
        try:
            if proposal.rows or proposal.text:
                self._story.settle(
                    chapter=proposal.chapter,
                    statements=[_with_evidence(row) for row in proposal.rows],
                    title=proposal.chapter_title,
                    replace=proposal.replace,
                    task=proposal.task,
                    id=proposal.id,
                )
            if proposal.text:
                self._story.keep_text(proposal.chapter, proposal.text)
        except InvalidInput as error:
            self._proposals.step(proposal.id, before=("confirming",), after="open")
            back = self.look(self._proposals.get(proposal.id))
            raise _refused("invalid", self._task(proposal), "invalid", back, problem=str(error)) from None
        self._leave(proposal, reopen=False)
        self._proposals.step(proposal.id, before=("confirming",), after="applied")
        return self._proposals.get(proposal.id)

    def _leave(self, proposal: Proposal, *, reopen: bool) -> None:
        """Open or close the task of a proposal, unless that was done already."""
        with suppress(UnknownId):
            while (task := self._queues.task(proposal.task)).state == "settling" and task.proposal == proposal.id:
                closed = None if reopen else self._clock.now()
                state: TaskState = "open" if reopen else "closed"
                if self._queues.change(task, state=state, proposal=proposal.id, closed=closed) is not None:
                    return

    def _check_open(self, task: Task) -> None:
        if task.state == "settling":
            waiting = self._proposal(task.proposal)
            raise _refused("being_settled", task, "settling", self.look(waiting))
        if task.state == "closed":
            raise _refused("not_open", task, "closed", number=task.id.removeprefix("t"))

    def _check_waiting(self, proposal: Proposal) -> None:
        """Refuse what another window did already; what it confirmed is brought to its end first."""
        if proposal.state == "confirming":
            proposal = self._apply(proposal)
        if proposal.state == "applied":
            fields = {"count": len(proposal.rows), "chapter": proposal.chapter}
            raise _refused("already_settled", self._task(proposal), "settled_elsewhere", proposal, **fields)
        if proposal.state == "discarded":
            raise _refused("discarded", self._task(proposal), "discarded_elsewhere", proposal)

    def _proposal(self, id: str) -> Proposal:
        try:
            return self._proposals.get(id)
        except UnknownId:
            raise Refused(DeskError("nothing_proposed", say("en", "no_proposal", wanted=id))) from None

    def _task(self, proposal: Proposal) -> Task:
        try:
            return self._queues.task(proposal.task)
        except UnknownId:
            return Task(proposal.task, proposal.title, "closed", proposal.at)

    def _chapter(self, task: Task) -> int:
        """The chapter a task is settled for unless the author says another one."""
        last = self._story.facts.last_chapter
        if task.kind != "chapter":  # an outline of chapter 50 is made long before it
            return max(1, last)
        return chapter_in(task.title) or last + 1

    def _free_id(self, wanted: str) -> str:
        """An id no settlement of the book has, also when queues lost their count with their process."""
        tried, number = wanted, 1
        while self._is_taken(tried):
            number += 1
            tried = f"{wanted}:{number}"
        return tried

    def _is_taken(self, id: str) -> bool:
        for look in (self._proposals.get, self._story.log.get):
            with suppress(UnknownId):
                look(id)
                return True
        return False


def _note(extracted: Sequence[Extracted], turns: Sequence[Turn], language: Language) -> str:
    """What did not go well when a conversation was read off, for its author."""
    read = extracted if isinstance(extracted, ReadOff) else ReadOff()
    problems, unread = read.problems, read.unread
    told = [say(language, "read_without", problem="; ".join(problems)[:200])] if problems else []
    told += [say(language, "too_long", first=unread[0], last=unread[-1])] if unread else []
    told += [say(language, "unquoted", count=read.dropped)] if read.dropped else []
    told += [say(language, "withdrawn", told="; ".join(read.withdrawn))] if read.withdrawn else []
    told += [say(language, "none_taken")] if has_open_options(turns) else []
    return "\n".join(told)


def _refused(kind: DeskErrorKind, task: Task, key: str, proposal: Proposal | None = None, **fields: object) -> Refused:
    text = say(task.language, key, title=task.title, **fields)
    return Refused(DeskError(kind, text), proposal=proposal, task=task)


def _checked_chapter(chapter: int, proposal: Proposal, task: Task) -> int:
    if isinstance(chapter, bool) or not isinstance(chapter, int) or chapter < 1:
        fields = {"wanted": str(chapter)[:40], "chapter": proposal.chapter}
        raise _refused("invalid", task, "bad_chapter", proposal, **fields)
    return chapter


def _plain(statement: Statement | Mapping[str, Any]) -> dict[str, JsonValue]:
    """A statement in its JSON form; what cannot be read as one stays as it is, to be shown."""
    try:
        return parsed([statement])[0].plain()
    except InvalidInput:
        told = json.loads(json.dumps(statement, default=str))
        return told if isinstance(told, dict) else {"statement": told}


def _with_evidence(row: Row) -> dict[str, JsonValue]:
    """The statement of a row, with the sentence it was read off."""
    return {**({"evidence": row.evidence} if row.evidence else {}), **row.statement}
