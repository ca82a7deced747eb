"""Runs of capitalised words in Latin-script text, and the key two mentions of one name share."""

import html
import re
import unicodedata
from collections.abc import Container, Iterator
from functools import cache
from typing import NamedTuple

from amb_core.text.english_vocabulary import is_date_like
from amb_core.text.pure_cache import text_cache

__all__ = [
    "LETTER",
    "UPPER",
    "Entity",
    "NamePart",
    "capital_runs",
    "known_names",
    "name_key",
    "starts_sentence",
]


class Entity(NamedTuple):
    """One mention of a name: characters `start:end` of the text."""

    name: str
    start: int
    end: int


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
LETTER = r"[^\W_\u2e80-\ud7af\uf900-\ufaff\uff00-\uffef]"
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
_PARENTHESES = re.compile(r"[(（][^()（）]*[)）]\s*$")
_LONGEST_NAME = 300
_LONGEST_RUN = 10
_LONGEST_WORD = 40
_TOKEN = re.compile(r"[\u3040-\u9fff]|[^\W_\u3040-\u9fff]+(?:['’][^\W_\u3040-\u9fff]+)*['’]?")
_FIRST_HAN = "\u3400"
_FIRST_KANA = "\u3040"
_NOT_WORD = re.compile(r"[\W_]+")
_ARTICLE = re.compile(r"^(?:the|a|an) (?=\S)")
_HAN_GAP = re.compile(r"(?<=[\u3040-\u9fff]) | (?=[\u3040-\u9fff])")
_ACCENT = re.compile(r"[\u0300-\u036f]")


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


def _fold(text: str) -> str:
    """Without case, accents, apostrophes and compatibility forms."""
    plain = text.replace("'", "").replace("’", "")
    if plain.isascii():
        return plain.lower()
    bare = _ACCENT.sub("", unicodedata.normalize("NFKD", plain))
    return unicodedata.normalize("NFC", bare).casefold()


@text_cache(most=16_384)
def _key(name: str) -> str:
    plain = html.unescape(name) if "&" in name else name
    if plain.isascii():
        if plain.isalpha():
            return plain.lower()
        if "(" in plain:
            plain = _PARENTHESES.sub("", plain) or plain
        return _ARTICLE.sub("", _NOT_WORD.sub(" ", plain.replace("'", "").lower()).strip())
    spaced = _NOT_WORD.sub(" ", _fold(_PARENTHESES.sub("", plain) or plain)).strip()
    return _HAN_GAP.sub("", _ARTICLE.sub("", spaced))


def name_key(name: str) -> str:
    """The key two mentions of one name share: case, accents, punctuation, leading article and "(…)" suffix dropped.

    Only the first 300 characters count; a string without any letter or digit has the key "".
    """
    return _key(name[:_LONGEST_NAME])


def known_names(text: str, known: Container[str]) -> dict[str, str]:
    """Names in a text whose key is in `known`, as key and the text's own writing, the longest at each place.

    It costs a look-up of every run of up to ten words or characters. A lone Latin word counts
    only where the text writes it with a capital or digit.
    """
    places = [match.span() for match in _TOKEN.finditer(text)]
    folded = ""
    edges: list[tuple[int, int]] = []
    for start, end in places:
        token = _fold_token(text[start:end])
        between = " " if folded and max(folded[-1], token) < _FIRST_KANA else ""
        edges.append((len(folded) + len(between), len(folded) + len(between) + len(token)))
        folded += between + token
    found: dict[str, str] = {}
    index = 0
    while index < len(places):
        step, (begin, start) = 1, (edges[index][0], places[index][0])
        for last in range(min(index + _LONGEST_RUN, len(places)) - 1, index - 1, -1):
            key = folded[begin : edges[last][1]]
            if key in known and len(key) > 1 and not (last == index and text[start].islower()):
                found.setdefault(key, text[start : places[last][1]])
                step = last + 1 - index
                break
        index += step
    return found


def _fold_token(token: str) -> str:
    return token if token >= _FIRST_HAN else _fold(token)
