"""How a new note stands to its candidates, by a model that is asked decomposed questions and must quote."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from amb_agents.contradiction import admit
from amb_agents.prompted.asker import Asker
from amb_agents.prompted.shapes import AnalysisShape, CandidateShape, PairShape
from amb_core.agent_io import AnalysisAnswer, AnalysisRequest, NodeView, Relationship, with_conflicts
from amb_core.protocols import AnalysisAgent
from amb_core.text import clip_tokens, find_quote, index_tokens
from amb_values import find_unsupported, sentence_spans

__all__ = ["PromptedAnalysis", "bearing", "in_order", "relationship", "shown"]


_OUTPUT_EACH = 220
_SHARE = 0.5
"""What share of the window the new note may take; the candidates share the rest."""


class PromptedAnalysis:
    """An AnalysisAgent that asks a model; what `rules` call a conflict is one, whatever the model says."""

    def __init__(self, asker: Asker, *, rules: AnalysisAgent | None = None) -> None:
        self._asker = asker
        self._rules = rules

    def analyse(self, request: AnalysisRequest) -> AnalysisAnswer:
        """The relationships, conflicts first; raises a ModelError unless the model judges every candidate."""
        candidates = {view.id: view for view in request.candidates}
        new = f"{request.new.text}\n{request.new.summary}"
        text = clip_tokens(request.new.text or request.new.summary, int(self._asker.window * _SHARE))
        each = int(self._asker.window * (1 - _SHARE)) // max(len(candidates), 1)

        def missing(answer: AnalysisShape) -> str | None:
            left = candidates.keys() - {judged.id for judged in answer.candidates}
            return f"there is no answer for candidate {min(left)}" if left else None

        answer = self._asker.ask(
            "analysis",
            AnalysisShape,
            {
                "goal": request.task_goal,
                "new": shown(request.new, text=text),
                "candidates": [
                    {"id": view.id, **shown(view, text=bearing(view, on=[text], tokens=each))}
                    for view in candidates.values()
                ],
            },
            language=self._asker.language(request.task_goal or text),
            max_output_tokens=200 + _OUTPUT_EACH * len(candidates),
            check=missing,
        )
        judged = {one.id: one for one in reversed(answer.candidates)}
        found = [
            admit(relationship(judged[name], new=new, candidate=view), new=request.new, candidate=view)
            for name, view in candidates.items()
        ]
        seen = self._rules.analyse(request).relationships if self._rules is not None else ()
        return AnalysisAnswer(relationships=in_order(with_conflicts(found, seen)))


# --- from answers about one candidate to a relationship --------------------------------------------------------------

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
        return Relationship(
            existing_node=candidate.id,
            relationship="related",
            reasoning=judged.reason.strip(),
            context_update_new=_own_topic(judged.topic_new, new) if isinstance(judged, PairShape) else None,
            context_update_existing=_own_topic(judged.topic_candidate, old),
        )
    return Relationship(existing_node=candidate.id, relationship="unrelated")


def _own_topic(topic: str, text: str) -> str | None:
    """A sharper topic for a note if all its words are the note's own: another text must not say what it is about."""
    flat = " ".join(topic.split())
    is_own = set(index_tokens(flat)) <= set(index_tokens(text)) and find_unsupported(flat, [text]) is None
    return flat if flat and is_own else None


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
