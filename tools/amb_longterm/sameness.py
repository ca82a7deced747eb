"""Whether two texts say the same, exactly: the same words in the same order, with equal values; or one other value."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from difflib import SequenceMatcher

from amb_core.text import index_tokens, values
from amb_core.text.pure_cache import remembered, text_cache
from amb_longterm.memory_cues import cue, hears, without_change

__all__ = [
    "asked_words",
    "content_terms",
    "denied_terms",
    "denies",
    "differing_words",
    "frame_key",
    "frame_words",
    "opposite",
    "other_values",
    "replaces",
    "same",
    "same_frame",
    "told_values",
]

_TOKEN = re.compile(r"\x02[^\x03]*\x03|[\u3040-\u30ff\u3400-\u9fff]|(?:(?![\u3040-\u30ff\u3400-\u9fff])\w)+|[^\w\s]")
_NOT = re.compile(r"(?i)\b(?:(ca)n['’]t|(wo)n['’]t|cannot|(\w+)n['’]t)(?!\w)")
_SHORT = re.compile(r"(?i)(?<=\w)['’](m|re|ve|ll)\b")
_FULL = {"m": " am", "re": " are", "ve": " have", "ll": " will"}
_ENDS = frozenset(".!。！…;；")
_MARKS = frozenset(",，、:：\"“”'‘’「」『』()（）–—-")
_LEFT_OUT = frozenset({"please", "kindly", "the", "请"})
_SELF = frozenset({"user", "我", "们", "用", "户", "本", "人"})
_RUN = re.compile(r"[\u3400-\u9fff]+")
_SWAP = 12
"""Characters of a value that stands in the place of another one in a text without spaces."""
_LONGER = 8
"""No text is so many times as long as another that says the same: it need not be read."""
_FRAME, _FRAME_LONGER, _MOST_FRAME = 0.6, 2, 60
"""The share of two texts' words that are the same and in order where they differ in a value only; no text of another
length, or with more words, is one."""
_BEGINS, _BEGINS_NUMBER = 0.45, 1 / 3
_MORE, _SHORT_TEXT = 2, 300
"""So many terms more has the opposite of a text at most, and so many characters."""
_EXACT = ("number", "date")
_ANY = ("number", "date", "unit", "name")


def same(one: str, other: str) -> bool:
    """Whether two texts have the same words in the same order.

    Left out are marks between words, "please" and "the", short forms such as "don't", the way a number or a date is
    written ("two", "2"), the case of a sentence's first word and, where one text has no capital at all, any case.
    """
    if max(len(one), len(other)) > _LONGER * min(len(one), len(other)) + _LONGER:
        return False
    plain = not (any(map(str.isupper, one)) and any(map(str.isupper, other)))
    first, second = ([t.casefold() if plain else t for t in _exact_tokens(text)] for text in (one, other))
    return bool(first) and first == second


def other_values(one: str, other: str) -> tuple[str, str] | None:
    """The values in which two texts differ that have all their other words in common; None for any other two texts."""
    first, second = _value_tokens(one), _value_tokens(other)
    if len(first) != len(second):
        return None
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if a != b]
    if not pairs or not all(_kind(a) and _kind(a) == _kind(b) for a, b in pairs):
        return None
    shown = [" ".join(_said(pair[side]) for pair in pairs) for side in (0, 1)]
    return shown[0], shown[1]


def told_values(one: str, other: str) -> tuple[str, str] | None:
    """The values in which two near-equal texts differ, also in scripts without spaces: 总部在上海。/ 总部在北京。"""
    if (pair := other_values(one, other)) is not None or one.isascii():
        return pair
    start = _alike_at_start(one, other)
    end = _alike_at_start(one[start:][::-1], other[start:][::-1])
    values = one[start : len(one) - end], other[start : len(other) - end]
    is_swap = all(values) and max(map(len, values)) <= _SWAP and 2 * (start + end) >= max(len(one), len(other))
    return values if is_swap else None


def _alike_at_start(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (mine, theirs) in pairs if mine != theirs), min(len(one), len(other)))


def same_frame(one: str, other: str) -> bool:
    """Whether two texts say the same of the same thing but for a value: they begin alike and share most of their words.

    "Mira works at the mill in Ghent" and "Mira works at the dock in Bruges" do; "Shelf 3 holds nuts" and "Shelf 4 holds
    nuts" speak of two things. Where only numbers differ a third of the words has to come before them, else nearly half.
    """
    first, second = _frame_tokens(one), _frame_tokens(other)
    longest = max(len(first), len(second))
    if not first or not second or longest > _FRAME_LONGER * min(len(first), len(second)) or first[0] != second[0]:
        return False
    alike = _alike(first, second)
    if alike < _BEGINS_NUMBER * longest or (alike < _BEGINS * longest and not _numbers_differ(first, second)):
        return False
    if 2 * alike >= _FRAME * (len(first) + len(second)):  # so much is the same and in order already
        return True
    return SequenceMatcher(None, first, second, autojunk=False).ratio() >= _FRAME


def _alike(first: Sequence[str], second: Sequence[str]) -> int:
    """How many words two texts begin with alike."""
    return next(
        (at for at, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), min(len(first), len(second))
    )


def _numbers_differ(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether words of two texts differ in numbers alone."""
    pairs = zip(first, second, strict=False)
    return len(first) == len(second) and all(a == b or (a.isdecimal() and b.isdecimal()) for a, b in pairs)


