"""Takes an agent's tool results in: each once, into the bank it belongs to, and knows afterwards where it went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import is_
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from amb_core.adapter.chat_messages import (
    Calls,
    answered_call,
    calls_of,
    fingerprint_of,
    note_calls,
    result_mark,
    tool_result,
)
from amb_core.adapter.contributors import Contributors
from amb_core.adapter.memory_tools import DEEP_RETRIEVAL, node_id_in, without_ours
from amb_core.adapter.message_facts import FEW
from amb_core.adapter.spoken_texts import SpokenTexts
from amb_core.adapter.transcript_history import HostEdits, TranscriptPiece
from amb_core.adapter.transcript_turns import TranscriptItem
from amb_core.adapter.two_banks import TwoBanks
from amb_core.bank import MemoryBank
from amb_core.call_lock import CallLock
from amb_core.contributor import Entry
from amb_core.errors import StoreLocked, StoreUnreachable
from amb_core.memory.events import AbsorbReport
from amb_core.memory.step_places import step_number
from amb_core.models import InsightDoc, StepResult, ToolResult
from amb_core.rendering import Reference, strip_block
from amb_core.text.text_spans import known_text

if TYPE_CHECKING:
    from amb_core.memory.host_edits import HostEdit

__all__ = ["Absorber", "Attempt", "Interception", "NewResults"]

_ATTEMPTS = 3
"""How often a result is offered to a memory that could not take it; of a call that was stopped nothing is counted."""
_Key = tuple[str, str, str]
"""Run, call id (or tool), and the output's fingerprint."""
_Value = TypeVar("_Value")


class Attempt(Protocol):
    """Does some work on memory; None when it fails, which is logged and counted."""

    def __call__(self, what: str, action: Callable[[], _Value]) -> _Value | None:
        """What the action brings."""
        ...


@dataclass(frozen=True, slots=True)
class Interception:
    """What became of a turn: a report per absorbed result, how many were passed over, how many memory refused.

    Passed over are AMB's own block, `deep_retrieval` output, blank results, and what was absorbed before.
    """

    reports: tuple[AbsorbReport, ...]
    insight: InsightDoc
    skipped: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True)
class NewResults:
    """The results of a transcript that are to be taken in, and how many were `passed_over`.

    `alone` are the calls of these that have no other result there.
    """

    results: Sequence[ToolResult]
    alone: frozenset[str]
    passed_over: int


