"""Answers from folders of files without a model: the right sentence quoted, wrong ones given as sure, "not found"."""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from amb_bench.tables import Table
from amb_core.errors import InvalidParameter, UnreadableSource
from amb_core.text import detect_language, index_tokens
from amb_tools.corpus.kept_corpus import KeptCorpus, open_corpus
from amb_tools.piece_index import PieceIndex
from amb_tools.research import Answer, answer_corpus

__all__ = ["Judged", "is_gold", "judge", "read_questions", "tables"]

_NEEDED = ("id", "lang", "folder", "question", "answerable")
_NINETY = 1.645
_PASSAGE, _SEEN = 2_000, 30
_NO_SIGN = re.compile(r"\W+")


@dataclass(frozen=True, slots=True)
class Judged:
    """One question and what became of it; times are in seconds, `first` is 0.0 for a folder that was read before.

    `plain` says whether a gold sentence is among the first three by BM25, `within` whether one stands in the first
    three passages, among which nobody would have to choose.
    """

    row: dict[str, Any]
    answer: Answer
    first: float
    again: float
    plain: bool
    within: bool

    @property
    def quoted(self) -> bool:
        """Whether the gold sentence is among the first three that are quoted as an answer or perhaps one."""
        return self.answer.certainty != "not found" and self.near

    @property
    def near(self) -> bool:
        """The same, with the nearest places of a "not found"."""
        return any(is_gold(one.text, self.row) for one in self.answer.citations[:3])

    @property
    def wrong(self) -> bool:
        """Whether an answer was given as sure and its first sentence is neither gold nor holds the gold value."""
        first = self.answer.citations[0].text if self.answer.citations else ""
        value = _bare(self.row.get("gold_value") or "")
        holds = bool(value) and value in _bare(first)
        return self.answer.outright and not (self.row["answerable"] and (holds or is_gold(first, self.row)))


def is_gold(quoted: str, row: dict[str, Any]) -> bool:
    """Whether a quoted sentence is the gold one, or one of them is the larger part of the other."""
    one = _bare(quoted)
    for sentence in row.get("gold_sentences") or [row.get("gold_sentence") or ""]:
        gold = _bare(sentence)
        if gold and one and (gold in one or (one in gold and len(one) >= len(gold) / 2)):
            return True
    value = _bare(row.get("gold_value") or "")
    whole = _bare(row.get("gold_sentence") or "")
    return bool(value) and len(one) > len(value) and value in one and one in whole


def judge(rows: Sequence[dict[str, Any]], folder: Path) -> Iterator[Judged]:
    """Put every question to its folder under `folder`, each folder read and kept in a cache of its own."""
    with TemporaryDirectory() as cache:
        passages: dict[str, PieceIndex] = {}
        for row in rows:
            begun = time.perf_counter()
            corpus = open_corpus(folder / row["folder"], cache=Path(cache))
            answer = answer_corpus(corpus, row["question"])
            took = time.perf_counter() - begun
            is_first = row["folder"] not in passages
            if is_first:
                passages[row["folder"]] = PieceIndex(list(corpus.documents.values()), max_chars=_PASSAGE)
            yield Judged(
                row,
                answer,
                took if is_first else 0.0,
                0.0 if is_first else took,
                any(is_gold(text, row) for text in _plain(corpus, row["question"])),
                any(is_gold(text, row) for text in _passages(passages[row["folder"]], row["question"])),
            )


def _plain(corpus: KeptCorpus, question: str) -> list[str]:
    """The first three sentences by BM25 over nothing but sentences."""
    scores = corpus.index.scores(dict.fromkeys(index_tokens(question), 1.0), size=len(corpus.sentences))
    order = np.argsort(-scores, kind="stable")[:_SEEN].tolist()
    return list(dict.fromkeys(corpus.place(number).text for number in order))[:3]