@text_cache(most=8_192)
def replaces(newer: str, older: str) -> bool:
    """Whether what was told later takes the place of the other: its opposite, or the same with another value.

    Of what a user says of himself only a number, a date, a place or what something is or is called has one value: "I
    like tea" and "I like coffee" stand side by side.
    """
    if not same_frame(newer, older):
        return opposite(newer, older)
    if not (hears("of the user", newer) and hears("of the user", older)):
        return True
    first, second = _frame_tokens(newer), _frame_tokens(older)
    begin = next((at for at, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), 0)
    before = " ".join(first[:begin])
    return other_numbers(newer, older) or hears("one value", before) is not None or opposite(newer, older)


def other_numbers(one: str, other: str) -> bool:
    """Whether two texts differ in numbers, dates and measures alone."""
    first, second = _value_tokens(one), _value_tokens(other)
    pairs = [(a, b) for a, b in zip(first, second, strict=False) if a != b]
    return len(first) == len(second) and all(_kind(a) == _kind(b) in (*_EXACT, "unit") for a, b in pairs)


def opposite(one: str, other: str) -> bool:
    """Whether one of two texts says that what the other says is not so, or no longer: "I smoke", "I quit smoking".

    The one may say two terms more, as where it says what is so instead: "my office isn't in Graz but in Linz".
    """
    of_me = [hears("of the user himself", text) is not None for text in (one, other)]
    if denies(one) == denies(other) or of_me[0] != of_me[1]:
        return False
    shorter, longer = sorted((denied_terms(one), denied_terms(other)), key=len)
    more = _MORE if one.isascii() else 2 * _MORE  # a Chinese character is a term
    if not shorter or not shorter <= longer or len(longer - shorter) > more:
        return False
    behind = _behind_not(one if denies(one) else other)
    return not behind or next(iter(index_tokens(behind)), "") in shorter


def _behind_not(text: str) -> str:
    """What stands behind the word by which a text denies something."""
    found = hears("denied", text)
    return text[found.end() :].strip(" .,;!。，；！") if found else ""


@remembered(most=1_024, longest=_SHORT_TEXT)
def denies(text: str) -> bool:
    """Whether a text says that something is not so, or no longer."""
    return hears("denied", text) is not None


