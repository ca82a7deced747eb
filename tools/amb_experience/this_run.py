"""ThisRun: which earlier runs are like the one that goes on now, what it is told of them, and what is no longer so.

Runs are alike that share rare identifiers with what is asked and called, or their goal.
"""

from __future__ import annotations

import logging
import weakref
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from math import log
from typing import TYPE_CHECKING, NamedTuple

from amb_core.bank import MemoryBank
from amb_core.call_lock import CallLock
from amb_core.contributor import Contributor, Entry, RecallContext
from amb_core.memory.events import BankEvent, EventKind
from amb_core.memory.passage_terms import identifiers
from amb_core.models import ToolResult
from amb_core.reading.outcomes import has_failed
from amb_core.rendering import Language
from amb_core.text import estimate_tokens, index_tokens
from amb_experience.run_steps import RunStep, call_code, record_code, run_code
from amb_experience.told_lines import (
    Candidate,
    ToldLine,
    choose_lines,
    experience_block,
    insight_line,
    strip_empty,
)
from amb_longterm import MemoryRecord

if TYPE_CHECKING:
    from amb_experience.experience import Experience

__all__ = ["ThisRun", "runs_like"]

_log = logging.getLogger("amb.experience")
_RUNS = 2
_MOST_ASKED = 4_000
"""Characters of what the user said that runs are looked for by."""
_SAME_GOAL = 0.6
"""The share of the words of either goal that the other has, from which on they are one."""
_RARE = 8
"""An identifier is rare that at most one in so many runs has."""
_BESIDE = 0.5
"""The share of the best run's likeness that another one needs."""


class _EarlierRun(NamedTuple):
    """The calls of a run by their records, and the records of its conclusions."""

    steps: dict[str, RunStep]
    insights: list[MemoryRecord]


