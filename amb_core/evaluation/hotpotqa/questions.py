"""HotpotQA questions with the passages they are asked over: the data set where it is, or a small bundled one."""

from __future__ import annotations

import html
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import Any

from amb_core.errors import UnreadableSource
from amb_core.evaluation.datasets import data_folder

__all__ = ["HotpotQuestion", "Passages", "bundled", "fresh", "load_questions", "sampled", "written"]

_BUNDLED = Path(__file__).with_name("bundled.jsonl")
_WRITTEN, _FRESH = (Path(__file__).with_name(name) for name in ("written.jsonl", "fresh.jsonl"))

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


def load_questions(folder: str | PathLike[str] | None = None) -> tuple[tuple[HotpotQuestion, ...], Passages]:
    """The questions of the data set and all its passages, distractors included.

    Raises UnreadableSource when the data are not there or no JSON; `bundled` is there always.
    """
    place = data_folder(folder) / "hotpotqa"
    try:
        rows = json.loads((place / "hotpotqa_train.json").read_text(encoding="utf-8"))
        corpus = json.loads((place / "hotpotqa_train_corpus.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UnreadableSource(f"HotpotQA cannot be read from {place} ({error}); set AMB_DATA.") from None
    return tuple(_question(row) for row in rows), _passages(corpus)


@lru_cache(maxsize=1)
def bundled() -> tuple[tuple[HotpotQuestion, ...], Passages]:
    """A few multi-hop questions in English and Chinese over their own passages, written for this package."""
    return _read(_BUNDLED)


@lru_cache(maxsize=1)
def written() -> tuple[tuple[HotpotQuestion, ...], Passages]:
    """50 more, 30 in English and 20 in Chinese, written before the reading of answers was worked on and used for it."""
    return _read(_WRITTEN)


@lru_cache(maxsize=1)
def fresh() -> tuple[tuple[HotpotQuestion, ...], Passages]:
    """20 more, 12 in English and 8 in Chinese, written after that work; nothing was changed for them."""
    return _read(_FRESH)


def _read(file: Path) -> tuple[tuple[HotpotQuestion, ...], Passages]:
    passages: dict[str, list[str]] = {}
    questions = []
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if "title" in row:
            passages[row["title"]] = row["sentences"]
        else:
            questions.append(_question(row))
    return tuple(questions), _passages(passages)


def sampled(questions: Sequence[HotpotQuestion], *, count: int, seed: int) -> list[HotpotQuestion]:
    """`count` of the questions (all, if there are no more) in an order that follows from the seed."""
    return random.Random(seed).sample(list(questions), min(count, len(questions)))


def _question(row: Mapping[str, Any]) -> HotpotQuestion:
    supporting = tuple((html.unescape(title), int(number)) for title, number in row["supporting_facts"])
    kind = row.get("type", "bridge")
    return HotpotQuestion(" ".join(row["question"].split()), row["answer"], supporting, kind, row.get("reworded", ""))


def _passages(corpus: Mapping[str, Sequence[str]]) -> Passages:
    return {html.unescape(title): tuple(each.strip() for each in told) for title, told in corpus.items()}
