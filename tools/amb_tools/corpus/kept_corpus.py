"""A folder of files as an index of sentences, read once and kept until a file changes."""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from pydantic import JsonValue

from amb_core.protocols import Embedder
from amb_core.retrieval import LexicalIndex, Packed
from amb_core.text import index_tokens
from amb_retrieval.kept_index import KeptIndex
from amb_tools.corpus.document_pieces import pieces
from amb_tools.corpus.documents import Document, read_corpus
from amb_tools.corpus.sentences import CorpusSentence, flat, sentences_of

__all__ = ["KeptCorpus", "SentencePlace", "cache_folder", "open_corpus"]

_SHOWN = 600
"""Columns of a terminal that a paragraph has at most, 600 letters or 300 Chinese characters: three fill a screen."""
_AROUND, _PASSAGE = 8, 0.4
"""A sentence stands in a passage that goes this many sentences to both sides, and what the terms of it are worth."""
_K1, _B = 0.5, 0.3
_WIDE = re.compile(r"[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]")

_STEP = " › "

Figures: TypeAlias = NDArray[np.float32]
IntArray: TypeAlias = NDArray[np.int64]
Spans: TypeAlias = tuple[IntArray, IntArray]


@dataclass(frozen=True, slots=True)
class SentencePlace:
    """A sentence on one line, where it stands (`line` counts from 1), what it stands under, and its paragraph.

    `before` and `after` are the rest of the paragraph; what begins a block of the layout begins a line there.
    """

    document: str
    line: int
    start: int
    end: int
    text: str
    under: str = ""
    before: str = ""
    after: str = ""

    @property
    def paragraph(self) -> str:
        """The whole paragraph."""
        return self.before + self.text + self.after