class ThisRun(Contributor):
    """Tells a run what earlier ones did, and takes in what it does itself. Thread-safe.

    What this run has read anew takes the place of what an earlier one read: it is not told, and where it was told and
    differs, `still_true` takes it out, and so it does with the lines of a run that was thought to be like this one
    until more was said. What this run's own texts say counts for nothing: an earlier line has helped when a call that
    went well uses a string which only that line had told.
    """

    def __init__(self, experience: Experience, bank: MemoryBank, *, agent: str = "") -> None:
        self._experience, self._agent = experience, agent
        self._bank: Callable[[], MemoryBank | None] = lambda: None
        self._leave: Callable[[], None] = lambda: None
        self.run = run_code(bank.insight)
        self._read: dict[str, str] = {}
        self._asked: dict[str, None] = {}
        self._calls: dict[str, None] = {}
        self._known: set[str] = set()
        self._told: dict[str, ToldLine] = {}
        self._stale: set[str] = set()
        self._unlike: set[str] = set()
        self._helped: set[str] = set()
        self._earlier: dict[str, _EarlierRun] = {}
        self._found: tuple[str, list[str]] = ("", [])
        self._lock = CallLock()
        self._warned = False

    @property
    def most_tokens(self) -> int:
        """What may be told at most."""
        return self._experience.budget_tokens

    def of(self, bank: MemoryBank) -> ThisRun:
        """This, listening to a bank that goes on with the run: the same one, or resumed."""
        known = self._bank()
        self._bank = weakref.ref(bank)
        if known is not bank:
            self._leave()
            self._leave = bank.host.subscribe(self)
        return self

    def at_end(self, bank: MemoryBank) -> None:
        """Keep what this run did; without a user nothing is kept, which is logged once."""
        if self._within(bank):
            self._experience.keep(bank, agent=self._agent)

    def told(self) -> tuple[list[str], list[str]]:
        """What the user said, line by line, and the records of earlier runs that have helped."""
        with self._lock:
            return "\n".join(self._asked)[:_MOST_ASKED].splitlines(), sorted(self._helped)

    @property
    def sees_repeats(self) -> bool:
        """Yes: a result that comes again is one that this run has read itself."""
        return True

    def on_entry(self, entry: Entry) -> None:
        """Take in what a tool brought to this run."""
        if entry.result is not None:
            with self._lock:
                self._saw(entry.result)

    def _saw(self, result: ToolResult) -> None:
        call = call_code(result.tool, result.arguments)
        if result.is_error or has_failed(result.output) or self._read.get(call) == result.output:
            return
        values = identifiers("\n".join(map(str, result.arguments.values())))
        used = values - self._known
        self._helped.update(line.record for line in self._told.values() if used & identifiers(line.text))
        self._calls[f"{result.tool} {result.arguments}"] = None
        self._known |= values | identifiers(result.output)
        self._read[call] = result.output
        about = record_code(result.output)
        if about:
            self._read[about] = result.output
        for run in self._earlier.values():
            self._note_stale(run.steps)

    def _note_stale(self, steps: Mapping[str, RunStep]) -> None:
        """Find what was told of an earlier run, and what this one has read is different."""
        over = self._over(steps.values())
        for line in self._told.values():
            step = steps.get(line.record)
            fresh = None if step is None else self._fresh(step)
            differs = fresh is not None and not self._holds(fresh, line.parts)
            if step is not None and (differs or over & identifiers(step.arguments)):
                self._stale.add(line.text)

    def _holds(self, fresh: str, parts: Sequence[str]) -> bool:
        """Whether what was told stands in what is read now, which itself was not redacted."""
        if all(part in fresh for part in parts):
            return True
        fresh = self._experience.memory.redacted(fresh)
        return all(part in fresh for part in parts)

    def _over(self, steps: Collection[RunStep]) -> set[str]:
        """The strings of an earlier run's results in whose place the same calls of this run have read others."""
        found: set[str] = set()
        for step in steps:
            fresh = self._read.get(step.call)
            if fresh is not None and step.output != fresh:
                found |= identifiers(step.output) - identifiers(fresh)
        if found:
            found -= self._known.union(*(identifiers(step.output) for step in steps if step.call not in self._read))
        return found

    def _fresh(self, step: RunStep) -> str | None:
        """What this run has read itself of the same call or record."""
        return self._read.get(step.call, self._read.get(step.about) if step.about else None)

    def still_true(self, text: str) -> str:
        """A text in which lines of earlier runs stand, without those that are no longer so, or of unlike runs."""
        with self._lock:
            for line in self._stale | self._unlike:
                if line in text:
                    text = text.replace(f"{line}\n", "")
        return strip_empty(text)

    def block(self, context: RecallContext, room: int) -> str:
        """What of earlier runs this one should know and the request does not hold; "" for nothing."""
        asked, request = "\n".join(filter(None, (context.goal, context.asked))), context.request
        bank = self._bank()
        within = "" if bank is None else self._within(bank)
        if not within:
            return ""
        with self._lock:
            self._asked.update(dict.fromkeys(line for line in asked.splitlines() if line.strip()))
            self._known |= identifiers(asked)
            runs = [self._read_run(within, run) for run in self._runs(within)]
            like = {name for run in runs for name in (*run.steps, *(each.id for each in run.insights))}
            self._unlike = {text for text, line in self._told.items() if line.record not in like}
            request = self.still_true(request)
            left = self.most_tokens - sum(estimate_tokens(line) for line in self._told if line in request)
            lines = self._chosen(runs, request, left, context.language)
            self._told.update((line.text, line) for line in lines)
            return experience_block([line.text for line in lines], context.language)

    def _chosen(self, runs: Sequence[_EarlierRun], request: str, budget: int, language: Language) -> list[ToldLine]:
        """The lines to tell: first what helped and what calls need, then what a model concluded, if there is room."""
        newest: dict[str, float] = {}
        for step in (step for run in runs for step in run.steps.values()):
            for key in filter(None, (step.call, step.about)):
                newest[key] = max(newest.get(key, 0.0), step.at)
        over = [self._over(run.steps.values()) for run in runs]
        found = [
            Candidate(step, record, rank)
            for rank, run in enumerate(runs)
            for record, step in run.steps.items()
            if self._fresh(step) is None
            and not over[rank] & identifiers(step.arguments)
            and not any(newest[key] > step.at for key in filter(None, (step.call, step.about)))
        ]
        known = frozenset(self._known)
        lines = choose_lines(found, request=request, known=known, budget=budget, language=language)
        left = budget - sum(estimate_tokens(line.text) for line in lines)
        for record in sorted((each for run in runs for each in run.insights), key=lambda each: -_helped(each)):
            at = record.metadata.get("at")
            when = float(at) if isinstance(at, int | float) else record.created_at
            line = insight_line(record.content, record.id, at=when, helped=_helped(record), language=language)
            left -= estimate_tokens(line.text)
            if left >= 0 and line.text not in request:
                lines.append(line)
        return lines

    def _runs(self, within: str) -> list[str]:
        """The earlier runs that are like this one."""
        goal, asked = next(iter(self._asked), ""), "\n".join([*self._asked, *self._calls])[-2 * _MOST_ASKED :]
        if self._found[0] != asked:
            self._found = asked, runs_like(goal, asked, self._experience.runs(within, without=self.run), k=_RUNS)
        return self._found[1]

    def _read_run(self, within: str, run: str) -> _EarlierRun:
        if run not in self._earlier:
            records = self._experience.records_of(within, run)
            steps = {each.id: RunStep.of(each) for each in records if each.metadata.get("kind") == "step"}
            readable = {name: step for name, step in steps.items() if step is not None}
            insights = [each for each in records if each.metadata.get("kind") == "insight"]
            self._earlier[run] = _EarlierRun(readable, insights)
        return self._earlier[run]

    def _within(self, bank: MemoryBank) -> str:
        """The namespace of this run's user and agent; "" where nobody is named."""
        user = self._experience.user_of(bank)
        if not user and not self._warned:
            self._warned = True
            _log.warning("experience is neither kept nor told: nobody is named; give a scope or Experience(user=…)")
        return self._experience.namespace(user, self._agent) if user else ""

    def __call__(self, event: BankEvent) -> None:
        """Forget here what the bank forgets."""
        if event.kind is EventKind.ENTRY_FORGOTTEN:
            for entry in event.ids:
                self._experience.forget(self.run, entry)


