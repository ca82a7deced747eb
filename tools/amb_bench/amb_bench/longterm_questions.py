"""The same texts in AMB's long-term memory and in LangGraph's store, and the same questions to both."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, Protocol

from amb_bench.longterm_sessions import Session, Turn, known_facts, scripted_sessions
from amb_bench.tables import Table, share
from amb_core.clock import ManualClock
from amb_core.protocols import Embedder
from amb_longterm import LongTermMemory

__all__ = ["question_tables"]

_K = 5
_FILE = Path(__file__).with_name("preference_queries.jsonl")
_NOT_INSTALLED = "not installed: pip install langgraph"


class _Notes(Protocol):
    """A store with what every long-term memory has: something is kept for a user, and something is found."""

    def keep(self, user: str, text: str, *, type: str, topic: str = "") -> None: ...
    def find(self, user: str, query: str) -> list[str]: ...


class _Ours:
    """AMB's long-term memory as it comes."""

    def __init__(self, embedder: Embedder | None) -> None:
        self._memory = LongTermMemory("memory://", embedder=embedder, clock=ManualClock(1_750_000_000, step=1))

    def keep(self, user: str, text: str, *, type: str, topic: str = "") -> None:
        metadata = {"type": type} | ({"topic": topic} if topic else {})
        self._memory.write(text, namespace=f"notes/{user}", metadata=metadata)

    def find(self, user: str, query: str) -> list[str]:
        return [hit.content for hit in self._memory.search(query, namespace=f"notes/{user}", top_k=_K)]


class _LangGraph:
    """LangGraph's InMemoryStore: one item a text, and the five that its search ranks first."""

    def __init__(self, embedder: Embedder | None) -> None:
        library: Any = import_module("langgraph.store.memory")
        index = (
            None if embedder is None else {"dims": embedder.dimension, "embed": _texts(embedder), "fields": ["text"]}
        )
        self._store = library.InMemoryStore(index=index)
        self._count = 0

    def keep(self, user: str, text: str, *, type: str, topic: str = "") -> None:
        self._count += 1
        self._store.put(("notes", user), str(self._count), {"text": text})

    def find(self, user: str, query: str) -> list[str]:
        return [item.value["text"] for item in self._store.search(("notes", user), query=query, limit=_K)]


def _texts(embedder: Embedder) -> Callable[[list[str]], list[list[float]]]:
    def embed(texts: list[str]) -> list[list[float]]:
        return [row.tolist() for row in embedder.embed(texts, role="query" if len(texts) == 1 else "document")]

    return embed


def _systems(embedder: Embedder | None) -> Iterator[tuple[str, Callable[[], _Notes]]]:
    yield "AMB, words alone", lambda: _Ours(None)
    if embedder is not None:
        yield f"AMB, {embedder.model_id}", lambda: _Ours(embedder)
    yield "LangGraph InMemoryStore, no index", lambda: _LangGraph(None)
    if embedder is not None:
        yield f"LangGraph InMemoryStore, {embedder.model_id}", lambda: _LangGraph(embedder)


def question_tables(embedder: Embedder | None = None) -> Iterator[Table]:
    """The questions of the scripted sessions, and short queries over preferences and definitions."""
    columns: tuple[str, ...] = (
        *("", "shown, English", "shown, Chinese", "an older value too", "nothing, where nothing is", "texts shown"),
    )
    rows = tuple(_row(name, make, _session_figures, width=len(columns)) for name, make in _systems(embedder))
    yield Table(f"questions of the sessions, {_K} texts at most", columns, rows)
    columns = ("", "best is right", f"right among {_K}", "nothing, where nothing is", "texts shown")
    for half in ("development", "held-out"):
        rows = tuple(_row(name, make, _query_figures(half), width=len(columns)) for name, make in _systems(embedder))
        yield Table(f"queries over 24 preferences, definitions and paths, {half}", columns, rows)


def _row(
    name: str, make: Callable[[], _Notes], figures: Callable[[_Notes], tuple[str | float, ...]], *, width: int
) -> tuple[str | float, ...]:
    try:
        notes = make()
    except ImportError:
        return (f"{name} ({_NOT_INSTALLED})", *["–"] * (width - 1))
    return (name, *figures(notes))


def _session_figures(notes: _Notes) -> tuple[str | float, ...]:
    shown: Mapping[str, list[bool]] = {"en": [], "zh": []}
    older: list[bool] = []
    empty: list[bool] = []
    sizes: list[int] = []
    for session in scripted_sessions():
        if session.day < _K:  # the first session of each user
            for fact in known_facts(session.language):
                notes.keep(session.user, fact, type="domain-facts")
        for turn in session.turns:
            found = notes.find(session.user, turn.task or turn.says) if turn.kind in ("asks", "else", "idle") else []
            text = "\n".join(found).casefold()
            if turn.kind == "asks":
                shown[session.language].append(all(word.casefold() in text for word in turn.needs))
                older += [any(word.casefold() in text for word in turn.over)] if turn.over else []
                sizes.append(len(found))
            elif turn.kind in ("else", "idle"):
                empty.append(not found)
            _keep(notes, session, turn)
    counted = (share(each) for each in (*shown.values(), older, empty))
    return (*counted, sum(sizes) / len(sizes))


def _keep(notes: _Notes, session: Session, turn: Turn) -> None:
    """What was said or found out, as whoever has no routing would keep it."""
    if turn.kind in ("tells", "repeats", "changes"):
        notes.keep(session.user, turn.says, type="user-profile")
    elif turn.worker and turn.answer:
        told = "\n".join(filter(None, [turn.task, turn.answer, turn.query]))
        notes.keep(session.user, told, type="task-traces", topic=turn.task)


def _query_figures(half: Literal["development", "held-out"]) -> Callable[[_Notes], tuple[str | float, ...]]:
    def figures(notes: _Notes) -> tuple[str | float, ...]:
        rows = [row for row in _queries() if row["half"] == half]
        records = {row["id"]: row["record"] for row in rows if "record" in row}
        for text in records.values():
            notes.keep("u1", text, type="task-traces", topic=text)  # of a topic of its own: never joined
        asked = [(row["gold"], notes.find("u1", row["query"])) for row in rows if "query" in row]
        found = [({records[name] for name in gold}, hits) for gold, hits in asked if gold]
        best = [bool(gold & set(hits[:1])) for gold, hits in found]
        among = [bool(gold & set(hits)) for gold, hits in found]
        sizes = [len(hits) for _, hits in found]
        empty = [not hits for gold, hits in asked if not gold]
        return (share(best), share(among), share(empty), sum(sizes) / len(sizes))

    return figures


@lru_cache(maxsize=1)
def _queries() -> tuple[dict[str, Any], ...]:
    return tuple(json.loads(line) for line in _FILE.read_text(encoding="utf-8").splitlines())
