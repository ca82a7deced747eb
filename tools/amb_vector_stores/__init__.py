"""Record stores in vector databases, found by the scheme of their URLs: qdrant:///, qdrant+http://, chroma:///.

qdrant_store.py   Qdrant, in a folder or on a server, with qdrant_collection.py and qdrant_engine.py
chroma_store.py   Chroma, in a folder, with chroma_collection.py, chroma_engine.py, chroma_rows.py
point_store.py    what these two share, over point_engine.py, points.py and point_changes.py
"""

from typing import TYPE_CHECKING

from amb_core.deferred import deferred

if TYPE_CHECKING:
    from amb_vector_stores.chroma_store import ChromaStore
    from amb_vector_stores.qdrant_store import QdrantStore

__all__ = ["ChromaStore", "QdrantStore"]

__getattr__ = deferred(__name__, {"ChromaStore": "chroma_store", "QdrantStore": "qdrant_store"})
