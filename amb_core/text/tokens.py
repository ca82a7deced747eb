"""About how many tokens a text, a message or a request has, and a text cut to a number of them."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from math import ceil
from operator import ne
from typing import Any

from amb_core.text.lazy_patterns import lazy_pattern
from amb_core.text.pure_cache import clears, remembered
from amb_core.text.token_prices import script_price, word_price

__all__ = [
    "REASONING",
    "TokenScale",
    "as_json",
    "clip_tokens",
    "estimate_lines",
    "estimate_tokens",
    "image_tokens",
    "message_tokens",
    "request_tokens",
    "text_of",
]

_MOST_CHARS_PER_TOKEN = 16
_LONGEST_WORD = 30
_KEPT_WORDS = 20_000

# prices are in thousandths of a token
_TOKEN = 1_000
_MARGIN = 1.06
"""How much more than its fitted price a text is taken for, so that few texts have more tokens than their estimate."""
_PER_HAN, _HAN_RUN, _PER_TRADITIONAL, _PER_WIDE_MARK = 870, 415, 330, 720
_MOST_SPACES, _MOST_BREAKS, _MOST_INDENT = 80, 16, 34
"""How many spaces, how many line breaks, and how many spaces with a line break behind them are one token."""
_TRADITIONAL_CHARS = (
    "這個們來時說國會對學後過麼開間關為無與長應頭實點動還裡兩從問樣幾見經體書東話讓員聲現給當將萬種業產電機車發進過達運選遠邊連難題類願顧飛館馬驗髮鬥麗黃齊龍"
    "灣臺華語調議論談許請誰課識護讀變買賣費質資賽購贊轉輕載較輸農辦達醫針銀錢鐵錯門閉陽隊際險雖雙雜離雲電靈靜響頁項順須預領頻額顏風養餘驚魚鳥鮮麥黨傳傷價優兒內冊寫凍劃劇劉勞動務勝勢區"
    "協單衛參嗎嚴團園圖圓場塊壞報壓夢夠奪奮婦媽孫寧寶審層島師帶幣廠廣廳張彈強彎後復徑德憶戰戲戶擇擊擔據擴擺攝數斷於昇時曉書會條極榮構樂樓標樹橋機檔檢權歐歲歷歸殺氣沒淚準溝滅滿漢潔濟灑"
    "燈燒爭爾牆狀獎獨獲環瑪產畢異當療癥發盜盡監盤眾睜礎禮禍種稱積穩窮競筆築簡簽糧約紀紅級純紙組細終結絕統經綠維網緊緒線編練縣總績織續罷羅義習聖聞聯聰職聽肅腦臉臨舉舊藝節莊葉著蘇處號術衝裝補複規視親覺觀"
)

_LATIN = r"A-Za-zªµºÀ-ÖØ-öø-ʯḀ-ỿ"
_ACCENTED = _LATIN.removeprefix("A-Za-z")
_WHITE = r" \t\xa0\u1680\u2000-\u200a\u202f\u205f"
_MARKS = r"\x00-\x08\x0b\x0c\x0e-\x1f!-/:-@\[-`{-\x7f"
_WIDE = r"\u3000-\u303f\uff00-\uffef\u2010-\u2027\xb7"
_WORD = rf"[A-Z{_ACCENTED}]*+(?:[a-z]++[{_ACCENTED}][A-Z{_ACCENTED}]*+)*+[a-z]*+"
_RUN = lazy_pattern(
    rf"[{_WHITE}{_MARKS}]?(?=[{_LATIN}]){_WORD}|[0-9]{{1,3}}| ?[{_MARKS}]++[\n\r]*+|[\u4e00-\u9fff]++|[{_WIDE}]++"
    rf"|[{_WHITE}]?[^{_LATIN}0-9{_WHITE}\n\r{_MARKS}\u4e00-\u9fff{_WIDE}]++"
    rf"|[{_WHITE}]*[\n\r]++|[{_WHITE}]+(?=[{_WHITE}])|[{_WHITE}]"
)
"""The pieces that a vocabulary makes of a text before it looks them up: what a piece costs depends on it alone."""
_TRADITIONAL = lazy_pattern(rf"[{_TRADITIONAL_CHARS}]")


def _piece_price(piece: str) -> int:
    """The price of one piece that `_RUN` finds."""
    first, last = piece[0], piece[-1]
    if first.isascii() and first.isdigit():
        return _TOKEN
    if "\u4e00" <= first <= "\u9fff":
        return _PER_HAN * len(piece) + _HAN_RUN + _PER_TRADITIONAL * len(_TRADITIONAL.findall(piece))
    if _is_wide(first):
        return _PER_WIDE_MARK * len(piece)
    if piece.isspace():
        breaks = len(piece) - len(piece.rstrip("\n\r"))
        spaces = len(piece) - breaks
        return _TOKEN * (1 + spaces // _MOST_SPACES + breaks // _MOST_BREAKS + (breaks > 0 and spaces > _MOST_INDENT))
    letter = last if len(piece) > 1 else first
    if letter.isalpha() and (letter < "\u02b0" or "\u1e00" <= letter < "\u1f00"):
        return word_price(piece)
    return _marks_price(piece) if piece.isascii() else script_price(piece)


def _is_wide(char: str) -> bool:
    return (
        "\u3000" <= char <= "\u303f" or "\uff00" <= char <= "\uffef" or "\u2010" <= char <= "\u2027" or char == "\xb7"
    )


def _marks_price(piece: str) -> int:
    """The price of ASCII marks with the space before and the line breaks behind them: the same mark again is cheap."""
    marks = piece.strip(" \n\r")
    if len(marks) < 2:
        return _TOKEN
    changes = sum(map(ne, marks, marks[1:]))
    each = 395 if "\\" not in marks else 650
    return max(
        _TOKEN, 790 + each * changes + 30 * (len(marks) - 2) + 111 * (piece[0] == " ") + 52 * (piece[-1] in "\n\r")
    )


class _Pieces(dict[str, int]):
    """The price of every piece seen; starts afresh when it has grown too large."""

    def __missing__(self, piece: str) -> int:
        price = _piece_price(piece)
        if len(piece) <= _LONGEST_WORD:
            if len(self) >= _KEPT_WORDS:
                self.clear()
            self[piece] = price
        return price


_prices = _Pieces()
clears(_prices.clear)


def _priced(text: str) -> tuple[list[str], list[int]]:
    """The pieces of a text, which are all of it, and what each costs."""
    pieces: list[str] = _RUN.findall(text)
    return pieces, list(map(_prices.__getitem__, pieces))


def _tokens(price: int) -> int:
    return ceil(price * _MARGIN / _TOKEN)


@remembered(most=4_096, longest=1_000)
def estimate_tokens(text: str) -> int:
    """How many tokens a current vocabulary (o200k) makes of `text` at most, about; 0 only for the empty string."""
    return _tokens(_price(text))


@remembered(most=2_048, longest=4_000)
def _price(text: str) -> int:
    return sum(map(_prices.__getitem__, _RUN.findall(text)))


def estimate_lines(lines: Sequence[str]) -> int:
    """`estimate_tokens` of some lines joined by line breaks, each priced once; none may be empty."""
    return _tokens(sum(_price(f"{line}\n") for line in lines[:-1]) + sum(map(_price, lines[-1:])))


class TokenScale:
    """The estimated tokens between any two places of one text; it is read once, whatever is asked for."""

    def __init__(self, text: str) -> None:
        runs, prices = _priced(text)
        self._ends, self._sums = (
            [0, *accumulate(map(len, runs))],
            [0.0, *(price * _MARGIN for price in accumulate(prices))],
        )

    def between(self, start: int, end: int) -> int:
        """The tokens of `text[start:end]`, at least 1."""
        return max(1, round((self._sum_at(end) - self._sum_at(start)) / _TOKEN))

    def place(self, start: int, tokens: int) -> int:
        """How far the text from `start` reaches with so many tokens; always further than `start`."""
        wanted = self._sum_at(start) + tokens * _TOKEN
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
