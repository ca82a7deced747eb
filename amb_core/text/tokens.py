"""Token estimates without a tokenizer, close enough to budget with.

Text is cut into runs of one kind of character, as byte-pair vocabularies do before merging, and every run has a price
that depends on its kind, its length and what stands before it. The prices were fitted to o200k on English and Chinese
prose, dialogue, source code, JSON, tables and markup.
"""

import math
import unicodedata
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from amb_core.text.remembering import remembered

__all__ = ["clip_tokens", "estimate_tokens"]

(
    _LOWER,
    _UPPER,
    _DIGIT,
    _SPACE,
    _BREAK,
    _MARK,
    _HAN,
    _WIDE_MARK,
    _ACCENTED,
    _SYLLABLE,
    _OTHER,
    _SYMBOL,
    _RARE,
    _EDGE,
) = range(14)
_PLANE = 0x10000
_EMOJI = range(0x1F000, 0x1FB00)
_MOST_CHARS_PER_TOKEN = 16
_LONGEST_WORD = 30

_PER_CHAR = {_HAN: 0.823, _WIDE_MARK: 0.71, _SYLLABLE: 0.75, _OTHER: 0.28, _SYMBOL: 1.0, _RARE: 2.8}
_PER_ACCENT = 0.24
_PER_TRADITIONAL = 0.35
_HAN_RUN = 0.415
_TRADITIONAL = (
    "這個們來時說國會對學後過麼開間關為無與長應頭實點動還裡兩從問樣幾見經體書東話讓員聲現給當將萬種業產電機車發進過達運選遠邊連難題類願顧飛館馬驗髮鬥麗黃齊龍"
    "灣臺華語調議論談許請誰課識護讀變買賣費質資賽購贊轉輕載較輸農辦達醫針銀錢鐵錯門閉陽隊際險雖雙雜離雲電靈靜響頁項順須預領頻額顏風養餘驚魚鳥鮮麥黨傳傷價優兒內冊寫凍劃劇劉勞動務勝勢區"
    "協單衛參嗎嚴團園圖圓場塊壞報壓夢夠奪奮婦媽孫寧寶審層島師帶幣廠廣廳張彈強彎後復徑德憶戰戲戶擇擊擔據擴擺攝數斷於昇時曉書會條極榮構樂樓標樹橋機檔檢權歐歲歷歸殺氣沒淚準溝滅滿漢潔濟灑"
    "燈燒爭爾牆狀獎獨獲環瑪產畢異當療癥發盜盡監盤眾睜礎禮禍種稱積穩窮競筆築簡簽糧約紀紅級純紙組細終結絕統經綠維網緊緒線編練縣總績織續罷羅義習聖聞聯聰職聽肅腦臉臨舉舊藝節莊葉著蘇處號術衝裝補複規視親覺觀"
)

Costs = NDArray[np.float64]
Offsets = NDArray[np.int64]
Codes = NDArray[np.uint8]


def _kind(code: int) -> int:
    char = chr(code)
    category = unicodedata.category(char)
    if 0x4E00 <= code <= 0x9FFF:
        return _HAN
    if 0x3400 <= code <= 0x4DBF or 0xF900 <= code <= 0xFAFF:
        return _RARE
    if 0x3040 <= code <= 0x30FF or 0xAC00 <= code <= 0xD7AF:
        return _SYLLABLE
    if 0x3000 <= code <= 0x303F or 0xFF00 <= code <= 0xFFEF or 0x2010 <= code <= 0x2027 or code == 0xB7:
        return _WIDE_MARK
    if category[0] in "LM":
        return _ACCENTED if code < 0x250 else _OTHER
    if category == "Zs":
        return _SPACE
    return _SYMBOL


@lru_cache(maxsize=1)
def _traditional() -> NDArray[np.uint32]:
    return np.array(sorted({ord(char) for char in _TRADITIONAL}), np.uint32)


