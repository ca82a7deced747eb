"""What comes in: tool results and texts become raw entries, digested at once or in the background, in order."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field

from pydantic import JsonValue

from amb_core.memory.absorption import Absorber, AbsorbReport
from amb_core.memory.files import BankFiles
from amb_core.models import (
    Attachment,
    Digestion,
    EntryState,
    InteractionEntry,
    PendingTask,
    StepResult,
    ToolResult,
)

__all__ = ["Intake"]


@dataclass(slots=True)
class Intake:
    """The way into one bank."""

    absorber: Absorber
    files: BankFiles
    _worker: ThreadPoolExecutor | None = None
    _running: list[Future[AbsorbReport]] = field(default_factory=list)

    def absorb(self, result: ToolResult, *, wait: bool) -> AbsorbReport:
        """A tool result; the same call with the same text is taken in once."""
        absorber = self.absorber
        if result.call_id is not None:
            with absorber.lock:
                for known in absorber.state.tree.of_call(result.call_id, run=result.run):
                    if known.text == result.output:
                        return absorber.repeat_report(known.entry_id, known.entry_id, counts=False)
        attachments = self.files.adopt(result.attachments, doc_id=absorber.state.insight.doc_id)
        try:
            return self.take_in(result.output, _metadata_of(result), attachments=attachments, wait=wait)
        except BaseException:
            self._remove_unheld(attachments)
            raise

    def take_in(
        self,
        text: str,
        metadata: dict[str, JsonValue],
        *,
        attachments: tuple[Attachment, ...] = (),
        wait: bool = True,
    ) -> AbsorbReport:
        """Journal a text, then digest it; a repeat is only tried as evidence for a pending cross-validation."""
        absorber = self.absorber
        with absorber.lock:
            entry, repeated = absorber.record(text, metadata, attachments=attachments)
            original = absorber.state.tree.entries[repeated] if repeated is not None else None
            if original is None and not wait:
                self._worker = self._worker or ThreadPoolExecutor(max_workers=1, thread_name_prefix="amb-digest")
                self._running.append(self._worker.submit(absorber.digest, entry))
                return AbsorbReport(entry_ids=(entry.entry_id,), pending=True)
        if original is not None:
            verified = absorber.verify_again(original)
            return verified or absorber.repeat_report(entry.entry_id, original.entry_id)
        return absorber.digest(entry)

    def recognise(self, pending: PendingTask, step: StepResult) -> None:
        """Keep the recognised files with the text that says what is in them, and take them off the waiting list.

        A waiting attachment whose file is gone is taken off as well.
        """
        absorber = self.absorber
        text = step.text or "\n\n".join(result.output for result in step.tool_results)
        with absorber.lock:
            waiting = [absorber.state.waiting[a] for a in pending.attachment_ids if a in absorber.state.waiting]
            kept = self.files.keep(waiting)
            changes = absorber.state.changes()
            entry = None
            if waiting and text.strip():
                metadata: dict[str, JsonValue] = {"kind": "recognition", "source": "attachment"}
                entry = InteractionEntry(
                    entry_id=changes.new_id("e"),
                    text=text,
                    timestamp=absorber.clock.now(),
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
                    absorber.commit(changes)
            finally:
                self._remove_unheld((*waiting, *kept))
        if entry is not None:
            absorber.digest(entry)

    def _remove_unheld(self, attachments: Iterable[Attachment]) -> None:
        """Delete the files that neither an entry nor the waiting list names."""
        state = self.absorber.state
        held = {attachment.content for attachment in state.waiting.values()}
        held.update(a.content for entry in state.tree.entries.values() for a in entry.attachments)
        self.files.remove(attachment for attachment in attachments if attachment.content not in held)

    def flush(self) -> None:
        """Wait until everything taken in with `wait=False` is digested; the first failure is raised."""
        while self._running:
            self._running.pop(0).result()

    def stop(self) -> None:
        """Finish what is running and end the background thread."""
        try:
            self.flush()
        finally:
            if self._worker is not None:
                self._worker.shutdown(wait=True)


def _metadata_of(result: ToolResult) -> dict[str, JsonValue]:
    """The metadata of the entry a tool result becomes."""
    arguments = ", ".join(f"{key}={value!r}" for key, value in result.arguments.items())
    metadata: dict[str, JsonValue] = {
        "kind": "tool",
        "tool": result.tool,
        "arguments": dict(result.arguments),
        "call_id": result.call_id,
        "source": result.source or f"{result.tool}({arguments})",
    }
    extra: dict[str, JsonValue] = {"agent": result.agent, "run": result.run, "is_error": result.is_error}
    return {**metadata, **{key: value for key, value in extra.items() if value}}
