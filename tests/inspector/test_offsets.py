"""Spans count code points in Python and UTF-16 units in a browser."""

from __future__ import annotations

from amb_core.models import BankSnapshot
from amb_inspector.payload import page_payload


def browser_slice(text: str, start: int, end: int) -> str:
    """What `text.slice(start, end)` gives in a browser."""
    return text.encode("utf-16-le", "surrogatepass")[2 * start : 2 * end].decode("utf-16-le", "surrogatepass")


def test_spans_after_an_emoji_mark_the_quoted_text_on_the_page(bridge: BankSnapshot) -> None:
    entry = next(entry for entry in bridge.entries if "🌉" in entry.text)
    node = next(node for node in bridge.nodes if node.sources[0].entry_id == entry.entry_id and node.id == "n7")
    shown = next(one for one in page_payload(bridge)["bank"]["nodes"] if one["id"] == "n7")["sources"][0]
    quoted = entry.text[node.sources[0].start : node.sources[0].end]
    assert shown["start"] > node.sources[0].start
    assert browser_slice(entry.text, shown["start"], shown["end"]) == quoted


def test_a_span_of_an_unknown_entry_is_left_as_it_is(depot: BankSnapshot) -> None:
    kept = depot.model_copy(update={"entries": ()})
    assert page_payload(kept)["bank"]["nodes"][0]["sources"] == [s.model_dump() for s in depot.nodes[0].sources]
