"""A block of passages, filled up to its budget: the best first, what block or request already says counting less."""

from __future__ import annotations

import heapq
import math
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from amb_core.memory.passage_index import Floats, PassageIndex
from amb_core.memory.passage_scores import NOVELTY
from amb_core.memory.passage_terms import defined_terms, definitions_of, identifiers, words_of
from amb_core.memory.whole_records import element_around
from amb_core.models import InteractionEntry
from amb_core.reading import Layout
from amb_core.reading.layout_passages import PassageSpan, excerpt_around, shown_text
from amb_core.reading.passage_units import whole_sentences
from amb_core.reading.shown_parts import shown_parts
from amb_core.rendering import quoted_lines
from amb_core.text import estimate_tokens

__all__ = ["Choice", "Shelf", "Shown", "WriteMarks", "choose"]

_MOST = 800
"""So many of the best passages are looked at."""
_LINES, _LINE = 4, 100
"""A part of a result is understood from so many lines, or from as many characters as these have."""
_LABEL, _GAPS, _OWNER = 7, 3, 12
"""Tokens of the words that say which part of a result is shown, of the marks of what is left out beside it, and the
most of what it stands under."""
_REFUSED = 100
"""After so many refusals one after the other nothing more fits into what is left."""
_IN_FILE = re.compile(r"\S*:\d+(?: |$)")
_EQUAL = 1e-6
_RUN = 30
"""So many characters without a blank on either side of a cut are a run that was torn."""
_SMALLEST = 20
"""Tokens below which nothing more is worth beginning."""
_LEAD = 64
"""Tokens for the line that a call names, beside what else of its result is shown."""
_RECORD = 130
"""An element of a list in machine data up to so many tokens is shown whole, also in a small block."""
_WHOLE = 100
"""A passage up to so many tokens is shown whole or not at all, unless it is the best."""
WriteMarks = Callable[[InteractionEntry, Sequence[tuple[int, int]]], tuple[str, ...]]
"""What must be told of stretches (start, end) of an entry."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """The passages of one bank, their scores (-inf for one that must not be shown), and how a step is headed.

    `write_marks` says what must be told of stretches (start, end) of an entry: disputes, refuted words, newer states.
    Of a `whole` one the line that a call names does not come with a result.
    """

    index: PassageIndex
    scores: Floats
    write_head: Callable[[InteractionEntry], str]
    write_marks: WriteMarks
    whole: bool = False
    _heads: dict[int, str] = field(default_factory=dict)
    _terms: dict[int, frozenset[str]] = field(default_factory=dict)
    is_open: bytes = field(init=False)
    """By passage: 1 where it may be shown."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "is_open", np.isfinite(self.scores).tobytes())

    @property
    def may(self) -> NDArray[np.bool_]:
        """Which passages may be shown, of shape [len(index)]."""
        return np.frombuffer(self.is_open, dtype=np.bool_)

    def span(self, unit: range) -> tuple[int, int]:
        """Characters (start, end) of passages that stand side by side."""
        text, first, last = self.index.place(unit[0]).text, self.index.passage(unit[0]), self.index.passage(unit[-1])
        return whole_sentences(text, first.start, last.end)

    def terms(self, unit: range) -> frozenset[str]:
        """What passages of one step bring that its header does not say."""
        head: frozenset[str] | None = None
        for key in unit:
            if key not in self._terms:
                head = words_of(self.head(key)) if head is None else head
                units = self.index.units_of(key)
                self._terms[key] = units if self.index.tells_call(key) else units - head
        return self._terms[unit[0]] if len(unit) == 1 else frozenset().union(*(self._terms[key] for key in unit))

    def head(self, key: int) -> str:
        """The line above what is shown of the entry that a passage stands in; each is written once."""
        owner = self.index.owner(key)
        if owner not in self._heads:
            self._heads[owner] = self.write_head(self.index.entry(key))
        return self._heads[owner]


@dataclass(frozen=True, slots=True)
class Shown:
    """Stretches (start, end) of one passage that go into the block, and the passage's score."""

    shelf: Shelf
    key: int
    score: float
    spans: tuple[tuple[int, int], ...]


