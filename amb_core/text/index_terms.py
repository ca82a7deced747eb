"""Index terms: what the inverted index counts."""

import re
import unicodedata
from operator import add

import Stemmer

from amb_core.text.chinese_words import CHINESE_CHARS
from amb_core.text.english_vocabulary import BASE_OF, ENGLISH_STOP
from amb_core.text.pure_cache import clears, remembered, text_cache

__all__ = ["WORD", "index_tokens", "stem", "tokens_by_line", "word_key"]

_CJK = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
WORD = re.compile(r"\w+")
"""A word, or a run of characters."""
_RUN = re.compile(rf"[{_CJK}]+|[^\W{_CJK}]+")
_FIRST_CJK = "\u3040"
_LAST_CJK = "\ufaff"
_LONGEST_WORD = 60
_KEPT_WORDS = 50_000
_WIDE_MARKS = tuple((wide, unicodedata.normalize("NFKC", wide)) for wide in "，（）：；！？")
"""What most Chinese text has to be folded for; replaced one by one they leave nothing for the slow general way."""
_STEMMER = Stemmer.Stemmer("english", 0)


class _Terms(dict[str, str]):
    """The index term of every word seen so far, "" for a stop word; starts afresh when it has grown too large."""

    def __missing__(self, word: str) -> str:
        if len(self) >= _KEPT_WORDS:
            self.clear()
        term = "" if word in ENGLISH_STOP else _stemmed(BASE_OF.get(word, word))
        if len(word) <= _LONGEST_WORD:
            self[word] = term
        return term


def _stemmed(word: str) -> str:
    return str(_STEMMER.stemWord(word)) if word.isascii() else word


@remembered(most=_KEPT_WORDS, longest=_LONGEST_WORD)
def stem(word: str) -> str:
    """The Snowball stem of one lower-case English word; words in other scripts come back as they are."""
    return _stemmed(word)


_terms = _Terms()
_term = _terms.__getitem__
clears(_terms.clear)


def _runs(text: str) -> list[str]:
    """Runs of Chinese, Japanese or Korean characters and words in other scripts, folded by NFKC and lower case."""
    for wide, folded in _WIDE_MARKS:
        text = text.replace(wide, folded)
    return _RUN.findall(unicodedata.normalize("NFKC", text).lower())


def _terms_of_run(run: str) -> list[str]:
    return [*(char for char in run if char not in CHINESE_CHARS), *map(add, run, run[1:])]


@text_cache(most=1_024)
def _cjk_terms(run: str) -> list[str]:
    """The terms of one run: a text is split into topics, condensed, looked up and indexed in turn."""
    return _terms_of_run(run)


def index_tokens(text: str) -> list[str]:
    """Terms in text order: English stems without stop words; Chinese characters, then the overlapping pairs of a run.

    The text is folded by NFKC and lower case first; function characters are no terms by themselves.
    """
    if text.isascii():
        return [term for term in map(_term, WORD.findall(text.lower())) if term]
    terms: list[str] = []
    for run in _runs(text):
        if _FIRST_CJK <= run[0] <= _LAST_CJK:
            terms += _cjk_terms(run) if len(run) <= _LONGEST_WORD else _terms_of_run(run)
        elif term := _term(run):
            terms.append(term)
    return terms


def tokens_by_line(text: str) -> list[str]:
    """`index_tokens` of a text whose lines are asked for again soon: a note is looked up, then indexed."""
    return [term for line in text.split("\n") for term in _line_tokens(line)]


@remembered(most=256, longest=4_000)
def _line_tokens(line: str) -> list[str]:
    return index_tokens(line)


def word_key(text: str) -> str:
    """A string that is equal for any two texts with equal index tokens; cheaper than they.

    Texts with different tokens may share it: where Latin words and lone characters stand among Chinese does not count.
    """
    if text.isascii():
        return "\x1f".join([term for term in map(_term, WORD.findall(text.lower())) if term])
    words: list[str] = []
    firsts: list[str] = []
    seconds: list[str] = []
    for run in _runs(text):
        if _FIRST_CJK <= run[0] <= _LAST_CJK:
            firsts.append(run[:-1])
            seconds.append(run[1:])
        elif term := _term(run):
            words.append(term)
    return "\x1f".join(words) + "".join(firsts) + "".join(seconds)
