"""What a book answers on the command line: short lines for people, plain data for programs."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from amb_book.cli.book_words import Language, word
from amb_core.text import clip_tokens

if TYPE_CHECKING:
    from amb_book import EntityFacts, Episode, Fact, Hook, PlanPart, Settlement
    from amb_book.checking import Finding
    from amb_book.entities import Entity
    from amb_book.forms import FormRow
    from amb_book.manuscript_import import Imported

__all__ = [
    "about_lines",
    "entity_line",
    "finding_lines",
    "findings_data",
    "form_line",
    "hook_line",
    "imported_lines",
    "passage_lines",
    "plan_lines",
    "settlement_data",
    "settlement_lines",
]

_SHOWN = 160
"""Tokens of a passage in a list."""
_MOST_NAMES = 30
_MARKS = {"Pending": "[ ]", "InProgress": "[>]", "Completed": "[x]"}


def imported_lines(done: Imported, language: Language) -> Iterator[str]:
    """How many chapters came in, and who is in them."""
    last = done.first + done.chapters - 1
    yield word(language, "imported", chapters=done.chapters, first=done.first, last=last)
    if done.already:
        yield word(language, "already", already=done.already)
    if done.dropped:
        yield word(language, "unquoted", dropped=done.dropped)
    if done.unread:
        yield word(language, "unread", chapters=", ".join(map(str, done.unread)))
    if done.refused:
        yield word(language, "not_settled", refused=done.refused)
    if done.cast:
        names = [each.name for each in done.cast]
        yield word(language, "cast", names=", ".join(names[:_MOST_NAMES]) + (" …" if len(names) > _MOST_NAMES else ""))


def entity_line(entity: Entity, language: Language) -> str:
    """Somebody or something in one line."""
    also = f"; {word(language, 'also', names=', '.join(entity.aliases))}" if entity.aliases else ""
    return f"{entity.name} ({entity.kind}, {word(language, 'since', since=entity.since)}{also})"


def about_lines(told: EntityFacts, timeline: Sequence[Fact] | None, language: Language) -> Iterator[str]:
    """What holds of somebody or something; with a timeline also what held before."""
    yield f"{entity_line(told.entity, language)} – {word(language, 'as_of', at=told.at)}"
    if told.status:
        yield word(language, "status", value=told.status)
    if told.place:
        yield word(language, "place", value=told.place)
    if told.facts:
        yield word(language, "holds")
        yield from (f"  {fact.text}" for fact in told.facts)
    if timeline is not None:
        yield word(language, "timeline")
        yield from (f"  {fact.text}{_quoted(fact.evidence)}" for fact in timeline)


def passage_lines(found: Episode, language: Language) -> Iterator[str]:
    """A passage with where it stands."""
    title = f": {found.title}" if found.title else ""
    yield word(language, "passage", chapter=found.chapter, title=title)
    shown = clip_tokens(found.text, _SHOWN)
    yield "  " + " ".join(shown.split()) + ("" if shown == found.text else " …")


def finding_lines(name: str, draft: str, findings: Sequence[Finding], language: Language) -> Iterator[str]:
    """Each finding as linters write it, with the sentence and what speaks against it."""
    starts = _line_starts(draft)
    for each in findings:
        line = bisect_right(starts, each.start)
        yield f"{name}:{line}:{each.start - starts[line - 1] + 1}: {each.kind}: {each.message}"
        yield f"  “{' '.join(each.sentence.split())}”"
        for one in each.evidence:
            key = {"plan": "planned", "lore": "of_lore"}.get(one.kind, "chapter")
            where = word(language, key, chapter=one.chapter)
            yield f"  {where}: {one.fact}{_quoted(one.source)}"


def plan_lines(parts: Sequence[PlanPart]) -> Iterator[str]:
    """The plan as a tree: what each part contains, and its state."""
    inside: dict[str, list[PlanPart]] = {}
    for part in sorted(parts, key=lambda each: each.kind != "step"):
        inside.setdefault(part.within, []).append(part)

    def branch(part: PlanPart, depth: int) -> Iterator[str]:
        line = f" · {part.storyline}" if part.kind == "short_outline" and part.storyline else ""
        yield f"{'  ' * depth}{_MARKS[part.status]} {part.title} ({part.id}{line})"
        for each in inside.get(part.id, ()):
            yield from branch(each, depth + 1)

    for top in inside.get("", ()):
        yield from branch(top, 0)


def hook_line(hook: Hook, language: Language) -> str:
    """A hook with what became of it."""
    state = word(language, "open") if hook.resolved is None else word(language, "resolved", chapter=hook.resolved)
    text = f" – {hook.text}" if hook.text else ""
    return f"{hook.name}: {state}; {word(language, 'laid', chapter=hook.laid)}{text}"


def form_line(row: FormRow, language: Language) -> str:
    """A place to fill in, and the sentence that names it."""
    from amb_book.forms import place_line

    return f"[ ] {place_line(row.statement, row.holds, language)}{_quoted(row.evidence)}"


def settlement_lines(done: Settlement, language: Language) -> Iterator[str]:
    """What a settlement did."""
    if not done.statements:
        yield word(language, "again", id=done.id)
        return
    yield word(language, "settled", chapter=done.chapter, id=done.id, count=len(done.statements))
    if done.created:
        yield word(language, "new", names=", ".join(each.name for each in done.created))
    if done.ended:
        yield word(language, "ended", facts="; ".join(each.text for each in done.ended))


# --- for programs ----------------------------------------------------------------------------------------------------


def findings_data(draft: str, findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """Findings with the lines they stand in; `start` and `end` count characters."""
    starts = _line_starts(draft)
    return [{**asdict(each), "line": bisect_right(starts, each.start)} for each in findings]


def settlement_data(done: Settlement) -> dict[str, Any]:
    """A settlement as plain data."""
    return {
        "id": done.id,
        "chapter": done.chapter,
        "statements": len(done.statements),
        "created": [asdict(each) for each in done.created],
        "ended": [asdict(each) for each in done.ended],
    }


def _line_starts(text: str) -> list[int]:
    return [0, *(place + 1 for place, char in enumerate(text) if char == "\n")]


def _quoted(source: str) -> str:
    return f" – “{' '.join(source.split())}”" if source else ""
