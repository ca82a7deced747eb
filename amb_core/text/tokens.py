"""About how many tokens a text, a message or a request has, and a text cut to a number of them."""

from __future__ import annotations

import json
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any

from amb_core.text.lazy_patterns import lazy_pattern
from amb_core.text.pure_cache import clears, remembered

__all__ = [
    "REASONING",
    "TokenScale",
    "clip_tokens",
    "estimate_lines",
    "estimate_tokens",
    "image_tokens",
    "message_tokens",
    "request_tokens",
    "text_of",
]

_LETTER, _DIGIT, _SPACE, _BREAK, _MARK, _HAN, _WIDE_MARK, _SYLLABLE, _OTHER, _SYMBOL, _RARE, _EDGE = range(12)
_EMOJI = range(0x1F000, 0x1FB00)
_MOST_CHARS_PER_TOKEN = 16
_LONGEST_WORD = 30
_KEPT_WORDS = 20_000

# prices are in thousandths of a token
_TOKEN = 1_000
_PER_HAN, _HAN_RUN, _PER_TRADITIONAL, _PER_WIDE_MARK, _PER_ACCENT = 823, 415, 350, 710, 240
_INDENT = 295
"""What several spaces cost more at the beginning of a line."""
_PER_CHAR = {_SYLLABLE: 750, _OTHER: 280, _SYMBOL: 1_000, _RARE: 2_800}
_TRADITIONAL_CHARS = (
    "這個們來時說國會對學後過麼開間關為無與長應頭實點動還裡兩從問樣幾見經體書東話讓員聲現給當將萬種業產電機車發進過達運選遠邊連難題類願顧飛館馬驗髮鬥麗黃齊龍"
    "灣臺華語調議論談許請誰課識護讀變買賣費質資賽購贊轉輕載較輸農辦達醫針銀錢鐵錯門閉陽隊際險雖雙雜離雲電靈靜響頁項順須預領頻額顏風養餘驚魚鳥鮮麥黨傳傷價優兒內冊寫凍劃劇劉勞動務勝勢區"
    "協單衛參嗎嚴團園圖圓場塊壞報壓夢夠奪奮婦媽孫寧寶審層島師帶幣廠廣廳張彈強彎後復徑德憶戰戲戶擇擊擔據擴擺攝數斷於昇時曉書會條極榮構樂樓標樹橋機檔檢權歐歲歷歸殺氣沒淚準溝滅滿漢潔濟灑"
    "燈燒爭爾牆狀獎獨獲環瑪產畢異當療癥發盜盡監盤眾睜礎禮禍種稱積穩窮競筆築簡簽糧約紀紅級純紙組細終結絕統經綠維網緊緒線編練縣總績織續罷羅義習聖聞聯聰職聽肅腦臉臨舉舊藝節莊葉著蘇處號術衝裝補複規視親覺觀"
)

_ACCENTED = r"ªµºÀ-ÖØ-öø-ɏ"
_WHITE = r" \t\xa0\u1680\u2000-\u200a\u202f\u205f"
_MARKS = r"\x00-\x08\x0b\x0c\x0e-\x1f!-/:-@\[-`{-\x7f"
_WIDE = r"\u3000-\u303f\uff00-\uffef\u2010-\u2027\xb7"
_WORD = rf"[A-Z{_ACCENTED}]*+(?:[a-z]++[{_ACCENTED}][A-Z{_ACCENTED}]*+)*+[a-z]*+"
_RUN = lazy_pattern(
    rf"[{_WHITE}]?(?=[A-Za-z{_ACCENTED}]){_WORD}|[0-9]++|[{_WHITE}]++|[\n\r]++|[{_MARKS}]++|[\u4e00-\u9fff]++|[{_WIDE}]++"
    rf"|[^A-Za-z{_ACCENTED}0-9{_WHITE}\n\r{_MARKS}\u4e00-\u9fff{_WIDE}]++"
)
"""Runs of one kind; a single space is taken together with the word after it, for it costs nothing there."""
_ACCENT = lazy_pattern(rf"[{_ACCENTED}]")
_TRADITIONAL = lazy_pattern(rf"[{_TRADITIONAL_CHARS}]")


def _kind(char: str) -> int:
    code = ord(char)
    if 0x4E00 <= code <= 0x9FFF:
        return _HAN
    if 0x3400 <= code <= 0x4DBF or 0xF900 <= code <= 0xFAFF:
        return _RARE
    if 0x3040 <= code <= 0x30FF or 0xAC00 <= code <= 0xD7AF:
        return _SYLLABLE
    if 0x3000 <= code <= 0x303F or 0xFF00 <= code <= 0xFFEF or 0x2010 <= code <= 0x2027 or code == 0xB7:
        return _WIDE_MARK
    if code > 0xFFFF:
        return _SYMBOL if code in _EMOJI else _RARE
    category = unicodedata.category(char)
    if category[0] in "LM":
        return _LETTER if code < 0x250 else _OTHER
    return _SPACE if category == "Zs" else _SYMBOL


class _Kinds(dict[str, int]):
    """The kind of every character seen so far."""

    def __missing__(self, char: str) -> int:
        self[char] = kind = _kind(char)
        return kind


