"""Takes an agent's tool results in: each once, into the bank it belongs to, and knows afterwards where it went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TypeVar

from amb_core.adapter.chat_messages import Calls, fingerprint_of, tool_results_of
from amb_core.adapter.memory_tools import DEEP_RETRIEVAL, node_id_in, without_ours
from amb_core.adapter.spoken_texts import SpokenTexts
from amb_core.adapter.teammate import TeamHook, TwoBanks
from amb_core.adapter.transcript_turns import TranscriptItem
from amb_core.bank import MemoryBank
from amb_core.call_lock import CallLock
from amb_core.errors import StoreLocked, StoreUnreachable
from amb_core.memory.events import AbsorbReport
from amb_core.memory.step_places import step_number
from amb_core.models import InsightDoc, StepResult, ToolResult
from amb_core.rendering import Reference, strip_block

__all__ = ["Absorber", "Attempt", "Interception"]

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


class Absorber:
    """Takes in the results of one agent and run; what it took in before is passed over. Thread-safe."""

    def __init__(
        self, bank: MemoryBank, banks: TwoBanks, hook: TeamHook, *, attempt: Attempt, run: str, agent: str | None
    ) -> None:
        self._bank, self._banks, self._hook, self._attempt = bank, banks, hook, attempt
        self._run, self._agent = run, agent
        self._calls: Calls = {}
        self._absorbed: dict[_Key, tuple[str, ...]] = {}
        self._attempts: Counter[_Key] = Counter()
        self._lock = CallLock()
        self._spoken = SpokenTexts(run=run, agent=agent)

    def keep_spoken(self, messages: Iterable[Mapping[str, Any]]) -> None:
        """Keep what the agent and the user said there in the agent's own bank, each once."""
        fresh = self._spoken.fresh(messages)
        if fresh:
            keep = partial(self._bank.keep_messages, list(fresh.values()))
            ids = self._attempt("keep messages", keep)
            self._spoken.keep(dict(zip(fresh, ids or (), strict=ids is not None)))

    def held_spoken(self, messages: Sequence[Mapping[str, Any]], whole: Sequence[bool]) -> frozenset[tuple[str, str]]:
        """By run and id what memory has of the messages that a request holds `whole`."""
        return self._spoken.held(messages, whole)

    def results_of(self, messages: Iterable[Mapping[str, Any]]) -> Sequence[ToolResult]:
        """The results among messages, each with the tool and arguments of its call."""
        with self._lock:
            return tool_results_of(messages, calls=self._calls, run=self._run, agent=self._agent)

    def absorb(self, results: Iterable[ToolResult]) -> Interception:
        """Take in tool results that are new; one that memory refuses is offered again, three times in all."""
        reports: list[AbsorbReport] = []
        skipped = failed = 0
        for result in map(self._with_agent, results):
            key = _key(result.run, result.call_id or result.tool, result.output)
            wanted = self._wanted(result, key)
            if wanted is None:
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
        insight = self._attempt("finish a step", partial(self._bank.finish_step, clean))
        self._hook.said(clean.text)
        if insight is not None:
            for result in results:
                self._hook.saw(result)
            return Interception(taken_by_team.reports, insight, skipped, taken_by_team.failed)
        taken = self.absorb(results)
        failed = clean.model_copy(update={"tool_results": (), "failed": True, "answer": None})
        return Interception(taken.reports, self._bank.finish_step(failed), skipped, taken.failed + 1)

    def reference(self, item: TranscriptItem) -> Reference | None:
        """The step that a result of the transcript is; None when memory holds nothing of it."""
        found = self._attempt("look up a result", lambda: self._banks.living(self._shown(item)))
        return Reference(found) if found else None

    def notes_of(self, item: TranscriptItem) -> Reference | None:
        """The notes a result of the transcript went into, made now if need be; None when there are none."""
        topics = self._attempt("look up a result", lambda: self._banks.topics(self._shown(item)))
        return Reference(tuple(topics), tuple(topics.values())) if topics else None

    def keep_said(self, text: str) -> Reference | None:
        """The step that words of the user are; they are taken in the first time, and never shared."""
        said = ToolResult(
            tool="user", output=text, source="user", call_id=f"user-{fingerprint_of(text)}", run=self._run
        )
        report = self._attempt("absorb", partial(self._bank.absorb, said, lazy=True))
        if report is None:
            return None
        found = self._banks.living([self._step(self._bank, report)])
        return Reference(found) if found else None

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
        self._absorbed[key] = (self._step(home, report),)
        self._hook.saw(result)
        return report

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
            if self._hook.has_answered(result.output):
                self._absorbed.setdefault(key, ())
            if clean is None or key in self._absorbed or self._attempts[key] >= _ATTEMPTS:
                return None
        return clean


def _key(run: str, call: str, output: str) -> _Key:
    return (run, call, fingerprint_of(output))
