"""Whether a decision about a conflict stands on what was read: its quotes, and every value it states."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from amb_core.agent_io import IntegrationAnswer, IntegrationRequest
from amb_core.models import Span
from amb_core.text import find_quote
from amb_core.text.wordings import FREE_AFTER, FREE_BEFORE, find_wording
from amb_values import find_unsupported, value_signature

__all__ = ["keeps", "quoted_spans", "refusal", "states"]


def refusal(answer: IntegrationAnswer, request: IntegrationRequest) -> str | None:
    """Why a decision cannot be accepted, in words, or None when it can.

    Its evidence must stand word for word in the verification and not speak for the value it gives up; every number,
    date and name of the merged node must occur in a text of the old nodes or in the verification.
    """
    if not answer.decided:
        return None
    if not answer.summary.strip():
        return "the merged summary is empty"
    if not answer.evidence:
        return "it quotes no sentence of the verification"
    if any(find_quote(sentence, request.verification) is None for sentence in answer.evidence):
        return "it quotes a sentence that the verification does not contain"
    if _speaks_for_the_other(answer, request.conflict.values):
        return "what it quotes states the value that it gives up"
    views = [part.node for part in request.nodes]
    texts = [request.verification, *(view.text or view.summary for view in views)]
    wrong = find_unsupported(answer.summary, texts)
    wrong = wrong or find_unsupported(
        "\n".join((answer.context, *answer.keywords)),
        [*texts, *(f"{view.summary}\n{view.context}\n{' '.join(view.keywords)}" for view in views)],
    )
    return f"the merged text names {wrong}, which no source has" if wrong else None


def quoted_spans(quotes: Iterable[str], *, entry_id: str, text: str) -> tuple[Span, ...]:
    """The places of the quotes in the text of an entry, each once, in order."""
    places = {place for place in (find_quote(sentence, text) for sentence in quotes) if place is not None}
    return tuple(Span(entry_id=entry_id, start=start, end=end) for start, end in sorted(places))


def states(text: str, value: str) -> bool:
    """Whether a text contains a value, as written or in another notation of the same numbers and dates."""
    wanted = value.strip()
    if not wanted:
        return False
    if any(find_wording(text.lower(), (wanted.lower(),), before=FREE_BEFORE, after=FREE_AFTER)):
        return True
    figures = value_signature(wanted)
    return bool(figures) and figures <= value_signature(text)


def keeps(answer: IntegrationAnswer, value: str, said: Sequence[str]) -> bool:
    """Whether a decision keeps this value of those that were said, and none of the others."""
    return _kept(answer, said) == [value]


def _kept(answer: IntegrationAnswer, said: Sequence[str]) -> list[str]:
    """The values the merged summary states; of "effective" and "not effective" the longer one, if it states both."""
    stated = [value for value in said if states(answer.summary, value)]
    return [value for value in stated if not any(value != other and value in other for other in stated)]


def _speaks_for_the_other(answer: IntegrationAnswer, said: Sequence[str]) -> bool:
    """Whether the evidence states a value that the summary gives up, and none of those it keeps."""
    kept = _kept(answer, said)
    given_up = [value for value in said if value not in kept]
    evidence = "\n".join(answer.evidence)
    return (
        bool(kept)
        and any(states(evidence, value) for value in given_up)
        and not any(states(evidence, value) for value in kept)
    )
