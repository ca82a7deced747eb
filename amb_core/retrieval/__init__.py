"""Ranking: an incremental inverted index, a vector matrix and name links, joined in one hybrid index."""

from amb_core.deferred import deferred
from amb_core.retrieval.dense import DenseIndex
from amb_core.retrieval.hybrid import HybridIndex
from amb_core.retrieval.index_arrays import Packed
from amb_core.retrieval.indexed_text import IndexedText
from amb_core.retrieval.lexical import LexicalIndex
from amb_core.retrieval.mention_index import MentionIndex, NameLink

__all__ = [
    "DenseIndex",
    "HybridIndex",
    "IndexedText",
    "LexicalIndex",
    "MentionIndex",
    "NameLink",
    "Packed",
]

__getattr__ = deferred(__name__, {"ApproximateIndex": ":hnsw"})
