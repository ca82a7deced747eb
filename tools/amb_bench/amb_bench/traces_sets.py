"""Recorded runs of real agents, by set; the data is never part of this package."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from typing import Any

from amb_bench.datasets import data_folder
from amb_core.errors import UnreadableSource
from amb_replay.recorded_run import message_text
from amb_replay.trace import Trace

__all__ = ["QUICK_CHARS", "RecordedTrace", "TraceSet", "begun", "load_sets", "sampled"]

QUICK_CHARS = 200_000
"""Characters of the largest trace of a quick sample."""
_SMALL = ("tau", "sql", "gaming")
"""Sets of short results, which are measured at half the budget."""


@dataclass(frozen=True, slots=True)
class RecordedTrace:
    """A trace with the expert questions about it, where its set has any, and the domain they are grouped by."""

    trace: Trace
    questions: tuple[Mapping[str, str], ...] = ()

    @property
    def chars(self) -> int:
        """Characters of all messages."""
        return sum(len(message_text(message)) for message in self.trace.messages)


@dataclass(frozen=True, slots=True)
class TraceSet:
    """The traces of one file, and the tight budget and block they are measured at."""

    name: str
    traces: tuple[RecordedTrace, ...]

    @property
    def budget(self) -> int:
        """Tokens of a request in the tight setting."""
        return 4_000 if self._small else 8_000

    @property
    def block(self) -> int:
        """Tokens of a block in the tight setting."""
        return 800 if self._small else 1_200

    @property
    def _small(self) -> bool:
        return any(word in self.name for word in _SMALL)


def load_sets(folder: Path | None, *, names: Sequence[str] = ()) -> Iterator[TraceSet]:
    """The sets whose names hold one of `names`, by default all but further trials of the same tasks.

    Raises UnreadableSource where there are none, or a file cannot be read.
    """
    place = data_folder(folder) / "traces"
    files = sorted(place.glob("*.jsonl"))
    if not files:
        raise UnreadableSource(f"no traces in {place}: AMB_DATA names the folder that holds traces/*.jsonl")
    for file in files:
        asked = any(name in file.stem for name in names) if names else True
        if asked and ("trials" not in file.stem or any("trials" in name for name in names)):
            yield TraceSet(file.stem, tuple(_traces(file)))


def _traces(file: Path) -> Iterator[RecordedTrace]:
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                row: dict[str, Any] = json.loads(line)
                trace = Trace(str(row["id"]), tuple(row["messages"]), format="openai-chat")
            except (ValueError, KeyError) as error:
                raise UnreadableSource(f"line {number} of {file} is no trace ({error}); fetch the file again") from None
            yield RecordedTrace(trace, tuple(row.get("questions") or ()))


def begun(one: RecordedTrace, chars: int) -> RecordedTrace:
    """The beginning of a trace, of about so many characters and at least a call."""
    ends = [at + 1 for at, message in enumerate(one.trace.messages) if message.get("role") == "assistant"]
    sizes = [0, *accumulate(len(message_text(message)) for message in one.trace.messages)]
    end = next((end for end in reversed(ends) if sizes[end] <= chars), ends[0] if ends else len(sizes) - 1)
    return RecordedTrace(replace(one.trace, messages=one.trace.messages[:end]), one.questions)


def sampled(traces: Sequence[RecordedTrace], *, most: int, largest: int) -> list[RecordedTrace]:
    """At most so many traces of at most so many characters, spread evenly."""
    fitting = [one for one in traces if one.chars <= largest]
    if len(fitting) <= most:
        return fitting
    return [fitting[at * len(fitting) // most] for at in range(most)]
