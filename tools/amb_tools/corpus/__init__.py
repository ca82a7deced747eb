"""Text collections read from files, and cut into pieces an agent can read one by one.

documents.py        files as text
document_pieces.py  a document in pieces, each under its headings
sentences.py        a document in sentences, each with what it stands under
kept_corpus.py      a folder as an index of sentences that is kept
"""

from __future__ import annotations

from amb_tools.corpus.document_pieces import Piece, pieces
from amb_tools.corpus.documents import Document, read_corpus

__all__ = ["Document", "Piece", "pieces", "read_corpus"]
