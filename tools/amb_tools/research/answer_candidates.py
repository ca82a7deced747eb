"""The sentences that may answer a question: its words in and around them, and the kind of thing that it asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from amb_core.text import Value, detect_language, index_tokens, values
from amb_tools.corpus.kept_corpus import KeptCorpus, Place

__all__ = ["Candidate", "Question", "candidates"]

_KINDS = {
    "time": r"(?:^|[.,;:?!] )(?:\w+ )?when\b|\b(?:what|which) (?:year|date|day|month|decade|century)\b|"
    r"何时|什么时[候间]|哪[一]?[年天日月]|几[月日]|日期|年份|时间是",
    "number": r"\bhow (?!(?:do|does|did|can|could|should|would|will|may|must|is|are|was|were|has|have|had|come|to|i)\b)"
    r"[a-z]+|多少|几|多[长久大高远快深重]",
    "name": r"(?:^|[.,;:?!] )(?:\w+ )?who(?:m|se)?\b|谁|哪[位些]?[个]?人|什么人",
    "reason": r"\bwhy\b|\bfor what reason\b|为什么|为何|原因|缘由",
}
"""What a question asks for by its form, where a sentence shows by its form whether it holds such a thing."""
_PATTERNS = {kind: re.compile(pattern, re.IGNORECASE) for kind, pattern in _KINDS.items()}
_REASON = re.compile(
    r"\b(?:because|since|due to|so that|in order to|therefore|as a result|to avoid|prevent)\b|"
    r"因|由于|以便|为了|从而|导致",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"\b(?:what|which|who|whom|whose|when|where|why|how|many|much|long|often|name|called|kind|type)\b|"
    r"什么|哪[些个里儿位种年一]*|谁|多少|如何|怎[么样]+|为何|何[时处]|几|是否|吗|呢|请问",
    re.IGNORECASE,
)
_VALUES = {"time": "date", "number": "number", "name": "name"}
_NO_VALUE = re.compile(r"^[(（]?\d[\d.]*[)）.]?\s|\{\{.*?\}\}|\]\([^)]*\)|https?://\S+|\w\(\d\w{0,2}\)")
"""Numbers that say nothing: of an item or section, in addresses and directives, of a manual ("cron(8)")."""
_CONSIDERED = 100
_HOLDS = 0.15
"""What it adds to the score of a sentence that it holds the kind of thing asked for."""


@dataclass(frozen=True)
class Question:
    """A question with the terms it looks for and the kind of thing it asks for ("" where nothing says so)."""

    text: str

    @cached_property
    def language(self) -> str:
        return detect_language(self.text)

    @cached_property
    def kind(self) -> str:
        return next((kind for kind, pattern in _PATTERNS.items() if pattern.search(self.text)), "")

    @cached_property
    def tokens(self) -> list[str]:
        """Terms without the words that do the asking; all of them where nothing else is left."""
        kept = [index_tokens(part) for part in _ASKING.split(self.text) if part]
        return list(dict.fromkeys(term for part in kept for term in part)) or index_tokens(self.text)

    @cached_property
    def values(self) -> set[tuple[str, str]]:
        return {(value.kind, value.key) for value in values(self.text)}


@dataclass(frozen=True)
class Candidate:
    """A sentence that may be the answer, and what speaks for it.

    `confidence` is its score and the share of the question's terms, by their rarity, that it has or stands under.
    """

    place: Place
    score: float
    confidence: float
    holds: bool
    """Whether it holds the kind of thing asked for; True where the question asks for none that shows by its form."""
    found: Sequence[Value]
    """Values of that kind that the question does not state itself."""


def candidates(corpus: KeptCorpus, question: Question) -> list[Candidate]:
    """Sentences that differ, the likeliest first."""
    weight = {term: corpus.index.idf(term) for term in question.tokens}
    total = sum(weight.values()) or 1.0
    told: dict[str, Candidate] = {}
    for number, score in corpus.search(question.tokens, k=_CONSIDERED):
        place = corpus.place(number)
        if place.text in told:
            continue
        found = _found(question, place.text)
        reason = question.kind == "reason" and bool(_REASON.search(place.text))
        score += _HOLDS * (bool(found) or reason)
        share = sum(weight.get(term, 0.0) for term in set(index_tokens(f"{place.text}\n{place.under}"))) / total
        told[place.text] = Candidate(place, score, score + share, bool(found) or question.kind not in _VALUES, found)
    return sorted(told.values(), key=lambda one: -one.score)


def _found(question: Question, text: str) -> list[Value]:
    kind = _VALUES.get(question.kind)
    told = values(_NO_VALUE.sub(" ", text)) if kind else ()
    return [v for v in told if v.kind == kind and (v.kind, v.key) not in question.values]
