"""The most telling words and names of a text."""

import re
from collections import Counter

from amb_core.text.entities import entities
from amb_core.text.stopwords import CHINESE_CHARS, ENGLISH
from amb_core.text.words import stem

__all__ = ["keywords"]

_WINDOW = 20_000
_WORD = re.compile(r"[A-Za-z][A-Za-z'-]{2,}|[\u4e00-\u9fff]+")


def keywords(text: str, *, limit: int = 8) -> tuple[str, ...]:
    """Up to `limit` words, names or Chinese word-like pairs as they stand in the text, most telling first."""
    sample = text[:_WINDOW]
    scores: Counter[str] = Counter()
    surface: dict[str, str] = {}
    for entity in entities(sample):
        scores[entity.name.lower()] += 2
        surface.setdefault(entity.name.lower(), entity.name)
    for run in _WORD.findall(sample):
        if run[0].isascii():
            lower = run.lower()
            if lower not in ENGLISH:
                scores[stem(lower)] += 1
                surface.setdefault(stem(lower), lower)
            continue
        for pair in map("".join, zip(run, run[1:], strict=False)):
            if not CHINESE_CHARS.intersection(pair):
                scores[pair] += 1
                surface.setdefault(pair, pair)
    return tuple(surface[key] for key, _ in scores.most_common(limit))
