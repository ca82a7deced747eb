"""What has to be said of a note wherever it is shown: disputes, refuted words, other states."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from amb_core.errors import InvalidParameter
from amb_core.rendering.labels import MEMORY_CLOSE, MEMORY_OPEN, Labels, Language, labels_for
from amb_core.rendering.memory_items import Claim, Dispute, MemoryBlock, MemoryItem, State
from amb_core.rendering.safe_text import clip_line, quoted, quoted_lines, quoted_name, unquoted
from amb_core.text import clip_tokens, estimate_lines, estimate_tokens

__all__ = ["note_marks", "render_memory", "state_told"]

_SHORT_DISPUTE = 100
_SHORT_DOCUMENT = 14
_SHORT_VALUE = 20
_SHORT_REASON = 40
_MOST_DISPUTES = 2
_TOPIC, _LEAST = 24, 8
_LISTS = ",、"
"""What divides the parts of a list."""


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


def render_memory(items: Sequence[MemoryItem], *, query: str, budget_tokens: int, language: Language) -> MemoryBlock:
    """Deprecated: notes as a `<memory>` block, in the order they are given; a bank's blocks are made of passages.

    Each is its id, its topic and the beginning of its text. Raises InvalidParameter for a budget of 0 or less.
    """
    warnings.warn("render_memory is deprecated: MemoryBank.recall makes blocks", DeprecationWarning, stacklevel=2)
    if budget_tokens <= 0:
        raise InvalidParameter(f"budget_tokens must be at least 1, not {budget_tokens}.")
    labels = labels_for(language)
    lines, close = [MEMORY_OPEN, labels.memory_head], [MEMORY_CLOSE]
    for item in items:
        marks = "".join(f" ({mark})" for mark in note_marks(item, labels, budget_tokens))
        head = f"[{item.node.id}] {f'{quoted(clip_line(item.node.context, _TOPIC))}{marks}'.strip()}"
        room = budget_tokens - estimate_lines([*lines, head, *close]) - 2
        text = "\n".join(text for _, text in item.passages) or item.node.summary
        shown = quoted_lines(clip_tokens(text, max(room * 3 // 4, 1)))
        if room > _LEAST and estimate_lines([*lines, head, *shown, *close]) <= budget_tokens:
            lines += [head, *shown]
    return MemoryBlock("\n".join([*lines, *close]), (), estimate_lines([*lines, *close]), query)
