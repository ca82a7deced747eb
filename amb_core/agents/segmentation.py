"""Where the topics of a text change: its parts, the evidence at every gap between them, and the best set of cuts.

Parts are sentences where the text is prose, else records and lines as `reading` parts them. Cohesion (after TextTiling
and C99): blocks of about a paragraph on each side of a gap are compared as tf-idf vectors over this text alone. A
sentence that opens with a pronoun goes on. The weights were fitted by logistic regression on passages put one after
another and rounded; they know no vocabulary. Layout (headings, records, lines) and the size of the pieces are weighed
against it.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from amb_core.reading import Layout, read_regions
from amb_core.reading.layout_passages import read_passages
from amb_core.text import detect_language, index_tokens, sentence_spans
from amb_core.text.language import Language
from amb_core.text.pure_cache import remembered

__all__ = ["Part", "group_parts", "leans", "read_parts"]


_LEANS = {
    "en": re.compile(r"(?:he|she|it|they|his|her|its|their|this|these|those)\b", re.IGNORECASE),
    "zh": re.compile("[他她它其此这那]"),
}
_RECORD = re.compile(r"[^\].]*\]?")
_MARKS = re.compile(r"(?<!\w)#+ |\s+[^\s:：]{1,40}[:：]$")


class Part(NamedTuple):
    """Characters `start:end` of a text; `place` is the heading or the record that it stands under.

    `gap`: 0 when it follows on the same line, 1 on a new line, 2 after a blank line or at the start.
    """

    start: int
    end: int
    gap: int
    place: str
    is_prose: bool


@remembered(most=8, longest=20_000)
def read_parts(text: str) -> tuple[Part, ...]:
    """The parts in order; together they hold every character but blank space. A text of one topic is read once."""
    return tuple(_parts(text))


def _parts(text: str) -> Iterator[Part]:
    regions, passages, done = read_regions(text), read_passages(text), 0
    begins = [0, *(passage.start for passage in passages[1:]), len(text)]

    def is_prose(at: int) -> bool:
        region = regions[max(0, bisect_right(regions, at, key=lambda region: region.start) - 1)]
        return region.layout in (Layout.PROSE, Layout.LISTING)

    for passage, (begin, stop) in zip(passages, pairwise(begins), strict=False):
        prose = is_prose(passage.start)
        place = _MARKS.sub("", passage.path) if prose else _RECORD.findall(passage.path)[0]
        starts = [begin + left for left, _ in sentence_spans(text[begin:stop])][1:] if prose else []
        starts = list(filter(is_prose, starts))  # a few words before a block of code are one passage with it
        for left, right in pairwise([begin, *starts, stop]):
            body = text[left:right]
            start, end = left + len(body) - len(body.lstrip()), left + len(body.rstrip())
            if start < end:
                yield Part(start, end, min(2, text.count("\n", done, start)) if done else 2, place, prose)
                done = end


def leans(sentence: str, language: Language) -> bool:
    """Whether a sentence opens with a word that says nothing without the sentence before."""
    return _LEANS[language].match(sentence) is not None


Floats = NDArray[np.float64]

_HEADING, _NAMED_RECORD, _BLANK_LINE, _NEW_LINE, _INSIDE_PARAGRAPH = 4.0, 2.0, 2.0, 1.5, -2.5
_OPEN_END, _RECORDS_GO_ON, _OTHER_KIND = -4.0, -3.0, -4.0
_ALWAYS = 1_000.0
_SMALL, _LARGE = 3.5, 4.0


@dataclass(frozen=True, slots=True)
class _Sizes:
    """Characters of a piece: free of cost from `low` to `high`, dearer outside, never over `hard`.

    A text without headings of up to `short` characters stays whole.
    """

    low: int
    high: int
    hard: int
    short: int


_SIZES: dict[Language, _Sizes] = {
    "en": _Sizes(low=200, high=1_300, hard=2_500, short=1_200),
    "zh": _Sizes(low=120, high=550, hard=1_100, short=450),
}
_RECORD_SIZES = _Sizes(low=600, high=6_000, hard=16_000, short=1_200)


def group_parts(text: str, parts: Sequence[Part], *, opening: frozenset[int]) -> list[list[Part]]:
    """The parts in runs of one topic each, in order; those that begin at a place in `opening` begin a run."""
    records = 2 * sum(part.end - part.start for part in parts if not part.is_prose) > parts[-1].end - parts[0].start
    language = detect_language(text[parts[0].start : parts[-1].end])
    sizes = _RECORD_SIZES if records else _SIZES[language]
    headings = [0.0, *(_heading(text, last, part, opening) for last, part in pairwise(parts))]
    if parts[-1].end - parts[0].start <= sizes.short and sum(each >= _HEADING for each in headings) < 1:
        return [list(parts)]
    scores = np.zeros(1) if records else _cohesion(text, parts, language)
    gains = [0.0] * len(parts)
    lines = _line_evidence(parts)
    for at, (last, part) in enumerate(pairwise(parts), start=1):
        gains[at] = headings[at] or float(scores[(at - 1) % len(scores)]) + lines[part.gap] + _by_kind(text, last, part)
    cuts = _best_cuts(parts, gains, sizes)
    return [list(parts[first:stop]) for first, stop in pairwise([0, *cuts, len(parts)])]


# --- shared words on both sides of a gap, and how the next sentence opens ---------------------------------------------

_BLOCK_CHARS = {"en": 500, "zh": 200}
# bias; cosines of the blocks on both sides, of the next part and the block before, of the last part and the block
# after, of the next part and what follows it; how deep the valley is here; opens with a pronoun
_WEIGHTS: dict[Language, Floats] = {
    "en": np.array([1.4, -19.0, -33.0, -23.0, 12.0, 0.5, -3.5]),
    "zh": np.array([0.5, -10.0, -53.0, -44.0, 10.5, 3.0, -0.8]),
}


def _cohesion(text: str, parts: Sequence[Part], language: Language) -> Floats:
    """Log-odds that a topic ends after each part but the last: float64 of shape [len(parts) - 1]."""
    bodies = [text[part.start : part.end] for part in parts]
    left, right = _blocks(np.array([len(body) for body in bodies]), _BLOCK_CHARS[language])
    found = np.ones((len(parts) - 1, 7))
    found[:, 1:5] = _cosines(*_vectors([index_tokens(body) for body in bodies]), left, right)
    found[:, 5] = _depths(found[:, 1])
    found[:, 6] = [part.is_prose and leans(body, language) for part, body in zip(parts[1:], bodies[1:], strict=True)]
    return np.asarray(found @ _WEIGHTS[language])


def _blocks(lengths: NDArray[np.int64], wanted: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """First part of the block before and one past the last part of the block after, for every gap."""
    ends = np.cumsum(lengths)
    starts = ends - lengths
    gaps = np.arange(len(lengths) - 1)
    left = np.searchsorted(ends, ends[:-1] - wanted, side="right")
    right = np.searchsorted(starts, starts[1:] + wanted, side="left")
    return np.minimum(left, gaps), np.maximum(right, gaps + 2)


def _vectors(tokens: Sequence[Sequence[str]]) -> tuple[Floats, Floats]:
    """The parts' tf-idf vectors over the terms that two parts share, and each part's share that no other can match."""
    ids: dict[str, int] = {}
    terms = np.array([ids.setdefault(word, len(ids)) for words in tokens for word in words], dtype=np.int64)
    rows = np.repeat(np.arange(len(tokens)), [len(words) for words in tokens])
    width = max(1, len(ids))
    cells, counts = np.unique(rows * width + terms, return_counts=True)
    row, term = cells // width, cells % width
    spread = np.bincount(term, minlength=width)
    weight = np.log(1.0 + len(tokens) / spread[term]) * (1.0 + np.log(counts))
    lonely = spread[term] == 1
    alone = np.bincount(row[lonely], weights=weight[lonely] ** 2, minlength=len(tokens))
    shared = spread > 1
    vectors = np.zeros((len(tokens), int(shared.sum())))
    vectors[row[~lonely], (np.cumsum(shared) - 1)[term[~lonely]]] = weight[~lonely]
    return vectors, alone.astype(np.float64)


def _cosines(vectors: Floats, alone: Floats, left: NDArray[np.int64], right: NDArray[np.int64]) -> Floats:
    """How alike the blocks and the parts on both sides of each gap are; float64 of shape [gaps, 4].

    Row by row on running sums, without a product of matrices: the threads of one cost more than it saves.
    """
    sums = np.concatenate((np.zeros((1, vectors.shape[1])), vectors.cumsum(0)))
    own = np.concatenate(([0.0], alone.cumsum()))

    def block(total: Floats, alone: Floats) -> tuple[Floats, Floats]:
        return total, np.sqrt(np.maximum(_products(total, total) + alone, 1e-9))

    def cosine(one: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> Floats:
        return _products(one[0], other[0]) / (one[1] * other[1])

    parts, sizes = block(vectors, alone)
    closing, opening = (parts[:-1], sizes[:-1]), (parts[1:], sizes[1:])
    preceding = block(sums[1:-1] - sums[left], own[1:-1] - own[left])
    following = block(sums[right] - sums[1:-1], own[right] - own[1:-1])
    later = block(following[0] - opening[0], own[right] - own[2:])
    rest = np.where(right > np.arange(2, len(own)), cosine(opening, later), 0.0)
    alike = cosine(preceding, following), cosine(preceding, opening), cosine(closing, following), rest
    return np.stack(alike, axis=1)


def _products(one: Floats, other: Floats) -> Floats:
    return np.asarray(np.einsum("ij,ij->i", one, other))


def _depths(blocks: Floats, reach: int = 4) -> Floats:
    """How far the cohesion rises on both sides of each gap within `reach` gaps."""
    padded = np.pad(blocks, reach, constant_values=-1.0)
    size = len(blocks)
    before = np.max([padded[at : at + size] for at in range(reach + 1)], axis=0)
    after = np.max([padded[at : at + size] for at in range(reach, 2 * reach + 1)], axis=0)
    return np.asarray(before + after - 2 * blocks)


# --- layout, and the best set of cuts ---------------------------------------------------------------------------------


def _heading(text: str, last: Part, part: Part, opening: frozenset[int]) -> float:
    """Evidence that overrules all words: a search result or a heading begins, or another document of a list."""
    if part.start in opening:
        return _ALWAYS
    if last.is_prose and text.startswith("#", last.start):
        return -_ALWAYS
    goes_deeper = part.place.startswith(last.place) and not text.startswith("#", part.start)
    if part.is_prose:
        return 0.0 if goes_deeper or not part.place else _HEADING
    return _NAMED_RECORD if last.place != part.place and "title=" in part.place else 0.0


def _by_kind(text: str, last: Part, part: Part) -> float:
    if text[last.end - 1] in ":：;；,，":
        return _OPEN_END
    if last.is_prose != part.is_prose:
        return _OTHER_KIND
    return 0.0 if part.is_prose else _RECORDS_GO_ON


def _line_evidence(parts: Sequence[Part]) -> tuple[float, float, float]:
    """What a gap inside a line, at a new line and after a blank line tells, by how much this text uses them.

    Lines say nothing where every sentence has its own; a text in paragraphs seldom changes topic inside one.
    """
    prose = [part for last, part in pairwise(parts) if part.is_prose and last.is_prose]
    if not prose:
        return 0.0, 0.0, _BLANK_LINE
    inside = sum(part.gap == 0 for part in prose) / len(prose)
    breaks = sum(part.gap > 0 for part in prose)
    used = min(1.0, 1_500 * breaks / (parts[-1].end - parts[0].start)) if 0.25 <= inside < 1.0 else 0.0
    return _INSIDE_PARAGRAPH * used, _NEW_LINE if inside >= 0.25 else 0.0, _BLANK_LINE


def _best_cuts(parts: Sequence[Part], gains: Sequence[float], sizes: _Sizes) -> list[int]:
    """Indices of the parts that begin a piece (but the first), so that evidence minus size costs is greatest."""
    best = [0.0] * (len(parts) + 1)
    origin = [0] * (len(parts) + 1)
    for stop in range(1, len(parts) + 1):
        end = parts[stop - 1].end
        top = float("-inf")
        for start in range(stop - 1, -1, -1):
            length = end - parts[start].start
            if length > sizes.hard and start < stop - 1:
                break
            value = best[start] + gains[start] - _size_cost(length, sizes)
            if value > top:
                top, origin[stop] = value, start
        best[stop] = top
    cuts: list[int] = []
    at = origin[len(parts)]
    while at > 0:
        cuts.append(at)
        at = origin[at]
    return cuts[::-1]


def _size_cost(length: int, sizes: _Sizes) -> float:
    if length < sizes.low:
        return _SMALL * (1.0 - length / sizes.low)
    if length > sizes.high:
        return _LARGE * math.pow((length - sizes.high) / (sizes.hard - sizes.high), 1.5)
    return 0.0
