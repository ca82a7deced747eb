"""Embedders by name; a model's package is imported when it is opened, and only then."""

from amb_core.embedders.embedder_opener import open_embedder
from amb_core.embedders.embedding_cache import CachingEmbedder
from amb_core.embedders.hashing import HashingEmbedder

__all__ = ["CachingEmbedder", "HashingEmbedder", "open_embedder"]
