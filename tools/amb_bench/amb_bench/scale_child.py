"""One process of the scale bench: it writes notes into banks, asks them questions, or watches another one write."""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from typing import Any

from amb_core.bank import MemoryBank
from amb_core.errors import InvalidInput
from amb_core.models import ToolResult
from amb_core.protocols import Record
from amb_core.stores import open_store
from amb_longterm import LongTermMemory, LongTermSettings

__all__ = ["NAMESPACE", "main", "note"]

NAMESPACE = "user_profile/u1"
"""The namespace of the one large memory."""
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
    banks = [_opened(url) for url in told.get("urls", ())]
    if "visits" in told or "notes" in told:
        _load_everything()
    print("ready", flush=True)
    sys.stdin.readline()
    match told:
        case {"watch": most}:
            said: object = _watched(banks[0], most)
        case {"visits": _}:
            said = _visited(told)
        case {"copies": _}:
            said = _copied(told)
        case {"memory": _}:
            said = _asked(told)
        case _:
            said = _worked(banks, told)
    print(json.dumps(said), flush=True)
    for bank in banks:
        bank.close()
    return 0


def _opened(url: str) -> MemoryBank:
    try:
        return MemoryBank.resume(url)
    except InvalidInput:
        return MemoryBank(_GOAL, store=url)


def _load_everything() -> None:
    """What loads at its first use, so that the first bank of a run is opened like the others."""
    with MemoryBank(_GOAL) as bank:
        bank.absorb(ToolResult(tool="log", output=note(0)))
        bank.recall("What is the key of station 0?")


def _peak() -> float:
    """The most memory this process had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


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
    return {"writes": writes, "recalls": recalls, "found": found, "memory": _peak()}


def _watched(bank: MemoryBank, most: int) -> list[float]:
    """The times at which this process first saw one more note, until there are so many."""
    seen, times, until = bank.size.nodes, list[float](), time.monotonic() + 60
    while len(times) < most and time.monotonic() < until:
        notes = bank.size.nodes
        times += [time.time()] * (notes - seen)
        seen = notes
        time.sleep(0.005)
    return times


def _visited(told: dict[str, Any]) -> dict[str, Any]:
    """Open banks that are there, ask each some questions, write into it, and close it."""
    opened, computed, writes, recalls, found = [], [], [], [], 0
    for visit, (url, mark) in enumerate(told["visits"]):
        began, before = time.perf_counter(), time.process_time()
        bank = MemoryBank.resume(url)
        opened.append(time.perf_counter() - began)
        computed.append(time.process_time() - before)
        for step in range(int(told["recalls"])):
            number = (visit * 7919 + step * 104_729) % int(told["notes"])
            began = time.perf_counter()
            found += f"{mark}{number:03}" in bank.recall(f"What is the key of station {number}?").text
            recalls.append(time.perf_counter() - began)
        for step in range(int(told["writes"])):
            number = int(told["first"]) + visit * 100 + step
            began = time.perf_counter()
            bank.absorb(ToolResult(tool="log", call_id=f"w{number}", output=note(number)))
            writes.append(time.perf_counter() - began)
        bank.close(keep=True)
    times = {"opened": opened, "computed": computed, "writes": writes, "recalls": recalls}
    return {**times, "found": found, "memory": _peak()}


def _copied(told: dict[str, Any]) -> int:
    """Put the records of a bank into spaces that lack them, the keys in them changed, a transaction each."""
    with open(told["template"], encoding="utf-8") as file:
        text, copied = file.read(), 0
    for url, mark in told["copies"]:
        with closing(open_store(url)) as store:
            if store.get("bench", "whole") is not None:
                continue
            changed = text.replace("K0000", mark).replace("k0000", mark.lower())
            records = [Record(*each) for each in json.loads(changed)]
            with store.transaction():
                store.put(records)
                store.put([Record("bench", "whole", {})])
            copied += len(records)
    return copied


def _asked(told: dict[str, Any]) -> dict[str, Any]:
    """Ask one large long-term memory, and write into it what is new and what it has."""
    settings = LongTermSettings(most_loaded=told["most_loaded"], top_k=5)
    said: dict[str, Any] = {"recalls": [], "found": 0, "writes": [], "computed": [], "known": 0}
    with LongTermMemory(told["memory"], embedder=told["embedder"], settings=settings) as memory:
        began, before = time.perf_counter(), time.process_time()
        memory.search("Which station is the first?", namespace=NAMESPACE)
        said["first"], said["first computed"] = time.perf_counter() - began, time.process_time() - before
        for number in told["numbers"]:
            began = time.perf_counter()
            hits = memory.search(f"What is the key of station {number}?", namespace=NAMESPACE)
            said["recalls"].append(time.perf_counter() - began)
            said["found"] += any(f"K{number:07}" in hit.content for hit in hits)
        for number in range(told["fresh"], told["fresh"] + told["new"]):
            began, before = time.perf_counter(), time.process_time()
            memory.write(note(number), namespace=NAMESPACE)
            said["writes"].append(time.perf_counter() - began)
            said["computed"].append(time.process_time() - before)
        for number in told.get("repeats", ()):
            said["known"] += memory.write(note(number), namespace=NAMESPACE).status == "skipped"
        said["memory"] = _peak()
    return said


if __name__ == "__main__":
    sys.exit(main())
