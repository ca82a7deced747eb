"""One ranked list for a query, by words and by vectors: for notes, records of long-term memory, teams and documents.

hybrid.py   an index of notes or records; ranking.py: how its parts are joined
dense.py    by vectors
kept_index.py  the whole index in a file beside its store
passage_chunks.py  chunks of prose among the passages of a bank, by which its questions are answered
surroundings.py    what stands around a text: names that lead to it (mention_index.py), turns beside it
indexed_text.py    what a note hands to the index

The index of words that these are made of is in `amb_core.retrieval`.
"""

from amb_retrieval.dense import DenseIndex
from amb_retrieval.hybrid import HybridIndex
from amb_retrieval.indexed_text import IndexedText
from amb_retrieval.mention_index import MentionIndex, NameLink

__all__ = ["DenseIndex", "HybridIndex", "IndexedText", "MentionIndex", "NameLink"]