class KeptCorpus:
    """The sentences of some documents, found by their words and by those of their headings and paragraphs."""

    def __init__(self, documents: Iterable[Document]) -> None:
        self.documents = {document.name: document for document in documents}
        self.sentences = [one for document in self.documents.values() for one in sentences_of(document)]
        self.index, self.labels = LexicalIndex(k1=_K1, b=_B), LexicalIndex()
        self.widths = np.zeros(len(self.sentences), dtype=np.int64)
        for number in range(len(self.sentences)):
            text = self.text(number)
            self.index.put(number, index_tokens(text))
            self.widths[number] = len(text) + len(_WIDE.findall(text))
        for number, (document, under) in enumerate(dict.fromkeys((s.document, s.under) for s in self.sentences)):
            self.labels.put(number, index_tokens(f"{_title(document)}\n{under}"))

    def places(self, numbers: Iterable[int]) -> list[SentencePlace]:
        """Some sentences in paragraphs that differ and share none; what stands in an earlier one is left out."""
        firsts, lasts = self._paragraphs
        found, free = dict[str, SentencePlace](), np.ones(len(self.sentences), dtype=bool)
        for number in numbers:
            if not free[number]:
                continue
            first, last = number, number + 1
            while first > firsts[number] and free[first - 1]:
                first -= 1
            while last < lasts[number] and free[last]:
                last += 1
            free[first:last] = False
            place = self._place(number, first, last)
            found.setdefault(place.paragraph, place)
        return list(found.values())

    def _place(self, number: int, first: int, last: int) -> SentencePlace:
        one = self.sentences[number]
        line = self.documents[one.document].text.count("\n", 0, one.start) + 1
        under = _STEP.join(filter(None, (_title(one.document), one.under)))
        before, after = self._joined(first, number + 1), self._joined(number, last)
        text = self.text(number)
        rest = before[: -len(text)], after[len(text) :]
        return SentencePlace(one.document, line, one.start, one.end, text, under, *rest)

    def _joined(self, first: int, last: int) -> str:
        blocks = [first, *(number for number in range(first + 1, last) if self.sentences[number].opens), last]
        spans = ((self.sentences[one], self.sentences[other - 1]) for one, other in pairwise(blocks))
        return "\n".join(flat(self.documents[one.document].text[one.start : other.end]) for one, other in spans)

    def text(self, number: int) -> str:
        """The sentence of that number on one line."""
        one = self.sentences[number]
        return flat(self.documents[one.document].text[one.start : one.end])

    @cached_property
    def _labels(self) -> IntArray:
        labels = {pair: n for n, pair in enumerate(dict.fromkeys((s.document, s.under) for s in self.sentences))}
        return np.array([labels[s.document, s.under] for s in self.sentences], dtype=np.int64)

    @cached_property
    def _paragraphs(self) -> Spans:
        """For each sentence the first one and the one after the last of its paragraph.

        They are the sentences beside it under the same names, one after and one before it in turn, as far as they fit;
        what opens a list or heads a table stands with what it opens.
        """
        numbers, ends = np.arange(len(self.sentences)), np.pad(np.cumsum(self.widths + 1), (1, 0))
        breaks = np.diff(self._labels) != 0
        for number in np.flatnonzero(breaks).tolist():
            one, other = self.sentences[number], self.sentences[number + 1]
            breaks[number] = one.document != other.document or not other.under.endswith(self.text(number))
        run = np.pad(np.cumsum(breaks), (1, 0))[: len(numbers)]
        lowest, highest = np.searchsorted(run, run), np.searchsorted(run, run, side="right")
        first, last, grows = numbers.copy(), numbers + 1, True
        while grows:
            right = (last < highest) & (ends[np.minimum(last + 1, len(numbers))] - ends[first] <= _SHOWN + 1)
            last += right
            left = (first > lowest) & (ends[last] - ends[first - 1] <= _SHOWN + 1)
            first -= left
            grows = bool(right.any() or left.any())
        return first, last

    @cached_property
    def _passages(self) -> Spans:
        """The same for the passage around each sentence, which ends with its document."""
        names = {name: number for number, name in enumerate(self.documents)}
        document = np.array([names[s.document] for s in self.sentences], dtype=np.int64)
        numbers = np.arange(len(document))
        first, last = np.searchsorted(document, document), np.searchsorted(document, document, side="right")
        return np.maximum(numbers - _AROUND, first), np.minimum(numbers + _AROUND + 1, last)

    def search(self, tokens: Iterable[str], *, k: int) -> list[tuple[int, float]]:
        """(number, score) of the best sentences for some terms.

        A score is BM25 of the sentence, of its paragraph with its headings, and in part of the passage around it; about
        2.4 where all of them hold all terms.
        """
        terms = list(dict.fromkeys(tokens))
        if not terms or not self.sentences:
            return []
        weight = np.array([self.index.idf(term) for term in terms], dtype=np.float32)
        own = np.zeros((len(terms), len(self.sentences)), dtype=np.float32)
        match = self.index.match(dict.fromkeys(terms, 1.0))
        known = [terms.index(term) for term in match.terms]
        own[known] = match.at(np.arange(len(self.sentences))) * ((1 + _K1) / weight[known, None])
        over = self.labels.holding(terms, np.arange(len(self.labels)))[:, self._labels]
        held = own + _held(own, over, self._paragraphs) + _PASSAGE * _held(own, over, self._passages)
        scores = weight @ held / weight.sum()
        best = np.argsort(-scores, kind="stable")[:k]
        return [(int(number), float(scores[number])) for number in best if scores[number] > 0]

    def nearness(self, question: str, numbers: Sequence[int], embedder: Embedder) -> dict[int, float]:
        """How near some sentences are to a question by an embedder, in standard deviations from their mean."""
        if not numbers:
            return {}
        names = [self.sentences[number].under.rpartition(_STEP)[2] for number in numbers]
        texts = [": ".join(filter(None, (name, self.text(one)))) for name, one in zip(names, numbers, strict=True)]
        cosines = embedder.embed(texts) @ embedder.embed([question], role="query")[0]
        nearness = (cosines - cosines.mean()) / max(float(cosines.std()), 1e-6)
        return dict(zip(numbers, nearness.tolist(), strict=True))

    def passage(self, document: str, start: int) -> str:
        """The text around a place that stands in one piece of its document, its headings first."""
        cut = pieces(self.documents[document])
        return next((one.titled for one in cut if one.start <= start < one.end), "")

    def packed(self) -> dict[str, Packed]:
        """Everything in it, for a file."""
        names = {name: number for number, name in enumerate(self.documents)}
        under = list(dict.fromkeys(one.under for one in self.sentences))
        numbers = {text: number for number, text in enumerate(under)}
        rows = [
            (names[s.document], s.start, s.end, numbers[s.under], s.opens, width)
            for s, width in zip(self.sentences, self.widths.tolist(), strict=True)
        ]
        texts: Packed = {
            "names": list(names),
            "texts": [document.text for document in self.documents.values()],
            "paths": [str(document.path) for document in self.documents.values()],
            "under": under,
            "rows": np.array(rows, dtype=np.int64).reshape(-1, 6),
        }
        return {"texts": texts, "index": self.index.packed(), "labels": self.labels.packed()}

    @classmethod
    def restore(cls, parts: dict[str, Packed]) -> KeptCorpus:
        """What `parts` was made of."""
        made, texts = cls(()), parts["texts"]
        for name, text, path in zip(texts["names"], texts["texts"], texts["paths"], strict=True):
            made.documents[name] = Document(name, text, Path(path))
        names, under = texts["names"], texts["under"]
        rows = texts["rows"]
        made.sentences = [CorpusSentence(names[d], s, e, under[u], bool(o)) for d, s, e, u, o, _ in rows.tolist()]
        made.widths = rows[:, 5].astype(np.int64)
        made.index.restore(parts["index"])
        made.labels.restore(parts["labels"])
        return made


