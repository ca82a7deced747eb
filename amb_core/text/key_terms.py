"""The most telling words and names of a text."""

import re
from collections.abc import Iterator, Mapping, Set

from amb_core.text.chinese_words import Segment, chinese_segments
from amb_core.text.common_words import topic_weight
from amb_core.text.index_terms import stem
from amb_core.text.names import name_key
from amb_core.text.proper_names import core_names
from amb_core.text.pure_cache import text_cache

__all__ = ["keywords"]

_WINDOW = 20_000
_LETTERS = r"[A-Za-z\u00c0-\u024f][A-Za-z\u00c0-\u024f-]"
_WORD = re.compile(rf"({_LETTERS}+)( (?={_LETTERS}))?")
"""A word, and a blank between it and another one."""
_NAME_WEIGHT = 2.5
_UNKNOWN_WEIGHT = 1.6
_COMMON_WEIGHT = 0.5
_LONGEST_TERM = 8
_LONGEST_WORD = 60


@text_cache(most=32_768)
def _term(word: str) -> tuple[str, str, float]:
    """(key, surface, weight) of one English word; the weight of a word that tells nothing is 0."""
    weight = topic_weight(word) if 2 < len(word) <= _LONGEST_WORD else 0.0
    return stem(word.lower()).replace("-", " "), word.lower() if word[1:].islower() else word, weight


def _english(text: str, named: Set[str]) -> Iterator[tuple[str, str, float]]:
    """(key, surface, weight) of every content word, and of every pair of them that stands together."""
    before: tuple[str, str, float] | None = None
    for word, blank in _WORD.findall(text):
        if word[-1] == "-":
            word = word.strip("-")
        term = _term(word if len(word) <= _LONGEST_WORD else word[: _LONGEST_WORD + 1])
        root, surface, weight = term
        if not weight or (word[0].isupper() and word.lower() in named):
            before = None
            continue
        yield term
        if before and weight >= 1.0:
            yield f"{before[0]} {root}", f"{before[1]} {surface}", 0.6 * (before[2] + weight)
        before = term if blank else None


def _chinese(text: str) -> Iterator[tuple[str, str, float]]:
    """Stretches that are no everyday words, alone and with the word after them, and the everyday words themselves."""
    before: Segment | None = None
    for segment in chinese_segments(text):
        term = text[segment.start : segment.end]
        if segment.kind == "function" or len(term) > _LONGEST_TERM:
            before = None
            continue
        if before and before.end == segment.start and segment.kind == "common":
            phrase = text[before.start : segment.end]
            yield phrase, phrase, _UNKNOWN_WEIGHT
        if len(term) > 1:
            yield term, term, _UNKNOWN_WEIGHT if segment.kind == "unknown" else _COMMON_WEIGHT
        before = segment if segment.kind == "unknown" and len(term) <= 6 else None


def _without_parts(ranked: list[str], counts: Mapping[str, int]) -> Iterator[str]:
    """Leaves out what stands only inside a longer term that is also chosen, and repeats of a chosen word."""
    chosen: list[str] = []
    for key in ranked:
        inside = [other for other in chosen if key in other or (other in key and counts[key] < counts[other])]
        if not any((key in other and counts[other] >= 0.6 * counts[key]) or other in key for other in inside):
            chosen.append(key)
            yield key


def keywords(text: str, *, limit: int = 8) -> tuple[str, ...]:
    """Up to `limit` names, words and phrases as the text writes them, most telling first, each topic once.

    Only the first 20,000 characters are looked at.
    """
    sample = text[:_WINDOW]
    scores: dict[str, float] = {}
    counts: dict[str, int] = {}
    surfaces: dict[str, str] = {}
    terms = [
        (name_key(entity.name), entity.name, _NAME_WEIGHT) for entity in core_names(sample) if len(entity.name) < 60
    ]
    named = {word for key, _, _ in terms for word in key.split()}
    terms.extend(_english(sample, named))
    if not sample.isascii():
        terms.extend(_chinese(sample))
    for key, surface, weight in terms:
        if key in counts:
            counts[key] = count = counts[key] + 1
            scores[key] += weight / count**0.5
        elif key:
            counts[key], scores[key], surfaces[key] = 1, weight, surface
    for key in scores:
        if " " in key and counts[key] == 1 and surfaces[key].islower():
            scores[key] *= 0.5
    ranked = sorted(scores, key=scores.__getitem__, reverse=True)
    return tuple(
        surfaces[key] for key, _ in zip(_without_parts(ranked[: 20 * limit], counts), range(limit), strict=False)
    )
