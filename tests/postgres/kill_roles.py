"""Processes that a test kills: they write, read, digest or migrate, and say what they have done, a line each.

This one has all of AMB loaded and forks for each line of JSON it is told, a list of FILE (where the child says it),
ROLE, URL, NAME, FIRST and MOST; it answers with the child's number. NAME begins with the tenant, as do its texts.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
import traceback

from amb_core import MemoryBank, Settings, ToolResult
from amb_core.memory.snapshots import damage
from amb_core.models import EntryState
from amb_core.protocols import Changed
from amb_core.stores import open_store
from amb_postgres.digest_worker import DigestWorker
from amb_postgres.postgres_store import PostgresStore


def main() -> None:
    """Take orders until there are no more."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        child = os.fork()
        if not child:
            live(*json.loads(line))
        print(child, flush=True)


def live(file: str, role: str, url: str, name: str, first: int, most: int) -> None:
    """Play a role to its end, in a process of its own."""
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND), 1)
    try:
        play(role, url, name, range(first, most))
        say("done")
    except BaseException:  # noqa: BLE001 - whatever it is, the test has to learn of it
        say("fault: " + traceback.format_exc().replace("\n", " | "))
    finally:
        os._exit(0)


def end_with(parent: int) -> None:
    """Nobody is left behind by a test that was itself ended."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def ready(numbers: range) -> None:
    """Say so; who works until it is killed leaves the machine to the one who kills."""
    say("ready")
    if len(numbers) > 100_000:
        os.nice(10)


def play(role: str, url: str, name: str, numbers: range) -> None:
    """Play one role until it is done, or killed."""
    if role == "migrate":
        ready(numbers)
        open_store(url).close()
    elif role == "digest":
        worker = DigestWorker(url)
        ready(numbers)
        worker.run(threading.Event(), pause=0.02)
    elif role == "read":
        read(url, name, numbers)
    else:
        write(url, name, numbers, digests="worker" if role == "write raw" else "here")


def write(url: str, name: str, numbers: range, *, digests: str) -> None:
    """Take in one text after the other; a number is said when its text was acknowledged."""
    bank = MemoryBank.resume(url, settings=Settings(digests=digests))
    ready(numbers)
    for number in numbers:
        call = f"{name}-{number}"
        bank.absorb(ToolResult(tool="read", call_id=call, output=f"{name.partition('-')[0]}: buoy {call} is out."))
        say(str(number))


def read(url: str, name: str, numbers: range) -> None:
    """Look at a bank again and again, in memory and in the tables; what is not whole, or another's, is said."""
    bank, store, tenant = MemoryBank.resume(url), PostgresStore(url), name.partition("-")[0]
    ready(numbers)
    for _ in numbers:
        held = bank.snapshot()
        broken = damage(held)
        if broken is not None:
            say(f"fault: the bank is damaged: {broken}")
        if any(not entry.text.startswith(tenant) for entry in held.entries):
            say("fault: another tenant's text is in the bank")
        changed = store.changes_after(0, prefix="task/")
        if changed is not None and (half := half_made(changed)):
            say(f"fault: {half} is half made in the tables")
        if store._space.ask("SELECT DISTINCT tenant FROM amb.records", ()) != [(tenant,)]:
            say("fault: another tenant's rows are seen")


def half_made(changed: Changed) -> str:
    """What lacks a part, among all records of a bank as one moment shows them; "" for nothing."""
    kinds: dict[str, dict[str, dict[str, object]]] = {"entry": {}, "digestion": {}, "node": {}}
    for record in changed.records:
        kinds.setdefault(record.namespace.removeprefix("task/"), {})[record.id] = dict(record.data)
    if kinds["entry"].keys() != kinds["digestion"].keys():
        return str(sorted(kinds["entry"].keys() ^ kinds["digestion"].keys()))
    for key, digestion in kinds["digestion"].items():
        nodes = digestion["node_ids"]
        assert isinstance(nodes, list)
        if digestion["state"] == EntryState.DONE and not (nodes and kinds["node"].keys() >= set(nodes)):
            return key
    return ""


def say(line: str) -> None:
    """One line, at once."""
    print(line, flush=True)


if __name__ == "__main__":
    main()