def _helped(record: MemoryRecord) -> int:
    """How many runs a conclusion has helped."""
    names = record.metadata.get("helped")
    return len(names) if isinstance(names, list) else 0


def runs_like(goal: str, asked: str, runs: Sequence[MemoryRecord], *, k: int) -> list[str]:
    """The codes of at most `k` runs, best first, of equals the newest; `asked` is all that is said and called so far.

    `runs` are records whose first line is the goal, and whose others are what was said and called.
    """
    named, words = identifiers(f"{goal}\n{asked}"), set(index_tokens(goal))
    shared = [identifiers(run.content) & named for run in runs]
    held = Counter(one for each in shared for one in each)
    most = max(1, len(runs) // _RARE)
    scores: list[tuple[float, int, str]] = []
    for number, run in enumerate(runs):
        rare = sum(log((len(runs) + 1) / held[one]) for one in shared[number] if held[one] <= most)
        score = rare + _goal_likeness(words, set(index_tokens(run.content.split("\n", 1)[0])))
        if score > 0:
            scores.append((score, number, str(run.metadata["run"])))
    best = max(scores, default=(0.0, 0, ""))[0]
    return [run for score, _, run in sorted(scores, reverse=True) if score >= _BESIDE * best][:k]


def _goal_likeness(words: set[str], others: set[str]) -> float:
    """The share of words that two goals have in common, 0 below what makes them one."""
    share = len(words & others) / max(len(words), len(others), 1)
    return share if share >= _SAME_GOAL else 0.0
