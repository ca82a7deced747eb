"""Cutting a text that is over an agent's window: at paragraphs, else sentences, else wherever it must be."""

import re
from collections.abc import Callable, Iterable, Iterator

from amb_core.errors import InvalidParameter
from amb_core.settings import Settings
from amb_core.text import clip_tokens, estimate_tokens, paragraph_spans, sentence_spans

__all__ = ["chunk_spans", "chunk_tokens", "cut_hard", "surely_fits"]

Span = tuple[int, int]

_USUAL_TOKEN, _WIDEST_TOKEN = 4, 16
_MARGIN = 1.1
_DEAREST, _DEAREST_ASCII = 3.0, 2.0
"""Tokens that a character costs at most; short texts need no closer estimate."""
_LINE = re.compile(r"[^\n]+")
_BREAKS = ("\n", "。", "；", ". ", "; ", "，", ", ", "、", ",", " ")


def chunk_tokens(settings: Settings) -> int:
    """Estimated tokens one chunk may have: the agent's window times the chunk ratio."""
    return max(1, int(settings.agent_window * settings.chunk_ratio))


def chunk_spans(text: str, *, limit: int) -> list[Span]:
    """(start, end) of adjoining pieces that cover the whole text, each of at most `limit` estimated tokens.

    A text within the limit is one piece; an empty one none. Time is linear in the length of the text. A limit below 1
    raises InvalidParameter. A single character that is over the limit by itself still gets a piece of its own.
    """
    if limit < 1:
        raise InvalidParameter(f"a chunk needs a limit of at least 1 token, not {limit}. Raise agent_window.")
    if not text:
        return []
    if surely_fits(text, limit=limit):
        return [(0, len(text))]
    tokens = estimate_tokens(text)
    if tokens <= limit:
        return [(0, len(text))]
    # pricing every sentence takes longer than all that is done with them: they are taken at the average price first
    rate = _MARGIN * tokens / len(text)
    chunks: list[Span] = []
    for start, end in _packed(_priced(_pieces(text, 0, len(text), lambda a, b: rate * (b - a), limit), rate), limit):
        if estimate_tokens(text[start:end]) <= limit:
            chunks.append((start, end))
        else:
            chunks.extend(_exactly(text, start, end, limit))
    return chunks


def surely_fits(text: str, *, limit: int) -> bool:
    """Whether a text is within `limit` estimated tokens whatever its characters are: then it need not be priced."""
    return len(text) * (_DEAREST_ASCII if text.isascii() else _DEAREST) <= limit


def _priced(pieces: Iterable[Span], rate: float) -> Iterator[tuple[int, int, float]]:
    for start, end in pieces:
        yield start, end, rate * (end - start)


def _exactly(text: str, start: int, end: int, limit: int) -> Iterator[Span]:
    """Chunks of a stretch that is dearer than the rest of the text, each of its pieces priced by itself."""
    pieces = _pieces(text, start, end, lambda a, b: estimate_tokens(text[a:b]), limit)
    # estimates are rounded, their sum must not fall short
    yield from _packed(((a, b, estimate_tokens(text[a:b]) + 0.5) for a, b in pieces), limit)


def cut_hard(text: str, start: int, end: int, *, limit: int) -> Iterator[Span]:
    """Adjoining pieces of `text[start:end]` of at most `limit` characters, cut after the last break that fits."""
    while end - start > limit:
        window = text[start : start + limit]
        cut = next((at + len(mark) for mark in _BREAKS if (at := window.rfind(mark)) >= limit // 2), limit)
        yield start, start + cut
        start += cut
    if start < end:
        yield start, end


def _pieces(text: str, start: int, end: int, price: Callable[[int, int], float], limit: int) -> Iterator[Span]:
    """Adjoining spans within the limit: whole paragraphs where they fit, then sentences, lines, then what is left."""
    for left, right in _widen(_shifted(paragraph_spans, text, start, end), start, end):
        if price(left, right) <= limit:
            yield left, right
            continue
        for first, last in _widen(_shifted(sentence_spans, text, left, right), left, right):
            if price(first, last) <= limit:
                yield first, last
                continue
            for line, stop in _widen(_shifted(_line_spans, text, first, last), first, last):
                if price(line, stop) <= limit:
                    yield line, stop
                else:
                    yield from _cut_by_tokens(text, line, stop, limit)


def _line_spans(text: str) -> list[Span]:
    return [found.span() for found in _LINE.finditer(text)]


def _shifted(split: Callable[[str], Iterable[Span]], text: str, start: int, end: int) -> list[Span]:
    return [(start + first, start + last) for first, last in split(text[start:end])]


def _widen(spans: Iterable[Span], start: int, end: int) -> Iterator[Span]:
    """The spans widened so that they meet: each takes the blanks after it, the first also those before it."""
    starts = [first for first, _ in spans] or [start]
    starts[0] = start
    yield from zip(starts, [*starts[1:], end], strict=True)


def _cut_by_tokens(text: str, start: int, end: int, limit: int) -> Iterator[Span]:
    while start < end:
        # only as much of the rest is looked at as is needed, so that cutting stays linear
        size = limit * _USUAL_TOKEN
        while (
            start + size < end and size < limit * _WIDEST_TOKEN and estimate_tokens(text[start : start + size]) <= limit
        ):
            size *= 2
        window = text[start : min(end, start + size)]
        fits = window if estimate_tokens(window) <= limit else clip_tokens(window, limit)
        # no character costs more than a token, so `limit` characters always fit: an endless word is cut there
        cut = min(end, start + max(len(fits), limit))
        yield start, cut
        start = cut


def _packed(pieces: Iterable[tuple[int, int, float]], limit: int) -> Iterator[Span]:
    """Neighbouring pieces (start, end, tokens) joined for as long as they fit together."""
    chunk: Span | None = None
    spent = 0.0
    for first, last, tokens in pieces:
        if chunk is None or spent + tokens > limit:
            if chunk is not None:
                yield chunk
            chunk, spent = (first, first), 0.0
        chunk, spent = (chunk[0], last), spent + tokens
    if chunk is not None:
        yield chunk
