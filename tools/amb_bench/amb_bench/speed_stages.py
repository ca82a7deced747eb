"""Where the time of one absorb goes, stage by stage, in English, Chinese and JSON; and whether it grows with the bank.

The clock of the processor interrupts the work about every millisecond; the innermost frame that belongs to a stage has
that millisecond. Nothing is wrapped, so what is measured is what runs.
"""

from __future__ import annotations

import gc
import re
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from statistics import median
from time import process_time
from types import FrameType
from typing import Any

from amb_bench.speed_bank import fill
from amb_bench.speed_texts import TEXTS
from amb_core.adapter import ContextAdapter
from amb_core.bank import MemoryBank
from amb_core.models import ToolResult
from amb_core.stores import InMemoryStore

__all__ = ["PREPARED", "growth_figures", "prepare_figures", "stage_figures"]

PREPARED = 1_000
"""Notes of the bank in which `prepare` is measured."""
_TICK = 0.001
_SAMPLED = 4
"""For the shares so many times the texts are absorbed as for the time: few systems tick as often as asked for."""
_WARM_UP = 8
_RECENT = 8
"""Results in the transcript that `prepare` is given, beside those of the turns measured."""
_WORD = re.compile(r"\w+")
_GOAL = "What did the plants report?"

_STAGES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), stage)
    for pattern, stage in (
        (r"amb_core/reading/", "layout"),
        (r"amb_core/text/text_spans:", "splitting"),
        (r"tools/amb_agents/local_classification:", "classification agent"),
        (r"tools/amb_agents/local_structure:", "structure agent"),
        (r"tools/amb_agents/(?:local_analysis|contradiction):", "analysis agent"),
        (r"tools/amb_agents/local_planning:", "planning agent"),
        (r"amb_core/retrieval/\w+:candidates", "relating"),
        (r"amb_core/memory/\w+:(?:candidates|views|siblings|relate|_relate)$", "relating"),
        (r"amb_core/retrieval/|amb_core/memory/query_graph:", "retrieval indexing"),
        (r"amb_core/memory/(?:interaction_tree|repeats):", "repeats"),
        (r"amb_core/stores/|amb_core/memory/journal:", "store"),
        (r"amb_core/rendering/", "rendering"),
    )
)  # fmt: skip
_REST = "the rest"


def stage_figures(*, rounds: int) -> dict[str, dict[str, float]]:
    """By language: `ms` for 1,000 characters, `floor` (counting their words) and the share of each stage in percent."""
    return {name: _of_language(text_of, rounds=rounds) for name, text_of in TEXTS.items()}


def growth_figures(*, size: int, rounds: int) -> dict[str, float]:
    """CPU milliseconds for 1,000 characters by language, in a bank that holds `size` entries."""
    store = InMemoryStore()
    fill(store, size, vectors=False)
    figures = {}
    with MemoryBank.resume(store) as bank:
        gc.collect()
        gc.freeze()
        for name, text_of in TEXTS.items():
            times, _ = _absorbed(bank, text_of, range(-_WARM_UP, rounds))
            figures[name] = 1e3 * median(times)
    gc.unfreeze()
    return figures


def prepare_figures(*, rounds: int) -> dict[str, float]:
    """CPU milliseconds of `prepare` in a bank of 1,000 notes, after a new result and once more without one."""
    store = InMemoryStore()
    fill(store, PREPARED, vectors=False)
    fresh: list[float] = []
    again: list[float] = []
    floor: list[float] = []
    with MemoryBank.resume(store) as bank:
        adapter = ContextAdapter(bank)
        messages: list[dict[str, Any]] = [{"role": "user", "content": _GOAL}]
        for number in range(rounds + _RECENT):
            text = TEXTS["English"](number)
            call = {"id": f"t{number}", "type": "function", "function": {"name": "web", "arguments": "{}"}}
            messages.append({"role": "assistant", "content": "", "tool_calls": [call]})
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": text})
            adapter.intercept_context(messages)
            for kept in (fresh, again):
                kept.append(_timed(partial(adapter.prepare, messages)))
            floor.append(_timed(partial(_count_words, *(str(message["content"]) for message in messages))))
    return {
        "floor: the words of the messages counted": 1e3 * median(floor[_RECENT:]),
        "prepare after a new result": 1e3 * median(fresh[_RECENT:]),
        "prepare once more": 1e3 * median(again[_RECENT:]),
    }


def _of_language(text_of: Callable[[int], str], *, rounds: int) -> dict[str, float]:
    found: Counter[str] = Counter()
    with MemoryBank(_GOAL) as bank:
        times, floor = _absorbed(bank, text_of, range(-_WARM_UP, rounds))
        with _sampling(found):
            _absorbed(bank, text_of, range(rounds, _SAMPLED * rounds))
    figures = {"ms": 1e3 * median(times), "floor": 1e3 * median(floor)}
    return figures | {stage: 100 * count / max(found.total(), 1) for stage, count in found.most_common()}


def _absorbed(bank: MemoryBank, text_of: Callable[[int], str], numbers: range) -> tuple[list[float], list[float]]:
    """CPU seconds for 1,000 characters of each absorb, those that warm it up left out, and of counting its words."""
    times, floor = [], []
    for number in numbers:
        text = text_of(number)
        result = ToolResult(tool="web", output=text, call_id=f"{text_of.__name__}{number}", source=f"page {number}.org")
        times.append(_timed(partial(bank.absorb, result)) * 1e3 / len(text))
        floor.append(_timed(partial(_count_words, text)) * 1e3 / len(text))
    return times[_WARM_UP:], floor[_WARM_UP:]


def _count_words(*texts: str) -> None:
    for text in texts:
        Counter(_WORD.findall(text))


def _timed(work: Callable[[], Any]) -> float:
    start = process_time()
    work()
    return process_time() - start


@contextmanager
def _sampling(found: Counter[str]) -> Iterator[None]:
    """Count, at every tick of CPU time, the stage that is at work in the main thread."""

    def look(_: int, frame: FrameType | None) -> None:
        stage = _stage_of(frame)
        if stage is not None:
            found[stage] += 1

    before = signal.signal(signal.SIGPROF, look)
    signal.setitimer(signal.ITIMER_PROF, _TICK, _TICK)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)


def _stage_of(frame: FrameType | None) -> str | None:
    """The stage of the innermost frame that belongs to one; None outside of an absorb."""
    stage, inside = None, False
    while frame is not None:
        code = frame.f_code
        if "amb_core" in code.co_filename:
            name = f"{code.co_filename.replace(chr(92), '/').removesuffix('.py')}:{code.co_name}"
            stage = stage or next((stage for pattern, stage in _STAGES if pattern.search(name)), None)
            inside = inside or name.endswith("bank:absorb")
        frame = frame.f_back
    return (stage or _REST) if inside else None
