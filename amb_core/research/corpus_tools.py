"""A corpus behind two tools: search for pieces, read a piece."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from amb_core.corpus import Document, Piece, pieces
from amb_core.errors import InvalidInput
from amb_core.models import ToolResult
from amb_core.protocols import Query
from amb_core.retrieval import HybridIndex, IndexedText

__all__ = ["READ_TOOL", "CorpusTools"]

READ_TOOL = "read_document"
"""What a piece that was read is the result of."""

_RELEVANT = 0.2
"""A piece that scores below this share of the best one is not worth reading."""


class CorpusTools:
    """Pieces of documents by number, found by words. `max_chars` is the size of a piece in characters."""

    def __init__(self, documents: Sequence[Document], *, max_chars: int = 3_000) -> None:
        self.pieces: list[Piece] = [piece for document in documents for piece in pieces(document, max_chars=max_chars)]
        if not self.pieces:
            raise InvalidInput("the corpus holds no text; name documents that have some")
        self._index = HybridIndex()
        for number, piece in enumerate(self.pieces):
            self._index.put(IndexedText(id=str(number), text=f"{piece.document}\n{piece.titled}"))

    def __len__(self) -> int:
        return len(self.pieces)

    def search(self, query: str, *, k: int, not_in: Collection[str] = ()) -> list[int]:
        """Numbers of the relevant pieces, best first, without those of the documents `not_in`."""
        exclude = {str(number) for number, piece in enumerate(self.pieces) if piece.document in not_in}
        hits = self._index.search(Query(text=query, k=k, exclude=exclude, exact=True))
        return [int(hit.id) for hit in hits if hit.score >= _RELEVANT]

    def read(self, number: int, *, call_id: str | None = None) -> ToolResult:
        """One piece as the result of a tool call; its document is the source."""
        piece = self.pieces[number]
        return ToolResult(
            tool=READ_TOOL,
            arguments={"document": piece.document, "piece": piece.index},
            output=piece.titled,
            call_id=call_id,
            source=piece.document,
        )
