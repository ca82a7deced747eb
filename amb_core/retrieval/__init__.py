"""Ranking: an incremental inverted index, a vector matrix and name links, joined in one hybrid index.

hybrid.py         an index of notes or records, with ranking.py: one ranked list for a query
lexical.py        by words (BM25); dense.py: by vectors
surroundings.py   by what stands around a text: names that lead to it (mention_index.py), turns beside it
indexed_text.py   what a note hands to the index
kept_index.py     the whole index in a file beside the store
"""

from amb_core.deferred import deferred
from amb_core.retrieval.dense import DenseIndex
from amb_core.retrieval.hybrid import HybridIndex
from amb_core.retrieval.indexed_text import IndexedText
from amb_core.retrieval.kept_index import Packed
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
