"""One ranked list for a query, by words and by vectors: for notes, records of long-term memory, teams and documents.

hybrid.py   an index of notes or records; ranking.py: how its parts are joined
dense.py    by vectors
kept_index.py  the whole index in a file beside its store

What a bank finds passages by is in `amb_core.retrieval`, and so are the words this index is made of.
"""

from amb_retrieval.dense import DenseIndex
from amb_retrieval.hybrid import HybridIndex

__all__ = ["DenseIndex", "HybridIndex"]
