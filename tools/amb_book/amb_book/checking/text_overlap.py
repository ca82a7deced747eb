"""How much of one text another says: content words in English, pairs of characters in Chinese."""

from __future__ import annotations

import re
from collections.abc import Collection

from amb_core.text import index_tokens

__all__ = ["overlap", "terms"]

_HAN = re.compile(r"[\u3400-\u9fff]+")
_LATIN = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_EMPTY_EN = frozenset(
    "the a an of to in on at is was are be been and or who whom what which that this it its his her "
    "their he she they him them "
    "with by for from as not no but so then there here do did has have had into onto up out off all "
    "any some where when how".split()
)
_EMPTY_ZH = re.compile(
    r"知道|自己|什么|没有|一个|时候|他们|她们|我们|你们|这个|那个|怎么|如何|"
    r"[的了是在和与着过把被将之其这那也都就从往到一上下里]"
)


def terms(text: str) -> frozenset[str]:
    """The content of a text."""
    words = (word for word in _LATIN.findall(re.sub(r"['’]s\b", "", text)) if word.casefold() not in _EMPTY_EN)
    latin = {token for word in words for token in index_tokens(word)[:1]}
    han = {
        run[place : place + 2]
        for stretch in _HAN.findall(text)
        for run in _EMPTY_ZH.split(stretch)
        for place in range(len(run) - 1)
    }
    return frozenset(latin | han)


def overlap(wanted: Collection[str], told: Collection[str]) -> float:
    """Which share of the wanted terms is told, in [0, 1]."""
    return sum(each in told for each in wanted) / len(wanted) if wanted else 0.0
