"""`amb bench experience`: does a later run of a task have before its calls what an earlier run of it has read?

Traces of one agent that did the same tasks several times: trial 0 is kept, the others are replayed. Counted are strings
(identifiers, figures, dates, names) that a call uses, that no user gave, and that stood in the calls and results of
trial 0. *Next*: of the next call, in the whole prompt. *Unread*: those of them that the run has not read itself.
*Ahead*: of all calls to come, not read yet. *Stale*: values of a call that this run has made too, with another result.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from amb_bench.benches import BenchOptions
from amb_bench.datasets import data_folder
from amb_bench.tables import Table
from amb_bench.traces_questions import Evidence, TurnPassages
from amb_core import ContextAdapter, MemoryBank
from amb_core.errors import UnreadableSource
from amb_core.rendering.labels import EXPERIENCE_OPEN
from amb_core.scope import Scope
from amb_experience import Experience
from amb_replay.later_use import strings_in
from amb_replay.recorded_run import calls_in, message_text

__all__ = ["Trial", "read_trials", "tables"]

_BUDGET = 1_000
_QUICK = 4
_ARMS = ("no experience", "AMB experience", "BM25 passages")
_USER = Scope(user="clerk")
_NEEDS_NOTHING = Evidence(frozenset(), frozenset())
_Message = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Trial:
    """One run of a task."""

    task: str
    number: int
    messages: Sequence[_Message]

    @property
    def goal(self) -> str:
        """What the user said first."""
        return next(str(each["content"]) for each in self.messages if each["role"] == "user")

    def said(self, *roles: str, before: int | None = None) -> str:
        """The text of messages of some roles (all without any), before a place."""
        texts = (message_text(each) for each in self.messages[:before] if not roles or each["role"] in roles)
        return "\n".join(texts)

    def used(self, at: int) -> set[str]:
        """The strings in the values of the arguments of the calls that a message makes."""
        calls = [json.loads(str(call.get("arguments") or "{}")) for _, call in calls_in(self.messages[at])]
        return strings_in("\n".join(_values(calls)))

    def read(self, before: int | None = None) -> dict[str, str]:
        """The newest result of each call."""
        calls = {key: call for each in self.messages[:before] for key, call in calls_in(each)}
        results = (each for each in self.messages[:before] if each["role"] == "tool")
        return {
            f"{calls[key].get('name')} {calls[key].get('arguments')}": str(each["content"])
            for each in results
            if (key := str(each.get("tool_call_id"))) in calls
        }


@dataclass(slots=True)
class _Counts:
    all: Counter[str] = field(default_factory=Counter)
    shown: Counter[str] = field(default_factory=Counter)
    stale: int = 0
    unmarked: int = 0

    def add(self, kind: str, wanted: set[str], text: str) -> None:
        self.all[kind] += len(wanted)
        self.shown[kind] += len(wanted & strings_in(text))

    def cells(self) -> tuple[str | float, ...]:
        """The share of each kind in per cent with its number, and what was stale."""
        shares = (f"{100 * self.shown[kind] / max(n, 1):.1f} (n={n:,})" for kind, n in self.all.items())
        return (*shares, self.stale, self.unmarked)


def _values(value: object) -> Iterator[str]:
    """Every value in data; the names of fields are the tool's."""
    if isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _values(one)
    elif value is not None and not isinstance(value, bool):
        yield str(value)


def read_trials(options: BenchOptions) -> list[Trial]:
    """The runs of every file `traces/*trials*.jsonl`; UnreadableSource where there is none."""
    place = data_folder(options.data) / "traces"
    rows = [json.loads(line) for file in sorted(place.glob("*trials*.jsonl")) for line in file.open(encoding="utf-8")]
    if not rows:
        raise UnreadableSource(f"no traces of several trials in {place}: AMB_DATA names the folder above traces")
    return [Trial(str(row["task"]), int(row["trial"]), row["messages"]) for row in rows]


