"""A text cut into what it is made of: figures, dates, code, words with their meaning, and marks, in text order."""

from __future__ import annotations

import contextlib
import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from amb_core.longterm.sql_text import sql_statements
from amb_core.longterm.word_meanings import Lexicon, Meaning, base, lexicon
from amb_core.text.chinese_numerals import han_number
from amb_core.text.dates import moments
from amb_core.text.numerals import numerals
from amb_core.text.units import unit_after, unit_before

__all__ = ["Token", "tokens"]


class Token(NamedTuple):
    """A piece of text with its meaning; `word` is its lower-case form, `named` that a capital marks it as a name."""

    meaning: Meaning
    word: str
    surface: str
    start: int
    named: bool = False


class _Figure(NamedTuple):
    start: int
    end: int
    key: str
    kind: str


_CODE = re.compile(
    r"https?://[^\s，。；、）)]*[\w/]"
    r"|(?<![\w/])(?:[A-Za-z]:\\|~?\.{0,2}/)[\w./\\~%@+-]*[\w/]"
    r"|\b[A-Za-z][\w-]*(?:/[\w.-]+)*/(?![\w])(?=[\s，。；、.)]|$)|\b[A-Za-z][\w-]*(?:/[\w-]+)+\.\w+"
    r"|\b[A-Za-z]\w*(?:[._][A-Za-z0-9]\w*)+|\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\b[a-z]+-\d+\b|\b[A-Za-z]+\d[\w-]*",
    re.ASCII,
)
_PLAIN_DOTTED = re.compile(r"(?:[A-Za-z]\.)+[A-Za-z]?|[eE]\.g|[iI]\.e|a\.m|p\.m")
_NTH = "first|second|third|fourth|1st|2nd|3rd|4th"
_PART_OF_YEAR = re.compile(
    rf"\b(?P<letter>[QHqh])(?P<digit>[1-4])(?!\d)|\b(?P<nth>{_NTH})[ -](?P<part>quarter|half(?= of\b| year\b))"
    r"|第?(?P<han>[一二三四1-4])个?季度?(?!节)(?=[度的收营利销成增同环比，。、]|$)|(?P<half>[上下])半年",
    re.IGNORECASE,
)
_PATTERN = re.compile(r"\b(?:[YyMDdHhms]{1,4}[-/.:年月]){1,5}[YyMDdHhms]{1,4}(?:日|\b)", re.ASCII)
_HAN_MONTH = re.compile(
    r"(?<![\d个年一二三四五六七八九十])(1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])月份?(?!\d|[一二三十]*[日号])"
)
_A_UNIT = re.compile(
    r"\b(?:(?P<before>within|after|in|for|than|last|past|least|every|up to) )?an? "
    r"(?P<unit>second|minute|hour|day|week|month|year)\b"
    r"(?P<behind> (?:before|after|later|ago|in advance|ahead|earlier|prior))?"
)
_NAME_PART = re.compile(r"first[ -](?:names?|class|party)\b", re.IGNORECASE)
_ZHE = re.compile(r"打?([\d.]{1,3}|[一二三四五六七八九]{1,2})折")
_HAN_DIGIT = {char: str(value) for value, char in enumerate("零一二三四五六七八九")}
_PIECE = re.compile(r"[A-Za-z\u00c0-\u024f]+(?:'[A-Za-z]+)?|[\u3400-\u9fff]+|[<>!=]=?|[≥≤≠×÷√]|[^\w\s]|\w+")
_SIGNS = {
    ">": "more_than", "<": "less_than", ">=": "at_least", "≥": "at_least", "<=": "at_most", "≤": "at_most", "!=": "not",
    "≠": "not", "/": "divided_by", "÷": "divided_by", "-": "minus", "−": "minus", "+": "plus", "*": "multiply",
    "×": "multiply",
}  # fmt: skip
_BREAKS = frozenset(",，;；:：.。!！?？\n")
_EMPTY, _BREAK = Meaning("", "empty"), Meaning("break", "relator")
_SECONDS = {"ms": 0.001, "s": 1, "min": 60, "h": 3600, "day": 86400, "week": 604800}
_DURATIONS = frozenset(("s", "month", "year", "decade", "century"))
_MEASURE = re.compile(r"[次名位个家条台件份张座辆只项款](?![^\W\d_]?[件位])")
_RANGE = re.compile(r"\s?(?:to|and|or|-|–|~|至|到)\s?\d[\d.,]*(?<![.,])")
_ONE = re.compile(r"一(?=[位次家名个条种倍]|小时|天|周|年|行)")
_NAMES_TOO = {"us": "US", "it": "IT", "who": "WHO"}
_LETTER_I = re.compile(r"I(?= (?!was|is|has|does|always|us)[a-z]+s\b|\s*[:.,;)]|$)")
_COUNTED = {"one": "1", "single": "1", "twice": "2", "thrice": "3"}
_MONTHS = {"May": "--05", "March": "--03"}