@dataclass(slots=True)
class Choice:
    """A choice in the making: what was taken, the room that is left, and what request and block say by now.

    A part of a large result has `least` tokens, one that is shown whole up to `most`; with 0, passages are shown as
    they are. `named` are identifiers for which a short piece is shown as well. What is worth less than the first one
    chosen by more than `far` is left out, and so is what has no score above `floor` and is no part of a unit.
    """

    left: int
    request: str
    present: frozenset[str]
    terms: Collection[str]
    novelty: float = NOVELTY
    least: int = 0
    most: int = 0
    named: frozenset[str] = frozenset()
    far: float = math.inf
    floor: float = -math.inf
    shown: list[Shown] = field(default_factory=list)
    _said: set[str] = field(default_factory=set)
    _texts: list[str] = field(default_factory=list)
    _heads: set[str] = field(default_factory=set)
    _taken: defaultdict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    _headers: defaultdict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    _data: defaultdict[tuple[int, int, bool], list[PassageSpan]] = field(default_factory=lambda: defaultdict(list))
    _in_request: dict[tuple[int, int], bool] = field(default_factory=dict)
    _lines: list[str] = field(init=False)
    _units: defaultdict[tuple[int, int], dict[tuple[int, int], range]] = field(
        default_factory=lambda: defaultdict(dict)
    )

    def __post_init__(self) -> None:
        self._lines = sorted({line.lstrip() for line in self.request.split("\n")})

    def begin(self, shelf: Shelf, key: int) -> None:
        """Show the header of the step in which a passage stands, whatever else of it is shown."""
        cost = self.head_cost(shelf, key)
        if 0 < cost <= self.left:
            self._heads.add(shelf.head(key))
            self.left -= cost
            self.shown.append(Shown(shelf, key, 0.0, ()))

    def value(self, shelf: Shelf, key: int) -> float:
        """What the unit around a passage is worth, less where much of it is said already; -inf for nothing new."""
        unit = self._unit(shelf, key, self.left)
        terms = shelf.terms(unit)
        fresh = terms - self.present
        before, new = len(fresh), len(fresh - self._said)
        if not unit or (terms and not new):
            return -math.inf
        mean = shelf.scores[key]
        if len(unit) > 1:
            mean = np.logaddexp.reduce(shelf.scores[unit.start : unit.stop]) - math.log(len(unit))
        return float(shelf.scores[key] + mean) / 2 + self.novelty * math.log((new + 0.5) / (before + 0.5))

    def shows(self, shelf: Shelf, key: int) -> bool:
        """Whether a passage was taken."""
        return key in self._taken[id(shelf)]

    def may_show(self, shelf: Shelf, key: int) -> bool:
        """Whether a passage is neither shown by block or request nor one that must not be shown."""
        is_new = not self.shows(shelf, key) and shelf.is_open[key]
        return bool(is_new) and not self._is_in_request(shelf, key)

    def take(self, shelf: Shelf, key: int, score: float, *, most: int | None = None, unit: range | None = None) -> None:
        """Show a passage with its `unit`, or nothing; one that is too large is cut around the words asked for.

        By default the unit is what a reader takes in with the passage.
        """
        cost = self.head_cost(shelf, key)
        room = min(self.left, most or self.left) - cost
        if self.shown and room < _GAPS:
            return
        unit = unit or self._unit(shelf, key, room - _LABEL)
        if not unit:
            return
        index, place = shelf.index, shelf.index.place(key)
        fits = self._fitting(shelf, key, unit, room)
        if fits is None:
            return
        unit, spans, size, header = fits
        text = "\n".join(shown_text(place.text, PassageSpan(*span)) for span in spans[header is not None :])
        is_said = any(text in told for told in self._texts) or (self.shown and self._is_scrap(shelf, unit, spans, text))
        if is_said and not index.tells_call(key):
            return
        self._heads.add(shelf.head(key))
        self._taken[id(shelf)].update(unit)
        if header is not None:
            self._headers[id(shelf)].add(header)
        if index.is_data(key):
            self._data[id(shelf), index.owner(key), index.is_of_call(key)].extend(_placed(index, unit[0], spans))
        self._units.pop((id(shelf), index.owner(key)), None)
        self._said |= shelf.terms(unit)
        self._texts.append(text)
        self.left -= cost + size
        self.shown.append(Shown(shelf, unit[0], score, spans))
        self.tell_acts(self.shown[-1], of_records=True)  # a record is outdated by one word: at once

    def tell_acts(self, shown: Shown, *, of_records: bool) -> None:
        """Show the later calls that only did something with what is shown, where it is of records, or where not."""
        index, key = shown.shelf.index, shown.key
        is_record = index.is_data(key) or index.layout(key) is Layout.TABLE
        if is_record is of_records and not index.is_of_call(key):
            for act in index.acts_on(index.entry(key), shown.spans):
                self._tell(shown.shelf, act)

    def _tell(self, shelf: Shelf, key: int) -> None:
        """Show that a call was made, with its result where that is short: what is shown may be otherwise since."""
        place = shelf.index.place(key)
        whole = (0, len(place.entry.text)) if not place.of_call and len(place.entry.text) <= _LINE else None
        cost = self.head_cost(shelf, key)
        if cost and (size := cost + (_tokens(place.entry.text) if whole else 0)) <= self.left:
            self._heads.add(shelf.head(key))
            self._taken[id(shelf)].add(key)
            self.left -= size
            self.shown.append(Shown(shelf, key, 0.0, (whole,) if whole else ()))

    def _fitting(
        self, shelf: Shelf, key: int, unit: range, room: int
    ) -> tuple[range, tuple[tuple[int, int], ...], int, int | None] | None:
        """The unit around a passage, else the passage, else its best sentences or lines; None where these do not fit.

        With it the stretches that are shown, what they cost, and the passage of the header of a table above them.
        """
        index, place = shelf.index, shelf.index.place(key)
        for some in (unit, range(key, key + 1)) if len(unit) > 1 else (unit,):
            spans: tuple[tuple[int, int], ...] = (shelf.span(some),)
            header = index.header(some[0])
            shown = (self._taken[id(shelf)], self._headers[id(shelf)])
            if header is not None and not any(header[0] in one for one in shown):
                spans = (header[1], *spans)
            else:
                header = None
            size = self._cost(shelf, some[0], spans, most=room)
            if size <= room:
                return some, spans, size, None if header is None else header[0]
        if self.shown and (room < _SMALLEST or (not index.is_data(key) and index.sizes[key] <= _WHOLE)):
            return None
        above = () if header is None else (header[1],)
        left = room - 2 - sum(_tokens(place.text[slice(*span)]) for span in above)
        spans = (*above, *excerpt_around(place.text, place.passage, terms=self.terms, tokens=max(left, 1)))
        size = self._cost(shelf, key, spans, most=room)
        if self.shown and size > room + 2:
            return None
        return range(key, key + 1), spans, size, None if header is None else header[0]

    def _cost(self, shelf: Shelf, key: int, spans: Sequence[tuple[int, int]], *, most: int) -> int:
        """The tokens that stretches of a text add to what is shown of it, with what is said of their place.

        Of data they add also what they stand in, and they are looked at only where they may cost no more than `most`.
        """
        index, place = shelf.index, shelf.index.place(key)
        if not index.is_data(key):
            said = sum(_tokens(shown_text(place.text, PassageSpan(*span))) for span in spans)
            path = "" if index.layout(key) is Layout.TABLE else _IN_FILE.sub("", place.passage.path)
            owner = min(len(path) // 4, _OWNER)
            return said + (_LABEL if self.most else _GAPS) + owner
        bare = sum(_tokens(place.text[start:end]) for start, end in spans)
        if bare > most:
            return bare
        before, known = self._data[id(shelf), index.owner(key), index.is_of_call(key)], shelf.head(key)
        after = [*before, *_placed(index, key, spans)]
        return sum(
            sign * _tokens(part.text)
            for sign, shown in ((1, after), (-1, before))
            for part in shown_parts(place.text, shown, known=known)
        )

    def quote(self, shelf: Shelf, key: int, span: tuple[int, int], *, tokens: int) -> None:
        """Show one stretch (start, end), of so many tokens, that begins in a passage; the rest may be shown as well."""
        entry = shelf.index.entry(key)
        self.left -= self.head_cost(shelf, key) + tokens
        self._heads.add(shelf.head(key))
        self._said |= words_of(entry.text[slice(*span)])
        self.shown.append(Shown(shelf, key, float(shelf.scores[key]), (span,)))

    def head_cost(self, shelf: Shelf, key: int) -> int:
        """The tokens of the header of a passage's step; 0 where it stands in the block already."""
        head = shelf.head(key)
        return 0 if head in self._heads else estimate_tokens(head) + 1

    def _unit(self, shelf: Shelf, key: int, most: int) -> range:
        """The passages that would be shown for one, in `most` tokens; empty where it may not be shown."""
        most = min(max(self.most, _RECORD), most)
        units = self._units[id(shelf), shelf.index.owner(key)]
        unit = units.get((key, most))
        if unit is None:
            unit = units[key, most] = self._grown(shelf, key, most)
        return unit

    def _grown(self, shelf: Shelf, key: int, most: int) -> range:
        index, taken, beside = shelf.index, self._taken[id(shelf)], shelf.index.beside(key)
        if key in taken or key not in beside or not shelf.is_open[key] or self._is_in_request(shelf, key):
            return range(0)
        if not self.most:
            return range(key, key + 1)
        if index.is_data(key) and (record := element_around(index, key)):
            beside = range(max(record.start, beside.start), min(record.stop, beside.stop))
        else:
            most = min(self.most, most)
        return _grow(shelf, key, beside, least=min(self.least, most), most=most, taken=taken)

    def _is_in_request(self, shelf: Shelf, key: int) -> bool:
        """Whether a passage stands in the request word for word; a long request is looked through once for each."""
        asked = (id(shelf), key)
        if asked not in self._in_request:
            text = shelf.index.text(key)
            _, broken, last = text.rpartition("\n")
            may = (not broken or self._begins_line(last.lstrip())) and not shelf.index.tells_call(key)
            self._in_request[asked] = may and (text in self.request or (bool(broken) and self._stands_in_block(text)))
        return self._in_request[asked]

    def _stands_in_block(self, text: str) -> bool:
        """Whether a block in the request shows a text of several lines."""
        return "\n".join(quoted_lines(text)).strip() in self.request

    def _begins_line(self, text: str) -> bool:
        """Whether a line of the request begins with a text."""
        at = bisect_left(self._lines, text)
        return at < len(self._lines) and self._lines[at].startswith(text)

    def _is_scrap(self, shelf: Shelf, unit: range, spans: Sequence[tuple[int, int]], text: str) -> bool:
        """Whether a part is torn from a word, or too short to be understood, and nobody asked for it."""
        index, place = shelf.index, shelf.index.place(unit[0])
        if any(_is_torn(place.text, at) for span in spans for at in span) and not index.is_data(unit[0]):
            return True
        if index.is_data(unit[0]) or not self.most or 2 * sum(index.sizes[unit.start : unit.stop]) >= self.least:
            return False
        if shelf.span(unit) == (0, len(place.text)) or self._defines(index, unit):
            return False
        if len(text) >= _LINE * _LINES or self.named & identifiers(text):
            return False
        return sum(1 for line in text.split("\n") if line.strip()) < _LINES

    def _defines(self, index: PassageIndex, unit: range) -> bool:
        """Whether a part defines a name that is asked for."""
        asked = set(definitions_of(self.terms))
        return any(not asked.isdisjoint(defined_terms(index.text(key))) for key in unit)


def _is_torn(text: str, at: int) -> bool:
    """Whether a place is inside of a word, or of a run without blanks such as a long address has."""
    if not 0 < at < len(text) or text[at - 1].isspace() or text[at].isspace():
        return False
    around = text[max(at - _RUN, 0) : at + _RUN]
    return all(char.isascii() and char.isalnum() for char in text[at - 1 : at + 1]) or (
        around.isascii() and len(around) == 2 * _RUN and " " not in around and "\n" not in around
    )


def _placed(index: PassageIndex, key: int, spans: Iterable[tuple[int, int]]) -> list[PassageSpan]:
    return [PassageSpan(start, end, index.passage(key).path) for start, end in spans]


def _tokens(text: str) -> int:
    """What a text costs as it stands in a block."""
    return estimate_tokens("\n".join(quoted_lines(text)))


def choose(shelves: Sequence[Shelf], choice: Choice) -> None:
    """Take the best units of all shelves until the room is used; with one of a result, the line that its call names."""
    heap = [(-score, number, key) for number, shelf in enumerate(shelves) for score, key in _best(shelf, choice.floor)]
    heapq.heapify(heap)
    spare: list[tuple[float, int, int]] = []
    refused = 0
    last = heap[0][0] + choice.far if heap else 0.0
    while heap and heap[0][0] <= last and choice.left >= _SMALLEST and refused < _REFUSED:
        score, number, key = heapq.heappop(heap)
        now = choice.value(shelves[number], key)
        if now == -math.inf:
            spare.append((score, number, key))
        elif now < -score - _EQUAL:
            heapq.heappush(heap, (-now, number, key))
        else:
            choice.take(shelves[number], key, -score)
            refused = 0 if choice.shows(shelves[number], key) else refused + 1
            lead = None if shelves[number].whole else shelves[number].index.lead(key)
            if lead is not None and choice.shows(shelves[number], key):
                choice.take(shelves[number], lead, -score, most=_LEAD)
    for score, number, key in spare:
        if choice.left >= _SMALLEST:
            choice.take(shelves[number], key, -score)
    for shown in tuple(choice.shown):
        if choice.left >= _SMALLEST:
            choice.tell_acts(shown, of_records=False)


def _best(shelf: Shelf, floor: float) -> Iterable[tuple[float, int]]:
    scores = shelf.scores
    keys = np.flatnonzero(np.isfinite(scores) & (scores > floor))
    if len(keys) > _MOST:
        keys = keys[np.argpartition(-scores[keys], _MOST)[:_MOST]]
    return zip(scores[keys].tolist(), keys.tolist(), strict=True)


# --- a passage with what a reader takes in with it --------------------------------------------------------------------

_LINE_NUMBER = re.compile(r":\d+(?= |$)")


def _grow(shelf: Shelf, key: int, beside: range, *, least: int, most: int, taken: Container[int]) -> range:
    """The passages side by side that are shown together with one, up to `most` tokens.

    All of a result, or of the function or record around, where it is small enough. Of what is larger, the better
    neighbours up to `least` tokens; never beyond a passage that may not be shown, or was `taken`.
    """
    index, is_open, score_of = shelf.index, shelf.is_open, shelf.scores.item
    sizes, first, last = index.sizes, beside.start, beside.stop - 1
    for section in (None, index.passage(key).path):
        low, high, size = _reach(index, key, beside, is_open, taken, most, section)
        if size <= most:
            return range(low, high + 1)
    low = high = key
    size = sizes[key]
    while True:
        below = low > first and is_open[low - 1] and low - 1 not in taken
        above = high < last and is_open[high + 1] and high + 1 not in taken
        if not (below or above):
            break
        upwards = above and not (below and score_of(low - 1) > score_of(high + 1))
        size += sizes[high + 1 if upwards else low - 1]
        if size > least:
            break
        low, high = (low, high + 1) if upwards else (low - 1, high)
    return range(low, high + 1)


def _reach(
    index: PassageIndex,
    key: int,
    beside: range,
    is_open: bytes,
    taken: Container[int],
    most: int,
    section: str | None,
) -> tuple[int, int, int]:
    """The first and the last of the passages around one that may be shown, and their tokens, looked at up to `most`."""
    sizes, passage, first, last = index.sizes, index.passage, beside.start, beside.stop - 1
    low = high = key
    size = sizes[key]
    while size <= most and low > first and is_open[low - 1] and low - 1 not in taken:
        if section is not None and not _is_in(passage(low - 1).path, section):
            break
        low -= 1
        size += sizes[low]
    while size <= most and high < last and is_open[high + 1] and high + 1 not in taken:
        if section is not None and not _is_in(passage(high + 1).path, section):
            break
        high += 1
        size += sizes[high]
    return low, high, size


def _is_in(path: str, section: str) -> bool:
    """Whether two paths name the same function or record."""
    return path == section or _LINE_NUMBER.sub("", path) == _LINE_NUMBER.sub("", section)
