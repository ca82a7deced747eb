"""Whose a graph on a server is: two books of one name would otherwise be one there."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from amb_book.graphs import GraphStore
from amb_core.errors import BookMismatch
from amb_core.protocols import Record, RecordStore
from amb_core.stores import InMemoryStore

__all__ = ["Claimable", "claim_for_book"]

_PLACE = ("book:mark", "book")


@runtime_checkable
class Claimable(Protocol):
    """A graph that can keep the mark of the book it belongs to."""

    def claim(self, mark: str) -> str:
        """The mark of whose graph this is: the one given, when it had none; an empty one claims nothing."""
        ...


def claim_for_book(graphs: Sequence[GraphStore], store: RecordStore, *, book: str) -> None:
    """Mark graphs as those of the book in `store`, or raise BookMismatch where one has the mark of another.

    A graph without a mark, made before there were any, becomes this book's. A book in memory has nothing to keep a mark
    in: it marks nothing, and may not use what another has marked.
    """
    marked = [graph for graph in graphs if isinstance(graph, Claimable)]
    if not marked:
        return
    mark = "" if type(store) is InMemoryStore else _mark_of(store)
    theirs = any(graph.claim("") not in ("", mark) for graph in marked)
    if theirs or any(graph.claim(mark) != mark for graph in marked):
        raise BookMismatch(
            f"the graph of the name {book!r} at this URL belongs to another book; nothing was changed. Give the folder "
            "of this book another name, or name another database in the URL. A graph whose own book is gone has to be "
            "taken out of the server first."
        )


def _mark_of(store: RecordStore) -> str:
    """The mark of a book, made the first time."""
    with store.transaction():
        found = store.get(*_PLACE)
        if found is None:
            found = Record(*_PLACE, {"mark": secrets.token_hex(16)})
            store.put([found])
        return str(found.data.get("mark", ""))