def tokens(text: str) -> tuple[Token, ...]:
    """The tokens of a text; its offsets are those of the text folded by NFKC."""
    folded = unicodedata.normalize("NFKC", text).replace("’", "'").replace("‘", "'")
    if "两" in folded:
        folded = folded.replace("两点", "二点").replace("两时", "二时")
    found: list[Token] = []
    done = 0
    for figure in _figures(folded):
        if figure.start >= done:
            found += _words(folded, done, figure.start)
            surface = folded[figure.start : figure.end]
            meaning = Meaning(figure.key, "hard", figure.kind)
            found.append(Token(meaning, surface.lower(), surface, figure.start))
            done = figure.end
    found += _words(folded, done, len(folded))
    return tuple(found)


# --- figures, dates, code --------------------------------------------------------------------------------------------


def _figures(text: str) -> list[_Figure]:
    """Everything that is compared to the letter, in text order, without overlaps."""
    found = [_Figure(start, end, f"code:{folded}", "code") for start, end, folded in sql_statements(text)]
    found += [_Figure(*match.span(), f"code:{match.group()}", "code") for match in _PATTERN.finditer(text)]
    inside = bytearray(len(text))
    for figure in found:
        inside[figure.start : figure.end] = b"\1" * (figure.end - figure.start)
    found += [
        _Figure(*match.span(), f"code:{match.group().rstrip('.')}", "code")
        for match in _CODE.finditer(text)
        if not inside[match.start()]
        and not _PLAIN_DOTTED.fullmatch(match.group())
        and not _PART_OF_YEAR.fullmatch(match.group())
    ]
    known = lexicon().words
    found = [figure for figure in found if text[figure.start : figure.end].lower() not in known]
    found += [_Figure(*m.span(), _part_key(m), "part of year") for m in _PART_OF_YEAR.finditer(text)]
    found += [_Figure(*m.span(), f"date:--{_han_month(m[1]):02d}", "month") for m in _HAN_MONTH.finditer(text)]
    found += [_a_unit(match) for match in _A_UNIT.finditer(text) if match["before"] or match["behind"]]
    found += [_Figure(*m.span(), f"number:{_discount(m[1])}|折", "number of 折") for m in _ZHE.finditer(text)]
    taken = bytearray(len(text))
    for figure in found:
        taken[figure.start : figure.end] = b"\1" * (figure.end - figure.start)
    found += _dates(text, taken)
    for numeral in numerals(text):
        if not any(taken[numeral.start : numeral.end]) and not _NAME_PART.match(text, numeral.start):
            found.append(_number(text, numeral.key, numeral.start, numeral.end, numeral.unit))
            taken[found[-1].start : found[-1].end] = b"\1" * (found[-1].end - found[-1].start)
    if "一" in text:
        found += [_Figure(*m.span(), "number:1|", "number") for m in _ONE.finditer(text) if not taken[m.start()]]
    found.sort()
    return found


def _part_key(match: re.Match[str]) -> str:
    """The key of a quarter or half of a year."""
    if match["letter"]:
        return f"{match['letter'].lower()}:{match['digit']}"
    if match["nth"]:
        number = _NTH.split("|").index(match["nth"].lower()) % 4 + 1
        return f"{'q' if match['part'].lower() == 'quarter' else 'h'}:{number}"
    if match["half"]:
        return f"h:{1 if match['half'] == '上' else 2}"
    return f"q:{_HAN_DIGIT.get(match['han'], match['han'])}"


def _han_month(said: str) -> int:
    return int(said) if said.isdecimal() else int(han_number(said))


def _a_unit(match: re.Match[str]) -> _Figure:
    """A duration said without its number: "within a day"."""
    unit = {"second": "s", "minute": "min", "hour": "h"}.get(match["unit"], match["unit"])
    key, unit = (f"{_SECONDS[unit]:g}", "s") if unit in _SECONDS else ("1", unit)
    start = match.start("unit") - (2 if match.group()[: -len(match["behind"] or "") or None].count(" an ") == 0 else 3)
    return _Figure(start, match.end("unit"), f"number:{key}|{unit}", "duration")


def _discount(said: str) -> str:
    """Tenths of the price: 八折 and 8折 are one, 八五折 is 8.5折."""
    digits = "".join(_HAN_DIGIT.get(char, char) for char in said)
    return f"{digits[0]}.{digits[1]}" if len(digits) == 2 and digits.isdecimal() else digits


