"""Finding: an incremental inverted index, and the names and turns around a text.

lexical.py        by words (BM25)
surroundings.py   by what stands around a text: names that lead to it (mention_index.py), turns beside it
indexed_text.py   what a note hands to the index

Vectors, and words and vectors in one ranked list, are in a package of their own, `amb_retrieval`.
"""

from typing import TYPE_CHECKING

from amb_core.deferred import deferred

if TYPE_CHECKING:
    from amb_core.retrieval.indexed_text import IndexedText
    from amb_core.retrieval.lexical import LexicalIndex, Packed
    from amb_core.retrieval.mention_index import MentionIndex, NameLink

__all__ = [
    "IndexedText",
    "LexicalIndex",
    "MentionIndex",
    "NameLink",
    "Packed",
]

_HOMES = {
    "IndexedText": "indexed_text",
    "LexicalIndex": "lexical",
    "MentionIndex": "mention_index",
    "NameLink": "mention_index",
    "Packed": "lexical",
    "ApproximateIndex": ":hnsw",
    **dict.fromkeys(("DenseIndex", "HybridIndex"), "/amb_retrieval"),
}
__getattr__ = deferred(__name__, _HOMES)
