"""Fills a memory with what recorded agents read."""

from __future__ import annotations

from collections.abc import Sequence

from amb_core import ContextAdapter, MemoryBank
from amb_replay.recorded_run import RecordedRun
from amb_replay.trace import Trace

__all__ = ["fill_bank"]


def fill_bank(traces: Sequence[Trace], url: str) -> int:
    """Take the tool results of all traces into a new memory at this store, each trace as a run; says how many.

    The goal is that of the first trace. Raises InvalidInput when the store holds a task already.
    """
    taken = 0
    with MemoryBank(RecordedRun(traces[0]).goal, store=url) as bank:
        for trace in traces:
            adapter = ContextAdapter(bank, run=trace.id, sharing=True)
            taken += len(adapter.intercept_context(list(trace.messages)).reports)
    return taken
