"""The three ways a bank begins: new, resumed from its store, loaded from a file."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from amb_core.clock import SystemClock
from amb_core.errors import InvalidInput
from amb_core.memory.arguments import Ending, file_path, keeps, require_text
from amb_core.memory.bank_parts import BankParts, check_embedder, identity_of, re_embedded
from amb_core.memory.change_set import ChangeSet
from amb_core.memory.ids import Counters
from amb_core.memory.journal import Journal
from amb_core.models import BankSnapshot, EntryState, InsightDoc
from amb_core.protocols import Agents, Clock, Embedder, RecordStore, Redactor
from amb_core.settings import Settings
from amb_core.stores import holds_something, open_store

__all__ = ["RUN", "BankOpener", "parse_task", "store_snapshot", "stored_snapshot"]

_OCCUPIED = (
    "this store already holds a task; go on with it by MemoryBank.resume(…), "
    "or end it first by MemoryBank.resume(…).delete()"
)


RUN = """
    bank = MemoryBank(user_input)  # from amb_core import MemoryBank, open_chat
    run = ReActAgent(bank, open_chat(), tools).run()  # from amb_react import ReActAgent"""
"""What replaces `MemoryBank(config).run(user_input)` of the design document."""
_QUESTION_MARK = re.compile(r"(?:(?<!\w)question|问题|提问)\s*[:：]\s*", re.IGNORECASE)
_CONTEXT_MARK = re.compile(r"(?:(?<!\w)(?:context|background)|上下文|背景|材料|资料)\s*[:：]\s*", re.IGNORECASE)


def parse_task(text: str) -> tuple[str, str]:
    """(question, context) of a text that begins with `Context:` or `Question:` (or 上下文 / 问题) and has both.

    After a context the last question mark counts, after a question the first context mark; else all is question.
    """
    stripped = text.strip()
    if start := _CONTEXT_MARK.match(stripped):
        for mark in reversed(list(_QUESTION_MARK.finditer(stripped))):
            if question := stripped[mark.end() :].strip():
                return question, stripped[start.end() : mark.start()].strip()
    elif start := _QUESTION_MARK.match(stripped):
        context = _CONTEXT_MARK.search(stripped, start.end())
        if context and (question := stripped[start.end() : context.start()].strip()):
            return question, stripped[context.end() :].strip()
    return stripped, ""


@dataclass(frozen=True, slots=True)
class BankOpener:
    """How a bank is to be opened; each method gives its parts, and releases them again when it fails."""

    agents: Agents | None
    embedder: Embedder | str | None
    store: str | RecordStore
    settings: Settings | None
    clock: Clock | None
    ends: Ending = "keep"
    redactor: Redactor | None = None

    def begin(self, task_goal: str) -> BankParts:
        """A new task in an empty store, with the context its goal comes with taken in and the first step planned."""
        if not isinstance(task_goal, str):
            kind = type(task_goal).__name__
            raise InvalidInput(
                f"a bank is opened with the goal of a task, not with {kind}. To have an agent work on one:\n{RUN}"
            )
        require_text(task_goal, "the task goal is empty; say in a sentence what the memory is for")
        goal, context = parse_task(task_goal)
        parts = self._assemble(goal)
        goal = parts.writer.redacted(goal)
        with _on_failure(parts.release):
            with parts.lock:
                self._refuse_a_task(parts, _OCCUPIED)
            parts.erase_left()
        with _on_failure(parts.release), parts.lock:
            self._refuse_a_task(parts, _OCCUPIED)  # again: another process may have been quicker
            digest = hashlib.blake2b(f"{parts.clock.now()}\x1f{goal}".encode("utf-8", "surrogatepass"), digest_size=6)
            changes = parts.state.changes()
            changes.put(Counters())  # so that a second writer, who began when nothing was there, is told apart
            changes.put(InsightDoc(doc_id=f"doc-{digest.hexdigest()}", task_goal=goal), *identity_of(parts.embedder))
            parts.writer.commit(changes)
        with _on_failure(parts.discard):
            if context:
                parts.intake.take_in(context, {"kind": "read", "source": "context"})
            parts.steps.plan_first(parts.settings)
        return parts

    def resume(self, *, re_embed: bool) -> BankParts:
        """The task a store holds; what was not digested when its process ended is digested now, or once somebody asks.

        An entry whose digesting fails stays for the next resume. New vectors are journalled before anything else.
        """
        _must_exist(self.store)
        parts = self._assemble("-")
        with _on_failure(parts.release):
            try:
                with parts.lock:
                    stored = self._read(parts, re_embed=re_embed)
            except InvalidInput:  # a deletion may have died half-way
                parts.erase_left()
                raise
            parts.state.apply(stored)  # a large bank takes a while, for which no transaction of a server is kept open
            with parts.lock:
                parts.counts.restore(parts.state.usage)
            parts.erase_left()
            if parts.writer.lazy:
                parts.undigested.leave_all()
            else:
                parts.intake.digest_waiting()
            if parts.state.graph.stale:
                parts.notes.refresh()
            parts.steps.plan()
        return parts

    def _read(self, parts: BankParts, *, re_embed: bool) -> ChangeSet:
        """What is stored (hold the lock)."""
        stored = parts.writer.journal.read()
        if not stored.puts:
            raise InvalidInput("this store holds no task; begin one with MemoryBank(goal, store=…)")
        renewed = self._restore(parts, stored, re_embed=re_embed)
        if renewed is not None:
            parts.writer.journal.write(renewed)
        return stored

    def load(self, path: str | Path, *, re_embed: bool) -> BankParts:
        """The task an exported file holds, put into an empty store."""
        from amb_core.memory.snapshots import read_snapshot  # here, for most tasks come from no file

        snapshot = read_snapshot(file_path(path))
        parts = self._assemble("-")
        occupied = "the store to load into already holds a task; name an empty one"
        with _on_failure(parts.release):
            with parts.lock:
                self._refuse_a_task(parts, occupied)
            parts.erase_left()
        with _on_failure(parts.release), parts.lock:
            self._refuse_a_task(parts, occupied)
            changes = ChangeSet.of_snapshot(snapshot)
            parts.clock.not_before(_latest(snapshot))
            self._restore(parts, changes, re_embed=re_embed)
            parts.writer.journal.write(changes)
            parts.state.apply(changes)
            parts.counts.restore(parts.state.usage)
            parts.steps.planned_at = parts.state.version
        return parts

    def _assemble(self, goal: str) -> BankParts:
        return BankParts(
            InsightDoc(doc_id="", task_goal=goal),
            agents=self.agents,
            embedder=self.embedder,
            store=self.store,
            settings=self.settings,
            clock=self.clock,
            keeps=keeps(self.ends),
            redactor=self.redactor,
        )

    @staticmethod
    def _refuse_a_task(parts: BankParts, message: str) -> None:
        if parts.writer.journal.read().puts:
            raise InvalidInput(message)

    @staticmethod
    def _restore(parts: BankParts, stored: ChangeSet, *, re_embed: bool) -> ChangeSet | None:
        """Make what was stored fit the embedder, in place; returns what changed by embedding anew."""
        if not re_embed:
            check_embedder(stored, parts.embedder)
            return None
        renewed = re_embedded(stored, parts.embedder)
        stored.put(*renewed.puts.values())
        for kind, identifier in renewed.deletes:
            stored.delete(kind, [identifier])
        return renewed