class Absorber:
    """Takes in the results of one agent and run; what it took in before is passed over. Thread-safe."""

    def __init__(
        self,
        bank: MemoryBank,
        banks: TwoBanks,
        contributors: Contributors,
        *,
        attempt: Attempt,
        run: str,
        agent: str | None,
    ) -> None:
        self._bank, self._banks, self._contributors, self._attempt = bank, banks, contributors, attempt
        self._run, self._agent = run, agent
        self.opens = False
        """Whether the model has the tool that opens what is referred to."""
        self._calls: Calls = {}
        self._absorbed: dict[_Key, tuple[str, ...]] = {}
        self._entries: dict[_Key, tuple[MemoryBank, str]] = {}
        self._cleared: set[_Key] = set()
        self._attempts: Counter[_Key] = Counter()
        self._settled: tuple[Sequence[Mapping[str, Any]], Counter[str]] = ((), Counter())
        self._lock = CallLock()
        self._spoken = SpokenTexts(run=run, agent=agent)

    def note_edits(self, edits: HostEdits | None, pieces: Sequence[TranscriptPiece]) -> None:
        """Tell memory what a host did to its transcript since the last request; None at the first request of one.

        Then all that can be told is that a call has another result now than memory has of it.
        """
        if edits is None:
            times = Counter(piece.key[1] for piece in pieces if piece.key[0] == "result")
            for piece in pieces:
                if piece.key[0] == "result" and times[piece.key[1]] == 1:
                    for bank in self._banks.both:
                        bank.host.mark_older_results(piece.key[1], piece.text, run=self._run)
            return
        found: dict[int, tuple[MemoryBank, dict[str, tuple[HostEdit, tuple[str, ...]]]]] = {}
        for key, edit in edits.items():
            for bank, entry_id in self._kept_as(key):
                found.setdefault(id(bank), (bank, {}))[1][entry_id] = edit
        for bank, of_bank in found.values():
            bank.host.mark_edits(of_bank)

    def _kept_as(self, key: tuple[str, str, str, int]) -> Iterator[tuple[MemoryBank, str]]:
        """The entry that memory has of a piece of a transcript, and its bank."""
        if key[0] == "result":
            with self._lock:
                kept = self._entries.get((self._run, key[1], key[2]))
            yield from [] if kept is None else [kept]
        elif (known := self._spoken.known(key)) is not None:  # type: ignore[arg-type]
            run, said = known
            yield from ((self._bank, entry_id) for entry_id in self._bank.host.entries_of_call(said, run=run))

    def cleared(self, items: Iterable[TranscriptItem]) -> frozenset[tuple[str, str]]:
        """By run and call id the results of which a request has less than memory: cleared or shortened by the host."""
        with self._lock:
            if not self._cleared:
                return frozenset()
            results = (one for one in items if one.kind == "result" and one.call_ids)
            keys = ((self._run, one.call_ids[0], one.digest) for one in results)
            return frozenset(key[:2] for key in keys if key in self._cleared)

    def keep_spoken(self, messages: Iterable[Mapping[str, Any]]) -> None:
        """Keep what the agent and the user said there in the agent's own bank, each once."""
        fresh = self._spoken.fresh(messages)
        if fresh:
            keep = partial(self._bank.host.keep_messages, list(fresh.values()))
            ids = self._attempt("keep messages", keep)
            self._contributors.on_messages(fresh.values())
            self._spoken.keep(dict(zip(fresh, ids or (), strict=ids is not None)))

    def held_spoken(self, messages: Sequence[Mapping[str, Any]], whole: Sequence[int]) -> frozenset[tuple[str, str]]:
        """By run and id what memory has of the messages that a request holds `whole`, by their places."""
        return self._spoken.held(messages, whole)

    def new_results_of(self, messages: Sequence[Mapping[str, Any]], *, every: bool) -> NewResults:
        """The results among messages, each with the tool and arguments of its call.

        Those that were taken in before are passed over, unless `every` one is wanted.
        """
        found: list[ToolResult] = []
        with self._lock:
            anew = every or len(messages) <= FEW
            start, times = (0, Counter[str]()) if anew else self._settled_in(messages)
            settled = None
            for at in range(start, len(messages)):
                note_calls(messages[at], self._calls)
                call_id = answered_call(messages[at], self._calls)
                if call_id and (every or not self._is_known(call_id, messages[at])):
                    settled = settled or (messages[:at], times.copy())
                    found.append(tool_result(messages[at], calls=self._calls, run=self._run, agent=self._agent))
                if call_id:
                    times[call_id] += 1
            if not anew:
                self._settled = settled or (messages[:], times)
        alone = frozenset(one.call_id for one in found if one.call_id and times[one.call_id] == 1)
        return NewResults(found, alone, times.total() - len(found))

    def _is_known(self, call_id: str, message: Mapping[str, Any]) -> bool:
        """Whether a result was taken in, or refused too often (hold the lock)."""
        key = (self._run, call_id, result_mark(message))
        return key in self._absorbed or self._attempts[key] >= _ATTEMPTS

    def _settled_in(self, messages: Sequence[Mapping[str, Any]]) -> tuple[int, Counter[str]]:
        """Of how many messages every result was passed over before, and how many results of each call are there.

        The newest call among them is the newest again (hold the lock).
        """
        settled, times = self._settled
        if len(settled) > len(messages) or not all(map(is_, settled, messages)):
            return 0, Counter()
        newest = next((message for message in reversed(settled) if calls_of(message)), None)
        if newest is not None:
            note_calls(newest, self._calls)
        return len(settled), times.copy()

    def absorb(self, results: Iterable[ToolResult], *, alone: Container[str | None] = ()) -> Interception:
        """Take in tool results that are new; one that memory refuses is offered again, three times in all.

        Of the calls that are `alone` with one result in their transcript, one that memory has is not taken in again
        when its host has cleared or shortened it.
        """
        reports: list[AbsorbReport] = []
        skipped = failed = 0
        for result in map(self._with_agent, results):
            key = _key(result.run, result.call_id or result.tool, result.output)
            wanted = self._wanted(result, key)
            if wanted is None or (wanted.call_id in alone and self._is_cleared(wanted, key)):
                skipped += 1
                continue
            report = self._attempt("absorb", partial(self._take_in, wanted, key))
            if report is None:
                failed += 1
                with self._lock:
                    self._attempts[key] += 1
                continue
            reports.append(report)
        return Interception(tuple(reports), self._bank.insight, skipped, failed)

    def finish(self, step: StepResult) -> Interception:
        """Close the step; when memory cannot take it in, what it can is kept and the step counts as failed."""
        marked = [self._with_agent(result) for result in step.tool_results]
        shared = [result for result in marked if self._banks.home_of(result) is not self._bank]
        taken_by_team = self.absorb(shared)
        private = [result for result in marked if result not in shared]
        for result in private:
            self._banks.withhold(result)
        wanted = [without_ours(result) for result in private]
        results = tuple(result for result in wanted if result is not None)
        skipped = len(wanted) - len(results) + taken_by_team.skipped
        clean = step.model_copy(update={"tool_results": results, "text": strip_block(step.text)})
        insight = self._attempt("finish a step", partial(self._bank.host.finish_step, clean))
        self._contributors.on_entry(Entry("agent", clean.text))
        if insight is not None:
            for result in results:
                self._contributors.on_result(result)
            return Interception(taken_by_team.reports, insight, skipped, taken_by_team.failed)
        taken = self.absorb(results)
        failed = clean.model_copy(update={"tool_results": (), "failed": True, "answer": None})
        return Interception(taken.reports, self._bank.host.finish_step(failed), skipped, taken.failed + 1)

    def reference(self, item: TranscriptItem) -> Reference | None:
        """The step that a result of the transcript is; None when memory holds nothing of it."""
        found = self._attempt("look up a result", lambda: self._banks.living(self._shown(item)))
        return Reference(found, opens=self.opens) if found else None

    def notes_of(self, item: TranscriptItem) -> Reference | None:
        """The notes a result of the transcript went into, made now if need be; None when there are none."""
        topics = self._attempt("look up a result", lambda: self._banks.topics(self._shown(item)))
        return Reference(tuple(topics), tuple(topics.values()), self.opens) if topics else None

    def keep_said(self, text: str) -> Reference | None:
        """The step that words of the user are; they are taken in the first time, and never shared."""
        said = ToolResult(
            tool="user", output=text, source="user", call_id=f"user-{fingerprint_of(text)}", run=self._run
        )
        report = self._attempt("absorb", partial(self._bank.absorb, said, lazy=True))
        if report is None:
            return None
        found = self._banks.living([self._step(self._bank, report)])
        return Reference(found, opens=self.opens) if found else None

    def _shown(self, item: TranscriptItem) -> tuple[str, ...]:
        """Where memory has a result, as it is shown."""
        call_id = item.call_ids[0] if item.call_ids else item.tool
        known = self._absorbed.get(_key(self._run, call_id, item.text))
        return self._banks.step_of(call_id, run=self._run) if known is None else known

    def _step(self, bank: MemoryBank, report: AbsorbReport) -> str:
        return self._banks.shown_step(bank, step_number(report.entry_ids[0]))

    def _take_in(self, result: ToolResult, key: _Key) -> AbsorbReport:
        home = self._banks.home_of(result)
        self._banks.withhold(result)
        try:
            report = home.absorb(result, lazy=True)
        except (StoreLocked, StoreUnreachable):  # waiting helps: it is offered for as long as that takes
            with self._lock:
                self._attempts[key] -= 1
            raise
        with self._lock:
            self._absorbed[key] = (self._step(home, report),)
            self._entries[key] = (home, report.entry_ids[0])
        self._contributors.on_result(result)
        return report

    def _is_cleared(self, result: ToolResult, key: _Key) -> bool:
        """Whether the host put a placeholder or an excerpt in the place of a result that memory has."""
        home = self._banks.home_of(result)
        found = self._attempt("look up a result", partial(home.host.what_it_stands_for, result))
        if found is None:
            return False
        with self._lock:
            self._absorbed[key] = (self._step(home, found),)
            self._entries[key] = (home, found.entry_ids[0])
            self._cleared.add(key)
        return True

    def _with_agent(self, result: ToolResult) -> ToolResult:
        """The result with this agent's run and name where it has none."""
        return result.model_copy(update={"run": result.run or self._run, "agent": result.agent or self._agent})

    def _wanted(self, result: ToolResult, key: _Key) -> ToolResult | None:
        """The result as memory should get it; None for what is known, blank, our own, or was refused too often."""
        clean = without_ours(result)
        with self._lock:
            if clean is None:
                node_id = node_id_in(result.arguments.get("node_id", ""))
                self._absorbed[key] = (node_id,) if result.tool == DEEP_RETRIEVAL and node_id else ()
            if self._contributors.has_answered(result.output):
                self._absorbed.setdefault(key, ())
            if clean is None or key in self._absorbed or self._attempts[key] >= _ATTEMPTS:
                return None
        return clean


def _key(run: str, call: str, output: str) -> _Key:
    return (run, call, fingerprint_of(known_text(output)))
