"""Numbers as texts write them, in digits or words, English or Chinese, and the one key equal numbers share."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from amb_core.text.han_numbers import HAN_SCALES, han_number
from amb_core.text.lazy_patterns import lazy_pattern
from amb_values.word_anchors import word_anchors

__all__ = [
    "Numeral",
    "canonical",
    "english_numerals",
    "numerals",
]


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number at characters `start:end`; `unit` is "%" where the words themselves say so ("百分之五", "三成")."""

    key: str
    start: int
    end: int
    unit: str = ""


def canonical(value: Decimal | Fraction) -> str:
    """Plain decimal notation without leading or trailing zeros; a fraction that is no decimal stays "1/3"."""
    if isinstance(value, Fraction):
        rest = value.denominator
        for prime in (2, 5):
            while rest % prime == 0:
                rest //= prime
        if rest != 1:
            return f"{value.numerator}/{value.denominator}"
        value = Decimal(value.numerator) / Decimal(value.denominator)
    text = f"{value:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return text.lstrip("+") if text not in ("-0", "") else "0"


_NUMERAL = "零〇一二两三四五六七八九十百千万亿"
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


def _as_number(text: str) -> Decimal:
    return Decimal(text) if text[0].isdigit() else han_number(text)


def _chinese_numerals(text: str) -> Iterator[Numeral]:
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


_ONES = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
        "eighteen nineteen".split()
    )
}
_TENS = {
    word: 10 * value
    for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)
}
_SCALES = {
    "hundred": 10**2,
    "dozen": 12,
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
    "mn": 10**6,
    "bn": 10**9,
    "k": 10**3,
}
_ORDINALS = {
    word: value
    for value, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
        "sixteenth seventeenth eighteenth nineteenth twentieth".split(),
        start=1,
    )
} | {"thirtieth": 30, "fortieth": 40, "fiftieth": 50, "hundredth": 100, "thousandth": 1000, "millionth": 10**6}
_PARTS = {
    "half": 2,
    "halves": 2,
    "third": 3,
    "thirds": 3,
    "quarter": 4,
    "quarters": 4,
    "fifth": 5,
    "fifths": 5,
    "tenths": 10,
}
_ANY_WORD = "|".join(sorted((*_ONES, *_TENS), key=len, reverse=True))
_SCALE_WORD = "hundred|dozen|thousand|million|billion|trillion"
_ENGLISH = lazy_pattern(
    rf"(?:(?:an?|half an?)[ ](?={_SCALE_WORD})(?:{_SCALE_WORD})|(?:{_ANY_WORD}))"
    rf"(?:(?:[ -]|[ ]and[ ])(?:{_ANY_WORD}|{_SCALE_WORD})){{0,12}}"
    rf"(?:-(?P<ordinal>{'|'.join(_ORDINALS)})|[ -](?P<part>{'|'.join(_PARTS)})|[ ]and[ ]a[ ](?P<rest>half|quarter))?\b",
    re.IGNORECASE,
)
_HALVES = frozenset(("half",))
_STARTS = frozenset((*_ONES, *_TENS, "a", "an", "half"))
_ENGLISH_ORDINAL = lazy_pattern(rf"(?:{'|'.join(_ORDINALS)})\b", re.IGNORECASE)
_HALF = lazy_pattern(r"\bhalf\b(?=[ -](?:of|the|a|an|its|their|his|her|my|our)\b)|一半", re.IGNORECASE)
_ONE_AS_PRONOUN = lazy_pattern(
    r"(?:\b(?:this|that|the|each|every|any|some|which|only|no|another|new|good|last) )$", re.IGNORECASE
)
_ONE_GENERIC = lazy_pattern(
    r" (?:of|another|who|which|that|can|could|may|might|should|must|has to|or the other)\b", re.IGNORECASE
)


def _word_value(words: list[str]) -> Decimal:
    total = current = Decimal(0)
    for word in words:
        if word in _ONES or word in _TENS:
            current += _ONES.get(word, 0) + _TENS.get(word, 0)
        elif word in ("hundred", "dozen"):
            current = (current or 1) * Decimal(_SCALES[word])
        elif word in _SCALES:
            total += (current or 1) * Decimal(_SCALES[word])
            current = Decimal(0)
    return total + current


