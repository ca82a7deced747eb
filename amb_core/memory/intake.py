"""What comes in: tool results and texts become raw entries, digested at once or in the background, in order."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import JsonValue

from amb_core.attachments import Attachment, AttachmentType
from amb_core.call_lock import CallLock, RunningCall, raise_if_stopped
from amb_core.errors import BankClosed, StoreError
from amb_core.memory.arguments import storable
from amb_core.memory.bank_files import BankFiles
from amb_core.memory.derived_notes import DerivedNotes
from amb_core.memory.events import AbsorbReport
from amb_core.memory.ids import id_number
from amb_core.memory.undigested import Undigested
from amb_core.memory.writer import Writer
from amb_core.models import Digestion, EntryState, InteractionEntry, PendingTask, StepResult, TaskType, ToolResult
from amb_core.tracing import traced

if TYPE_CHECKING:
    from amb_core.memory.spoken_entries import SpokenText

__all__ = ["Intake"]

_log = logging.getLogger("amb.intake")
_WITH_TEXTS = ("arguments", "source")


@dataclass(slots=True)
class Intake:
    """The way into one bank."""

    undigested: Undigested
    notes: Callable[[], DerivedNotes]
    files: BankFiles
    _worker: ThreadPoolExecutor | None = None
    _queue: dict[str, Future[AbsorbReport]] = field(default_factory=dict)
    """By entry id what is digested in the background, and what failed there since the last `flush`."""
    _stopped: bool = False
    _noting: CallLock = field(default_factory=CallLock)

    def absorb(self, result: ToolResult, *, wait: bool, lazy: bool = False) -> AbsorbReport:
        """A tool result; the same call with the same text is taken in once.

        With `lazy` its notes wait until somebody asks for them, where this bank leaves them until then.
        """
        if lazy and self.undigested.writer.lazy and not result.attachments:
            return self._keep_raw(result)
        with traced("absorb", memory="upsert_memory", tool=result.tool, chars=len(result.output), wait=wait) as span:
            report = self.take_in(result.output, _metadata_of(result), files=result.attachments, wait=wait)
            span.update(entry_id=report.entry_ids[0], repeat=report.repeat_of is not None)
        if wait:
            self._digest_left()
        return report

    def _keep_raw(self, result: ToolResult) -> AbsorbReport:
        """Journal a tool result and no more."""
        writer = self.undigested.writer
        text, metadata = writer.redacted(result.output), _redacted_metadata(_metadata_of(result), writer)
        with writer.lock:
            known = writer.state.tree.of_same_call(text, metadata)
            if known is not None:
                return self.undigested.repeat_report(known, known, counts=False)
            if self._stopped:
                raise BankClosed("this bank is closing; begin a new one, or resume it from its store")
            entry, _ = writer.record(text, metadata, waits=True)
            self.undigested.unasked[entry.entry_id] = None
        return AbsorbReport(entry_ids=(entry.entry_id,), pending=True)

    def take_in(
        self, text: str, metadata: dict[str, JsonValue], *, files: tuple[Attachment, ...] = (), wait: bool = True
    ) -> AbsorbReport:
        """Journal a text, then digest it; a repeat is only tried as evidence for a pending cross-validation.

        A call that is known with this text is answered with what became of it, or tried once more if that failed.
        While something is digested in the background, a text with `wait=True` takes its turn behind it.
        """
        undigested, future = self.undigested, None
        text, metadata = undigested.writer.redacted(text), _redacted_metadata(metadata, undigested.writer)
        with undigested.writer.lock:
            known = undigested.writer.state.tree.of_same_call(text, metadata)
            if known is None:
                entry, original = self._record(text, metadata, files)
                future = None if original is not None else self._queued(entry, wait=wait)
            elif self._has_failed(known):
                entry, original = undigested.writer.state.tree.entries[known], None
            else:
                return undigested.repeat_report(known, known, counts=False)
            if original is None and future is None:
                undigested.at_work[entry.entry_id] = RunningCall()
        if original is not None:
            return self.notes().repeat(entry, original)
        if future is None:
            return self._digest_in_turn(entry)
        if not wait:
            return AbsorbReport(entry_ids=(entry.entry_id,), pending=True)
        self._finish(entry.entry_id, future)
        return future.result()

    def _record(
        self, text: str, metadata: dict[str, JsonValue], files: tuple[Attachment, ...]
    ) -> tuple[InteractionEntry, str | None]:
        """The raw entry with copies of its files, and the entry it repeats, if any (hold the lock)."""
        if self._stopped:
            raise BankClosed("this bank is closing; begin a new one, or resume it from its store")
        writer = self.undigested.writer
        if not files:
            return writer.record(text, metadata)
        copies = self.files.adopt(files, doc_id=writer.state.insight.doc_id)
        tree = writer.state.tree
        first = next(iter(tree.repeats.with_text(text)), None)
        brought = first is not None and self.files.same(copies, tree.entries[first].attachments)
        try:
            return writer.record(text, metadata, attachments=() if brought else copies)
        finally:
            self._remove_unheld(copies)

    def _has_failed(self, entry_id: str) -> bool:
        """Whether an entry was not digested, and nobody is at it (hold the lock)."""
        undigested = self.undigested.writer.state.tree.digestions[entry_id].state is not EntryState.DONE
        queued = entry_id in self._queue and not self._queue[entry_id].done()
        return undigested and not queued and not self.undigested.is_at_work(entry_id)

    def keep_messages(self, spoken: Sequence[SpokenText]) -> list[tuple[str, str]]:
        """What the agent and the user said, each once; returns by which run and id each is known."""
        from amb_core.memory.spoken_entries import keep_messages  # here, for results need none of it

        with traced("keep messages", memory="upsert_memory", messages=len(spoken)), self.undigested.writer.lock:
            if self._stopped:
                raise BankClosed("this bank is closing; begin a new one, or resume it from its store")
            return keep_messages(self.undigested.writer, spoken)

    def attach(self, path: Path, *, type: AttachmentType) -> Attachment:
        """Put a copy of a file into temporary storage, where it waits to be recognised."""
        writer = self.undigested.writer
        with writer.lock:
            changes = writer.state.changes()
            stored = self.files.receive(writer.state.insight.doc_id, path, type=type)
            attachment = Attachment(id=changes.new_id("a"), type=type, content=str(stored))
            changes.put(attachment)
            try:
                writer.commit(changes)
            except BaseException:
                self.files.remove([attachment])
                raise
            return attachment

    def digest_waiting(self) -> int:
        """Digest what no process has digested or is at; returns how many entries are digested now (hold no lock).

        An entry that fails is marked as failed, and tried again at a later call.
        """
        return self._digest_all(self._waiting())

    def make_notes(self) -> None:
        """Make the notes that wait for somebody to ask for them; a listener is told of what there is (hold no lock).

        In a space that is shared these are also those of what other processes took in.
        """
        undigested, writer = self.undigested, self.undigested.writer
        shared = writer.lazy and writer.journal.shared is not None
        if not (undigested.unasked or shared) or writer.events.telling:
            return
        with self._noting:
            for entry_id in list(undigested.unasked):
                with writer.lock:
                    tree = writer.state.tree
                    done = tree.digestions[entry_id].state is EntryState.DONE if entry_id in tree.entries else True
                self._digest_all(() if done else [tree.entries[entry_id]])
                undigested.unasked.pop(entry_id, None)
            if shared and writer.state.tree.is_waiting:
                self.digest_waiting()

    def _digest_in_turn(self, entry: InteractionEntry) -> AbsorbReport:
        """Digest an entry behind those before it that wait for somebody to ask (hold no lock)."""
        self.make_notes()
        return self.notes().digest(entry)

    def _digest_left(self) -> None:
        """Digest what a call that was stopped has left raw (hold no lock)."""
        queued = {entry_id for entry_id, future in list(self._queue.items()) if not future.done()}
        self._digest_all(entry for entry in self.undigested.left() if entry.entry_id not in queued)

    def _digest_all(self, entries: Iterable[InteractionEntry]) -> int:
        done = 0
        for entry in entries:
            try:
                done += not self.notes().digest(entry).pending
            except StoreError:
                raise
            except Exception as error:  # noqa: BLE001 - whatever an entry makes an agent raise, the rest can be worked with
                raise_if_stopped(error)
                _log.warning("entry %s could not be digested (%s)", entry.entry_id, type(error).__name__)
        return done

    def _waiting(self) -> Iterator[InteractionEntry]:
        """The entries that wait by now, each given to this process where others could take it as well."""
        writer = self.undigested.writer
        shared = writer.journal.shared
        with writer.lock:
            waiting, known = writer.state.tree.undigested() if shared is None else [], len(writer.state.tree.entries)
        yield from waiting
        while shared is not None and writer.journal.digests_here and (entry_id := shared.claim_next()) is not None:
            with writer.lock:  # by now the state has what others took in
                entry = writer.state.tree.entries.get(entry_id)
                if entry is None:
                    shared.queue([], [entry_id], claimed=False)
            if entry is not None:
                yield entry
            if id_number(entry_id) > known:
                return  # so that a space others write to holds nobody who opens it

    # --- in the background -------------------------------------------------------------------------------------------

    def _queued(self, entry: InteractionEntry, *, wait: bool) -> Future[AbsorbReport] | None:
        """The place in the queue of an entry that has to queue, behind those before it (hold the lock).

        What is done and went well is forgotten.
        """
        if wait and all(future.done() for future in self._queue.values()):
            return None
        if self._worker is None:
            self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="amb-digest")
            self.undigested.writer.lock.forks = False  # a child has no such thread
        failed = (future for future in self._queue.items() if not future[1].done() or future[1].exception() is not None)
        self._queue = dict(failed)
        future = self._queue[entry.entry_id] = self._worker.submit(self._digest_in_turn, entry)
        return future

    def _finish(self, entry_id: str, future: Future[AbsorbReport]) -> BaseException | None:
        """Wait for one background digestion and take it off the queue; returns what it failed with."""
        error = future.exception()
        with self.undigested.writer.lock:
            self._queue.pop(entry_id, None)
        return error

    @property
    def is_idle(self) -> bool:
        """Whether nothing is being digested in the background."""
        return all(future.done() for future in list(self._queue.values()))

    def join(self) -> None:
        """Wait until what came in by now is digested; what failed there is left for `flush` to raise.

        A listener is called while the bank is locked, and waits for nobody.
        """
        if self.undigested.writer.events.telling:
            return
        with self.undigested.writer.lock:
            waiting = list(self._queue.values())
        wait_for(waiting)
        self._digest_left()

    def flush(self) -> None:
        """Wait until everything taken in is digested; then the first failure of what was with `wait=False` is raised.

        In a space that is shared, what other processes took in and nobody digests is digested as well.
        """
        with self.undigested.writer.lock:
            waiting = list(self._queue.items())
        errors = [self._finish(entry_id, future) for entry_id, future in waiting]
        first = next((error for error in errors if error is not None), None)
        if first is not None:
            raise first
        self._digest_left()
        self.make_notes()
        if self.undigested.writer.journal.shared is not None:
            self.digest_waiting()

    def stop(self) -> None:
        """Take nothing more in, finish what is queued, and end the background thread.

        A failure is logged, not raised: its entry is kept as failed.
        """
        with self.undigested.writer.lock:
            self._stopped = True
            waiting = list(self._queue.items())
        try:
            for entry_id, future in waiting:
                error = self._finish(entry_id, future)
                if error is not None:
                    _log.warning("entry %s was not digested in the background: %s", entry_id, type(error).__name__)
        finally:
            if self._worker is not None:
                self._worker.shutdown(wait=True)

    # --- steps -------------------------------------------------------------------------------------------------------

    def take_step(self, step: StepResult, *, pending: PendingTask | None) -> None:
        """What a step brought: its tool results, what it recognised, or its own words when it did nothing else."""
        for result in step.tool_results:
            self.absorb(result, wait=True)
        normal = pending is None or pending.type is TaskType.NORMAL
        if pending is not None and pending.attachment_ids and not step.failed:
            self.recognise(pending, step)
        elif normal and step.text.strip() and not (step.tool_results or step.failed or step.answer is not None):
            self.take_in(step.text, {"kind": "step", "source": "step"})

    def recognise(self, pending: PendingTask, step: StepResult) -> None:
        """Keep the recognised files with the text that says what is in them, and take them off the waiting list.

        A waiting attachment whose file is gone is taken off as well.
        """
        writer = self.undigested.writer
        text = writer.redacted(step.text or "\n\n".join(result.output for result in step.tool_results))
        with writer.lock:
            waiting = [writer.state.waiting[a] for a in pending.attachment_ids if a in writer.state.waiting]
            kept = self.files.keep(waiting)
            changes = writer.state.changes()
            entry = None
            if waiting and text.strip():
                metadata: dict[str, JsonValue] = {"kind": "recognition", "source": "attachment"}
                entry = InteractionEntry(
                    entry_id=changes.new_id("e"),
                    text=text,
                    timestamp=writer.clock.now(),
                    metadata=metadata,
                    attachments=kept,
                )
                changes.put(entry, Digestion(entry_id=entry.entry_id, state=EntryState.RAW))
                done = waiting
            else:
                present = {attachment.id for attachment in kept}
                done = [attachment for attachment in waiting if attachment.id not in present]
            changes.delete("waiting", [attachment.id for attachment in done])
            try:
                if done:
                    writer.commit(changes)
            finally:
                self._remove_unheld((*waiting, *kept))
        if entry is not None:
            self.notes().digest(entry)

    def _remove_unheld(self, attachments: Iterable[Attachment]) -> None:
        """Delete the files that neither an entry nor the waiting list names."""
        state = self.undigested.writer.state
        with self.undigested.writer.lock:
            waiting = {attachment.content for attachment in state.waiting.values()}
            unheld = [a for a in attachments if a.content not in waiting and not state.tree.holds(a.content)]
        self.files.remove(unheld)


def _redacted_metadata(metadata: dict[str, JsonValue], writer: Writer) -> dict[str, JsonValue]:
    """The metadata without what nobody should keep; ids and names of tools stay, for calls are known by them."""
    return metadata | writer.redacted({name: value for name, value in metadata.items() if name in _WITH_TEXTS})


def _metadata_of(result: ToolResult) -> dict[str, JsonValue]:
    """The metadata of the entry a tool result becomes.

    Its `source` is the result's own, or else the call as text, `tool(arguments)`; `reading.sources` and
    `node_views.call_of` tell the two apart by that form, so it is not to be changed.
    """
    kept = storable(result.arguments)
    arguments = ", ".join(f"{key}={value!r}" for key, value in kept.items())
    metadata: dict[str, JsonValue] = {
        "kind": "tool",
        "tool": result.tool,
        "arguments": kept,
        "call_id": result.call_id,
        "source": result.source or f"{result.tool}({arguments})",
    }
    extra: dict[str, JsonValue] = {"agent": result.agent, "run": result.run, "is_error": result.is_error}
    return {**metadata, **{key: value for key, value in extra.items() if value}}
