"""The pieces of some documents, by number, found by words."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from amb_core.protocols import Query
from amb_core.retrieval import HybridIndex, IndexedText
from amb_tools.corpus import Document, Piece, pieces

__all__ = ["PieceIndex"]

_RELEVANT = 0.2
"""A piece that scores below this share of the best one says little about the query."""


class PieceIndex:
    """Documents in pieces of at most `max_chars` characters; a piece is also found by the name of its document."""

    def __init__(self, documents: Sequence[Document], *, max_chars: int) -> None:
        self.pieces: list[Piece] = [piece for document in documents for piece in pieces(document, max_chars=max_chars)]
        self._index = HybridIndex(exact=True)
        for number, piece in enumerate(self.pieces):
            self._index.put(IndexedText(id=str(number), text=f"{piece.document}\n{piece.titled}"))

    def search(self, query: str, *, k: int, not_in: Collection[str] = ()) -> list[int]:
        """Numbers of the relevant pieces, best first, without those of the documents `not_in`."""
        exclude = {str(number) for number, piece in enumerate(self.pieces) if piece.document in not_in}
        hits = self._index.search(Query(text=query, k=k, exclude=exclude))
        return [int(hit.id) for hit in hits if hit.score >= _RELEVANT]
