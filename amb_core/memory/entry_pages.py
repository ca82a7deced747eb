"""What the `deep_retrieval` tool shows a model: the raw entries behind a node, or a step of them, page by page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from amb_core.call_lock import CallLock
from amb_core.memory.entry_views import INSTEAD, EntryView, call_of
from amb_core.memory.interaction_tree import EDIT, WITHDRAWN
from amb_core.memory.spoken_entries import SAID
from amb_core.memory.step_places import StepPlace
from amb_core.models import Span
from amb_core.rendering import MemoryItem, escape, escape_line, indented, quoted, quoted_name
from amb_core.rendering.labels import labels_for
from amb_core.rendering.note_marks import note_marks
from amb_core.text import clip_tokens, estimate_tokens
from amb_core.text.language import Language
from amb_core.text.pure_cache import text_cache

__all__ = ["deep_retrieval_text", "step_text"]

_LEAD = 200
"""Characters shown before the node's own passage of a long entry, for its context."""
_CALL_TOKENS = 40
_WINDOW = 40
"""Characters per token of room that one page looks ahead, so that a long text is not copied for every page."""
_DIVIDERS = ",、 "
"""What divides the parts of the head of an entry."""
_LONGEST_KEPT = 8_000_000
"""Characters of entries up to which their pages are kept, so that each next page is cut where the last one ended."""


def deep_retrieval_text(
    item: MemoryItem, entries: Sequence[EntryView], *, budget_tokens: int, page: int, language: Language
) -> str:
    """One page of the entries' text, oldest first, escaped; says how to get the next page.

    A long entry is shown from a little before the node's own passage on, since that is what was asked for. What was
    skipped comes after all the rest: over all pages every character is shown once. The first line of every page says
    what the note is disputed with and what of it was refuted.
    """
    node = item.node
    marks = note_marks(item, labels_for(language), budget_tokens)
    head = f"{node.id}: {quoted(node.context)}{''.join(f' ({mark})' for mark in marks)}"
    room = max(budget_tokens - estimate_tokens(head) - 30, 20)
    return _page_of(head, tuple(_part(entry, node.sources, budget_tokens) for entry in entries), room=room, page=page)


def step_text(entries: Sequence[EntryView], place: StepPlace, *, budget_tokens: int, page: int) -> str:
    """One page of what is wanted of a step: all of its raw text, some lines or a record; escaped.

    Behind the whole text of the first entry stand the others, which are what was said at this step. Of a text that its
    host took back it is said so, and what stands in its place is shown. InvalidParameter when the step has no such
    lines or no such record.
    """
    entry, *others = entries
    gone = not entry.text and entry.metadata.get(EDIT) in WITHDRAWN
    start, end = (0, 0) if gone else place.span(entry.text)
    whole = (start, end) == (0, len(entry.text))
    name, asked = call_of(entry.metadata)
    name = quoted_name(clip_tokens(name, _CALL_TOKENS))
    asked = quoted(clip_tokens(asked, max(_CALL_TOKENS - estimate_tokens(name), 1))) if asked else ""
    head = f"{escape_line(str(place))} · {name} {asked}".rstrip(" ·") + _taken_back(entry, place.language or "en")
    room = max(budget_tokens - estimate_tokens(head) - 30, 20)
    part = _part(entry, (), budget_tokens)
    if not whole:
        return _page_of(head, (replace(part, text=entry.text[start:end], attached=""),), room=room, page=page)
    return _page_of(head, (part, *(_part(said, (), budget_tokens) for said in others)), room=room, page=page)


def _taken_back(entry: EntryView, language: Language) -> str:
    """The line that says what the host did to the text that was asked for; "" where that is shown as it came in."""
    labels = labels_for(language)
    if entry.metadata.get(INSTEAD):
        return f"\n({labels.instead})"
    edit = str(entry.metadata.get(EDIT) or "") if not entry.text else ""
    return f"\n({labels.replaced if edit == 'replaced' else labels.deleted})" if edit in WITHDRAWN else ""


