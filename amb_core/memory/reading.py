"""What the `deep_retrieval` tool shows a model: the raw entries behind a node, page by page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from amb_core.memory.evidence import EntryView
from amb_core.models import QueryNode, Span
from amb_core.rendering import escape, escape_line
from amb_core.text import clip_tokens, estimate_tokens

__all__ = ["deep_retrieval_text"]

_LEAD = 200
"""Characters shown before the node's own passage of a long entry, for its context."""
_WINDOW = 40
"""Characters per token of room that one page looks ahead, so that a long text is not copied for every page."""


def deep_retrieval_text(node: QueryNode, entries: Sequence[EntryView], *, budget_tokens: int, page: int) -> str:
    """One page of the entries' text, oldest first, escaped; says how to get the next page.

    A long entry is shown from a little before the node's own passage on, since that is what was asked for. What was
    skipped comes after all the rest: over all pages every character is shown once.
    """
    whole = _in_reading_order(node.sources, entries, budget_tokens)
    head = f"{node.id}: {escape_line(node.context)}"
    room = max(budget_tokens - estimate_tokens(head) - 30, 20)
    last = -1
    for number, (start, end) in enumerate(_pages(whole, room)):
        if number == page:
            more = f"\n(more: page={page + 1})" if whole[end:].strip() else ""
            return f"{head}\n{_cut(whole, start, end)}{more}"
        last = number
    return f"{head}\n(no page {page}; the last one is page={last})"


def _cut(whole: str, start: int, end: int) -> str:
    """Characters `start:end` of escaped text; lines the cut made are escaped again, since it may have made a heading
    or put the middle of a line first. Whatever still begins with `[e…]` then is the head of an entry.
    """
    lines = whole[start:end].split("\n")
    if start and whole[start - 1] != "\n":
        lines[0] = escape(lines[0])
    if end < len(whole) and whole[end] != "\n" and not lines[-1].startswith("[e"):
        lines[-1] = escape(lines[-1])
    return "\n".join(lines)


def _pages(text: str, room: int) -> Iterator[tuple[int, int]]:
    """Where each page starts and ends; white space alone makes no last page."""
    size, start = len(text.rstrip()), 0
    while start < size:
        window = text[start : start + _WINDOW * room]
        end = start + (len(clip_tokens(window, room)) or room)  # nothing: the page is white space, which takes no room
        yield start, min(end, len(text))
        start = end


def _in_reading_order(spans: Sequence[Span], entries: Sequence[EntryView], budget_tokens: int) -> str:
    """Every entry from where it is shown from, then the skipped beginnings."""
    shown, skipped = [], []
    for entry in entries:
        start = _start(entry, spans) if estimate_tokens(entry.text) > budget_tokens else 0
        shown.append(_shown(entry, start))
        if start:
            skipped.append(f"[{entry.entry_id}] its beginning, up to character {start}\n{escape(entry.text[:start])}")
    return "\n\n".join(shown + skipped)


def _start(entry: EntryView, spans: Sequence[Span]) -> int:
    first = min((span.start for span in spans if span.entry_id == entry.entry_id), default=0)
    return max(first - _LEAD, 0)


def _shown(entry: EntryView, start: int) -> str:
    origin = ", ".join(
        f"{key}={entry.metadata[key]}" for key in ("tool", "source", "call_id") if entry.metadata.get(key)
    )
    size = len(entry.text)
    note = f", from character {start} of {size}; its beginning is on the last pages" if start else ""
    attached = "".join(
        f"\n[{a.id} {a.type}] {a.problem or _readable(a.encoding, a.file_content)}" for a in entry.attachments
    )
    return f"[{entry.entry_id}] {escape_line(origin)}{note}\n{escape(entry.text[start:])}{escape(attached)}"


def _readable(encoding: str, content: str) -> str:
    return content if encoding == "text" else f"({len(content)} characters of base64; open it through the API)"
