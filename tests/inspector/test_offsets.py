"""Spans count code points in Python and UTF-16 units in a browser."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from amb_core.models import BankSnapshot
from amb_inspector.payload import BrowserOffsets, page_payload


def browser_slice(text: str, start: int, end: int) -> str:
    """What `text.slice(start, end)` gives in a browser."""
    return text.encode("utf-16-le", "surrogatepass")[2 * start : 2 * end].decode("utf-16-le", "surrogatepass")


@given(st.text(), st.integers(0, 40), st.integers(0, 40))
def test_a_translated_range_cuts_out_the_same_text(text: str, one: int, other: int) -> None:
    start, end = sorted((min(one, len(text)), min(other, len(text))))
    offsets = BrowserOffsets(text)
    assert browser_slice(text, offsets.of(start), offsets.of(end)) == text[start:end]


def test_offsets_beyond_the_text_are_moved_to_its_end() -> None:
    assert BrowserOffsets("a🌉b").of(99) == 4
    assert BrowserOffsets("abc").of(-1) == 0


def test_spans_after_an_emoji_mark_the_quoted_text_on_the_page(bridge: BankSnapshot) -> None:
    entry = next(entry for entry in bridge.entries if "🌉" in entry.text)
    node = next(node for node in bridge.nodes if node.sources[0].entry_id == entry.entry_id and node.id == "n7")
    shown = next(one for one in page_payload(bridge)["bank"]["nodes"] if one["id"] == "n7")["sources"][0]
    quoted = entry.text[node.sources[0].start : node.sources[0].end]
    assert shown["start"] > node.sources[0].start
    assert browser_slice(entry.text, shown["start"], shown["end"]) == quoted


def test_spans_of_receipts_are_translated_too(bridge: BankSnapshot) -> None:
    receipts = [receipt for turn in page_payload(bridge)["bank"]["injections"] for receipt in turn["receipts"]]
    spans = [span for receipt in receipts if receipt["node_id"] == "n7" for span in receipt["spans"]]
    nodes = {node["id"]: node for node in page_payload(bridge)["bank"]["nodes"]}
    assert spans
    assert all(span in nodes["n7"]["sources"] for span in spans)


def test_a_span_of_an_unknown_entry_is_left_as_it_is(depot: BankSnapshot) -> None:
    kept = depot.model_copy(update={"entries": ()})
    assert page_payload(kept)["bank"]["nodes"][0]["sources"] == [s.model_dump() for s in depot.nodes[0].sources]