def _page_of(head: str, parts: tuple[_Part, ...], *, room: int, page: int) -> str:
    layout = (_kept if sum(len(part.text) for part in parts) <= _LONGEST_KEPT else _Layout)(parts, room)
    found = layout.page(page)
    if found is None:
        return f"{head}\n(no page {page}; the last one is page={layout.last})"
    more = f"\n(more: page={page + 1})" if found[1] < layout.size else ""
    return f"{head}\n{_cut(layout.whole, *found)}{more}"


@dataclass(frozen=True, slots=True)
class _Part:
    """One entry: its head line, its text and where that is shown from, and what is attached."""

    head: str
    text: str
    start: int
    attached: str


class _Layout:
    """The escaped text of some entries, cut into pages of `room` tokens as far as pages were asked for."""

    def __init__(self, parts: tuple[_Part, ...], room: int) -> None:
        self.whole = _in_reading_order(parts)
        self.size = len(self.whole.rstrip())
        self._room = room
        self._ends = [0]
        self._lock = CallLock()

    def page(self, number: int) -> tuple[int, int] | None:
        """Where a page starts and ends, None when there is none of that number; white space makes no last page."""
        with self._lock:
            while len(self._ends) < number + 2 and self._ends[-1] < self.size:
                start = self._ends[-1]
                window = self.whole[start : start + _WINDOW * self._room]
                step = len(clip_tokens(window, self._room)) or self._room  # a page of white space takes no room
                self._ends.append(min(start + step, len(self.whole)))
            return None if len(self._ends) < number + 2 else (self._ends[number], self._ends[number + 1])

    @property
    def last(self) -> int:
        """The number of the last page that was cut, -1 for none."""
        return len(self._ends) - 2


_kept = text_cache(most=2)(_Layout)


def _cut(whole: str, start: int, end: int) -> str:
    """Characters `start:end` of escaped text; lines the cut made are escaped again, since it may have made a heading
    or put the middle of a line first. Whatever begins at the margin then is the head of an entry.
    """
    lines = whole[start:end].split("\n")
    if start and whole[start - 1] != "\n":
        lines[0] = indented(escape(lines[0]))
    if end < len(whole) and whole[end] != "\n" and lines[-1].startswith(" "):
        lines[-1] = escape(lines[-1])
    return "\n".join(lines)


def _in_reading_order(parts: Sequence[_Part]) -> str:
    """Every entry from where it is shown from, then the skipped beginnings."""
    shown = [f"{part.head}\n{indented(escape(part.text[part.start :]))}{part.attached}" for part in parts]
    skipped = [
        f"{part.head.partition(' ')[0]} its beginning, up to character {part.start}\n"
        + indented(escape(part.text[: part.start]))
        for part in parts
        if part.start
    ]
    return "\n\n".join(shown + skipped)


def _start(entry: EntryView, spans: Sequence[Span]) -> int:
    first = min((span.start for span in spans if span.entry_id == entry.entry_id), default=0)
    return max(first - _LEAD, 0)


def _part(entry: EntryView, spans: Sequence[Span], budget_tokens: int) -> _Part:
    long = len(entry.text) > _WINDOW * budget_tokens or estimate_tokens(entry.text) > budget_tokens
    start = _start(entry, spans) if long else 0
    origin = ", ".join(
        f"{key}={quoted(str(entry.metadata[key]), also=_DIVIDERS)}"
        for key in ("tool", "source", "call_id", EDIT)
        if entry.metadata.get(key)
    )
    if entry.metadata.get("kind") == SAID:
        told = (entry.metadata.get("speaker"), entry.metadata.get("tool"), entry.metadata.get(EDIT))
        origin = ", ".join(str(one) for one in told if one)
    size = len(entry.text)
    note = f", from character {start} of {size}; its beginning is on the last pages" if start else ""
    attached = "".join(
        f"\n[{a.id} {a.type}]\n{indented(escape(a.problem or _readable(a.encoding, a.file_content)))}"
        for a in entry.attachments
    )
    return _Part(f"[{entry.entry_id}] {origin}{note}", entry.text, start, attached)


def _readable(encoding: str, content: str) -> str:
    return content if encoding == "text" else f"({len(content)} characters of base64; open it through the API)"