def _latest(snapshot: BankSnapshot) -> float:
    """The newest time in a bank."""
    times = [entry.timestamp for entry in snapshot.entries] + [node.timestamp for node in snapshot.nodes]
    times += [merge.timestamp for merge in snapshot.merges] + [shown.timestamp for shown in snapshot.injections]
    times += [time for conflict in snapshot.conflicts for time in (conflict.found_at, conflict.settled_at or 0.0)]
    return max(times, default=0.0)


def stored_snapshot(url: str) -> BankSnapshot:
    """What a store holds, without opening a bank on it; InvalidInput when it holds no task."""
    _must_exist(url)
    parts = BankOpener(None, None, url, None, None)._assemble("-")
    try:
        stored = parts.writer.journal.read()
        if not stored.puts:
            raise InvalidInput(f"{url} holds no task")
        parts.state.apply(stored)
        snapshot = parts.state.snapshot()
    finally:
        parts.release()
    return snapshot if snapshot.usage is not None else _with_notes(snapshot)


def _with_notes(snapshot: BankSnapshot) -> BankSnapshot:
    """A task on which no model worked, with the notes that were not asked for while it was open."""
    if all(each.state is not EntryState.RAW for each in snapshot.digestions):
        return snapshot
    parts = BankOpener(None, None, "memory://", Settings(digests="eager"), None)._assemble("-")
    parts.clock.not_before(_latest(snapshot))
    changes = ChangeSet.of_snapshot(snapshot)
    parts.writer.journal.write(changes)
    parts.state.apply(changes)
    parts.intake.digest_waiting()
    return parts.state.snapshot()


def store_snapshot(snapshot: BankSnapshot, url: str) -> None:
    """Put a snapshot into an empty store; InvalidInput when there is a task in it."""
    store = open_store(url)
    try:
        journal = Journal(store, clock=SystemClock())
        if journal.read().puts:
            raise InvalidInput(f"{url} already holds a task; name an empty store")
        journal.write(ChangeSet.of_snapshot(snapshot))
    finally:
        store.close()


@contextmanager
def _on_failure(undo: Callable[[], object]) -> Iterator[None]:
    try:
        yield
    except BaseException:
        undo()
        raise


def _must_exist(store: str | RecordStore) -> None:
    """Opening a missing file or folder would make an empty one."""
    if isinstance(store, str) and not holds_something(store):
        raise InvalidInput(f"there is no task to open: {store.partition(':///')[2]} does not exist")
