"""Chinese numbers: 二十一, 三千五百万, 二〇二一, 百分之五, 三分之一, 第三, 三成."""

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

from amb_core.text.lazy_patterns import lazy_pattern
from amb_core.text.number_keys import Numeral, canonical

__all__ = ["HAN_SCALES", "chinese_numerals", "han_number"]

_NUMERAL = "零〇一二两三四五六七八九十百千万亿"
_HAN_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
HAN_SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10**4, "亿": 10**8}
_MEASURE = "个名位人条座家所次年月日天周岁倍种类项部台架艘辆只头匹件套份章节页行列室厅房口股份层级度届期批轮场局支组排对副块片张本册卷篇首句段回集代世元角米里吨克斤升亩层楼号点时分秒小公平立千百万亿厘毫美欧英日港海英"
_HAN = lazy_pattern(
    rf"(?P<percent>百分之(?P<p>[{_NUMERAL}]{{1,12}}(?:点[{_NUMERAL}]{{1,12}})?|\d{{1,12}}(?:\.\d{{1,12}})?))"
    rf"|(?P<whole>[{_NUMERAL}]{{1,8}}|\d{{1,8}})分之(?P<share>[{_NUMERAL}]{{1,8}}|\d{{1,8}})"
    rf"|第(?P<ordinal>[{_NUMERAL}]{{1,8}}|\d+)"
    rf"|(?P<tenths>[一二两三四五六七八九])成(?![为立功员年本分型绩果都长千])"
    rf"|(?P<number>[{_NUMERAL}]{{1,24}}(?:点[零〇一二三四五六七八九]{{1,12}})?)"
)
_HAN_TRAP = lazy_pattern(
    r"十[分足]|千万(?=别|不|要)|万[一分]|百[姓货科]|一[些直样切定般起旦]|四[川周]|九龙|三[星国角]|万[物能岁]|千[古秋]|两岸|五[粮金]|三元(?=[锂材正前催电里])|一次性|二次元|三农|四[处季]|五星|[七八]夕|八卦|九州|十字|一流|二手|六神|百度|万科|一[直同]|两[会国]"
)


def han_number(text: str) -> Decimal:
    """The value of Chinese numerals, positional ("二〇二一") or with 十百千万亿, with an optional 点 part."""
    whole, _, fraction = text.partition("点")
    if not any(char in "十百千万亿" for char in whole):
        value = int("".join(str(_HAN_DIGITS[char]) for char in whole) or "0")
    else:
        value = _han_sections(whole)
    digits = "".join(str(_HAN_DIGITS[char]) for char in fraction if char in _HAN_DIGITS)
    return Decimal(f"{value}.{digits}") if digits else Decimal(value)


def _han_sections(whole: str) -> int:
    total = section = digit = 0
    last_scale = 1
    for char in whole:
        if char in _HAN_DIGITS:
            digit = _HAN_DIGITS[char]
            last_scale = 1 if digit == 0 else last_scale
        elif HAN_SCALES[char] < 10**4:
            last_scale = HAN_SCALES[char]
            section += (digit or 1) * last_scale
            digit = 0
        else:
            last_scale = HAN_SCALES[char]
            section = (section + digit) or (0 if total else 1)
            total = (total + section) * last_scale if last_scale == 10**8 else total + section * last_scale
            section = digit = 0
    return total + section + digit * (last_scale // 10 if digit and last_scale > 10 else 1)


def _as_number(text: str) -> Decimal:
    return Decimal(text) if text[0].isdigit() else han_number(text)


def chinese_numerals(text: str) -> Iterator[Numeral]:
    """Every number in Chinese characters, in text order."""
    for match in _HAN.finditer(text):
        start, end = match.span()
        if match["percent"]:
            yield Numeral(canonical(_as_number(match["p"])), start, end, unit="%")
        elif match["whole"]:
            below, above = int(_as_number(match["whole"])), int(_as_number(match["share"]))
            if below:
                yield Numeral(canonical(Fraction(above, below)), start, end)
        elif match["ordinal"]:
            yield Numeral(f"{canonical(_as_number(match['ordinal']))}th", start, end)
        elif match["tenths"]:
            yield Numeral(canonical(han_number(match["tenths"]) * 10), start, end, unit="%")
        elif _counts(text, match["number"], start, end):
            yield Numeral(canonical(han_number(match["number"])), start, end)


def _counts(text: str, number: str, start: int, end: int) -> bool:
    """True when the characters are a number here and not part of a word such as 统一 or 十分."""
    if _HAN_TRAP.match(text, start) or (
        text[start - 1 : start] in ("统", "唯", "之", "单", "万", "张", "李") and len(number) == 1
    ):
        return False
    scaled = any(char in "十百千万亿" for char in number) and len(number) > 1
    if scaled or "点" in number:
        return True
    if len(number) > 1:
        return len(number) > 2 or "〇" in number or "零" in number
    follower = text[end : end + 1]
    return (number not in "一零〇万亿千百" and bool(follower) and follower in _MEASURE) or (
        number == "一" and follower in "米元吨年月岁"
    )
