"""What an answer cites: note ids in brackets, each with its source and how it begins."""

from __future__ import annotations

import re

from amb_core import MemoryBank, UnknownId
from amb_react.run_events import Source

__all__ = ["cited"]

_BRACKETED = re.compile(r"[\[［【〔]([^\[\]［］【】〔〕]*)(?=[\[\]［］【】〔〕])")
"""What stands behind a bracket, up to the next one: a source that is named after the id may have brackets, too."""
_ID = re.compile(r"(?<![A-Za-z0-9_])n\d+(?![A-Za-z0-9_])")
_EXCERPT = 300
"""Characters of a note's source that are quoted."""


def cited(bank: MemoryBank, text: str) -> tuple[dict[str, Source], tuple[str, ...]]:
    """The notes a text names in brackets, by the id it uses, in its order; and the ids that do not exist."""
    ids = dict.fromkeys(found for inside in _BRACKETED.findall(text) for found in _ID.findall(inside))
    sources: dict[str, Source] = {}
    for node_id in ids:
        try:
            sources[node_id] = _source_of(bank, node_id)
        except UnknownId:
            continue
    return sources, tuple(node_id for node_id in ids if node_id not in sources)


def _source_of(bank: MemoryBank, node_id: str) -> Source:
    named = (str(entry.metadata.get("source") or "") for entry in bank.deep_retrieval(node_id))
    passages = " … ".join(" ".join(text.split()) for _, text in bank.passages(node_id))
    excerpt = passages if len(passages) <= _EXCERPT else f"{passages[:_EXCERPT]}…"
    return Source(bank.node(node_id).id, "; ".join(dict.fromkeys(filter(None, named))), excerpt)
