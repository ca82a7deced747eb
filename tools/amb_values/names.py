"""The key two mentions of one name share, and the known names in a text."""

import html
import re
import unicodedata
from collections.abc import Container
from typing import NamedTuple

from amb_core.text.pure_cache import text_cache

__all__ = ["LETTER", "Entity", "known_names", "name_key"]


class Entity(NamedTuple):
    """One mention of a name: characters `start:end` of the text."""

    name: str
    start: int
    end: int


LETTER = r"[^\W_\u2e80-\ud7af\uf900-\ufaff\uff00-\uffef]"
_PARENTHESES = re.compile(r"[(（][^()（）]*[)）]\s*$")
_LONGEST_NAME = 300
_LONGEST_RUN = 10
_TOKEN = re.compile(r"[\u3040-\u9fff]|[^\W_\u3040-\u9fff]+(?:['’][^\W_\u3040-\u9fff]+)*['’]?")
_FIRST_HAN = "\u3400"
_FIRST_KANA = "\u3040"
_NOT_WORD = re.compile(r"[\W_]+")
_ARTICLE = re.compile(r"^(?:the|a|an) (?=\S)")
_HAN_GAP = re.compile(r"(?<=[\u3040-\u9fff]) | (?=[\u3040-\u9fff])")
_ACCENT = re.compile(r"[\u0300-\u036f]")


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