def _from_words(text: str, match: re.Match[str]) -> Numeral | None:
    words = [word for word in match.group().lower().replace("-", " ").split() if word not in ("a", "an", "and")]
    if match["rest"]:
        rest = Fraction(1, _PARTS[words[-1]])
        return Numeral(canonical(Fraction(int(_word_value(words[:-1]))) + rest), match.start(), match.end())
    if words == ["one"] and (
        _ONE_AS_PRONOUN.search(text, max(0, match.start() - 12), match.start()) or _ONE_GENERIC.match(text, match.end())
    ):
        return None
    if match["part"]:
        value = _word_value(words[:-1])
        return Numeral(canonical(Fraction(int(value), _PARTS[words[-1]])), match.start(), match.end())
    if match["ordinal"]:
        total = _word_value(words[:-1]) + _ORDINALS[words[-1]]
        return Numeral(f"{canonical(total)}th", match.start(), match.end())
    value = _word_value(words)
    if words[0] == "half":
        value /= 2
    return Numeral(canonical(value), match.start(), match.end())


def english_numerals(text: str) -> Iterator[Numeral]:
    """Every number in English words, in no particular order; readings may overlap."""
    for start, _ in word_anchors(text, _STARTS):
        if (match := _ENGLISH.match(text, start)) and (numeral := _from_words(text, match)):
            yield numeral
    for start, _ in word_anchors(text, _ORDINALS.keys()):
        match = _ENGLISH_ORDINAL.match(text, start)
        if match is None:
            continue
        before = text[max(0, match.start() - 5) : match.start()].lower()
        if (
            not (match.group().lower() == "second" and before.endswith(("per ", " a ", "one ", "each ")))
            and before[-1:] != "-"
        ):
            yield Numeral(f"{_ORDINALS[match.group().lower()]}th", match.start(), match.end())
    if word_anchors(text, _HALVES) or "一半" in text:
        yield from (Numeral("0.5", match.start(), match.end()) for match in _HALF.finditer(text))


_DIGITS = re.compile(
    r"(?P<digits>\d(?:(?:\d{0,2}(?:[,，\u00a0\u202f\u2009]\d{3})+(?!\d)(?:\.\d+)?)|\d*(?:\.\d+)*))"
    r"(?:/(?P<over>\d{1,4})(?![\d/]))?"
    r"(?P<ordinal>(?:st|nd|rd|th)\b)?"
    r"(?:(?P<attached>[kK]|bn|mn)(?![\w])|[ \u00a0-](?P<scale>hundred|dozen|thousand|million|billion|trillion|bn|mn)\b"
    r"|[多余几]?(?P<han>[十百千万亿]{1,3})(?![一二三四五六七八九]))?"
)
_GROUPING = re.compile(r"[,，\u00a0\u202f\u2009]")
_SIGN = re.compile(r"(?:(?<![\w.\d)\]-])[-−–]|零下|minus |负)$")


def _from_digits(text: str, match: re.Match[str]) -> Numeral | None:
    digits = match["digits"]
    if not digits.isdecimal():
        digits = _GROUPING.sub("", digits)
    before = text[max(0, match.start() - 6) : match.start()]
    sign = _SIGN.search(before) if before[-1:] in ("-", "−", "–", "下", " ", "负") else None
    if digits.count(".") > 1 or len(digits) > 60:
        return Numeral(digits[:200], match.start("digits"), match.end("digits"))
    if match["ordinal"]:
        return (
            Numeral(f"{int(digits)}th", match.start("digits"), match.end("ordinal"))
            if digits.isascii() and "." not in digits
            else None
        )
    start = match.start() - (1 if sign and len(sign.group()) == 1 and sign.group() != "负" else 0)
    minus = "-" if sign else ""
    if match.end() == match.end("digits") and digits.isascii() and digits.isdecimal():  # as most are
        return Numeral(minus + (digits.lstrip("0") or "0"), start, match.end())
    value = Decimal(digits)
    if match["over"] and int(match["over"]) and "." not in digits:
        return Numeral(canonical(Fraction(int(digits), int(match["over"]))), match.start(), match.end("over"))
    scale = match["attached"] or match["scale"]
    if scale:
        value *= _SCALES[scale.lower()]
    for char in match["han"] or "":
        value *= HAN_SCALES[char]
    end = max(match.end(name) for name in ("digits", "attached", "scale", "han"))
    return Numeral(minus + canonical(value), start, end)


def numerals(text: str) -> list[Numeral]:
    """Every number in text order; where two readings overlap the earlier and longer one holds."""
    found = [numeral for match in _DIGITS.finditer(text) if (numeral := _from_digits(text, match))]
    found.extend(english_numerals(text))
    if not text.isascii():
        found.extend(_chinese_numerals(text))
    found.sort(key=lambda numeral: (numeral.start, -numeral.end))
    kept: list[Numeral] = []
    for numeral in found:
        if not kept or numeral.start >= kept[-1].end:
            kept.append(numeral)
    return kept
