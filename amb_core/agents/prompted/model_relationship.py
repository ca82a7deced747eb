"""From a model's answers about one candidate to a relationship: a conflict needs three yeses and two true quotes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from amb_core.agent_io import NodeView, Relationship
from amb_core.agents.prompted.shapes import CandidateShape
from amb_core.text import clip_tokens, find_quote, index_tokens, sentence_spans

__all__ = ["bearing", "in_order", "relationship", "shown"]

_ORDER = {"conflict": 0, "related": 1, "unrelated": 2}


def relationship(judged: CandidateShape, *, new: str, candidate: NodeView) -> Relationship:
    """What the answers about a candidate come to; `new` is the raw text of the new note.

    A conflict needs the same subject, the same attribute and incompatible values, and both statements word for word
    (white space aside) in the texts they are said to come from: small models call everything a conflict otherwise.
    """
    disagrees = judged.same_subject and judged.same_attribute and judged.incompatible
    old = f"{candidate.text}\n{candidate.summary}"
    if disagrees and find_quote(judged.quote_new, new) and find_quote(judged.quote_candidate, old):
        values = tuple(value for value in (judged.value_candidate, judged.value_new) if value.strip())
        return Relationship(
            existing_node=candidate.id,
            relationship="conflict",
            reasoning=judged.reason,
            conflict_description=f"“{judged.quote_candidate}” / “{judged.quote_new}”",
            conflict_subject=_subject(judged, candidate),
            conflict_values=values if len(values) == 2 else (judged.quote_candidate, judged.quote_new),
        )
    if judged.related and judged.reason.strip():
        return Relationship(existing_node=candidate.id, relationship="related", reasoning=judged.reason.strip())
    return Relationship(existing_node=candidate.id, relationship="unrelated")


def _subject(judged: CandidateShape, candidate: NodeView) -> str:
    """What the disagreement is about, in words that the older note has: a new text must not write the next step."""
    known = index_tokens(f"{candidate.context}\n{candidate.text}\n{candidate.summary}")
    subject = " ".join(judged.subject.split())
    return subject if set(index_tokens(subject)) <= set(known) else ""


def in_order(relationships: Iterable[Relationship]) -> tuple[Relationship, ...]:
    """Conflicts first, then relations."""
    return tuple(sorted(relationships, key=lambda one: _ORDER[one.relationship]))


def shown(view: NodeView, *, text: str) -> dict[str, str]:
    """A note as material."""
    return {"topic": view.context, "text": text, "source": view.source}


def bearing(view: NodeView, *, on: Sequence[str], tokens: int) -> str:
    """The sentences of a note that share most words with some texts, in their order, within a number of tokens."""
    text = view.text or view.summary
    whole = clip_tokens(text, tokens)
    if whole == text:
        return text
    wanted = {term for other in on for term in index_tokens(other)}
    spans = sentence_spans(text)
    scores = [len(wanted.intersection(index_tokens(text[start:end]))) for start, end in spans]
    kept: list[int] = []
    for at in sorted(range(len(spans)), key=lambda at: (-scores[at], at)):
        chosen = sorted([*kept, at])
        joined = " ".join(text[spans[n][0] : spans[n][1]] for n in chosen)
        if scores[at] == 0 or clip_tokens(joined, tokens) != joined:
            break
        kept = chosen
    return " ".join(text[spans[n][0] : spans[n][1]] for n in kept) or whole
