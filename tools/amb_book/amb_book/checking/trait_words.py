"""Ages, colours, ranks and trades in words, English and Chinese."""

from __future__ import annotations

import re
from collections.abc import Sequence

from amb_core.text.chinese_numerals import han_number

__all__ = ["AGE_EN", "AGE_ZH", "age_of", "colours", "ranks", "trades"]

_ONES: Sequence[str] = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen".split()
)
_TENS: Sequence[str] = "twenty thirty forty fifty sixty seventy eighty ninety".split()
AGE_EN = rf"(?:(?:{'|'.join(_TENS)})(?:[- ](?:{'|'.join(_ONES[:9])}))?|{'|'.join(reversed(_ONES))}|a hundred|\d{{1,3}})"
"""An age in English words or figures, as the inside of a pattern."""
AGE_ZH = (
    r"(?:[一二两三四五六七八九]?十[一二三四五六七八九]?|[一二三四五六七八九]|\d{1,3}|"
    r"一百[零一二三四五六七八九十]*)"
)

_COLOURS_EN = {
    "blue": "blue|azure|sapphire",
    "grey": "grey|gray|slate",
    "green": "green|emerald",
    "brown": "brown|hazel|chestnut|chocolate|amber",
    "black": "black|jet|raven|coal-black",
    "red": "red|ginger|auburn|copper|russet|carroty",
    "fair": "blond|blonde|fair|golden|gold|flaxen|yellow|straw-coloured",
    "white": "white|silver|silvery",
    "violet": "violet|purple",
}
_COLOURS_ZH = {
    "blue": "蓝|碧蓝|湛蓝",
    "grey": "灰",
    "green": "绿|碧绿|翠",
    "brown": "棕|褐|琥珀",
    "black": "黑|乌|墨",
    "red": "红|赤",
    "fair": "金",
    "white": "白|银",
    "violet": "紫",
}
_COLOUR_WORDS = {
    **{word: name for name, words in _COLOURS_EN.items() for word in words.split("|")},
    **{word: name for name, words in _COLOURS_ZH.items() for word in words.split("|")},
}
_COLOUR = re.compile(
    r"\b(?:" + "|".join(word for word in _COLOUR_WORDS if word.isascii()) + r")\b|"
    "[" + "".join(word for word in _COLOUR_WORDS if len(word) == 1) + "]",
    re.IGNORECASE,
)
_LADDERS = (
    "private corporal sergeant ensign lieutenant captain major colonel general",
    "cadet midshipman lieutenant commander captain commodore admiral",
    "constable sergeant inspector superintendent commissioner",
    "把总 千总 守备 都司 游击 参将 副将 总兵 提督",
    "少尉 中尉 上尉 少校 中校 上校 大校 少将 中将 上将",
    "少佐 中佐 大佐",
    "中队长 大队长 支队长",
)
"""Ranks of which nobody has two, each ladder from its foot; offices may be held together or one after another."""
_TRADES = (
    "doctor nurse teacher lawyer baker smith blacksmith carpenter sailor fisherman farmer miller tailor weaver painter "
    "musician journalist reporter priest monk nun butcher barber cook chef gardener librarian clerk accountant "
    "engineer "
    "mechanic driver pilot soldier policeman detective judge magistrate apothecary surgeon physician midwife shepherd "
    "innkeeper locksmith goldsmith jeweller cooper potter mason plumber electrician photographer actor actress dancer "
    "singer poet printer bookseller architect geologist botanist chemist undertaker ferryman cobbler tanner "
    "医生 护士 教师 老师 律师 记者 会计 警察 法医 裁缝 木匠 铁匠 渔夫 厨子 厨师 司机 画家 作家 工程师 商人 郎中 "
    "大夫 猎户 屠夫 船夫 "
    "书生 私塾先生 掌柜 账房 镖师 琴师 戏子 画师 药师 花匠 石匠 泥瓦匠 邮差 理发师 摄影师"
)
_TRADE_WORDS = frozenset(_TRADES.split())


def age_of(word: str) -> int:
    """The number of years a matched age says."""
    low = word.casefold().strip()
    if low.isdigit():
        return int(low)
    if not low.isascii():
        return int(han_number(low))
    if low == "a hundred":
        return 100
    parts = re.split(r"[- ]", low)
    return sum(10 * (_TENS.index(part) + 2) if part in _TENS else _ONES.index(part) + 1 for part in parts)


def colours(text: str) -> frozenset[str]:
    """The colours a text names, each under one name for its shades."""
    return frozenset(_COLOUR_WORDS[found.casefold()] for found in _COLOUR.findall(text))


def ranks(text: str) -> dict[int, frozenset[int]]:
    """The steps a text names, by the number of the ladder they are on; steps count from the foot."""
    low = text.casefold()
    found = {
        number: frozenset(
            step
            for step, rank in enumerate(ladder.split())
            if (re.search(rf"\b{rank}\b", low) if rank.isascii() else rank in low)
        )
        for number, ladder in enumerate(_LADDERS)
    }
    return {number: steps for number, steps in found.items() if steps}


def trades(text: str) -> frozenset[str]:
    """The trades a text names."""
    low = text.casefold()
    return frozenset(
        each for each in _TRADE_WORDS if (re.search(rf"\b{each}\b", low) if each.isascii() else each in low)
    )
