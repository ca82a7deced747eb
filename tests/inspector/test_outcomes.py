"""Which side of a settled contradiction was kept, and on what evidence."""

from __future__ import annotations

from typing import Any

import pytest

from amb_core.models import ArchivedNode, BankSnapshot, Conflict, InsightDoc, MergeEvent, QueryNode, Span
from amb_inspector.payload import conflict_outcomes


def settled(
    values: tuple[str, ...],
    summary: str,
    nodes: tuple[QueryNode, ...] = (),
    archive: tuple[ArchivedNode, ...] = (),
    **event: Any,
) -> dict[str, dict[str, object]]:
    """The outcomes of one conflict between n1 and n2, merged into n3 with this summary."""
    merge = MergeEvent(
        event_id="m1", merged_node_ids=("n1", "n2"), new_node_id="n3", timestamp=2, description="", conflict_ids=("c1",)
    )
    return conflict_outcomes(
        BankSnapshot(
            insight=InsightDoc(doc_id="d", task_goal="g"),
            nodes=nodes or (QueryNode(id="n3", summary=summary, context="", timestamp=2),),
            archive=archive,
            conflicts=(Conflict(id="c1", node_ids=("n1", "n2"), description="", values=values),),
            merges=(merge.model_copy(update=event),),
        )
    )


@pytest.mark.parametrize(
    ("values", "summary", "kept"),
    [
        (("6,000 cycles", "3,500 cycles"), "It reaches 3,500 cycles.", 1),
        (("1,180米", "1,088米"), "主跨为1,088米，与设计值一致。", 1),
        (("May 3, 2021", "May 4, 2021"), "Opened on 2021-05-03.", 0),
        (("500", "1,500"), "It holds 1,500 litres.", 1),
        (("yes", "no"), "Notes are kept.", None),
        (("3 km", "5 km"), "3 km, not 5 km.", None),
        (("3 km", "5 km"), "Nobody knows.", None),
        (("", "5 km"), "It is 5 km.", 1),
        (("5 km",), "It is 5 km.", None),
        ((), "It is 5 km.", None),
    ],
)
def test_a_value_is_kept_when_the_merged_node_states_it_alone(
    values: tuple[str, ...], summary: str, kept: int | None
) -> None:
    assert settled(values, summary)["c1"]["kept"] == kept


@pytest.mark.parametrize(("refuted", "kept"), [((0, 9), 1), ((10, 19), 0), ((0, 19), None)])
def test_without_values_the_side_whose_sources_were_not_refuted_is_kept(
    refuted: tuple[int, int], kept: int | None
) -> None:
    def node(name: str, start: int, end: int, **more: Any) -> QueryNode:
        spans = (Span(entry_id="e1", start=start, end=end),)
        return QueryNode(id=name, summary="", context="", timestamp=1, sources=spans, **more)

    merged = node("n3", 0, 19, refuted=(Span(entry_id="e1", start=refuted[0], end=refuted[1]),))
    old = [
        ArchivedNode(node=node(f"n{at}", *ends), links=(), event_id="m1") for at, ends in ((1, (0, 9)), (2, (10, 19)))
    ]
    assert settled((), "", nodes=(merged,), archive=tuple(old))["c1"]["kept"] == kept


def test_the_evidence_is_what_the_merged_node_quotes_from_the_verification(depot: BankSnapshot) -> None:
    (span,) = conflict_outcomes(depot)["c1"]["evidence"]  # type: ignore[misc]
    text = next(entry.text for entry in depot.entries if entry.entry_id == span["entry_id"])
    assert "after 3,500 full cycles" in text[span["start"] : span["end"]]


def test_without_a_verification_the_evidence_is_what_only_the_merged_node_quotes(bridge: BankSnapshot) -> None:
    plain = tuple(entry.model_copy(update={"metadata": {}}) for entry in bridge.entries)
    spans = conflict_outcomes(bridge.model_copy(update={"entries": plain}))["c1"]["evidence"]
    assert [span["entry_id"] for span in spans] == ["e4"]  # type: ignore[attr-defined]
