"""Cutting a text that is over an agent's window: at paragraphs, else sentences, else wherever it must be."""

from amb_core.errors import InvalidParameter
from amb_core.settings import Settings
from amb_core.text import estimate_tokens
from amb_core.text.tokens import TokenScale

__all__ = ["chunk_spans", "chunk_tokens"]

Span = tuple[int, int]

_LEAST_SHARE = 0.5
"""A break before this share of what fits is none to cut at."""
_BREAKS = (("\n\n",), ("\n", "。", "！", "？", ". ", "! ", "? "), ("；", "; ", "，", ", ", "、", ","), (" ",))
"""Where to cut, the best places first."""
_DEAREST, _DEAREST_ASCII = 3, 2
"""Tokens that a character costs at most."""


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
    dearest = _DEAREST_ASCII if text.isascii() else _DEAREST
    if len(text) * dearest <= limit or estimate_tokens(text) <= limit:
        return [(0, len(text))] if text else []
    scale, start = TokenScale(text), 0
    chunks: list[Span] = []
    while start < len(text):
        stop = min(scale.place(start, limit), len(text))
        end = stop if stop == len(text) else _break_before(text, start, stop)
        while end > start + 1 and estimate_tokens(text[start:end]) > limit:
            # the first word of a piece costs more than the same word behind a space
            end = _break_before(text, start, start + max(1, (end - start) * 9 // 10))
        chunks.append((start, end))
        start = end
    return chunks


def _break_before(text: str, start: int, stop: int) -> int:
    """The end of the last of the best breaks in the later part of `text[start:stop]`; `stop` where there is none."""
    least = start + max(1, int((stop - start) * _LEAST_SHARE))
    for marks in _BREAKS:
        found = [at + len(mark) for mark in marks if (at := text.rfind(mark, least, stop)) >= 0]
        if found:
            return max(found)
    return stop
