"""What the page is given: the snapshot without embeddings, spans in browser offsets, and what it cannot work out."""

from __future__ import annotations

import json
import math
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Any

from amb_chat import price_date, price_of
from amb_chat.user_environment import configured
from amb_core.models import BankSnapshot, Conflict, InteractionEntry, MergeEvent, QueryNode, Receipt, Span
from amb_inspector.needed_later import later_uses, shared_words
from amb_notes.proof import states

__all__ = ["BrowserOffsets", "conflict_outcomes", "json_for_html", "page_payload"]

_NO_VECTORS: dict[str, Any] = {
    "nodes": {"__all__": {"embedding"}},
    "archive": {"__all__": {"node": {"embedding"}}},
    "merges": {"__all__": {"neighbours_before": {"__all__": {"embedding"}}}},
}
# What could end the data block, begin a comment in it, or cannot be written as UTF-8.
_UNSAFE = re.compile("[<>&\u2028\u2029\ud800-\udfff]")


def page_payload(snapshot: BankSnapshot, *, model: str = "") -> dict[str, Any]:
    """The snapshot as plain JSON values (`bank`) with what the page would have to guess otherwise.

    `outcomes` says how conflicts ended, `uses` what later calls needed, `words` why passages were found, receipt by
    receipt, and `price` what the agent's `model` costs, as far as that is known.
    """
    entries = {entry.entry_id: entry for entry in snapshot.entries}
    offsets = {name: BrowserOffsets(entry.text) for name, entry in entries.items()}
    nodes = {node.id: node for node in (*(kept.node for kept in snapshot.archive), *snapshot.nodes)}

    def shown(receipt: Receipt) -> str:
        """The words that are shown of what a receipt is for."""
        places = [span for span in receipt.spans if span.entry_id in entries]
        node = nodes.get(receipt.node_id)
        if places or node is None:
            return "\n".join(entries[span.entry_id].text[span.start : span.end] for span in places)
        return node.summary if receipt.form == "summary" else node.context

    payload = {
        "bank": snapshot.model_dump(mode="json", exclude=_NO_VECTORS),
        "outcomes": conflict_outcomes(snapshot),
        "uses": later_uses(snapshot),
        "words": [[shared_words(one.query, shown(receipt)) for receipt in one.receipts] for one in snapshot.injections],
        "price": _price(model),
    }
    return {key: _for_browser(value, offsets) for key, value in payload.items()}


def _price(model: str) -> dict[str, Any]:
    """Money per million prompt tokens, None where it is not known; a list of one's own names no currency."""
    price = price_of(model) if model else None
    if price is None:
        return {"model": model, "prompt": None}
    listed = not configured("AMB_PRICES")
    told = {"currency": "USD", "day": price_date()} if listed else {"currency": "", "day": ""}
    return {"model": model, "prompt": price.prompt, **told}


def json_for_html(payload: dict[str, Any]) -> str:
    """JSON that no content can break out of when it stands inside a script element; equal values, equal text."""
    text = json.dumps(payload, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _for_browser(value: Any, offsets: dict[str, BrowserOffsets]) -> Any:
    """Copies values with spans in UTF-16 units, and null for numbers JSON does not have."""
    if isinstance(value, dict):
        if value.keys() == {"entry_id", "start", "end"}:
            return _browser_span(value, offsets)
        return {key: _for_browser(item, offsets) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_for_browser(item, offsets) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _browser_span(span: dict[str, Any], offsets: dict[str, BrowserOffsets]) -> dict[str, Any]:
    translate = offsets.get(span["entry_id"])
    if translate is None:
        return span
    return {**span, "start": translate.of(span["start"]), "end": translate.of(span["end"])}


class BrowserOffsets:
    """Translates offsets into one text; offsets beyond the text are moved to its end."""

    __slots__ = ("_length", "_wide")

    def __init__(self, text: str) -> None:
        self._length = len(text)
        self._wide = [] if text.isascii() else [at for at, char in enumerate(text) if char > "\uffff"]

    def of(self, offset: int) -> int:
        """The offset in UTF-16 units."""
        inside = min(max(offset, 0), self._length)
        return inside + bisect_left(self._wide, inside)


def conflict_outcomes(snapshot: BankSnapshot) -> dict[str, dict[str, object]]:
    """For each settled conflict `event` (merge id), `kept` (index into its values, or None) and `evidence` spans.

    A side counts as kept when the merged node states its value and no other, or when everything that was refuted
    stands in the other side's sources: nothing is guessed.
    """
    nodes = {node.id: node for node in (*(kept.node for kept in snapshot.archive), *snapshot.nodes)}
    entries = {entry.entry_id: entry for entry in snapshot.entries}
    conflicts = {conflict.id: conflict for conflict in snapshot.conflicts}
    return {
        conflict_id: {
            "event": event.event_id,
            "kept": _kept_side(_as_merged(conflicts[conflict_id], event), nodes.get(event.new_node_id), nodes),
            "evidence": [span.model_dump() for span in _evidence(event, nodes, entries)],
        }
        for event, conflict_id in _settled(snapshot.merges)
        if conflict_id in conflicts
    }


def _settled(merges: Iterable[MergeEvent]) -> Iterator[tuple[MergeEvent, str]]:
    return ((event, conflict_id) for event in merges if not event.undone for conflict_id in event.conflict_ids)


def _as_merged(conflict: Conflict, event: MergeEvent) -> Conflict:
    """The conflict with the sides it had when the merge settled it."""
    return next((before for before in event.conflicts_before if before.id == conflict.id), conflict)


def _kept_side(conflict: Conflict, merged: QueryNode | None, nodes: dict[str, QueryNode]) -> int | None:
    if merged is None:
        return None
    stated = [index for index, value in enumerate(conflict.values) if states(merged.summary, value)]
    if len(conflict.values) > 1 and len(stated) == 1:
        return stated[0]
    sides = [nodes[node_id].sources if node_id in nodes else () for node_id in conflict.node_ids]
    standing = [index for index, sources in enumerate(sides) if not _any_within(merged.refuted, sources)]
    return standing[0] if len(sides) > 1 and len(standing) == 1 else None


def _any_within(spans: Iterable[Span], sources: Iterable[Span]) -> bool:
    known = tuple(sources)
    return any(
        span.entry_id == source.entry_id and source.start <= span.start and span.end <= source.end
        for span in spans
        for source in known
    )


def _evidence(event: MergeEvent, nodes: dict[str, QueryNode], entries: dict[str, InteractionEntry]) -> tuple[Span, ...]:
    """The places the merge names; of an older one what it quotes from verifications, or what no old node quoted."""
    if event.evidence:
        return event.evidence
    merged = nodes.get(event.new_node_id)
    if merged is None:
        return ()
    known = {_place(span) for old in event.merged_node_ids if old in nodes for span in nodes[old].sources}
    verified = tuple(span for span in merged.sources if _is_verification(entries.get(span.entry_id)))
    return verified or tuple(span for span in merged.sources if _place(span) not in known)


def _place(span: Span) -> tuple[str, int, int]:
    return span.entry_id, span.start, span.end


def _is_verification(entry: InteractionEntry | None) -> bool:
    return entry is not None and entry.metadata.get("kind") == "verification"