def _dates(text: str, taken: bytearray) -> Iterator[_Figure]:
    """Dates and times outside what is taken; two of one place ("1930-1997") are one."""
    kept: dict[tuple[int, int], list[str]] = {}
    for moment in moments(text):
        if not _counts_weeks(text, moment.end):
            kept.setdefault((moment.start, moment.end), []).append(moment.key)
    for (start, end), keys in kept.items():
        if len(keys) == 1 and "-Q" in keys[0]:
            for year in re.finditer(r"\d{4}", text[start:end]):
                yield _Figure(start + year.start(), start + year.end(), f"date:{year.group()}", "date")
        elif not any(taken[start:end]):
            yield _Figure(start, end, "date:" + "/".join(keys), _kind_of_moment(keys[0]))
        else:
            continue
        taken[start:end] = b"\1" * (end - start)


def _counts_weeks(text: str, end: int) -> bool:
    """Whether 每周三 goes on as 每周三次: a count, no weekday."""
    return text[end : end + 1] in ("次", "天") and text[end - 1 : end] in "一二三四五六"


def _kind_of_moment(key: str) -> str:
    if key.startswith("--") and len(key) == len("--05"):
        return "month"
    return "clock" if key[0] == "T" else "weekday" if key.isalpha() else "date"


def _number(text: str, key: str, start: int, end: int, unit: str) -> _Figure:
    """A number with the unit beside it; what is measured in several units is put in one."""
    if text[start:end].endswith("0") and "." in text[start:end] and text[start - 2 : start - 1].isalpha():
        key = text[start:end]  # a version: 3.10 is not 3.1
    before, after = unit_before(text, start), unit_after(text, end)
    if before:
        unit, start = before[0], before[1]
    elif after and after[0] != "x":
        unit, end = after[0], after[2]
    elif after:
        end = after[2]
    elif measure := _MEASURE.match(text, end):
        end = measure.end()
    elif (until := _RANGE.match(text, end)) and (shared := unit_after(text, until.end())):
        unit = shared[0]  # "21 to 24 percent"
    if key == "1th" and not unit:
        return _Figure(start, end, "first", "edge")
    if key.endswith("th") and not unit:
        return _Figure(start, end, f"number:{key}", "ordinal")
    if unit in _SECONDS:
        with contextlib.suppress(ValueError):
            key, unit = f"{round(float(key) * _SECONDS[unit], 6):g}", "s"
    return _Figure(start, end, f"number:{key}|{unit}", _kind_of_number(unit))


def _kind_of_number(unit: str) -> str:
    return "duration" if unit in _DURATIONS else f"number of {unit}" if unit else "number"


# --- words -----------------------------------------------------------------------------------------------------------


def _words(text: str, start: int, stop: int) -> list[Token]:
    """The tokens between two figures."""
    known = lexicon()
    pieces: list[tuple[str, int]] = []
    for match in _PIECE.finditer(text, start, stop):
        pieces.append((match.group(), match.start()))
    found: list[Token] = []
    at = 0
    while at < len(pieces):
        piece, where = pieces[at]
        if "\u3400" <= piece[0] <= "\u9fff":
            found += _chinese(piece, where, known)
            at += 1
            continue
        if (phrase := _phrase(pieces, at, known)) is not None:
            length, meaning = phrase
            surface = text[where : pieces[at + length - 1][1] + len(pieces[at + length - 1][0])]
            found.append(Token(meaning, surface.lower(), surface, where))
            at += length
            continue
        found += _single(text, piece, where, known)
        at += 1
    return found


def _phrase(pieces: list[tuple[str, int]], at: int, known: Lexicon) -> tuple[int, Meaning] | None:
    """How many pieces from `at` on are a listed phrase (its hyphens counted), and what it means."""
    first = pieces[at][0].lower()
    for bases, meaning in known.phrases.get(base(first), ()):
        place = at
        for expected in bases:
            if place < len(pieces) and place > at and pieces[place][0] == "-":
                place += 1
            if place >= len(pieces) or base(pieces[place][0].lower()) != expected:
                break
            place += 1
        else:
            if first != "a" or meaning.kind != "period" or (at and pieces[at - 1][0].lower() in ("once", "times")):
                return place - at, meaning
    return None


