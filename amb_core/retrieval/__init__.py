"""Finding by words: lexical.py, an incremental inverted index (BM25).

Names and turns around a text, and vectors, are in `amb_retrieval`.
"""

from typing import TYPE_CHECKING

from amb_core.deferred import deferred

if TYPE_CHECKING:
    from amb_core.retrieval.lexical import LexicalIndex, Packed
    from amb_retrieval import IndexedText, MentionIndex, NameLink

__all__ = [
    "IndexedText",
    "LexicalIndex",
    "MentionIndex",
    "NameLink",
    "Packed",
]

_HOMES = {
    "LexicalIndex": "lexical",
    "Packed": "lexical",
    "ApproximateIndex": ":hnsw",
    **dict.fromkeys(("DenseIndex", "HybridIndex", "IndexedText", "MentionIndex", "NameLink"), "/amb_retrieval"),
}
__getattr__ = deferred(__name__, _HOMES)
