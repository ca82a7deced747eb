"""Runs of capitalised words in Latin-script text."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from amb_values.english_data import is_date_like
from amb_values.names import LETTER

__all__ = ["UPPER", "NamePart", "capital_runs", "starts_sentence"]


class NamePart(NamedTuple):
    """One word of a run: `tight` and `loose` connectors, `number`s, or a capitalised `word`; offsets into the text."""

    kind: str
    word: str
    start: int
    end: int


UPPER = "".join(
    chr(code)
    for code in (*range(0x41, 0x5B), *range(0xC0, 0x530), *range(0x1E00, 0x2000))
    if unicodedata.category(chr(code)) in ("Lu", "Lt")
)
_DOTTED = "St|Mt|Ft|Dr|Mr|Mrs|Ms|Jr|Sr|Gen|Col|Lt|Sgt|Capt|Prof|Rev|Hon|Sen|Rep|Gov|No|Op|Vol|Bros|Maj|Adm|Pvt"
_NUMBER = r"\d[\d.,–-]{0,12}(?<![.,–-])(?!\w)"
_TIGHT = r"(?:of|de|da|do|dos|das|di|du|del|della|des|la|le|les|las|los|el|al|von|van|der|den|zu|bin|ibn|ap|af|av|ten|ter|&|y|et)"
_LOOSE = r"(?:the|and|for|in|on|at|to|with|from|by|a|an|or|vs\.?|und|e)"


@cache
def _run_patterns(*, plain: bool) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """A run and a part of one; those for `plain` ASCII text compile in a tenth of the time."""
    upper, letter = ("A-Z", "[A-Za-z0-9]") if plain else (UPPER, LETTER)
    word = (
        rf"(?:(?:[{upper}]\.){{2,6}}[{upper}]?(?!{letter})|[{upper}]\.(?=\ [{upper}])|(?:{_DOTTED})\.(?=\ [{upper}\d])"
        rf"|(?:[a-z]{{1,2}})?[{upper}]{letter}{{0,40}}(?:['’\-–&](?!s\b){letter}{{1,40}}){{0,5}}(?:[+#]{{1,2}}(?!\w))?)"
    )
    run = (
        rf"(?<![^\W_])(?=[{upper}\d]|[a-z]{{1,2}}[{upper}])(?:\d{{1,2}}-(?=[{upper}]{letter})|\d(?=[{upper}]\ [{upper}])"
        rf"|(?:\d{{4}}(?:[–-]\d{{2,4}})?|\d{{1,3}}(?:st|nd|rd|th))\ (?={word}))?{word}"
        rf"(?:(?:['’]s?)?[ \u00a0](?:(?:{_TIGHT}|{_LOOSE})\ ){{0,3}}(?:{word}|{_NUMBER})){{0,11}}"
    )
    part = (
        rf"(?P<tight>{_TIGHT}(?=\ ))|(?P<loose>{_LOOSE}(?=\ ))"
        rf"|(?P<word>(?:\d{{1,2}}-|\d)?{word})|(?P<number>\d[^\s]*)|(?P<owner>['’]s?(?=\s))"
    )
    return re.compile(run), re.compile(part)


_PRONOUN = re.compile(r"I(?:['’](?:m|d|ll|ve))?")
_SENTENCE_MARKS = frozenset(".!?:;…。！？：；\n|>")
_OPENING_MARKS = frozenset(" \t\r\"'“”‘’「」『』()[]*_#•·–—-")
_REACH = 12
_LONGEST_WORD = 40


def _plain_words(words: str, offset: int) -> list[NamePart]:
    """The parts of a run that is nothing but capitalised words; none of any other run."""
    parts: list[NamePart] = []
    for word in words.split(" "):
        if not word.isalpha() or word[0].islower() or word == "I" or len(word) > _LONGEST_WORD:
            return []
        parts.append(NamePart("word", word, offset, offset + len(word)))
        offset += len(word) + 1
    return parts


def capital_runs(text: str) -> Iterator[list[NamePart]]:
    """Runs of capitalised words with the connectors and numbers between them, each as its parts, in text order."""
    runs, words_of_run = _run_patterns(plain=text.isascii())
    for run in runs.finditer(text):
        offset, words = run.start(), run.group()
        if words.isalpha():
            kind = "loose" if words == "I" else "word"
            yield [NamePart(kind, words, offset, run.end())]
            continue
        if words.isascii() and (plain := _plain_words(words, offset)):
            yield plain
            continue
        parts: list[NamePart] = []
        for part in words_of_run.finditer(words):
            kind, word = part.lastgroup or "word", part.group()
            if kind == "word" and word.startswith("I") and _PRONOUN.fullmatch(word):
                counted = (
                    word == "I" and len(parts) > 1 and parts[-1].kind == "word" and not is_date_like(parts[-1].word)
                )
                kind = "word" if counted else "loose"
            elif kind == "loose" and word == "the" and parts and parts[-1].word == "of":
                kind = "tight"
            parts.append(NamePart(kind, word, offset + part.start(), offset + part.end()))
        yield parts


def starts_sentence(text: str, index: int) -> bool:
    """True when only quotes, brackets or list marks stand between `index` and the end of the sentence before."""
    for position in range(index - 1, max(-1, index - _REACH), -1):
        char = text[position]
        if char in _SENTENCE_MARKS:
            return True
        if char not in _OPENING_MARKS:
            return False
    return index < _REACH