def open_corpus(
    path: str | Path, *, cache: Path | None = None, on_skip: Callable[[Path, str], None] | None = None
) -> KeptCorpus:
    """The files under `path`; what was kept of them in the folder `cache` is taken as long as no file has changed.

    Raises UnreadableSource as `read_corpus` does. `on_skip` hears of files that cannot be read when they are read.
    """
    root = Path(path)
    state = _state(root)
    name = hashlib.sha256(os.fsencode(root.resolve())).hexdigest()[:24]
    kept = KeptIndex((cache or cache_folder()) / f"{name}.index", *sorted(Path(__file__).parent.glob("*.py")))
    found = kept.read() if state else None
    if found is not None and found.header == {"files": state}:
        return KeptCorpus.restore(found.parts)
    corpus = KeptCorpus(read_corpus(path, on_skip=on_skip))
    if state:
        try:
            kept.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError:
            return corpus  # it is read anew the next time
        kept.write({"files": state}, corpus.packed)
    return corpus


def cache_folder() -> Path:
    """Where indexes of folders are kept: `AMB_CACHE`, else the folder the system names for caches of this user."""
    if named := os.environ.get("AMB_CACHE"):
        return Path(named)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "amb" / "corpora"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "amb" / "corpora"


def _held(own: Figures, over: NDArray[np.bool_], spans: Spans) -> Figures:
    """How far each span of sentences holds each term: BM25 without weights, a term over the span counts once more."""
    sums = np.pad(np.cumsum(own, axis=1, dtype=np.float64), ((0, 0), (1, 0)))
    first, last = spans
    counts = (sums[:, last] - sums[:, first] + over).clip(0)
    counts[counts < 1e-3] = 0
    size = last - first
    return np.asarray(counts * (1 + _K1) / (counts + _K1 * (1 - _B + _B * size / size.mean())), dtype=np.float32)


def _title(name: str) -> str:
    return Path(name).stem.replace("_", " ")


def _state(root: Path) -> list[JsonValue]:
    """Name, size and time of every file, which change when a file does; empty where nothing can be listed."""
    try:
        files = [root] if root.is_file() else sorted(file for file in root.rglob("*") if file.is_file())
        return [[str(file.relative_to(root)), (at := file.stat()).st_size, at.st_mtime_ns] for file in files]
    except (OSError, ValueError):
        return []
