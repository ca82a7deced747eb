"""Embedders by name; those of models are in a package of their own, `amb_embedders`, as any other may be."""

from amb_core.embedders.embedder_opener import open_embedder
from amb_core.embedders.embedding_cache import CachingEmbedder
from amb_core.embedders.hashing import HashingEmbedder

__all__ = ["CachingEmbedder", "HashingEmbedder", "open_embedder"]