@lru_cache(maxsize=1)
def _kinds() -> Codes:
    """The kind of every character of the basic plane, indexed by code point."""
    table = np.full(_PLANE, _OTHER, np.uint8)
    for code in range(128, _PLANE):
        table[code] = _kind(code)
    table[:128] = _MARK
    for chars, kind in (
        ("abcdefghijklmnopqrstuvwxyz", _LOWER),
        ("0123456789", _DIGIT),
        (" \t", _SPACE),
        ("\n\r", _BREAK),
    ):
        table[[ord(char) for char in chars]] = kind
    table[[ord(char) for char in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"]] = _UPPER
    return table


def _classified(text: str) -> tuple[Codes, NDArray[np.uint32] | None]:
    """The kind of every character, and the code points where the text is not plain ASCII."""
    if text.isascii():
        return _kinds()[np.frombuffer(text.encode("ascii"), np.uint8)], None
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    kinds = _kinds()[np.minimum(codes, _PLANE - 1)]
    beyond = codes >= _PLANE
    if beyond.any():
        emoji = (codes >= _EMOJI.start) & (codes < _EMOJI.stop)
        kinds[beyond] = np.where(emoji[beyond], _SYMBOL, _RARE)
    return kinds, codes


def _word_costs(kinds: Codes, starts: Offsets, ends: Offsets, before: Codes) -> Costs:
    """The price of runs of letters: longer and capitalised words, and those inside identifiers, take more tokens."""
    lengths = ends - starts
    beyond_six, beyond_eleven = np.maximum(0, lengths - 6), np.maximum(0, lengths - 11)
    costs = 0.882 + 0.115 * beyond_six + 0.187 * beyond_eleven
    capital = kinds[starts] == _UPPER
    all_capitals = capital & (kinds[ends - 1] == _UPPER) & (lengths > 1)
    after_mark, inside, after_digit = before == _MARK, before == _LOWER, before == _DIGIT
    costs = np.where(after_mark, 0.863 + 0.44 * beyond_six + 0.183 * beyond_eleven, costs)
    costs = np.where(inside, 1.136 + 0.195 * beyond_six + 0.2 * beyond_eleven, costs)
    costs += 0.576 * capital
    costs = np.where(after_digit, 0.985 + 0.175 * lengths, costs)
    return np.where(all_capitals, 1.067 + 0.02 * np.maximum(0, lengths - 3) + 0.2 * beyond_eleven, costs)


def _mark_costs(lengths: Offsets, after: Codes) -> Costs:
    """The price of runs of ASCII marks: one mark before a word is mostly part of the word's token."""
    several = 1.409 + 0.178 * np.minimum(6, lengths - 2) + 0.03 * np.maximum(0, lengths - 8)
    return np.where(lengths == 1, np.where(after == _LOWER, 0.315, 0.886), several)


def _space_costs(lengths: Offsets, before: Codes, after: Codes) -> Costs:
    one = np.where(after == _DIGIT, 0.422, 0.0)
    return np.where(lengths == 1, one, np.where(before == _BREAK, 0.537, 0.242))


def _priced(text: str) -> tuple[Offsets, Costs]:
    """End offsets of the runs of a non-empty text, and what each run costs."""
    kinds, codes = _classified(text)
    groups = kinds.copy()
    groups[(kinds == _UPPER) | (kinds == _ACCENTED)] = _LOWER
    breaks = np.flatnonzero((groups[1:] != groups[:-1]) | ((kinds[1:] == _UPPER) & (kinds[:-1] == _LOWER))) + 1
    starts, ends = np.concatenate(([0], breaks)), np.concatenate((breaks, [len(kinds)]))
    group, lengths = groups[starts], ends - starts
    before, after = np.concatenate(([_EDGE], group[:-1])), np.concatenate((group[1:], [_EDGE]))
    costs = np.zeros(len(starts))
    for kind in np.unique(group).tolist():
        chosen = group == kind
        long = lengths[chosen]
        if kind == _LOWER:
            costs[chosen] = _word_costs(kinds, starts[chosen], ends[chosen], before[chosen])
        elif kind == _MARK:
            costs[chosen] = _mark_costs(long, after[chosen])
        elif kind == _SPACE:
            costs[chosen] = _space_costs(long, before[chosen], after[chosen])
        elif kind == _DIGIT:
            costs[chosen] = 1.04 * ((long + 2) // 3)
        elif kind == _BREAK:
            costs[chosen] = np.where(before[chosen] == _MARK, 0.322, 0.948)
        else:
            costs[chosen] = _PER_CHAR[kind] * long + (_HAN_RUN if kind == _HAN else 0.0)
    if codes is not None:
        _add_extras(costs, kinds, codes, starts)
    return ends, costs


def _add_extras(costs: Costs, kinds: Codes, codes: NDArray[np.uint32], starts: Offsets) -> None:
    """Accented letters and traditional Chinese characters cost more than their run's kind says."""
    for places, price in (
        (np.flatnonzero(kinds == _ACCENTED), _PER_ACCENT),
        (np.flatnonzero((kinds == _HAN) & np.isin(codes, _traditional())), _PER_TRADITIONAL),
    ):
        if len(places):
            runs = np.searchsorted(starts, places, side="right") - 1
            costs += np.bincount(runs, minlength=len(costs)) * price


@remembered(most=4_096, longest=1_000)
def estimate_tokens(text: str) -> int:
    """Roughly how many tokens a current vocabulary (o200k) makes of `text`; 0 only for the empty string."""
    return max(1, math.ceil(float(_priced(text)[1].sum()) - 0.5)) if text else 0


def clip_tokens(text: str, budget: int) -> str:
    """The longest prefix whose estimate is within `budget`, cut between words where there are any."""
    if budget <= 0 or not text:
        return ""
    window = _MOST_CHARS_PER_TOKEN * (budget + 1)
    while window < len(text) and estimate_tokens(text[:window]) <= budget:
        window *= 4
    if len(text) <= window and estimate_tokens(text) <= budget:
        return text
    ends, costs = _priced(text[:window])
    kept = int(np.searchsorted(np.cumsum(costs), budget + 0.5, side="right"))
    while kept and estimate_tokens(text[: ends[kept - 1]]) > budget:
        kept -= 1
    start = int(ends[kept - 1]) if kept else 0
    stop = int(ends[kept]) if kept < len(ends) else len(text)
    if kept and stop - start <= _LONGEST_WORD and text[start:stop].isalnum() and text[start:stop].isascii():
        return text[:start].rstrip()
    return text[: _cut_inside(text, start, stop, budget)].rstrip()


def _cut_inside(text: str, start: int, stop: int, budget: int) -> int:
    """The last place between `start` and `stop` up to which the text fits the budget."""
    low, high = start, stop
    while low < high:
        middle = (low + high + 1) // 2
        if estimate_tokens(text[:middle]) <= budget:
            low = middle
        else:
            high = middle - 1
    return low
