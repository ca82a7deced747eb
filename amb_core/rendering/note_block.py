"""Renders found nodes as the `<memory>` block within a token budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from amb_core.errors import InvalidParameter
from amb_core.models import Receipt
from amb_core.rendering.excerpts import Chosen, Excerpt, choose, excerpt, sentences_of, terms_of, texts_of
from amb_core.rendering.labels import MEMORY_CLOSE, MEMORY_OPEN, Labels, Language, labels_for
from amb_core.rendering.memory_items import Claim, Dispute, MemoryBlock, MemoryItem, State
from amb_core.rendering.safe_text import clip_line, quoted, quoted_lines, quoted_name, unquoted
from amb_core.text import estimate_lines, estimate_tokens

__all__ = ["note_marks", "render_memory", "state_told"]

_HELP_FROM = 200
"""From this budget on a block explains its order."""
_SOURCES_FROM = 800
"""From this budget on short sources are shown even where sentences compete for the room."""
_SHORT_SOURCE = 12
_SHORT_DISPUTE = 100
_SHORT_DOCUMENT = 14
_SHORT_VALUE = 20
_SHORT_REASON = 40
_MOST_DISPUTES = 2
_SHORT_HEADING = 20
_LISTS = ",、"
"""What divides the parts of a list."""
_JOINT = 3
"""What joins a detail to its head line, and what rounding may hide."""
_TOPIC_ONLY = 5
"""At most so many nodes are pointed at by topic alone."""


@dataclass(slots=True)
class _Card:
    """One node in the making: its head line grows while there is room."""

    item: MemoryItem
    rank: int
    topic: str
    heading: str
    marks: str
    excerpt: Excerpt = field(default_factory=lambda: Excerpt("", ()))
    source: str = ""
    about: str = ""
    """What the head line names: the title, the session of a dialogue, or the topic if it says anything more."""

    def show(self, excerpt: Excerpt) -> None:
        """Say this much of the node."""
        self.excerpt = excerpt
        if excerpt.turns:
            self.about = self.heading
        elif excerpt.title:
            self.about = self.topic if excerpt.title in self.topic else excerpt.title
        else:
            self.about = self.topic if terms_of(self.topic) - excerpt.terms else ""

    def text(self) -> str:
        about = f"{quoted(self.about)}{self.marks}".strip()
        head = " · ".join(part for part in (about, self.source) if part)
        head = f"[{self.item.node.id}] {head}".rstrip()
        return "\n".join([head, *quoted_lines(self.excerpt.text)])

    def receipt(self) -> Receipt:
        form: Literal["passage", "summary", "topic"] = "topic"
        if self.excerpt.text:
            form = "passage" if self.excerpt.spans else "summary"
        return Receipt(
            node_id=self.item.node.id,
            rank=self.rank,
            score=min(1.0, max(0.0, self.item.hit.score)),
            reason=self.item.hit.reason,
            tokens=estimate_tokens(self.text()),
            form=form,
            disputed=bool(self.item.disputes),
            stale=self.item.node.stale,
            spans=self.excerpt.spans,
        )


def render_memory(items: Sequence[MemoryItem], *, query: str, budget_tokens: int, language: Language) -> MemoryBlock:
    """The `<memory>` block of the best evidence for `query`, at most `budget_tokens` tokens with its tags.

    Nodes are chosen best first and shown newest first, mostly as verbatim sentences of their sources. A budget too
    small for any note gives the empty frame. Raises InvalidParameter for a budget of 0 or less.
    """
    if budget_tokens <= 0:
        raise InvalidParameter(f"budget_tokens must be at least 1, not {budget_tokens}.")
    labels = labels_for(language)
    ranked = _ranked(items)
    frame = _Frame(labels, budget_tokens, empty=not ranked)
    cards = _filled(ranked, query, frame, labels)
    while cards and frame.room(cards) < 0:
        cards.pop()
    lines = frame.lines(cards)
    return MemoryBlock("\n".join(lines), tuple(card.receipt() for card in cards), estimate_lines(lines), query)


@dataclass(frozen=True, slots=True)
class _Frame:
    """The fixed lines around the notes."""

    labels: Labels
    budget: int
    empty: bool

    def lines(self, cards: Sequence[_Card]) -> list[str]:
        """The block around these cards, newest first."""
        head = self.labels.memory_head
        if self.budget >= _HELP_FROM:
            head = f"{head} {self.labels.memory_order}"
        lines = [MEMORY_OPEN, head, *(card.text() for card in _newest_first(cards))]
        if self.empty and self.budget >= _HELP_FROM:
            lines.append(self.labels.no_notes)
        return [*lines, MEMORY_CLOSE]

    def room(self, cards: Sequence[_Card]) -> int:
        """Tokens left beside these cards."""
        return self.budget - estimate_lines(self.lines(cards))


def _newest_first(cards: Sequence[_Card]) -> list[_Card]:
    """Cards by the time of their notes; a state that came back is as new as all that it takes the place of."""
    since = {card.item.node.id: (card.item.node.timestamp, _number(card.item.node.id)) for card in cards}
    older = {card.item.node.id: newer for card in cards if (newer := _newer(card.item)) in since}
    for _ in older:  # a newer state may itself be older than another one
        for node_id, newer in older.items():
            since[newer] = max(since[newer], since[node_id])
    return sorted(cards, key=lambda card: (since[card.item.node.id], card.item.node.id not in older), reverse=True)


def _newer(item: MemoryItem) -> str:
    """The note of the newest state of what an item shows; "" where that is its own."""
    return item.state.newer or "" if item.state is not None else ""


def _ranked(items: Sequence[MemoryItem]) -> list[MemoryItem]:
    """Each node once, best first; equal scores keep the order they came in."""
    once: dict[str, MemoryItem] = {}
    for item in items:
        once.setdefault(item.node.id, item)
    return sorted(once.values(), key=lambda item: -item.hit.score)


def _filled(ranked: Sequence[MemoryItem], query: str, frame: _Frame, labels: Labels) -> list[_Card]:
    """Cards for what fits, best first: sentences, then further nodes by topic, then sources."""
    cards = [_card(item, rank, labels, frame.budget) for rank, item in enumerate(ranked)]
    costs = [estimate_tokens(card.text()) + 2 for card in cards]  # with the indent of what follows
    sentences = sentences_of([(item.hit.score, [text for _, text in texts_of(item)]) for item in ranked], query)
    number_of = {item.node.id: number for number, item in enumerate(ranked)}
    newer = {number: number_of[_newer(item)] for number, item in enumerate(ranked) if _newer(item) in number_of}
    current = [one for one in sentences if one.item not in newer]
    chosen: Chosen = {}

    def shown() -> list[_Card]:  # an older state never stands without the head line of the newest one
        return [cards[number] for number in sorted({*chosen, *(newer[old] for old in chosen if old in newer)})]

    def header_cost(number: int) -> int:
        beside = newer.get(number, number)
        return costs[number] + (costs[beside] if beside != number and beside not in chosen else 0)

    for _ in range(2):  # a topic that its own sentences repeat is left out, which leaves room for a second round
        for among in (current, sentences) if newer else (sentences,):
            chosen = choose(among, room=frame.room(shown()), header_cost=header_cost, chosen=chosen)
            for number, taken in chosen.items():
                cards[number].show(excerpt(ranked[number], taken))
    told = shown()
    _point_at_more(told, [card for card in cards if card not in told], frame)
    _add_sources(told, frame, labels)
    return sorted(told, key=lambda card: card.rank)


def _card(item: MemoryItem, rank: int, labels: Labels, budget: int) -> _Card:
    topic = clip_line(item.node.context, max(8, min(24, budget // 40)))
    marks = note_marks(item, labels, budget)
    heading = clip_line(item.heading, _SHORT_HEADING) if item.heading else ""
    card = _Card(item, rank, topic, heading, "".join(f" ({mark})" for mark in marks))
    card.show(card.excerpt)
    source = quoted(item.source, also=_LISTS)
    if source and budget >= _SOURCES_FROM and estimate_tokens(source) <= _SHORT_SOURCE:
        card.source = labels.source.format(source)
    return card


def note_marks(item: MemoryItem, labels: Labels, budget: int) -> list[str]:
    """What has to be said of a note wherever it is shown: disputes, what was refuted, other states, and its age."""
    shown = item.disputes[:_MOST_DISPUTES]
    marks = [_disputed(each, labels, budget) for each in shown if each.opinion is None or not each.opinion_counts]
    marks += [_opinion(each, labels) for each in shown if each.opinion is not None]
    for claim in item.refuted[:_MOST_DISPUTES]:
        marks.append(_refuted(claim, labels))
    if item.state is not None:
        marks.extend(state_told(item.state, labels, budget))
    return [*marks, labels.stale] if item.node.stale else marks


def _disputed(dispute: Dispute, labels: Labels, budget: int) -> str:
    """The other notes by id, and both sides with who says so where there is room."""
    mark = labels.disputed.format(", ".join(map(quoted_name, dispute.others))) if dispute.others else ""
    if dispute.mine is None or dispute.theirs is None:
        return mark
    sides = [dispute.mine, dispute.theirs]
    for shown in (sides, [Claim(side.value) for side in sides]):
        differ = labels.differ.format(*(_claim(side, labels) for side in shown))
        told = labels.also.format(mark, differ) if mark else differ
        if estimate_tokens(told) <= min(_SHORT_DISPUTE, budget // 6):
            return told
    return mark or differ


def _opinion(dispute: Dispute, labels: Labels) -> str:
    """What the agent said of a dispute: as what holds, with what is refuted by it, or as no more than its opinion."""
    said = dispute.opinion
    if said is None or dispute.mine is None or dispute.theirs is None:
        return ""
    holds, because = quoted(clip_line(said.holds, _SHORT_VALUE)), unquoted(clip_line(said.because, _SHORT_REASON))
    if not dispute.opinion_counts:
        return labels.thinks.format(dispute=dispute.id, holds=holds, because=because)
    lost = dispute.theirs if said.holds == dispute.mine.value else dispute.mine
    return labels.settled.format(dispute=dispute.id, holds=holds, refuted=_refuted(lost, labels))


def _refuted(claim: Claim, labels: Labels) -> str:
    return labels.refuted.format(document=_document(claim) or "?", value=quoted(clip_line(claim.value, _SHORT_VALUE)))


def _document(claim: Claim) -> str:
    return quoted(clip_line(claim.document, _SHORT_DOCUMENT), also=_LISTS)


def _claim(claim: Claim, labels: Labels) -> str:
    value = quoted(clip_line(claim.value, _SHORT_VALUE))
    if not claim.document:
        return value
    form = labels.claim if claim.witnesses == 1 else labels.claims
    return form.format(value, _document(claim), claim.witnesses)


def state_told(state: State, labels: Labels, budget: int) -> list[str]:
    """As of which step a note holds, or what is otherwise now; as many changes as a small budget allows."""
    if state.newer is not None:
        told = labels.as_of.format(state.step)
        return [labels.newer.format(told, state.newer) if state.newer else told]
    marks: list[str] = []
    for change in state.changes:
        now, before = quoted(change.now), quoted(change.before)
        told = labels.now.format(now=now, step=state.step, before=before)
        marks.append(f"{quoted(change.name)}: {told}" if change.name else told)
        if estimate_tokens("".join(marks)) > max(_SHORT_DISPUTE, budget // 10):
            return marks[:-1] or [labels.newest.format(state.step)]
    return marks or [labels.newest.format(state.step)]


def _point_at_more(shown: list[_Card], others: Sequence[_Card], frame: _Frame) -> None:
    for card in others[:_TOPIC_ONLY]:
        if frame.room([*shown, card]) >= 0:
            shown.append(card)


def _add_sources(shown: Sequence[_Card], frame: _Frame, labels: Labels) -> None:
    """Sources, best note first, where there is room after all evidence."""
    room = frame.room(shown)
    for card in sorted(shown, key=lambda card: card.rank):
        if not card.source and card.item.source:
            source = labels.source.format(quoted(clip_line(card.item.source, 40), also=_LISTS))
            if (cost := estimate_tokens(source) + _JOINT) <= room:
                card.source, room = source, room - cost


def _number(node_id: str) -> int:
    digits = node_id.lstrip("abcdefghijklmnopqrstuvwxyz")
    return int(digits) if digits.isdecimal() else 0
