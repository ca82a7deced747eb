"""A node made anew from the raw text it still stands on."""

from __future__ import annotations

from amb_core.agent_io import StructureRequest
from amb_core.memory.agent_calls import AgentCalls
from amb_core.memory.digestion import embedding_of
from amb_core.models import QueryNode
from amb_core.protocols import Embedder
from amb_core.text import keywords, sentences

__all__ = ["remade"]


def remade(node: QueryNode, content: str, *, calls: AgentCalls, embedder: Embedder | None) -> QueryNode:
    """The node with summary, topic, keywords and embedding made from `content` alone, and no longer stale."""
    words = keywords(content)
    summary = calls.structure(StructureRequest(content=content, keywords=words)).summary
    topic = next(iter(sentences(summary)), "")
    fresh = node.model_copy(
        update={"summary": summary, "context": topic, "keywords": words, "links": (), "stale": False}
    )
    [vector] = embedding_of(embedder, [fresh.indexed_text])
    return fresh.model_copy(update={"embedding": vector})
