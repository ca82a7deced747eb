"""Two things said one after the other, and messages to a supervisor: what becomes of them, beside what should."""

from __future__ import annotations

import json
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import Any

from amb_bench.longterm_sessions import known_facts
from amb_bench.tables import Table
from amb_core.clock import ManualClock
from amb_core.protocols import Embedder
from amb_longterm import LongTermMemory
from amb_longterm.routing import route

__all__ = ["neighbour_table", "pair_table", "routing_table"]

_FOLDER = Path(__file__).parent
_HALVES = (("en", "development"), ("en", "held-out"), ("zh", "development"), ("zh", "held-out"))
_KEPT_AS = {"skipped": "merged", "updated": "conflict", "inserted": "different"}
_SHOULD = {"merged": "the same in other words", "conflict": "another value", "different": "something else"}


def pair_table(embedder: Embedder | None = None) -> Table:
    """Of pairs written one after the other as preferences: how many were joined, replaced, kept apart.

    What was replaced counts only if both versions are on record.
    """
    counts: Counter[tuple[str, str, str, str]] = Counter()
    with LongTermMemory("memory://", embedder=embedder, clock=ManualClock(1_750_000_000, step=1)) as memory:
        for number, row in enumerate(_rows("paraphrase_pairs.jsonl")):
            counts[row["language"], row["half"], row["expected"], _became(row, f"user_profile/p{number}", memory)] += 1
    rows = []
    for expected, should in _SHOULD.items():
        for language, half in _HALVES:
            found = [counts[language, half, expected, kept] for kept in _SHOULD]
            rows.append((f"{should}: {language}, {half}", *map(str, (sum(found), *found))))
    title = "pairs said one after the other"
    return Table(title, ("should be", "pairs", "joined", "replaced, with history", "kept apart"), tuple(rows))


def _became(row: dict[str, Any], namespace: str, memory: LongTermMemory) -> str:
    metadata = {"type": "user-profile"}
    memory.write(row["old"], namespace=namespace, metadata=metadata)
    written = memory.write(row["new"], namespace=namespace, metadata=metadata)
    kept = _KEPT_AS[written.status]
    if kept == "conflict":
        versions = [each.content for each in memory.history(written.id, namespace=namespace)]
        kept = kept if row["old"] in versions and versions[-1] == row["new"] else "merged"
    return kept


def neighbour_table(embedder: Embedder | None = None) -> Table:
    """Of records about different matters, written into one namespace: how many stayed apart."""
    groups = {
        f"preferences, definitions, queries, paths: {half}": [
            row["record"] for row in _rows("preference_queries.jsonl") if "record" in row and row["half"] == half
        ]
        for half in ("development", "held-out")
    }
    groups |= {"facts of a shop, English": [*known_facts("en")], "facts of a shop, Chinese": [*known_facts("zh")]}
    rows = []
    with LongTermMemory("memory://", embedder=embedder, clock=ManualClock(1_750_000_000, step=1)) as memory:
        for number, (name, texts) in enumerate(groups.items()):
            written = [memory.write(text, namespace=f"domain_facts/n{number}") for text in texts]
            found = Counter(each.status for each in written)
            conflicts, others = found["updated"], found["skipped"]
            rows.append((name, *map(str, (len(texts), found["inserted"], conflicts, others))))
    title = "records of different matters in one namespace"
    return Table(title, ("records", "number", "kept apart", "replaced", "joined"), tuple(rows))


def routing_table() -> Table:
    """Of messages to a supervisor: how many were rightly read or not read for, and kept in the right place or not."""
    rows = []
    for language, half in _HALVES:
        found = [row for row in _rows("routing_messages.jsonl") if (row["language"], row["half"]) == (language, half)]
        routes = [(route(row["text"], user="u1"), row) for row in found]
        read = sum(got.should_read == row["read"] for got, row in routes)
        kept = sum(sorted(kind.value for kind in got.writes.values()) == sorted(row["write"]) for got, row in routes)
        rows.append((f"{language}, {half}", *map(str, (len(found), read, kept))))
    return Table("routing by words alone", ("messages", "number", "reading right", "writing right"), tuple(rows))


@lru_cache(maxsize=4)
def _rows(name: str) -> tuple[dict[str, Any], ...]:
    return tuple(json.loads(line) for line in (_FOLDER / name).read_text(encoding="utf-8").splitlines())
