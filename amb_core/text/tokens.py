"""About how many tokens a text, a message or a request has, and a text cut to a number of them."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from itertools import accumulate, compress
from pathlib import Path
from typing import Any

from amb_core.text.lazy_patterns import lazy_pattern
from amb_core.text.pure_cache import clears, remembered

__all__ = [
    "FORMS",
    "NO_FORM",
    "PIECES_FILE",
    "REASONING",
    "SHARED",
    "TokenScale",
    "as_json",
    "clip_tokens",
    "estimate_lines",
    "estimate_tokens",
    "image_tokens",
    "message_tokens",
    "request_tokens",
    "text_of",
    "token_pieces",
    "unpacked_pieces",
]

_MOST_CHARS_PER_TOKEN = 16
_LONGEST_WORD = 30
_KEPT_WORDS = 20_000

_LATIN = r"A-Za-zªµºÀ-ÖØ-öø-ʯḀ-ỿ"
_ACCENTED = _LATIN.removeprefix("A-Za-z")
_WHITE = r" \t\xa0\u1680\u2000-\u200a\u202f\u205f"
_MARKS = r"\x00-\x08\x0b\x0c\x0e-\x1f!-/:-@\[-`{-\x7f"
_WORD = rf"[A-Z{_ACCENTED}]*+(?:[a-z]++[{_ACCENTED}][A-Z{_ACCENTED}]*+)*+[a-z]*+"
_RUN = lazy_pattern(
    rf"[{_WHITE}{_MARKS}]?(?=[{_LATIN}]){_WORD}(?:'(?i:s|t|re|ve|m|ll|d))?|[0-9]{{1,3}}| ?[{_MARKS}]++[\n\r/]*+"
    rf"|[{_WHITE}]?[^{_LATIN}0-9{_WHITE}\n\r{_MARKS}]++"
    rf"|[{_WHITE}]*[\n\r]++|[{_WHITE}]+(?=[{_WHITE}])|[{_WHITE}]"
)
"""The pieces that a vocabulary makes of a text before it looks them up: what a piece costs depends on it alone."""
_LENGTHS = frozenset((*range(2, 17), 32, 48, 64, 80))
_EASTERN, _EASTERN_LENGTHS = "\u2fff", range(2, 7)
"""How long a token is that is looked for: words have 16 letters, rules and indents more, Chinese and Korean ones 6."""


def _piece_tokens(piece: str) -> int:
    """The tokens of one piece that `_RUN` finds, the longest first that the known part of the vocabulary has.

    The whole vocabulary would find no more than that: what is missing here can only be longer.
    """
    known, blocks = token_pieces()
    if piece in known or ("0" <= piece[0] <= "9"):
        return 1
    lengths = _lengths_of_tokens()
    place = tokens = 0
    end = len(piece)
    while place < end:
        for length in lengths.get(piece[place : place + 2], ()):
            if length <= end - place and piece[place : place + length] in known:
                place += length
                tokens += 1
                break
        else:
            char = piece[place]
            place += 1
            tokens += 1 if char < "\x80" or char in known else _char_tokens(char, blocks)
    return tokens


@lru_cache(maxsize=1)
def _lengths_of_tokens() -> dict[str, tuple[int, ...]]:
    """By their first two characters how long the tokens are that are looked for, the longest first.

    Most pairs begin no token: where nothing is known of a text, a look for each pair tells so.
    """
    found: dict[str, set[int]] = {}
    for token in token_pieces()[0]:
        if len(token) in (_EASTERN_LENGTHS if token[0] > _EASTERN else _LENGTHS):
            found.setdefault(token[:2], set()).add(len(token))
    return {pair: tuple(sorted(lengths, reverse=True)) for pair, lengths in found.items()}


def _char_tokens(char: str, blocks: Set[bytes]) -> int:
    """The tokens of a character that is none itself: its bytes, of which a common block joins the first two."""
    encoded = char.encode("utf-8", "surrogatepass")
    return len(encoded) - (encoded[:2] in blocks)


class _Pieces(dict[str, int]):
    """The tokens of every piece seen; starts afresh when it has grown too large."""

    def __missing__(self, piece: str) -> int:
        price = _piece_tokens(piece)
        if len(piece) <= _LONGEST_WORD:
            if len(self) >= _KEPT_WORDS:
                self.clear()
            self[piece] = price
        return price


_prices = _Pieces()
clears(_prices.clear)


@remembered(most=4_096, longest=4_000)
def estimate_tokens(text: str) -> int:
    """The tokens of `text` in o200k or a few more, never fewer in practice; 0 only for the empty string."""
    return sum(map(_prices.__getitem__, _RUN.findall(text)))


def estimate_lines(lines: Sequence[str]) -> int:
    """`estimate_tokens` of some lines joined by line breaks, each counted once; none may be empty."""
    total, joined = 0, ""
    for line in lines:
        if joined and line[0] == "/":  # a vocabulary joins it to the mark and the line break before it
            joined = f"{joined}\n{line}"
            continue
        total += estimate_tokens(f"{joined}\n") if joined else 0
        joined = line
    return total + estimate_tokens(joined)


class TokenScale:
    """The estimated tokens between any two places of one text; it is read once, whatever is asked for."""

    def __init__(self, text: str) -> None:
        pieces: list[str] = _RUN.findall(text)
        self._ends = [0, *accumulate(map(len, pieces))]
        self._sums = [0, *accumulate(map(_prices.__getitem__, pieces))]

    def between(self, start: int, end: int) -> int:
        """The tokens of `text[start:end]`, at least 1."""
        return max(1, round(self._sum_at(end) - self._sum_at(start)))

    def place(self, start: int, tokens: int) -> int:
        """How far the text from `start` reaches with so many tokens; always further than `start`."""
        wanted = self._sum_at(start) + tokens
        at = bisect_right(self._sums, wanted) - 1
        if at + 1 == len(self._ends):
            return self._ends[-1]
        share = (wanted - self._sums[at]) / max(self._sums[at + 1] - self._sums[at], 1)
        return max(start + 1, self._ends[at] + int(share * (self._ends[at + 1] - self._ends[at])))

    def _sum_at(self, place: int) -> float:
        at = bisect_right(self._ends, place) - 1
        if at + 1 == len(self._ends):
            return self._sums[-1]
        share = (place - self._ends[at]) / (self._ends[at + 1] - self._ends[at])
        return self._sums[at] + share * (self._sums[at + 1] - self._sums[at])


def clip_tokens(text: str, budget: int) -> str:
    """The longest prefix whose estimate is within `budget`, cut between words where there are any."""
    if budget <= 0 or not text:
        return ""
    window = _MOST_CHARS_PER_TOKEN * (budget + 1)
    while window < len(text) and estimate_tokens(text[:window]) <= budget:
        window *= 4
    if len(text) <= window and estimate_tokens(text) <= budget:
        return text
    low, high = 0, min(window, len(text))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if estimate_tokens(text[:middle]) <= budget else (low, middle - 1)
    word = low
    while word and low - word < _LONGEST_WORD and _is_in_word(text[word - 1]):
        word -= 1
    cuts_word = low < len(text) and _is_in_word(text[low]) and word > 0 and low - word < _LONGEST_WORD
    return text[: word if cuts_word else low].rstrip()


def _is_in_word(char: str) -> bool:
    return char.isascii() and char.isalnum()


# --- the common tokens of o200k ---------------------------------------------------------------------------------------
# The vocabulary is OpenAI's, published with tiktoken under the MIT licence; `python -m amb_bench.common_tokens` writes
# the file. Each entry is told by how many letters it shares with the one before, and has a character that says in which
# forms it is a token: as it stands, Capitalised, in CAPITALS, and the same behind a space (decision 0098).

SHARED = "\x01\x02\x03\x04\x05\x06\x07\x08\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b"
"""What an entry begins with: the place of its mark is how many letters it shares; none of them is in an entry."""
FORMS: tuple[Callable[[str], str], ...] = (str, str.title, str.upper)
_ENTRY = rf"([{SHARED}])([^{SHARED}]*)"
NO_FORM = 48
PIECES_FILE = Path(__file__).with_name("token_pieces.txt")


@lru_cache(maxsize=1)
def token_pieces() -> tuple[frozenset[str], frozenset[bytes]]:
    """The tokens, and the bytes that begin other characters and are one token together."""
    entries, forms, blocks = PIECES_FILE.read_bytes().decode("utf-8").split("\0")
    return unpacked_pieces(entries, forms), frozenset(first.encode("utf-8")[:2] for first in blocks)


def unpacked_pieces(entries: str, forms: str) -> frozenset[str]:
    """The tokens of some entries and their forms, as the file has them."""
    words, latest = [], ""
    for mark, rest in re.findall(_ENTRY, entries):
        latest = latest[: SHARED.index(mark)] + rest
        words.append(latest)
    bits = [ord(form) - NO_FORM for form in forms]
    tokens: set[str] = set()
    for place, form in enumerate(FORMS):
        tokens.update(map(form, compress(words, [bit >> place & 1 for bit in bits])))
        tokens.update(" " + form(word) for word in compress(words, [bit >> place + 3 & 1 for bit in bits]))
    return frozenset(tokens)


# --- messages and requests, in OpenAI's form --------------------------------------------------------------------------

_EACH_MESSAGE, _EACH_REQUEST = 4, 3
"""Tokens a chat template adds, about."""
_IMAGE_TOKENS = 1_000
"""What a request pays for one image, roughly; providers differ and charge by size."""

_LONGEST_NUMBER = 10_000
"""Bits of a number from which it is written as a hexadecimal one."""
_JSON = json.JSONEncoder(ensure_ascii=False, sort_keys=True, default=str)
REASONING = ("reasoning_content", "reasoning", "reasoning_details", "thinking", "thinking_blocks")
"""Where messages keep what a model thought, by the ways of several providers."""


def as_json(value: object) -> str:
    """A value as JSON with sorted keys; of what is no JSON (too deep, circular, keys of two kinds) the texts in it."""
    try:
        return _JSON.encode(value)
    except (RecursionError, TypeError, ValueError):
        return " ".join(_texts_in(value))


def _texts_in(value: object) -> Iterator[str]:
    """Keys and values in order, each container once; without recursion, however deep they are."""
    seen, waiting = set[int](), [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, int) and one.bit_length() > _LONGEST_NUMBER:
            yield hex(one)  # more digits than Python writes
        elif not isinstance(one, Mapping | list | tuple):
            yield str(one)
        elif id(one) not in seen:
            seen.add(id(one))
            inner = one if not isinstance(one, Mapping) else [part for pair in one.items() for part in pair]
            waiting += reversed(inner)


def text_of(content: object) -> str:
    """Any message content as text: text parts as they are, images as `[image]`, everything else as JSON."""
    if isinstance(content, str):
        return content
    if content is None:
        return ""
    if isinstance(content, bytes | bytearray):
        return f"[{len(content)} bytes]"
    if isinstance(content, list | tuple) and content and all(map(_is_part, content)):
        return "\n".join(map(_part_text, content))
    return as_json(content)


def image_tokens(message: Mapping[str, Any]) -> int:
    """The cost of the images in one message."""
    content = message.get("content")
    parts = content if isinstance(content, list | tuple) else ()
    return sum(map(_is_image, parts)) * _IMAGE_TOKENS


def message_tokens(message: Mapping[str, Any], *, count: Callable[[str], int] = estimate_tokens) -> int:
    """The cost of one message with its tool calls, reasoning and images; `count` says what one text costs."""
    others = [text_of(message[key]) for key in ("tool_calls", "function_call", *REASONING) if message.get(key)]
    return _EACH_MESSAGE + sum(map(count, [text_of(message.get("content")), *others])) + image_tokens(message)


def request_tokens(
    messages: Iterable[Mapping[str, Any]],
    *,
    beside: Sequence[object] = (),
    count: Callable[[str], int] = estimate_tokens,
) -> int:
    """The cost of a request; `beside` is what it carries as JSON beside its messages: tools, the form of the answer."""
    others = sum(count(_written(one)) for one in beside if one)
    return _EACH_REQUEST + sum(message_tokens(message, count=count) for message in messages) + others


def _written(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (RecursionError, TypeError, ValueError):
        return as_json(value)


def _is_image(part: object) -> bool:
    return isinstance(part, Mapping) and not isinstance(part.get("text"), str) and text_of([part]) == "[image]"


def _is_part(part: object) -> bool:
    return isinstance(part, str) or (isinstance(part, Mapping) and isinstance(part.get("type"), str))


def _part_text(part: str | Mapping[str, Any]) -> str:
    if isinstance(part, str):
        return part
    for key in ("text", "refusal"):
        if isinstance(part.get(key), str):
            return str(part[key])
    if any(word in part["type"] for word in ("image", "audio", "file")):
        return f"[{part['type'].partition('_')[0]}]"
    return as_json(part)
