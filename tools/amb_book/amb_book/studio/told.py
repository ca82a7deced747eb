"""What the book's memory and its desk answer, as plain JSON for the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Protocol

from amb_book import Appearances, Fact, PlanPart
from amb_book.desk import Clash, Proposal, Reply, Row, Task, Turn
from amb_book.desk.tasks import task_number
from amb_book.entities import Entity
from amb_core.inspector.offsets import BrowserOffsets

__all__ = [
    "EvidenceLike",
    "FindingLike",
    "told_appearances",
    "told_entity",
    "told_fact",
    "told_findings",
    "told_part",
    "told_proposal",
    "told_reply",
    "told_task",
    "told_turn",
]

Json = dict[str, Any]


class EvidenceLike(Protocol):
    """What speaks against a draft: a fact or step in one line, its chapter, and the sentence it was read off."""

    @property
    def fact(self) -> str: ...
    @property
    def chapter(self) -> int | None: ...
    @property
    def source(self) -> str: ...


class FindingLike(Protocol):
    """One place of a draft that contradicts the book: draft[start:end] is `sentence`."""

    @property
    def kind(self) -> str: ...
    @property
    def sentence(self) -> str: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def entities(self) -> Sequence[str]: ...
    @property
    def message(self) -> str: ...
    @property
    def evidence(self) -> Sequence[EvidenceLike]: ...
    @property
    def confidence(self) -> float: ...


def told_task(task: Task, *, now: float, keep_hours: float) -> Json:
    """A task; `hours_left` says how long a closed one can still be restarted."""
    left = None if task.closed is None else max(0.0, round(keep_hours - (now - task.closed) / 3_600, 1))
    return {
        "id": task.id,
        "number": task_number(task.id),
        "title": task.title,
        "state": task.state,
        "kind": task.kind,
        "language": task.language,
        "turns": task.turns,
        "revision": task.revision,
        "proposal": task.proposal,
        "opened": task.opened,
        "closed": task.closed,
        "hours_left": left,
    }


def told_turn(turn: Turn) -> Json:
    """One turn; what an answer was built from goes with it."""
    return {
        "number": turn.number,
        "role": turn.role,
        "text": turn.text,
        "at": turn.at,
        "command": turn.command,
        "context": dict(turn.context),
    }


def told_proposal(proposal: Proposal) -> Json:
    """What would be settled, row by row."""
    return {
        "id": proposal.id,
        "task": proposal.task,
        "title": proposal.title,
        "chapter": proposal.chapter,
        "chapter_title": proposal.chapter_title,
        "state": proposal.state,
        "turns": proposal.turns,
        "note": proposal.note,
        "revision": proposal.revision,
        "corrected": proposal.corrected,
        "rows": [_told_row(row) for row in proposal.rows],
        "form": [_told_row(row) for row in proposal.form],
    }


def told_reply(reply: Reply) -> Json:
    """An answer of the desk."""
    error = reply.error
    return {
        "kind": reply.kind,
        "text": reply.text,
        "task": reply.task.id if reply.task else "",
        "options": list(reply.options),
        "proposal": told_proposal(reply.proposal) if reply.proposal else None,
        "error": None if error is None else {"kind": error.kind, "text": error.text, "known": list(error.known)},
    }


def told_fact(fact: Fact) -> Json:
    """One fact; `origin` is the settlement it came with."""
    return {
        "id": fact.id,
        "subject": fact.subject,
        "relation": fact.relation,
        "object": fact.object,
        "attribute": fact.attribute,
        "since": fact.since,
        "until": fact.until,
        "properties": dict(fact.properties),
        "evidence": fact.evidence,
        "origin": fact.settlement,
    }


def told_appearances(seen: Appearances) -> Json:
    """In how many chapters the text names somebody, and beside whom most."""
    return {
        "chapters": len(seen.chapters),
        "of": seen.of,
        "first": seen.first,
        "last": seen.last,
        "companions": [each.name for each in seen.companions],
    }


def told_entity(entity: Entity) -> Json:
    """Somebody or something, with the names known by then."""
    return {
        "id": entity.id,
        "name": entity.name,
        "kind": entity.kind,
        "since": entity.since,
        "aliases": list(entity.aliases),
    }


def told_part(part: PlanPart) -> Json:
    """A part of the plan."""
    return asdict(part)


def told_findings(draft: str, findings: Sequence[FindingLike]) -> list[Json]:
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
            "evidence": [{"fact": one.fact, "chapter": one.chapter, "source": one.source} for one in each.evidence],
        }
        for each in findings
    ]


def _told_row(row: Row) -> Json:
    return {
        "statement": dict(row.statement),
        "evidence": row.evidence,
        "confidence": row.confidence,
        "new": list(row.new),
        "clashes": [_told_clash(each) for each in row.clashes],
        "holds": row.holds,
    }


def _told_clash(clash: Clash) -> Json:
    return {"kind": clash.kind, "text": clash.text}
