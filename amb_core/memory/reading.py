"""What the `deep_retrieval` tool shows a model: the raw entries behind a node, page by page."""

from __future__ import annotations

from collections.abc import Sequence

from amb_core.memory.evidence import EntryView
from amb_core.models import QueryNode, Span
from amb_core.rendering import escape
from amb_core.text import clip_tokens, estimate_tokens

__all__ = ["deep_retrieval_text"]

_LEAD = 200
"""Characters shown before the node's own passage of a long entry, for its context."""


def deep_retrieval_text(node: QueryNode, entries: Sequence[EntryView], *, budget_tokens: int, page: int) -> str:
    """One page of the entries' text, oldest first, escaped; says how to get the next page.

    A long entry is shown from a little before the node's own passage on, since that is what was asked for.
    """
    whole = "\n\n".join(_shown(entry, node.sources, budget_tokens) for entry in entries)
    head = f"{node.id}: {escape(node.context)}"
    room = max(budget_tokens - estimate_tokens(head) - 30, 20)
    rest = whole
    for _ in range(page):
        rest = rest[len(clip_tokens(rest, room)) :]
    if not rest.strip():
        return f"{head}\n(no page {page}; the last one was before it)"
    shown = clip_tokens(rest, room) or rest[:1]
    left = rest[len(shown) :]
    more = f"\n(more: page={page + 1})" if left.strip() else ""
    return f"{head}\n{shown}{more}"


def _shown(entry: EntryView, spans: Sequence[Span], budget_tokens: int) -> str:
    origin = ", ".join(
        f"{key}={entry.metadata[key]}" for key in ("tool", "source", "call_id") if entry.metadata.get(key)
    )
    text, note = entry.text, ""
    if estimate_tokens(text) > budget_tokens:
        first = min((span.start for span in spans if span.entry_id == entry.entry_id), default=0)
        start = max(first - _LEAD, 0)
        text, note = text[start:], f", from character {start} of {len(text)}" if start else ""
    attached = "".join(
        f"\n[{a.id} {a.type}] {a.problem or _readable(a.encoding, a.file_content)}" for a in entry.attachments
    )
    return f"[{entry.entry_id}] {escape(origin)}{note}\n{escape(text)}{escape(attached)}"


def _readable(encoding: str, content: str) -> str:
    return content if encoding == "text" else f"({len(content)} characters of base64; open it through the API)"