def tables(options: BenchOptions) -> Iterator[Table]:
    """What is there before calls, with the earlier run of the task alone in memory, and among those of all tasks."""
    tasks: defaultdict[str, list[Trial]] = defaultdict(list)
    for trial in read_trials(options):
        tasks[trial.task].append(trial)
    chosen = [
        sorted(one, key=lambda each: each.number) for one in [*tasks.values()][: _QUICK if options.quick else None]
    ]
    yield _table("the earlier run of the task alone", [[one] for one in chosen])
    yield _table("earlier runs of all tasks, of one user", [chosen])


def _table(name: str, groups: Sequence[Sequence[Sequence[Trial]]]) -> Table:
    """One memory for each group of tasks, each given as its trials."""
    counts = {arm: _Counts() for arm in _ARMS}
    for group in groups:
        with Experience(user="", budget_tokens=_BUDGET) as experience:
            first = [trials[0] for trials in group]
            for trial in first:
                _play(trial, experience, lambda at, prompt: None, keeps=True)
            passages = TurnPassages(dict(enumerate(one.said("tool", "assistant") for one in first)))
            for trials in group:
                for trial in trials[1:]:
                    _play(trial, experience, _probe(trial, trials[0], passages, counts))
    runs = sum(len(trials) - 1 for group in groups for trials in group)
    head = ("arm", "next, %", "unread, %", "ahead, %", "stale", "unmarked")
    rows = tuple((arm, *counts[arm].cells()) for arm in _ARMS)
    return Table(f"{name}: {runs} later runs, at most {_BUDGET:,} tokens", head, rows, name=f"experience {name}")


def _play(
    trial: Trial, experience: Experience, probe: Callable[[int, Sequence[_Message]], None], *, keeps: bool = False
) -> None:
    """Replay a run; `probe` is given each prompt before a message of the agent."""
    bank = MemoryBank(trial.goal)
    adapter = ContextAdapter(bank, scope=_USER, experience=experience)
    for at, message in enumerate(trial.messages):
        if message["role"] == "assistant":
            probe(at, adapter.next_request(trial.messages[:at]))
    adapter.intercept_context(trial.messages)
    bank.close(keep=None if keeps else False)


def _probe(
    trial: Trial, first: Trial, passages: TurnPassages, counts: Mapping[str, _Counts]
) -> Callable[[int, Sequence[_Message]], None]:
    """Counts, before a message of the agent, what each arm's prompt holds."""
    calls = [json.dumps([call for _, call in calls_in(each)], ensure_ascii=False) for each in first.messages]
    known = strings_in("\n".join([first.said("tool"), *calls]).replace('\\"', '"'))
    users = strings_in(trial.said("user", "system"))
    old = first.read()
    once = Counter(one for output in old.values() for one in strings_in(output))

    def probe(at: int, prompt: Sequence[_Message]) -> None:
        so_far = trial.said(before=at)
        read, anew = strings_in(so_far), trial.read(at)
        wanted = (trial.used(at) & known) - users
        later = set().union(*(trial.used(number) for number in range(at, len(trial.messages))))
        told = "\n".join(message_text(each) for each in prompt if EXPERIENCE_OPEN in message_text(each))
        query = "\n".join([trial.said("user", before=at)[-2_000:], so_far[-1_000:]])
        blocks = ("", told, passages.by_words(query, _BUDGET, _NEEDS_NOTHING))
        whole = "\n".join(map(message_text, prompt))
        differ = {call for call in old.keys() & anew.keys() if old[call] != anew[call]}
        stale = {one for call in differ for one in strings_in(old[call]) if once[one] == 1} - read
        for arm, block in zip(_ARMS, blocks, strict=True):
            count = counts[arm]
            count.add("next", wanted, whole if arm == _ARMS[1] else f"{so_far}\n{block}")
            count.add("unread", wanted - read, block)
            count.add("ahead", (later & known) - users - read, block)
            lines = [line for line in block.split("\n") if stale & strings_in(line)]
            count.stale += len(stale & strings_in("\n".join(lines)))
            count.unmarked += sum(not line.startswith("as of ") for line in lines)

    return probe
