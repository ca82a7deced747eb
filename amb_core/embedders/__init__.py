"""Embedders by name; a model's package is imported when it is opened, and only then."""

from amb_core.embedders.caching import CachingEmbedder
from amb_core.embedders.hashing import HashingEmbedder
from amb_core.embedders.opening import open_embedder

__all__ = ["CachingEmbedder", "HashingEmbedder", "open_embedder"]