def _single(text: str, piece: str, start: int, known: Lexicon) -> Iterator[Token]:
    lower = piece.lower()
    if not piece[0].isalpha():
        if piece in _BREAKS:
            yield Token(_BREAK, piece, piece, start)
        elif (sign := _SIGNS.get(piece)) and (piece != "-" or _is_minus(text, start)):
            yield Token(_meaning(sign, known), piece, piece, start)
        elif piece in known.words:
            yield Token(known.words[piece], piece, piece, start)
        elif "\n" in text[start - 1 : start]:
            yield Token(_BREAK, "\n", "\n", start)
        return
    if lower in known.expanded:
        for said in known.expanded[lower].split():
            yield Token(_meaning(said, known), said, piece, start)
        return
    if "'" in lower and lower not in known.words:
        piece = piece.partition("'")[0]
        lower = piece.lower()
    if rest := _denied(lower, known):
        yield Token(_meaning("without", known), lower, piece, start)
        yield Token(_meaning(rest, known), rest, piece, start)
        return
    initial = _starts(text, start)
    letter = not initial and (piece == "A" or (piece == "I" and _LETTER_I.match(text, start)))
    if letter or (piece == _NAMES_TOO.get(lower) and not text.isupper()):
        yield Token(Meaning(f"word:{piece}", "hard"), lower, piece, start, True)
    elif piece in _MONTHS and not initial:
        yield Token(Meaning(f"date:{_MONTHS[piece]}", "hard", "month"), lower, piece, start)
    elif lower == "one" and re.match(r"one (?:who|that|which|whose|of)\b", text[start : start + 10].lower()):
        yield Token(_EMPTY, lower, piece, start)
    elif lower in _COUNTED:
        yield Token(Meaning(f"number:{_COUNTED[lower]}|", "hard", "number"), lower, piece, start)
    elif lower == "second":
        yield Token(Meaning("number:2th", "hard", "ordinal"), lower, piece, start)
    elif lower == "once":
        counts = re.match(r"once(?: (?:a|per|every|each|in|and)\b|[^\w ]|$)", text[start:].lower())
        yield Token(Meaning("number:1|", "hard", "number") if counts else _EMPTY, lower, piece, start)
    elif lower == "report" and initial:
        yield Token(known.words["reported"], lower, piece, start)
    else:
        named = piece[0].isupper() and not initial and not (piece.isupper() and len(piece) > 3)
        meaning = _meaning(lower, known)
        if named and len(piece) > 1 and meaning.use in ("empty", "soft") and not _titled(text):
            meaning = Meaning(meaning.key or f"word:{base(lower)}", "hard")
        yield Token(meaning, lower, piece, start, named)


def _titled(text: str) -> bool:
    """Whether capitals say nothing: most longer words have one."""
    words = re.findall(r"[A-Za-z]{4,}", text)
    return 2 * sum(word[0].isupper() for word in words) > len(words) > 1


def _starts(text: str, start: int) -> bool:
    before = text[:start].rstrip(" \t\"'(（“")
    return not before or before[-1] in ".!?。！？\n:："


def _is_minus(text: str, start: int) -> bool:
    before, after = text[start - 1 : start], text[start + 1 : start + 2]
    return (before == " " and after == " ") or (before > "\u3400" and after > "\u3400")


def _meaning(lower: str, known: Lexicon) -> Meaning:
    """What a lower-case word stands for; an unknown word stands for itself."""
    if found := known.words.get(lower):
        return found
    if lower.endswith("'s"):
        return _meaning(lower[:-2], known)
    if "_" in lower and (entries := known.phrases.get(base(lower.split("_")[0]))):
        bases = tuple(map(base, lower.split("_")))
        return next((meaning for listed, meaning in entries if listed == bases), _EMPTY)
    if not lower.isascii() and (found := known.han.get(lower)):
        return found
    root = base(_american(lower))
    return known.stems.get(root) or Meaning(f"word:{root}", "hard")


_DENYING = re.compile(r"(?:un|in|im|ir|il|non|dis)-?(?=[a-z]{4})")


def _denied(lower: str, known: Lexicon) -> str:
    """The word that "unavailable" denies, where it is a listed one."""
    found = _DENYING.match(lower)
    rest = lower[found.end() :] if found else ""
    if not rest or lower in known.words or base(lower) in known.stems:
        return ""
    return rest if rest in known.words or base(rest) in known.stems else ""


def _american(word: str) -> str:
    word = word.replace("isation", "ization").replace("ising", "izing").replace("ised", "ized")
    if len(word) > 5:
        word = re.sub(r"our(s|ed|ing|al)?$", r"or\1", re.sub(r"ise(s?)$", r"ize\1", word))
    return word


def _chinese(run: str, start: int, known: Lexicon) -> Iterator[Token]:
    """Listed words, the longest first; what is left between them is unknown."""
    pending = at = 0
    while at < len(run):
        length = next((n for n in known.han_lengths.get(run[at], ()) if _listed(run[at : at + n], n, known)), 0)
        if not length:
            at += 1
            continue
        if pending < at:
            yield _unknown(run[pending:at], start + pending)
        word = run[at : at + length]
        if word in known.expanded:
            for said in known.expanded[word].split():
                yield Token(_meaning(said, known), said, word, start + at)
        else:
            yield Token(known.han[word], word, word, start + at)
        at = pending = at + length
    if pending < at:
        yield _unknown(run[pending:], start + pending)


def _listed(word: str, length: int, known: Lexicon) -> bool:
    return len(word) == length and (word in known.han or word in known.expanded)


def _unknown(piece: str, start: int) -> Token:
    return Token(Meaning(f"han:{piece}", "hard"), piece, piece, start)
