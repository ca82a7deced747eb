"""A long text in pieces for one question each: whole paragraphs, else whole sentences, else cut where it must be."""

from __future__ import annotations

from collections.abc import Iterator

from amb_core.text import clip_tokens, estimate_tokens, paragraph_spans, sentence_spans

__all__ = ["spans_within"]


def spans_within(text: str, most_tokens: int) -> list[tuple[int, int]]:
    """Where the pieces stand, each of at most so many tokens; together they are the whole text but for white space."""
    found: list[tuple[int, int]] = []
    room = 0
    for start, end in _units(text, most_tokens):
        price = estimate_tokens(text[start:end])
        if found and price <= room:
            found[-1] = found[-1][0], end
            room -= price
        else:
            found.append((start, end))
            room = most_tokens - price
    return found


def _units(text: str, most: int) -> Iterator[tuple[int, int]]:
    for start, end in paragraph_spans(text):
        if estimate_tokens(text[start:end]) <= most:
            yield start, end
            continue
        for first, last in sentence_spans(text[start:end]):
            yield from _cut(text, start + first, start + last, most)


def _cut(text: str, start: int, end: int, most: int) -> Iterator[tuple[int, int]]:
    """A sentence, or pieces of one that never ends."""
    while estimate_tokens(text[start:end]) > most:
        stop = start + max(1, len(clip_tokens(text[start:end], most)))
        yield start, stop
        start = stop
    if start < end:
        yield start, end
