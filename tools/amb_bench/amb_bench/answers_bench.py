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
from amb_core.protocols import Embedder
from amb_core.retrieval import LexicalIndex
from amb_core.text import detect_language, index_tokens
from amb_embedders import open_embedder
from amb_tools.corpus.kept_corpus import KeptCorpus, open_corpus
from amb_tools.passages import PieceIndex
from amb_tools.research import Answer, answer_corpus

__all__ = ["Judged", "holds_gold", "judge", "read_questions", "tables"]

_NEEDED = ("id", "question", "gold")
_NINETY = 1.645
_PASSAGE = 2_000
_K1, _B, _CONSIDERED = 1.2, 0.75, 100
_NO_SIGN = re.compile(r"\W+")


@dataclass(frozen=True, slots=True)
class Judged:
    """One question and what became of it; times are in seconds, `first` is 0.0 for a folder that was read before.

    `plain` are the first three paragraphs by BM25, of the same layout and size as those shown; `within` says whether a
    gold sentence stands in the first three passages of 2,000 characters, among which nobody would have to choose.
    """

    row: dict[str, Any]
    answer: Answer
    first: float
    again: float
    plain: list[str]
    within: bool

    @property
    def shown(self) -> list[str]:
        """The paragraphs shown."""
        return [one.paragraph for one in self.answer.citations[:3]]

    @property
    def quoted(self) -> bool:
        """Whether a gold sentence stands whole in one of them, the nearest places of a "not found" included."""
        return any(holds_gold(one, self.row) for one in self.shown)

    @property
    def told(self) -> bool:
        """Whether something is said to be the answer, or perhaps."""
        return self.answer.certainty != "not found"

    @property
    def wrong(self) -> bool:
        """Whether an answer was given as sure and its first paragraph holds no gold sentence."""
        return self.answer.outright and not holds_gold(self.shown[0], self.row)


def holds_gold(text: str, row: dict[str, Any]) -> bool:
    """Whether a gold sentence stands whole in a text; case, blanks and punctuation do not count."""
    return any(gold in _bare(text) for gold in map(_bare, row["gold"]) if gold)


def judge(rows: Sequence[dict[str, Any]], folder: Path, *, embedder: Embedder | None = None) -> Iterator[Judged]:
    """Put every question to its folder under `folder`, each folder read and kept in a cache of its own."""
    with TemporaryDirectory() as cache:
        beside: dict[str, _Beside] = {}
        for row in rows:
            begun = time.perf_counter()
            corpus = open_corpus(folder / row["folder"], cache=Path(cache))
            answer = answer_corpus(corpus, row["question"], embedder=embedder)
            took = time.perf_counter() - begun
            is_first = row["folder"] not in beside
            if is_first:
                beside[row["folder"]] = _Beside(corpus)
            other = beside[row["folder"]]
            yield Judged(
                row,
                answer,
                took if is_first else 0.0,
                0.0 if is_first else took,
                other.paragraphs(row["question"]),
                any(holds_gold(text, row) for text in other.passages(row["question"])),
            )


class _Beside:
    """What else could be shown: paragraphs by plain BM25, and passages."""

    def __init__(self, corpus: KeptCorpus) -> None:
        self._corpus, self._count = corpus, len(corpus.sentences)
        self._index = LexicalIndex(k1=_K1, b=_B)
        for number in range(self._count):
            [place] = corpus.places([number])
            self._index.put(number, index_tokens(place.paragraph))
        self._pieces = PieceIndex(list(corpus.documents.values()), max_chars=_PASSAGE)

    def paragraphs(self, question: str) -> list[str]:
        """By BM25 over the paragraph of every sentence, three that have no sentence in common."""
        scores = self._index.scores(dict.fromkeys(index_tokens(question), 1.0), size=self._count)
        order = np.argsort(-scores, kind="stable")[:_CONSIDERED].tolist()
        return [place.paragraph for place in self._corpus.places(order)][:3]

    def passages(self, question: str) -> list[str]:
        return [self._pieces.pieces[number].text for number in self._pieces.search(question, k=3)]


def read_questions(file: Path) -> list[dict[str, Any]]:
    """The questions of a file of JSON lines; raises InvalidParameter for a line that lacks a field.

    `gold` is the list of the sentences that answer, empty for none. Where `lang` or `folder` is missing, the question
    shows its language and the files are in `files/`.
    """
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
        rows = [json.loads(line) for line in lines if line.strip()]
    except (OSError, ValueError) as error:
        raise UnreadableSource(f"{file} is no readable file of JSON lines ({error}); name another") from None
    for number, row in enumerate(rows, 1):
        if missing := [name for name in _NEEDED if name not in row]:
            raise InvalidParameter(f"line {number} of {file} has no {', '.join(missing)}; add it")
    return [{"lang": detect_language(row["question"]), "folder": "files", **row} for row in rows]


def tables(options: Any) -> Iterator[Table]:
    """One table: a row for each language, and one for both, with 90 % intervals."""
    if options.file is None:
        raise InvalidParameter("name the file of questions: amb bench answers FILE")
    folder, embedder = options.data or options.file.parent, open_embedder(options.embedder)
    judged = list(judge(read_questions(options.file), folder, embedder=embedder))
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / "answers.jsonl").write_text("".join(map(_line, judged)), encoding="utf-8")
    languages = sorted({one.row["lang"] for one in judged})
    groups = [(name, [one for one in judged if one.row["lang"] == name]) for name in languages]
    rows = tuple(_row(name, group) for name, group in [*groups, ("all", judged)])
    yield Table("Answers from files without a model (shares with 90 % intervals)", _COLUMNS, rows, name="answers")


_COLUMNS = (
    "language", "n", "quoted", "characters", "by BM25", "its characters", "in 3 passages", "answered or perhaps",
    "sure", "wrong and sure", "n without", 'right "not found"', "first question s", "second s",
)  # fmt: skip


def _row(name: str, judged: Sequence[Judged]) -> tuple[str | float, ...]:
    answerable = [one for one in judged if one.row["gold"]]
    without = [one for one in judged if not one.row["gold"]]
    return (
        name,
        str(len(judged)),
        _interval([one.quoted for one in answerable]),
        _characters([one.shown for one in judged]),
        _interval([any(holds_gold(text, one.row) for text in one.plain) for one in answerable]),
        _characters([one.plain for one in judged]),
        _interval([one.within for one in answerable]),
        _interval([one.told for one in answerable]),
        _interval([one.answer.outright for one in answerable]),
        _interval([one.wrong for one in judged]),
        str(len(without)),
        _interval([not one.told for one in without]),
        f"{_median([one.first for one in judged if one.first]):.2f}",
        f"{_median([one.again for one in judged if one.again]):.3f}",
    )


def _characters(shown: Sequence[list[str]]) -> str:
    """How many characters are shown on average."""
    return f"{sum(len(text) for texts in shown for text in texts) / max(len(shown), 1):,.0f}"


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
        "shown": [f"{c.source}:{c.line} {c.paragraph}" for c in one.answer.citations],
        "quoted": one.quoted,
        "wrong": one.wrong,
    }
    return json.dumps(told, ensure_ascii=False) + "\n"


def _bare(text: str) -> str:
    return _NO_SIGN.sub("", text.lower())
