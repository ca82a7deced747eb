"""What a desk says of damaged records and of wrong titles."""

from __future__ import annotations

import json

import pytest
from amb_book.desk.proposals import ProposalBook
from amb_book.desk.queues import RecordTaskQueues
from amb_book.story import Story

from amb_core.clock import ManualClock
from amb_core.errors import InvalidParameter, StoreError
from amb_core.protocols import Record, RecordQuery
from amb_core.stores import open_store


def test_a_damaged_proposal_is_a_store_error_that_says_what_to_do() -> None:
    store = open_store("memory://")
    proposals = ProposalBook(store, clock=ManualClock())
    store.put([Record("book:proposals:author", "t1:1", {"state": 7}, 0.0, 0.0)])
    with pytest.raises(StoreError, match=r"t1:1 is damaged; restore the book"):
        proposals.get("t1:1")


def test_a_damaged_task_is_a_store_error_that_says_what_to_do() -> None:
    store = open_store("memory://")
    queues = RecordTaskQueues(store)
    queues.add("the gate", now=0.0)
    for place in store.namespaces(""):
        for record in store.search(RecordQuery(place)):
            store.put([Record(place, record.id, {**record.data, "state": 7}, 0.0, 0.0)])
    with pytest.raises(StoreError, match=r"t1 is damaged; restore the book"):
        queues.task("t1")


def test_a_title_that_is_no_text_is_refused_before_anything_is_written() -> None:
    with Story(None) as story:
        desk = story.desk()
        desk.send("/new the gate of chapter 3")
        desk.send(json.dumps({"status": {"of": "Lin Yue", "is": "dead"}}))
        waiting = desk.send("/settle").proposal
        assert waiting is not None
        with pytest.raises(InvalidParameter):
            desk.confirm(waiting.id, title=5)
        assert story.facts.chapters() == []
        assert story.log.entries() == []
        assert desk.confirm(waiting.id, title="The gate").error is None
