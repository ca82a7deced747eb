"""One process of the scale bench: it writes notes into banks, asks them questions, or watches another one write."""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Sequence
from typing import Any

from amb_core.bank import MemoryBank
from amb_core.errors import InvalidInput
from amb_core.models import ToolResult

__all__ = ["main", "note"]

_GOAL = "Keep the log of the stations."


def note(number: int) -> str:
    """A text of about thirty words that no other number gives."""
    return (
        f"Station {number} reported at {number % 24:02}:{number % 60:02} that pump {number * 7 % 9973} runs at "
        f"{number % 71 + 20} bar, that valve V-{number * 13 % 99991} was closed by crew {number % 37}, and that the "
        f"next inspection is due in {number % 90 + 1} days. Its key is K{number:07}."
    )


def main() -> int:
    """Do what the JSON on the command line says, and print what was measured as JSON."""
    told: dict[str, Any] = json.loads(sys.argv[1])
    banks = [_opened(url) for url in told["urls"]]
    print("ready", flush=True)
    sys.stdin.readline()
    print(json.dumps(_watched(banks[0], told["watch"]) if "watch" in told else _worked(banks, told)), flush=True)
    for bank in banks:
        bank.close()
    return 0


def _opened(url: str) -> MemoryBank:
    try:
        return MemoryBank.resume(url)
    except InvalidInput:
        return MemoryBank(_GOAL, store=url)


def _worked(banks: Sequence[MemoryBank], told: dict[str, Any]) -> dict[str, Any]:
    """Seconds of each write and each question, and the most memory this process had, in MB."""
    writes, recalls, first = [], [], int(told["first"])
    for number in range(first, first + int(told["notes"])):
        began = time.perf_counter()
        banks[number % len(banks)].absorb(ToolResult(tool="log", call_id=f"c{number}", output=note(number)))
        writes.append(time.perf_counter() - began)
    found = 0
    for number in range(first, first + int(told["recalls"])):
        began = time.perf_counter()
        found += f"K{number:07}" in banks[number % len(banks)].recall(f"What is the key of station {number}?").text
        recalls.append(time.perf_counter() - began)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"writes": writes, "recalls": recalls, "found": found, "memory": peak}


def _watched(bank: MemoryBank, most: int) -> list[float]:
    """The times at which this process first saw one more note, until there are so many."""
    seen, times, until = bank.size.nodes, list[float](), time.monotonic() + 60
    while len(times) < most and time.monotonic() < until:
        notes = bank.size.nodes
        times += [time.time()] * (notes - seen)
        seen = notes
        time.sleep(0.005)
    return times


if __name__ == "__main__":
    sys.exit(main())
