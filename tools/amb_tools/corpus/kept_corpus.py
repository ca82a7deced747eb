"""A folder of files as an index of sentences, read once and kept until a file changes."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from pydantic import JsonValue

from amb_core.retrieval import LexicalIndex, Packed
from amb_core.space.kept_index import KeptIndex
from amb_core.text import index_tokens
from amb_tools.corpus.document_pieces import pieces
from amb_tools.corpus.documents import Document, read_corpus
from amb_tools.corpus.sentences import Sentence, flat, sentences_of

__all__ = ["KeptCorpus", "Place", "cache_folder", "open_corpus"]

_LABEL, _BEFORE, _FURTHER, _AFTER = 0.6, 0.35, 0.25, 0.2
"""What a term is worth that stands over a sentence, in one of the two before it, or in the one after; 1 in itself."""
_AROUND, _PASSAGE = 8, 0.5
"""A sentence stands in a passage that goes this many sentences to both sides, and what the best passage adds to it."""
_K1, _B = 0.5, 0.3

_STEP = " › "

Figures: TypeAlias = NDArray[np.float32]
IntArray: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Place:
    """A sentence on one line, where it stands (`line` counts from 1), and what it stands under."""

    document: str
    line: int
    start: int
    end: int
    text: str
    under: str = ""


class KeptCorpus:
    """The sentences of some documents, found by their words and by those of their headings and neighbours."""

    def __init__(self, documents: Iterable[Document]) -> None:
        self.documents = {document.name: document for document in documents}
        self.sentences = [one for document in self.documents.values() for one in sentences_of(document)]
        self.index, self.labels = LexicalIndex(k1=_K1, b=_B), LexicalIndex()
        for number in range(len(self.sentences)):
            self.index.put(number, index_tokens(self._text(number)))
        for number, (document, under) in enumerate(dict.fromkeys((s.document, s.under) for s in self.sentences)):
            self.labels.put(number, index_tokens(f"{_title(document)}\n{under}"))

    def place(self, number: int) -> Place:
        """The sentence of that number."""
        one = self.sentences[number]
        line = self.documents[one.document].text.count("\n", 0, one.start) + 1
        under = _STEP.join(filter(None, (_title(one.document), one.under)))
        return Place(one.document, line, one.start, one.end, self._text(number), under)

    def _text(self, number: int) -> str:
        one = self.sentences[number]
        return flat(self.documents[one.document].text[one.start : one.end])

    @cached_property
    def _bounds(self) -> tuple[IntArray, IntArray, IntArray]:
        """For each sentence its label, and the first sentence of its document and the first one after it."""
        labels = {pair: n for n, pair in enumerate(dict.fromkeys((s.document, s.under) for s in self.sentences))}
        names = {name: number for number, name in enumerate(self.documents)}
        document = np.array([names[s.document] for s in self.sentences], dtype=np.int64)
        label = np.array([labels[s.document, s.under] for s in self.sentences], dtype=np.int64)
        return label, np.searchsorted(document, document), np.searchsorted(document, document, side="right")

    def search(self, tokens: Iterable[str], *, k: int) -> list[tuple[int, float]]:
        """(number, score) of the best sentences for some terms; a score is about 1 where one holds all of them."""
        terms = list(dict.fromkeys(tokens))
        if not terms or not self.sentences:
            return []
        label, first, last = self._bounds
        numbers = np.arange(len(self.sentences))
        weight = np.array([self.index.idf(term) for term in terms], dtype=np.float32)
        own = np.zeros((len(terms), len(numbers)), dtype=np.float32)
        match = self.index.match(dict.fromkeys(terms, 1.0))
        known = [terms.index(term) for term in match.terms]
        own[known] = match.at(numbers) * ((1 + _K1) / weight[known, None])
        over = self.labels.holding(terms, np.arange(len(self.labels)))[:, label]
        evidence = np.maximum(own, np.float32(_LABEL) * over)
        for step, worth in ((1, _BEFORE), (2, _FURTHER), (-1, _AFTER)):
            other = numbers - step
            inside = (other >= first) & (other < last)
            held = (own[:, np.where(inside, other, 0)] > 0) & inside
            np.maximum(evidence, np.float32(worth) * held, out=evidence)
        scores = weight @ evidence / weight.sum() + np.float32(_PASSAGE) * self._passages(own, over)
        best = np.argsort(-scores, kind="stable")[:k]
        return [(int(number), float(scores[number])) for number in best if evidence[:, number].any()]

    def _passages(self, own: Figures, over: NDArray[np.bool_]) -> Figures:
        """BM25 of the passage around each sentence, 1 for the best."""
        _, first, last = self._bounds
        numbers = np.arange(len(first))
        left, right = np.maximum(numbers - _AROUND, first), np.minimum(numbers + _AROUND + 1, last)
        sums = np.pad(np.cumsum(own, axis=1, dtype=np.float64), ((0, 0), (1, 0)))
        counts = (sums[:, right] - sums[:, left] + over).clip(0)
        counts[counts < 1e-3] = 0
        frequency = (counts > 0).sum(1)
        idf = np.log1p((len(numbers) - frequency + 0.5) / (frequency + 0.5))
        size = right - left
        scores: Figures = idf @ (counts / (counts + _K1 * (1 - _B + _B * size / size.mean())[None]).clip(1e-9))
        return np.asarray(scores / max(scores.max(), 1e-9), dtype=np.float32)

    def passage(self, document: str, start: int) -> str:
        """The text around a place that stands in one piece of its document, its headings first."""
        cut = pieces(self.documents[document])
        return next((one.titled for one in cut if one.start <= start < one.end), "")

    def packed(self) -> dict[str, Packed]:
        """Everything in it, for a file."""
        names = {name: number for number, name in enumerate(self.documents)}
        under = list(dict.fromkeys(one.under for one in self.sentences))
        numbers = {text: number for number, text in enumerate(under)}
        rows = [(names[s.document], s.start, s.end, numbers[s.under]) for s in self.sentences]
        texts: Packed = {
            "names": list(names),
            "texts": [document.text for document in self.documents.values()],
            "paths": [str(document.path) for document in self.documents.values()],
            "under": under,
            "rows": np.array(rows, dtype=np.int64).reshape(-1, 4),
        }
        return {"texts": texts, "index": self.index.packed(), "labels": self.labels.packed()}

    @classmethod
    def restore(cls, parts: dict[str, Packed]) -> KeptCorpus:
        """What `parts` was made of."""
        made, texts = cls(()), parts["texts"]
        for name, text, path in zip(texts["names"], texts["texts"], texts["paths"], strict=True):
            made.documents[name] = Document(name, text, Path(path))
        names, under = texts["names"], texts["under"]
        made.sentences = [Sentence(names[d], s, e, under[u]) for d, s, e, u in texts["rows"].tolist()]
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


def _title(name: str) -> str:
    return Path(name).stem.replace("_", " ")


def _state(root: Path) -> list[JsonValue]:
    """Name, size and time of every file, which change when a file does; empty where nothing can be listed."""
    try:
        files = [root] if root.is_file() else sorted(file for file in root.rglob("*") if file.is_file())
        return [[str(file.relative_to(root)), (at := file.stat()).st_size, at.st_mtime_ns] for file in files]
    except (OSError, ValueError):
        return []
