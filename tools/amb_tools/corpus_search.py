"""Search and reading in a folder of files: no network, no key."""

from __future__ import annotations

import threading
from pathlib import Path
from urllib.parse import unquote

from amb_tools.corpus import Document, Piece, pieces, read_corpus
from amb_tools.pages import Page, SearchHit
from amb_tools.passages import PieceIndex
from amb_tools.tool_errors import FetchFailed

__all__ = ["CorpusSearch"]

_SNIPPET = 300
_SCHEME = "corpus:"


class CorpusSearch:
    """Text, Markdown, CSV, HTML and PDF files under `path`, as a search backend and as a reader of what it finds.

    Links are the names of the files with `corpus:` before them. Raises UnreadableSource when nothing can be read.
    """

    def __init__(self, path: str | Path, *, piece_chars: int = 1_000) -> None:
        documents = read_corpus(path)
        self._documents: dict[str, Document] = {document.name: document for document in documents}
        self._index = PieceIndex(documents, max_chars=piece_chars)
        self._lock = threading.Lock()

    def search(self, query: str, *, k: int) -> list[SearchHit]:
        """The best pieces, no two of one file as long as there are others."""
        with self._lock:
            found = [self._index.pieces[number] for number in self._index.search(query, k=4 * k)]
        first: dict[str, Piece] = {}
        for piece in found:
            first.setdefault(piece.document, piece)
        others = [piece for piece in found if first[piece.document] is not piece]
        return [self._hit(piece) for piece in [*first.values(), *others][:k]]

    def read(self, url: str) -> Page:
        """A whole file by its link or name."""
        name = unquote(url.strip().removeprefix(_SCHEME)).partition("#")[0]
        document = self._documents.get(name)
        if document is None:
            near = [known for known in self._documents if Path(known).name == Path(name).name] or list(self._documents)
            raise FetchFailed(f"there is no {name[:120]!r} in the corpus; there are {', '.join(near[:8])}.")
        title = next((piece.title for piece in pieces(document) if piece.title), "")
        return Page(_SCHEME + name, document.text, title.split(" › ")[0], media_type="text/plain")

    def _hit(self, piece: Piece) -> SearchHit:
        text = " ".join(piece.text.split())
        snippet = text if len(text) <= _SNIPPET else f"{text[:_SNIPPET].rstrip()} …"
        return SearchHit(piece.title or piece.document, _SCHEME + piece.document, snippet)