_kind_of = _Kinds((chr(code), _MARK) for code in range(128))
_kind_of.update(dict.fromkeys("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", _LETTER))
_kind_of.update(dict.fromkeys("0123456789", _DIGIT) | dict.fromkeys(" \t", _SPACE) | dict.fromkeys("\n\r", _BREAK))


def _word_price(word: str, before: int) -> int:
    """The price of a run of letters: longer and capitalised words, and those inside identifiers, take more tokens."""
    length = len(word)
    beyond_six, beyond_eleven = max(0, length - 6), max(0, length - 11)
    capital = "A" <= word[0] <= "Z"
    accents = 0 if word.isascii() else _PER_ACCENT * len(_ACCENT.findall(word))
    if capital and length > 1 and "A" <= word[-1] <= "Z":
        return 1_067 + 20 * max(0, length - 3) + 200 * beyond_eleven + accents
    if before == _DIGIT:
        return 985 + 175 * length + accents
    price = accents + (576 if capital else 0)
    if before == _MARK:
        return price + 863 + 440 * beyond_six + 183 * beyond_eleven
    if before == _LETTER:
        return price + 1_136 + 195 * beyond_six + 200 * beyond_eleven
    return price + 882 + 115 * beyond_six + 187 * beyond_eleven


class _Words(dict[str, int]):
    """The price of every word seen after a single space; starts afresh when it has grown too large."""

    def __missing__(self, spaced: str) -> int:
        price = _word_price(spaced[1:], _SPACE)
        if len(spaced) <= _LONGEST_WORD:
            if len(self) >= _KEPT_WORDS:
                self.clear()
            self[spaced] = price
        return price


_words = _Words()
clears(_words.clear)


def _other_price(run: str, kind: int, before: int, after: int) -> int:
    """The price of any run but a word; one mark or space before a word is mostly part of the word's token."""
    length = len(run)
    if kind == _HAN:
        return _PER_HAN * length + _HAN_RUN + _PER_TRADITIONAL * len(_TRADITIONAL.findall(run))
    if kind == _WIDE_MARK:
        return _PER_WIDE_MARK * length
    if kind == _MARK:
        if length == 1:
            return 315 if after == _LETTER else 886
        return 1_409 + 178 * min(6, length - 2) + 30 * max(0, length - 8)
    if kind == _DIGIT:
        return 1_040 * ((length + 2) // 3)
    if kind == _SPACE:
        if length == 1:
            return 422 if after == _DIGIT else 0
        return 242 + (_INDENT if before == _BREAK else 0)
    if kind == _BREAK:
        return 322 if before == _MARK else 948
    return sum(_PER_CHAR[_kind_of[char]] for char in run)


def _priced(text: str) -> tuple[list[str], list[int]]:
    """The runs of a text, which are all of it, and what each costs."""
    runs: list[str] = _RUN.findall(text)
    prices: list[int] = []
    before, known, last = _EDGE, _words.get, len(runs) - 1
    for at, run in enumerate(runs):
        price = known(run)
        if price is not None:
            before = _LETTER
        elif (kind := _kind_of[run[0]]) == _SPACE and _kind_of[run[-1]] == _LETTER:
            price, before = _words[run], _LETTER
        else:
            if kind == _LETTER:
                price = _word_price(run, before)
            else:
                price = _other_price(run, kind, before, _EDGE if at == last else _kind_of[runs[at + 1][0]])
            before = kind
        prices.append(price)
    return runs, prices


@remembered(most=4_096, longest=1_000)
def estimate_tokens(text: str) -> int:
    """Roughly how many tokens a current vocabulary (o200k) makes of `text`; 0 only for the empty string."""
    return max(1, (sum(_priced(text)[1]) + _TOKEN // 2 - 1) // _TOKEN) if text else 0


@remembered(most=2_048, longest=4_000)
def _price(text: str) -> int:
    return sum(_priced(text)[1])


def estimate_lines(lines: Sequence[str]) -> int:
    """`estimate_tokens` of some lines joined by line breaks, each priced once; none may be empty."""
    breaks = sum(_other_price("\n", _BREAK, _kind_of[line[-1]], _EDGE) for line in lines[:-1])
    indented = sum(all(_kind_of[char] == _SPACE for char in line[:2]) and len(line) > 1 for line in lines[1:])
    price = breaks + indented * _INDENT + sum(map(_price, lines))
    return max(1, (price + _TOKEN // 2 - 1) // _TOKEN) if lines else 0


class TokenScale:
    """The estimated tokens between any two places of one text; it is read once, whatever is asked for."""

    def __init__(self, text: str) -> None:
        runs, prices = _priced(text)
        self._ends, self._sums = [0, *accumulate(map(len, runs))], [0, *accumulate(prices)]

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

_JSON = json.JSONEncoder(ensure_ascii=False, sort_keys=True, default=str)
REASONING = ("reasoning_content", "reasoning", "reasoning_details", "thinking", "thinking_blocks")
"""Where messages keep what a model thought, by the ways of several providers."""


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
    return _JSON.encode(content)


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
    others = sum(count(json.dumps(one, ensure_ascii=False, default=str)) for one in beside if one)
    return _EACH_REQUEST + sum(message_tokens(message, count=count) for message in messages) + others


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
    return _JSON.encode(part)
