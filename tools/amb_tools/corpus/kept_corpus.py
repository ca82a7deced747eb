"""A folder of files as an index of sentences, read once and kept until a file changes."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from pydantic import JsonValue

from amb_core.retrieval import LexicalIndex, Packed
from amb_core.space.kept_index import KeptIndex
from amb_core.text import index_tokens
from amb_tools.corpus.document_pieces import pieces
from amb_tools.corpus.documents import Document, read_corpus
from amb_tools.corpus.sentences import Sentence, flat, sentences_of

__all__ = ["KeptCorpus", "Place", "cache_folder", "open_corpus"]

_BEFORE = 2
"""How many sentences before one, under the same heading, may say what it is about."""


@dataclass(frozen=True, slots=True)
class Place:
    """A sentence on one line, where it stands (`line` counts from 1), and what it stands under and behind."""

    document: str
    line: int
    start: int
    end: int
    text: str
    under: str = ""
    before: str = ""
    label: str = ""
    opens: bool = False


class KeptCorpus:
    """The sentences of some documents, found by their words and by those of their headings."""

    def __init__(self, documents: Iterable[Document]) -> None:
        self.documents = {document.name: document for document in documents}
        self.sentences = [one for document in self.documents.values() for one in sentences_of(document)]
        self.index = LexicalIndex()
        for number in range(len(self.sentences)):
            text, before = self._text(number), self._before(number, 1)
            own, one = index_tokens(text), self.sentences[number]
            also = set(index_tokens(f"{_title(one.document)}\n{one.under}\n{before}")).difference(own)
            self.index.put(number, own, also=also)

    def place(self, number: int) -> Place:
        """The sentence of that number."""
        one = self.sentences[number]
        line = self.documents[one.document].text.count("\n", 0, one.start) + 1
        under = " › ".join(filter(None, (_title(one.document), one.under)))
        return Place(
            one.document,
            line,
            one.start,
            one.end,
            self._text(number),
            under,
            self._before(number),
            one.under.rsplit(" › ", 1)[-1],
            one.opens,
        )

    def _text(self, number: int) -> str:
        one = self.sentences[number]
        return flat(self.documents[one.document].text[one.start : one.end])

    def _before(self, number: int, most: int = _BEFORE) -> str:
        first = number
        while first > max(0, number - most) and not self.sentences[first].opens:
            first -= 1
        return " ".join(self._text(other) for other in range(first, number))

    def passage(self, document: str, start: int) -> str:
        """The text around a place that stands in one piece of its document, its headings first."""
        cut = pieces(self.documents[document])
        return next((one.titled for one in cut if one.start <= start < one.end), "")

    def search(self, tokens: Iterable[str], *, k: int) -> list[tuple[int, float]]:
        """(number, BM25) of the best sentences for some terms."""
        scores = self.index.scores(dict.fromkeys(tokens, 1.0), size=len(self.sentences))
        best = np.argsort(-scores, kind="stable")[:k]
        return [(int(number), float(scores[number])) for number in best if scores[number] > 0]

    def packed(self) -> dict[str, Packed]:
        """Everything in it, for a file."""
        names = {name: number for number, name in enumerate(self.documents)}
        under = list(dict.fromkeys(one.under for one in self.sentences))
        numbers = {text: number for number, text in enumerate(under)}
        rows = [(names[s.document], s.start, s.end, numbers[s.under], int(s.opens)) for s in self.sentences]
        texts: Packed = {
            "names": list(names),
            "texts": [document.text for document in self.documents.values()],
            "paths": [str(document.path) for document in self.documents.values()],
            "under": under,
            "rows": np.array(rows, dtype=np.int64).reshape(-1, 5),
        }
        return {"texts": texts, "index": self.index.packed()}

    @classmethod
    def restore(cls, parts: dict[str, Packed]) -> KeptCorpus:
        """What `parts` was made of."""
        made, texts = cls(()), parts["texts"]
        for name, text, path in zip(texts["names"], texts["texts"], texts["paths"], strict=True):
            made.documents[name] = Document(name, text, Path(path))
        names, under = texts["names"], texts["under"]
        made.sentences = [Sentence(names[d], s, e, under[u], bool(o)) for d, s, e, u, o in texts["rows"].tolist()]
        made.index.restore(parts["index"])
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
