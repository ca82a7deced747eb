"""Any text as passages of about one size that a person could read: whole records, lines and sentences.

What is shown of a passage is source text; `path` says where in the text it stands. Which reader a stretch of text gets
is told by its layout (`read_regions`); `read_passages` is linear in the text and raises nothing, whatever the text is.

data_passages.py    JSON, JSON Lines and printed Python data by records and members
line_passages.py    logs, listings, page trees (tree_passages.py), tables, code and diffs
markup_passages.py  HTML; prose_passages.py: sentences, dialogues and mail
passage_units.py    joins units to passages and cuts what is too long
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, groupby

from amb_core.reading.data_passages import read_data
from amb_core.reading.layout import Layout, Region, read_regions
from amb_core.reading.line_passages import read_line_units
from amb_core.reading.markup_passages import is_page, read_markup, strip_markup
from amb_core.reading.passage_units import (
    Break,
    Outline,
    PassageSpan,
    Unit,
    cut_long,
    cut_sentences,
    find_files,
    name_at,
    pack_units,
)
from amb_core.reading.prose_passages import find_fences, find_mails, read_prose
from amb_core.reading.tree_passages import strip_tree
from amb_core.text.index_terms import index_tokens
from amb_core.text.pure_cache import text_cache
from amb_core.text.tokens import TokenScale

__all__ = ["PassageSpan", "excerpt_around", "read_passages", "shown_text", "visible_text"]

_LONGEST_KEPT = 1_000_000
_DEEPEST = 3
"""So many texts inside strings of texts are read."""
_DATA = (Layout.JSON, Layout.JSON_LINES)
_JOINING = (Layout.CODE, Layout.LOG, Layout.PAGE_TREE, Layout.DIFF)
_OUTLINED = (Layout.CODE, Layout.LOG, Layout.LISTING, Layout.PROSE, Layout.TABLE)
"""Layouts of one text that may follow one another from line to line, as in `git log --stat`."""
_SHORT = 400
_CRUMB, _STRETCH = 0.3, 1.5
_GRAIN = 14
"""Tokens of the pieces that an excerpt is chosen from."""


def read_passages(text: str, *, tokens: int = 48) -> tuple[PassageSpan, ...]:
    """The passages of a text in order, not overlapping, of about `tokens` each; none for a blank text.

    Together they hold every character but blank space, and of data, brackets and commas between two members, and of
    HTML, tags, comments, scripts and styles. A line, sentence or record up to twice the size stays whole. Results are
    remembered.
    """
    tokens = max(tokens, 8)
    return (_kept if len(text) <= _LONGEST_KEPT else _read)(text, tokens, 0)


def shown_text(text: str, passage: PassageSpan) -> str:
    """What to show of a passage: its source text; of a page what a reader sees of it, HTML with links."""
    shown = visible_text(text, passage.start, passage.end)
    return strip_tree(shown) if _layout_in(text, passage.start, passage.end) is Layout.PAGE_TREE else shown


def visible_text(text: str, start: int = 0, end: int | None = None) -> str:
    """`text[start:end]`, without its markup where the text is a page in HTML."""
    end = len(text) if end is None else end
    return strip_markup(text[start:end]) if _layout_in(text, start, end) is Layout.HTML else text[start:end]


def _layout_in(text: str, start: int, end: int) -> Layout:
    """The layout in which a stretch begins; markup that is no page to be read is code."""
    region = next((one for one in read_regions(text) if one.start < end and start < one.end), None)
    if region is None:
        return Layout.PROSE
    return region.layout if region.layout is not Layout.HTML or is_page(text, region.start) else Layout.CODE


def _read(text: str, tokens: int, depth: int) -> tuple[PassageSpan, ...]:
    return tuple(_Reading(text, tokens, depth).passages())


_kept = text_cache(most=256)(_read)


class _Reading:
    """One text being read: its regions in turn, with what was said further up."""

    def __init__(self, text: str, tokens: int, depth: int) -> None:
        self._text, self._tokens, self._depth = text, tokens, depth
        self._scale = TokenScale(text)
        self._headings: list[tuple[int, str]] = []
        self._outline = Outline()

    def passages(self) -> Iterator[PassageSpan]:
        regions = read_regions(self._text)
        machine = all(region.layout in _DATA or region.layout is Layout.HTML for region in regions)
        self._files, self._mails = ([], []) if machine else (find_files(self._text), find_mails(self._text))
        self._fences = [] if machine else find_fences(self._text)
        held: PassageSpan | None = None
        for is_data, group in groupby(regions, key=lambda region: region.layout in _DATA):
            some = list(group)
            found = chain.from_iterable(map(self._data, some)) if is_data else self._packed(_joined(some))
            first = True
            for passage in found:
                if held is not None and first and (both := self._both(held, passage, is_data=is_data)):
                    passage = both
                elif held is not None:
                    yield held
                held, first = passage, False
        if held is not None:
            yield held

    def _both(self, one: PassageSpan, other: PassageSpan, *, is_data: bool) -> PassageSpan | None:
        """What introduces data or comes behind them together with these, where it is only a few words."""
        between = self._scale.between
        text = one if is_data else other
        small = between(text.start, text.end) < _CRUMB * self._tokens
        if not small or between(one.start, other.end) > _STRETCH * self._tokens:
            return None
        return PassageSpan(one.start, other.end, other.path if is_data else one.path)

    def _data(self, region: Region) -> Iterable[PassageSpan]:
        return read_data(self._text, region.start, region.end, scale=self._scale, tokens=self._tokens, read=self._inner)

    def _inner(self, text: str) -> Iterable[PassageSpan]:
        if self._depth < _DEEPEST:
            return _read(text, self._tokens, self._depth + 1)
        scale = TokenScale(text)
        return [PassageSpan(*span) for span in cut_long(text, 0, len(text), scale=scale, tokens=self._tokens)]

    def _packed(self, regions: Sequence[Region]) -> Iterator[PassageSpan]:
        units = (
            unit for region in regions for unit in self._under_heads(self._with_mails(self._units(region)), region)
        )
        return pack_units(self._text, units, scale=self._scale, tokens=self._tokens)

    def _units(self, region: Region) -> Iterator[Unit]:
        if region.layout is Layout.PROSE:
            return read_prose(self._text, region.start, region.end, heading=self._headings, fences=self._fences)
        if region.layout is Layout.HTML and is_page(self._text, region.start):
            return read_markup(self._text, region.start, region.end)
        return read_line_units(self._text, region, file=name_at(self._files, region.start))

    def _under_heads(self, units: Iterator[Unit], region: Region) -> Iterator[Unit]:
        """The units; an indented line stands under those above it, and what comes back from it begins a passage."""
        is_markup = region.layout is Layout.HTML and not is_page(self._text, region.start)
        if region.layout not in _OUTLINED and not is_markup:
            self._outline.clear()
            return units
        by_indent = region.layout is not Layout.CODE and not is_markup
        return self._outline.follow(self._text, units, by_indent=by_indent)

    def _with_mails(self, units: Iterator[Unit]) -> Iterator[Unit]:
        """The units; a message of a mail thread begins a passage, and stands in the path."""
        if not self._mails:
            yield from units
            return
        starts = {start for start, _ in self._mails}
        for unit in units:
            mail = name_at(self._mails, unit.start)
            if unit.start in starts:
                unit.before = Break.APART
            if mail:
                unit.path = mail
            yield unit


def _joined(regions: list[Region]) -> list[Region]:
    """The regions; where most is of one layout, short ones of another between are read as that."""
    sizes: Counter[Layout] = Counter()
    for region in regions:
        sizes[region.layout] += region.end - region.start
    most = next(
        (layout for layout, size in sizes.most_common(1) if layout in _JOINING and 2 * size > sizes.total()), None
    )
    found: list[Region] = []
    for region in regions:
        short = region.layout is not Layout.PROSE or region.end - region.start <= _SHORT
        if most and found and found[-1].layout is most and (region.layout is most or short):
            found[-1] = Region(most, found[-1].start, region.end)
        else:
            found.append(region)
    return found


# --- a piece of a passage --------------------------------------------------------------------------------------------


def excerpt_around(
    text: str, passage: PassageSpan, *, terms: Collection[str], tokens: int
) -> tuple[tuple[int, int], ...]:
    """The stretches of a passage that say most of `terms`, in about `tokens`; (start, end) in the text, in order.

    Terms are words as they stand in a text, or index terms. Where none is found the passage is shown from its
    beginning; a passage that fits is shown whole. There is always at least one stretch.
    """
    inside = text[passage.start : passage.end]
    scale = TokenScale(inside)
    if scale.between(0, len(inside)) <= tokens:
        return ((passage.start, passage.end),)
    grain = max(1, min(_GRAIN, tokens))
    pieces = list(cut_sentences(inside, scale=scale, tokens=tokens, grain=grain)) or [(0, len(inside))]
    chosen = _choose(inside, pieces, terms, scale=scale, tokens=tokens)
    found: list[tuple[int, int]] = []
    for at in sorted(chosen):
        start, end = pieces[at]
        if found and at - 1 in chosen:
            found[-1] = (found[-1][0], passage.start + end)
        else:
            found.append((passage.start + start, passage.start + end))
    return tuple(found)


def _choose(
    text: str, pieces: Sequence[tuple[int, int]], terms: Collection[str], *, scale: TokenScale, tokens: int
) -> set[int]:
    """The pieces with most of the terms, rare ones first, and then those beside them."""
    wanted = {term.lower() for term in terms} | {part for term in terms for part in index_tokens(term)}
    held = [wanted & ({*index_tokens(text[start:end]), *text[start:end].lower().split()}) for start, end in pieces]
    often = Counter(term for one in held for term in one)
    worth = [math.fsum(1 / often[term] for term in one) for one in held]
    ranked = sorted(range(len(pieces)), key=lambda at: (-worth[at], at))
    best = [at for at in ranked if worth[at] > 0] or [0]
    order = dict.fromkeys(best)
    for reach in range(1, 1 + tokens // 4):
        order.update(dict.fromkeys(near for at in best[:3] for near in (at + reach, at - reach)))
    chosen: set[int] = set()
    for at in order:
        if 0 <= at < len(pieces):
            size = scale.between(*pieces[at])
            if chosen and size > tokens:
                break
            chosen.add(at)
            tokens -= size
    return chosen
