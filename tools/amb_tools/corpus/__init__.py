"""Text collections read from files, and cut into pieces an agent can read one by one."""

from __future__ import annotations

from amb_tools.corpus.document_pieces import Piece, pieces
from amb_tools.corpus.documents import Document, read_corpus

__all__ = ["Document", "Piece", "pieces", "read_corpus"]
