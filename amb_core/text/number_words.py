"""English numbers in words: "twenty-one", "two and a half", "third", "half a million"."""

import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

from amb_core.text.anchors import word_anchors
from amb_core.text.lazy_patterns import lazy_pattern
from amb_core.text.number_keys import Numeral, canonical

__all__ = ["SCALES", "english_numerals"]

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
SCALES = {
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
            current = (current or 1) * Decimal(SCALES[word])
        elif word in SCALES:
            total += (current or 1) * Decimal(SCALES[word])
            current = Decimal(0)
    return total + current


def _from_words(text: str, match: re.Match[str]) -> Numeral | None:
    words = [word for word in re.split(r"[ -]+", match.group().lower()) if word not in ("a", "an", "and")]
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