def _passages(index: PieceIndex, question: str) -> list[str]:
    return [index.pieces[number].text for number in index.search(question, k=3)]


def read_questions(file: Path) -> list[dict[str, Any]]:
    """The questions of a file of JSON lines; raises InvalidParameter for a line that lacks a field.

    A line may also name the `file` below `files/` and the list `gold` of the sentences that answer, empty for none.
    """
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
        rows = [_with_gold(json.loads(line)) for line in lines if line.strip()]
    except (OSError, ValueError) as error:
        raise UnreadableSource(f"{file} is no readable file of JSON lines ({error}); name another") from None
    for number, row in enumerate(rows, 1):
        if missing := [name for name in _NEEDED if name not in row]:
            raise InvalidParameter(f"line {number} of {file} has no {', '.join(missing)}; add it")
    return rows


def _with_gold(row: dict[str, Any]) -> dict[str, Any]:
    if "gold" not in row:
        return row
    told = {"lang": detect_language(row["question"]), "folder": "files", "answerable": bool(row["gold"])}
    return {**told, **row, "gold_file": row.get("file"), "gold_sentences": row["gold"]}


def tables(options: Any) -> Iterator[Table]:
    """One table: a row for each language, and one for both, with 90 % intervals."""
    if options.file is None:
        raise InvalidParameter("name the file of questions: amb bench answers FILE")
    judged = list(judge(read_questions(options.file), options.data or options.file.parent))
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / "answers.jsonl").write_text("".join(map(_line, judged)), encoding="utf-8")
    languages = sorted({one.row["lang"] for one in judged})
    groups = [(name, [one for one in judged if one.row["lang"] == name]) for name in languages]
    rows = tuple(_row(name, group) for name, group in [*groups, ("all", judged)])
    yield Table("Answers from files without a model (shares with 90 % intervals)", _COLUMNS, rows, name="answers")


_COLUMNS = (
    "language", "n", "gold in first 3", "or nearest", "by BM25", "in 3 passages", "sure", "wrong and sure",
    "n without", 'right "not found"', "first question s", "second s",
)  # fmt: skip


def _row(name: str, judged: Sequence[Judged]) -> tuple[str | float, ...]:
    answerable = [one for one in judged if one.row["answerable"]]
    without = [one for one in judged if not one.row["answerable"]]
    return (
        name,
        str(len(judged)),
        _interval([one.quoted for one in answerable]),
        _interval([one.near for one in answerable]),
        _interval([one.plain for one in answerable]),
        _interval([one.within for one in answerable]),
        _interval([one.answer.outright for one in answerable]),
        _interval([one.wrong for one in judged]),
        str(len(without)),
        _interval([one.answer.certainty == "not found" for one in without]),
        f"{_median([one.first for one in judged if one.first]):.2f}",
        f"{_median([one.again for one in judged if one.again]):.3f}",
    )


def _interval(found: Sequence[bool]) -> str:
    """A share with Wilson's 90 % interval."""
    count = len(found)
    if not count:
        return "-"
    share, square = sum(found) / count, _NINETY**2
    middle = (share + square / (2 * count)) / (1 + square / count)
    spread = _NINETY / (1 + square / count) * math.sqrt(share * (1 - share) / count + square / (4 * count**2))
    return f"{share:.2f} ({max(0.0, middle - spread):.2f}-{min(1.0, middle + spread):.2f})"


def _median(times: Sequence[float]) -> float:
    return sorted(times)[len(times) // 2] if times else 0.0


def _line(one: Judged) -> str:
    told = {
        **one.row,
        "certainty": one.answer.certainty,
        "quoted": [f"{c.source}:{c.line} {c.text}" for c in one.answer.citations],
        "right": one.quoted,
        "near": one.near,
        "wrong": one.wrong,
    }
    return json.dumps(told, ensure_ascii=False) + "\n"


def _bare(text: str) -> str:
    return _NO_SIGN.sub("", text.lower())
