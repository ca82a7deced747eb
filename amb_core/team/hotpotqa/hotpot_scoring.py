"""Exact match and F1 by HotpotQA's normal form of answers, and the share of supporting facts that were read."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Collection

__all__ = ["exact_match", "f1_score", "normalised_answer", "supporting_recall"]

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_CLOSED = frozenset({"yes", "no", "noanswer", "是", "否"})
_PUNCTUATION = frozenset(string.punctuation + "，。！？；：、“”‘’（）《》「」·")
_HAN = re.compile(r"[\u4e00-\u9fff]")


def normalised_answer(text: str) -> str:
    """Lower case, without punctuation and articles, blanks made one; Chinese characters stand as they are."""
    bare = "".join(each for each in text.lower() if each not in _PUNCTUATION)
    return " ".join(_ARTICLES.sub(" ", bare).split())


def exact_match(answer: str, gold: str) -> bool:
    """Whether two answers are equal in normal form."""
    return normalised_answer(answer) == normalised_answer(gold)


def f1_score(answer: str, gold: str) -> float:
    """F1 of the words in common (of characters for Chinese); yes and no are right or wrong as a whole."""
    told, wanted = normalised_answer(answer), normalised_answer(gold)
    if told != wanted and (told in _CLOSED or wanted in _CLOSED):
        return 0.0
    one, other = _words(told), _words(wanted)
    shared = sum((Counter(one) & Counter(other)).values())
    if not shared:
        return 0.0
    precision, recall = shared / len(one), shared / len(other)
    return 2 * precision * recall / (precision + recall)


def supporting_recall(read: Collection[tuple[str, int]], gold: Collection[tuple[str, int]]) -> float:
    """The share of the supporting sentences (title and number) that an agent was shown; 1 when there are none."""
    wanted = set(gold)
    return len(wanted & set(read)) / len(wanted) if wanted else 1.0


def _words(text: str) -> list[str]:
    return _HAN.sub(lambda found: f" {found.group()} ", text).split()
