"""Facts that must all stay, updates of which the new value must come first, restatements; real messages searched."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from amb_bench.bench_metrics import recall_at
from amb_bench.datasets import Sample, load_locomo
from amb_bench.memories import IndexMemory, MeasuredMemory
from amb_bench.recipes import MixedMemory
from amb_bench.tables import Table
from amb_core.clock import ManualClock
from amb_core.errors import AmbError
from amb_core.protocols import Embedder
from amb_longterm import LongTermMemory

__all__ = ["fact_tables", "message_table"]

_FILE = Path(__file__).with_name("longterm_facts.jsonl")
_LANGUAGES = {"en": "English", "zh": "Chinese"}
_K = 5


def fact_tables(embedder: Embedder | None = None) -> Iterator[Table]:
    """Written by the authors of the rules: development figures, which say that nothing broke and no more."""
    facts, updates = [], []
    for language, name in _LANGUAGES.items():
        facts.append((name, *_facts(language, embedder)))
        updates.append((name, *_updates(language, embedder)))
    yield Table("distinct facts in one namespace", ("", "facts", "kept", "found", "found first"), tuple(facts))
    columns = ("", "updates", "new value first", "replaced, with history", "said again", "joined")
    yield Table("updates and restatements", columns, tuple(updates))


def _facts(language: str, embedder: Embedder | None) -> tuple[str, ...]:
    rows = [row for row in _rows() if row["kind"] == "fact" and row["language"] == language]
    with _opened(embedder) as memory:
        for row in rows:
            memory.write(row["text"], namespace="user_profile/u1", metadata={"type": "user-profile"})
        there = {record.content for record in memory.records("user_profile/u1")}
        hits = [[hit.content for hit in memory.search(row["asked"], namespace="user_profile/u1")] for row in rows]
    kept = sum(row["text"] in there for row in rows)
    found = sum(row["text"] in texts for row, texts in zip(rows, hits, strict=True))
    first = sum(row["text"] in texts[:1] for row, texts in zip(rows, hits, strict=True))
    return tuple(map(str, (len(rows), kept, found, first)))


def _updates(language: str, embedder: Embedder | None) -> tuple[str, ...]:
    updates = [row for row in _rows() if row["kind"] == "update" and row["language"] == language]
    again = [row for row in _rows() if row["kind"] == "restated" and row["language"] == language]
    first = replaced = joined = 0
    with _opened(embedder) as memory:
        for number, row in enumerate([*updates, *again]):
            within = f"user_profile/p{number}"
            memory.write(row["old"], namespace=within)
            status = memory.write(row["new"], namespace=within).status
            replaced += status == "updated"
            joined += row["kind"] == "restated" and status == "skipped"
            hits = memory.search(row["asked"], namespace=within) if "asked" in row else []
            first += any(row["needs"] in hit.content for hit in hits[:1])
    return tuple(map(str, (len(updates), first, replaced, len(again), joined)))


def message_table(embedder: Embedder | None = None, *, samples: int | None = None) -> Table:
    """Messages of LoCoMo written one by one, its questions, and those of another conversation, which have no answer."""
    columns = ("LoCoMo, recall of 5", "long-term memory", "the bank's index", "BM25", "silent on another's questions %")
    try:
        found = load_locomo()[:samples]
    except AmbError as error:
        return Table("messages as memories", columns, ((str(error), "–", "–", "–", "–"),))
    halves = {"even conversations (the threshold was fitted here)": found[::2], "odd conversations": found[1::2]}
    rows: tuple[tuple[str | float, ...], ...] = tuple(
        (name, *_searched(part, found, embedder)) for name, part in halves.items() if part
    )
    return Table("messages as memories", columns, rows)


def _searched(part: list[Sample], whole: list[Sample], embedder: Embedder | None) -> tuple[float, ...]:
    ours: list[float] = []
    others: dict[str, list[float]] = {"index": [], "words": []}
    silent: list[bool] = []
    for sample in part:
        peers: dict[str, MeasuredMemory] = {"index": IndexMemory(embedder=embedder), "words": MixedMemory()}
        other = whole[(whole.index(sample) + 1) % len(whole)]
        with _opened(embedder) as memory:
            by_id: dict[str, str] = {}
            for passage in sample.passages:
                by_id[memory.write(passage.text, namespace="messages/u1").id] = passage.id
                for peer in peers.values():
                    peer.absorb(passage)
            for question in sample.questions:
                hits = memory.search(question.text, namespace="messages/u1", top_k=_K)
                ours.append(recall_at([by_id[hit.id] for hit in hits], question.gold, k=_K))
                for name, peer in peers.items():
                    others[name].append(recall_at(peer.recall(question.text, k=_K), question.gold, k=_K))
            silent += [not memory.search(each.text, namespace="messages/u1") for each in other.questions]
    shares = (ours, *others.values(), [float(each) for each in silent])
    return tuple(100 * sum(each) / max(1, len(each)) for each in shares)


def _opened(embedder: Embedder | None) -> LongTermMemory:
    return LongTermMemory("memory://", embedder=embedder, clock=ManualClock(1_750_000_000, step=1), redactor=None)


@lru_cache(maxsize=1)
def _rows() -> tuple[dict[str, Any], ...]:
    return tuple(json.loads(line) for line in _FILE.read_text(encoding="utf-8").splitlines())
