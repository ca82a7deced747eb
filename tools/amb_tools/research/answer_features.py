"""What speaks for a sentence as the answer to a question, as figures that weights can be fitted to."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from amb_core.text import Value, detect_language, index_tokens, values
from amb_core.text.common_words import is_common
from amb_tools.corpus.kept_corpus import KeptCorpus, Place

__all__ = ["FEATURES", "Candidate", "Question", "candidates"]

_KINDS = {
    "time": r"\bwhen\b|\b(?:what|which) (?:year|date|day|month|decade|century)\b|\bsince when\b|"
    r"何时|什么时[候间]|哪[一]?[年天日月]|几[月日]|日期|年份|时间是",
    "number": r"\bhow (?:many|much|long|old|far|often|large|big|high|fast|tall|deep|late|soon|wide)\b|"
    r"多少|几|多[长久大高远快深重]",
    "name": r"\bwho(?:m|se)?\b|谁|哪[位些]?[个]?人|什么人",
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
_NAME = re.compile(r"(?<![.!?] )(?<!^)\b[A-Z][\w.'-]+|\b[A-Z][\w'-]+ (?:of |the |van |de )?[A-Z][\w'-]+")
_QUOTED = re.compile(
    r"[\"“”‘’「『《`]([^\"“”‘’」』》`]{1,40})[\"“”‘’」』》`]|(?<!\w)(-{1,2}[A-Za-z][\w-]*|[\w.-]*[/_.][\w/._-]*\w|[A-Z][A-Z\d_]{2,})"
)
_KNOWN = 12


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
    def common(self) -> set[str]:
        """Terms of everyday words, which another wording may lack."""
        return {
            term for word in re.findall(r"[a-z]+", self.text.lower()) if is_common(word) for term in index_tokens(word)
        }

    @cached_property
    def pairs(self) -> set[tuple[str, str]]:
        parts = [index_tokens(part) for part in _ASKING.split(self.text) if part]
        return {pair for part in parts for pair in pairwise(part)}

    @cached_property
    def names(self) -> list[list[str]]:
        """The terms of each name, code and quotation in it."""
        found = [m.group() for m in _NAME.finditer(self.text)] + [m[1] or m[2] for m in _QUOTED.finditer(self.text)]
        return [terms for name in found if (terms := index_tokens(name)) and not _ASKING.fullmatch(name)]

    @cached_property
    def values(self) -> set[tuple[str, str]]:
        return {(value.kind, value.key) for value in values(self.text)}


@dataclass(frozen=True)
class Candidate:
    """A sentence that may be the answer, and what speaks for it, in the order of `FEATURES`."""

    place: Place
    features: tuple[float, ...]
    found: tuple[Value, ...]
    """Values of the kind asked for that the question does not state itself."""


FEATURES = (
    "own",
    "around",
    "bm25",
    "rarest",
    "second",
    "pairs",
    "pairs_around",
    "names",
    "names_around",
    "typed",
    "untyped",
    "length",
    "short",
    "ratio",
    "unknown",
    "asks",
    "under",
    "rank",
    "reason",
    "terms",
    "label",
    "names_label",
    "opens",
    "missed",
    "missed_rare",
    "before",
)


def candidates(corpus: KeptCorpus, question: Question, *, k: int = 60) -> list[Candidate]:
    """The sentences that have most of the question's words, in themselves or in what they stand under."""
    found = corpus.search(question.tokens, k=k)
    weight = {term: corpus.index.idf(term) for term in question.tokens}
    most = max((score for _, score in found), default=0.0) or 1.0
    return [
        _candidate(corpus, question, corpus.place(number), weight, score / most, score, rank)
        for rank, (number, score) in enumerate(found)
    ]


def _candidate(
    corpus: KeptCorpus,
    question: Question,
    place: Place,
    weight: Mapping[str, float],
    ratio: float,
    score: float,
    rank: int,
) -> Candidate:
    terms = index_tokens(place.text)
    own, under = set(terms), set(index_tokens(place.under))
    around = own | under | set(index_tokens(place.before))
    total = sum(weight.values()) or 1.0
    rare = sorted(weight, key=lambda term: (-weight[term], term))
    label = set(index_tokens(place.label))
    special = [term for term in weight if term not in question.common]
    pairs = set(pairwise(terms))
    all_pairs = pairs | _pairs(place.under) | _pairs(place.before)
    found = _found(question, place.text)
    wants = question.kind in ("time", "number", "name")
    features = (
        _share(weight, own, total),
        _share(weight, around, total),
        score / total,
        float(bool(rare) and rare[0] in around),
        float(len(rare) > 1 and rare[1] in around),
        len(question.pairs & pairs) / max(len(question.pairs), 1),
        len(question.pairs & all_pairs) / max(len(question.pairs), 1),
        _named(question.names, own),
        _named(question.names, around),
        float(wants and bool(found)),
        float(wants and not found),
        min(len(terms), 60) / 60,
        float(len(own - set(weight)) < 3),
        ratio,
        sum(w for term, w in weight.items() if corpus.index.document_frequency(term) == 0) / total,
        float(place.text.endswith(("?", "？"))),
        _share(weight, under, total),
        1 / (1 + rank),
        float(question.kind == "reason" and bool(_REASON.search(place.text))),
        min(len(weight), _KNOWN) / _KNOWN,
        _share(weight, label, total),
        float(bool(question.names) and _named(question.names, label) > 0),
        float(place.opens),
        sum(term not in around for term in special) / max(len(special), 1),
        max((weight[term] for term in special if term not in around), default=0.0) / max(weight.values(), default=1.0),
        _share(weight, set(index_tokens(place.before)) - own, total),
    )
    return Candidate(place, features, found)


def _share(weight: Mapping[str, float], terms: Collection[str], total: float) -> float:
    return sum(w for term, w in weight.items() if term in terms) / total


def _pairs(text: str) -> set[tuple[str, str]]:
    return set(pairwise(index_tokens(text)))


def _named(names: Sequence[Sequence[str]], terms: Collection[str]) -> float:
    """The share of the names whose terms are all there; 1 where the question names nothing."""
    return sum(all(term in terms for term in name) for name in names) / len(names) if names else 1.0


def _found(question: Question, text: str) -> tuple[Value, ...]:
    kinds = {"time": ("date",), "number": ("number", "date"), "name": ("name",)}.get(question.kind, ())
    return tuple(v for v in values(text) if v.kind in kinds and (v.kind, v.key) not in question.values)
