"""A text cut into what it is made of: figures, dates, code, words with their meaning, and marks, in text order."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from amb_core.longterm.sameness.stated_figures import figures
from amb_core.longterm.sameness.word_meanings import Lexicon, Meaning, base, lexicon
from amb_core.text.remembering import clears

__all__ = ["Token", "tokens"]


class Token(NamedTuple):
    """A piece of text with its meaning; `word` is its lower-case form, `named` that a capital marks it as a name."""

    meaning: Meaning
    word: str
    surface: str
    start: int
    named: bool = False


_TEXTS = 8
"""Texts of which is kept how they are written: that is asked at word after word."""
_PIECE = re.compile(r"[A-Za-z\u00c0-\u024f]+(?:'[A-Za-z]+)?|[\u3400-\u9fff]+|[<>!=]=?|[≥≤≠×÷√]|[^\w\s]|\w+")
_SIGNS = {
    ">": "more_than", "<": "less_than", ">=": "at_least", "≥": "at_least", "<=": "at_most", "≤": "at_most", "!=": "not",
    "≠": "not", "/": "divided_by", "÷": "divided_by", "-": "minus", "−": "minus", "+": "plus", "*": "multiply",
    "×": "multiply",
}  # fmt: skip
_BREAKS = frozenset(",，;；:：.。!！?？\n")
_EMPTY, _BREAK = Meaning("", "empty"), Meaning("break", "relator")
_NAMES_TOO = {"us": "US", "it": "IT", "who": "WHO"}
_LETTER_I = re.compile(r"I(?= (?!was|is|has|does|always|us)[a-z]+s\b|\s*[:.,;)]|$)")
_COUNTED = {"one": "1", "single": "1", "twice": "2", "thrice": "3"}
_COUNTABLE = frozenset(
    "once twice thrice times time days day hours minutes nights requests calls euros dollars pounds km miles".split()
)
_MONTHS = {"May": "--05", "March": "--03"}


def tokens(text: str) -> tuple[Token, ...]:
    """The tokens of a text; its offsets are those of the text folded by NFKC."""
    folded = unicodedata.normalize("NFKC", text).replace("’", "'").replace("‘", "'")
    if "两" in folded:
        folded = folded.replace("两点", "二点").replace("两时", "二时")
    found: list[Token] = []
    done = 0
    for figure in figures(folded):
        if figure.start >= done:
            found += _words(folded, done, figure.start)
            surface = folded[figure.start : figure.end]
            meaning = Meaning(figure.key, "hard", figure.kind)
            found.append(Token(meaning, surface.lower(), surface, figure.start))
            done = figure.end
    found += _words(folded, done, len(folded))
    return tuple(found)


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
            if first != "a" or meaning.kind != "period" or _is_counted(pieces, at):
                return place - at, meaning
    return None


def _is_counted(pieces: list[tuple[str, int]], at: int) -> bool:
    """Whether "a week" says how often: a number or what was counted stands before it."""
    if not at:
        return pieces[0][1] > 0
    return pieces[at - 1][0].lower() in _COUNTABLE


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
    if letter or (piece == _NAMES_TOO.get(lower) and not _all_capitals(text)):
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
        counts = re.match(r"once(?: (?:a|per|every|each|in|and)\b|[^\w ]|$)", text[start : start + 12].lower())
        yield Token(Meaning("number:1|", "hard", "number") if counts else _EMPTY, lower, piece, start)
    elif lower == "report" and initial:
        yield Token(known.words["reported"], lower, piece, start)
    else:
        named = piece[0].isupper() and not initial and not (piece.isupper() and len(piece) > 3)
        meaning = _meaning(lower, known)
        if named and len(piece) > 1 and meaning.use in ("empty", "soft") and not _titled(text):
            meaning = Meaning(meaning.key or f"word:{base(lower)}", "hard")
        yield Token(meaning, lower, piece, start, named)


@lru_cache(maxsize=_TEXTS)
def _all_capitals(text: str) -> bool:
    return text.isupper()


@lru_cache(maxsize=_TEXTS)
def _titled(text: str) -> bool:
    """Whether capitals say nothing: most longer words have one."""
    words: list[str] = re.findall(r"[A-Za-z]{4,}", text)
    return 2 * sum(word[0].isupper() for word in words) > len(words) > 1


clears(_all_capitals.cache_clear)
clears(_titled.cache_clear)


def _starts(text: str, start: int) -> bool:
    """Whether a sentence starts with what stands there, be it in quotes or brackets."""
    while start and text[start - 1] in " \t\"'(（“":
        start -= 1
    return not start or text[start - 1] in ".!?。！？\n:："


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
