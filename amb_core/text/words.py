"""Index terms: what the inverted index counts."""

import re
import unicodedata
from functools import lru_cache

import Stemmer

from amb_core.text.stopwords import CHINESE_CHARS, ENGLISH_STOP

__all__ = ["index_tokens", "stem"]

_RUN = re.compile(
    r"[\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af]+|[^\W\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af]+"
)
_STEMMER = Stemmer.Stemmer("english")


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The Snowball stem of one lower-case English word; other words come back as they are."""
    return str(_STEMMER.stemWord(word)) if word.isascii() else word


def index_tokens(text: str) -> list[str]:
    """Terms in text order: English stems without stop words; Chinese characters followed by overlapping pairs."""
    folded = unicodedata.normalize("NFKC", text).lower()
    terms: list[str] = []
    for run in _RUN.findall(folded):
        if run[0] < "\u3040":
            if run not in ENGLISH_STOP:
                terms.append(stem(run))
        else:
            terms.extend(char for char in run if char not in CHINESE_CHARS)
            terms.extend(map("".join, zip(run, run[1:], strict=False)))
    return terms
