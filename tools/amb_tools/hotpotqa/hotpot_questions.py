"""HotpotQA questions with the passages they are asked over, and how an answer is scored against the gold one.

The questions are the data set's where it is, else a small bundled one; the scores are exact match and F1 by HotpotQA's
normal form of answers, and the share of supporting facts that were read.
"""

from __future__ import annotations

import html
import json
import os
import random
import re
import string
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from amb_core.errors import UnreadableSource

__all__ = [
    "HotpotQuestion",
    "Passages",
    "bundled_questions",
    "exact_match",
    "f1_score",
    "load_questions",
    "normalised_answer",
    "read_questions",
    "sample_questions",
    "supporting_recall",
]

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_CLOSED = frozenset({"yes", "no", "noanswer", "是", "否"})
_PUNCTUATION = frozenset(string.punctuation + "，。！？；：、“”‘’（）《》「」·")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_BUNDLED = Path(__file__).with_name("bundled.jsonl")

Passages = Mapping[str, tuple[str, ...]]
"""Sentences by title."""


@dataclass(frozen=True, slots=True)
class HotpotQuestion:
    """A question with its gold answer and supporting sentences (title, number); `reworded` asks for the same.

    `kind` is `bridge` or `comparison`.
    """

    text: str
    answer: str
    supporting: tuple[tuple[str, int], ...]
    kind: str = "bridge"
    reworded: str = ""


def load_questions(folder: str | os.PathLike[str] | None = None) -> tuple[tuple[HotpotQuestion, ...], Passages]:
    """The questions of the data set and all its passages, distractors included.

    `folder` holds the folder `hotpotqa`; by default it is the one that AMB_DATA names. Raises UnreadableSource when the
    data are not there or no JSON; `bundled_questions` are there always.
    """
    place = Path(folder or os.environ.get("AMB_DATA") or ".") / "hotpotqa"
    try:
        rows = json.loads((place / "hotpotqa_train.json").read_text(encoding="utf-8"))
        corpus = json.loads((place / "hotpotqa_train_corpus.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UnreadableSource(f"HotpotQA cannot be read from {place} ({error}); set AMB_DATA.") from None
    return tuple(_question(row) for row in rows), _passages(corpus)


@lru_cache(maxsize=1)
def bundled_questions() -> tuple[tuple[HotpotQuestion, ...], Passages]:
    """A few multi-hop questions in English and Chinese over their own passages, written for this package."""
    return read_questions(_BUNDLED)


def read_questions(file: Path) -> tuple[tuple[HotpotQuestion, ...], Passages]:
    """Questions and passages from a file of JSON lines: `{"title", "sentences"}` or `{"question", "answer", …}`."""
    passages: dict[str, list[str]] = {}
    questions = []
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if "title" in row:
            passages[row["title"]] = row["sentences"]
        else:
            questions.append(_question(row))
    return tuple(questions), _passages(passages)


def sample_questions(questions: Sequence[HotpotQuestion], *, count: int, seed: int) -> list[HotpotQuestion]:
    """`count` of the questions (all, if there are no more) in an order that follows from the seed."""
    return random.Random(seed).sample(list(questions), min(count, len(questions)))


def _question(row: Mapping[str, Any]) -> HotpotQuestion:
    supporting = tuple((html.unescape(title), int(number)) for title, number in row["supporting_facts"])
    kind = row.get("type", "bridge")
    return HotpotQuestion(" ".join(row["question"].split()), row["answer"], supporting, kind, row.get("reworded", ""))


def _passages(corpus: Mapping[str, Sequence[str]]) -> Passages:
    return {html.unescape(title): tuple(each.strip() for each in told) for title, told in corpus.items()}


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
    one, other = _words_of(told), _words_of(wanted)
    shared = sum((Counter(one) & Counter(other)).values())
    if not shared:
        return 0.0
    precision, recall = shared / len(one), shared / len(other)
    return 2 * precision * recall / (precision + recall)


def supporting_recall(read: Collection[tuple[str, int]], gold: Collection[tuple[str, int]]) -> float:
    """The share of the supporting sentences (title and number) that an agent was shown; 1 when there are none."""
    wanted = set(gold)
    return len(wanted & set(read)) / len(wanted) if wanted else 1.0


def _words_of(text: str) -> list[str]:
    return _HAN.sub(lambda found: f" {found.group()} ", text).split()
