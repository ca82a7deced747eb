"""Whether a quote bears out what is read off it: it names who is spoken of, or has a pronoun for somebody known."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from amb_core.text import index_tokens
from amb_core.text.wordings import find_wording

__all__ = ["has_pronoun", "names_one_of"]

# All personal and possessive pronouns of the two languages: a closed list.
_PRONOUN = re.compile(
    r"\b(?:I|me|my|mine|myself|we|us|our|ours|ourselves|you|your|yours|yourself|yourselves|he|him|his|himself|she|her|hers"
    r"|herself|it|its|itself|they|them|their|theirs|themselves|who|whose|whom)\b|[我你您他她它咱俺其]|自己|两人|二人",
    re.IGNORECASE,
)
_HAN_RUN = re.compile(r"[\u3400-\u9fff]+")
_BEFORE, _AFTER = re.compile(r"(?<![^\W\u3400-\u9fff])"), re.compile(r"(?![^\W\u3400-\u9fff])")
_NO_NAME_FOLLOWS = re.compile(r"(?![^\W\u3400-\u9fff])(?!['’]?\w* [A-Z])")


def has_pronoun(quote: str) -> bool:
    """Whether a quote has a personal or possessive pronoun."""
    return _PRONOUN.search(quote) is not None


def names_one_of(quote: str, names: Collection[str]) -> bool:
    """Whether a name stands in a quote, or a telling part of one: "the seal" for "the Jade Seal", 玉玺 for 传国玉玺.

    A part in front of another word in capitals is somebody else: "Lin Feng died" does not name Lin Yue.
    """
    folded = quote.casefold()
    return any(
        _stands(folded, name.casefold()) or any(_part_stands(quote, part) for part in _parts(name))
        for name in names
        if name.strip()
    )


def _stands(quote: str, name: str) -> bool:
    return next(find_wording(quote, name.split(), before=_BEFORE, after=_AFTER), None) is not None


def _parts(name: str) -> Iterator[str]:
    """The words of a name that tell something, and two Chinese characters in a row of a longer name."""
    words = name.split()
    yield from (word for word in words if len(words) > 1 and word.isascii() and index_tokens(word))
    for run in _HAN_RUN.findall(name):
        yield from (run[at : at + 2] for at in range(len(run) - 1) if len(run) > 2)


def _part_stands(quote: str, part: str) -> bool:
    after = _NO_NAME_FOLLOWS if part[:1].isupper() else _AFTER
    wordings = {part, part.lower()}
    return any(next(find_wording(quote, [each], before=_BEFORE, after=after), None) for each in wordings)
