"""What the book's memory and its desk answer, as plain JSON for the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from amb_book import Fact
from amb_book.checking import Finding
from amb_book.desk import Proposal, Reply, Task
from amb_book.desk.task_list import KEEP_HOURS
from amb_book.desk.tasks import task_number
from amb_core.inspector.payload import BrowserOffsets

__all__ = ["told_fact", "told_findings", "told_proposal", "told_reply", "told_task"]

Json = dict[str, Any]
_NOT_OF_A_PROPOSAL = ("at", "replace")
"""What the page has no use for."""


def told_task(task: Task, *, now: float) -> Json:
    """A task; `hours_left` says how long a closed one can still be restarted."""
    left = None if task.closed is None else max(0.0, round(KEEP_HOURS - (now - task.closed) / 3_600, 1))
    return {**asdict(task), "number": task_number(task.id), "hours_left": left}


def told_proposal(proposal: Proposal) -> Json:
    """What would be settled, row by row."""
    return {name: value for name, value in asdict(proposal).items() if name not in _NOT_OF_A_PROPOSAL}


def told_reply(reply: Reply) -> Json:
    """An answer of the desk."""
    return {
        "kind": reply.kind,
        "text": reply.text,
        "task": reply.task.id if reply.task else "",
        "options": list(reply.options),
        "proposal": told_proposal(reply.proposal) if reply.proposal else None,
        "error": asdict(reply.error) if reply.error else None,
    }


def told_fact(fact: Fact) -> Json:
    """One fact; `origin` is the settlement it came with."""
    told = asdict(fact)
    told["origin"] = told.pop("settlement")
    return told


def told_findings(draft: str, findings: Sequence[Finding]) -> list[Json]:
    """The findings in a draft, with places as a browser counts them."""
    at = BrowserOffsets(draft)
    return [
        {
            "kind": each.kind,
            "sentence": each.sentence,
            "start": at.of(each.start),
            "end": at.of(each.end),
            "entities": list(each.entities),
            "message": each.message,
            "confidence": each.confidence,
            "evidence": [
                {"fact": one.fact, "chapter": one.chapter, "source": one.source, "kind": one.kind}
                for one in each.evidence
            ],
        }
        for each in findings
    ]