@remembered(most=1_024, longest=_SHORT_TEXT)
def denied_terms(text: str) -> frozenset[str]:
    """What a short text speaks of, whether it says that it is so or that it is not; nothing for a longer one."""
    return content_terms(cue("denied").sub(" ", without_change(text))) if len(text) <= _SHORT_TEXT else frozenset()


@text_cache(most=4_096)
def differing_words(one: str, other: str) -> frozenset[str] | None:
    """The words of the one part in which two short texts differ, with half of all words around it; None for others."""
    first, second = _frame_tokens(one), _frame_tokens(other)
    shorter, longer = sorted((len(first), len(second)))
    begin = next((at for at, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), shorter)
    ends = enumerate(zip(reversed(first[begin:]), reversed(second[begin:]), strict=False))
    end = next((at for at, (a, b) in ends if a != b), shorter - begin)
    if begin + end < max(2, longer / 2):
        return None
    return frozenset((*first[begin : len(first) - end], *second[begin : len(second) - end]))


def asked_words(query: str) -> frozenset[str]:
    """The words of a question as `differing_words` has them."""
    return frozenset(_frame_tokens(query))


def frame_words(text: str) -> tuple[str, ...]:
    """All words of a short text, in order and without case; none for a longer one."""
    return _frame_tokens(text)


def frame_key(text: str) -> tuple[str, ...]:
    """The words by which texts that may have the same frame are brought together, to compare few: at most two."""
    tokens = _frame_tokens(text)
    return tokens[: min(2, len(tokens) // 2)]


def content_terms(text: str) -> frozenset[str]:
    """What a text speaks of: stems of English words and single Chinese characters, without function words and "I"."""
    return frozenset(term for term in index_tokens(text) if len(term) == 1 or not _RUN.match(term)) - _SELF


def _kind(token: str) -> str:
    """What kind of value a token is, "" for a word."""
    return token[1 : token.index(":")] if token.startswith("\x02") else ""


def _said(token: str) -> str:
    return token.partition(":")[2].rstrip("\x03")


@remembered(most=1_024, longest=2_000)
def _frame_tokens(text: str) -> tuple[str, ...]:
    """All words of a short text, in order; none for a longer one."""
    found = [
        word.casefold() for word in _TOKEN.findall(unicodedata.normalize("NFKC", text[:1_000])) if word[0].isalnum()
    ]
    return tuple(found) if len(found) <= _MOST_FRAME else ()


@remembered(most=256, longest=2_000)
def _exact_tokens(text: str) -> tuple[str, ...]:
    return tuple(_tokens(text, _EXACT))


@remembered(most=256, longest=2_000)
def _value_tokens(text: str) -> tuple[str, ...]:
    return tuple(_tokens(text, _ANY))


def _tokens(text: str, kinds: Collection[str]) -> list[str]:
    """The words of a text in order, each value of these kinds as one token."""
    folded = unicodedata.normalize("NFKC", text).replace("\x02", " ").replace("\x03", " ")
    parts, done = [], 0
    for value in values(folded):
        if value.kind in kinds and value.start >= done:
            said = value.key if value.kind in _EXACT else value.surface
            parts += [folded[done : value.start], f" \x02{value.kind}:{said}\x03 "]
            done = value.end
    spelt = _SHORT.sub(lambda found: _FULL[found[1].lower()], _NOT.sub(_not, "".join([*parts, folded[done:]])))
    tokens: list[str] = []
    starts = True
    for token in _TOKEN.findall(spelt):
        word = token.casefold() if starts or token.casefold() == "i" else token
        starts = token in _ENDS
        if word in _MARKS:
            continue
        if word.casefold() not in _LEFT_OUT:
            tokens.append("." if starts else word)
        else:
            starts = starts or not tokens
    while tokens and tokens[-1] == ".":
        tokens.pop()
    return tokens


def _not(found: re.Match[str]) -> str:
    if found[0].lower() == "cannot" or found[1]:
        return "can not"
    return "will not" if found[2] else f"{found[3]} not"
