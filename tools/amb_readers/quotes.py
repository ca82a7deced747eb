"""Whether a quote bears out what is read off it: the value stands in it, and whom it is of or a pronoun for them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from amb_core.text import index_tokens
from amb_core.text.wordings import ANYWHERE, find_wording
from amb_values import find_unsupported

__all__ = ["as_written", "bears_out", "find_words", "has_pronoun", "is_pronoun", "names_one_of"]

# All personal and possessive pronouns of the two languages: a closed list.
_PRONOUN = re.compile(
    r"\b(?:I|me|my|mine|myself|we|us|our|ours|ourselves|you|your|yours|yourself|yourselves|he|him|his|himself|she|her|hers"
    r"|herself|it|its|itself|they|them|their|theirs|themselves|who|whose|whom)\b|(?:[我你您他她它咱俺其]|自己)们?|两人|二人",
    re.IGNORECASE,
)
_HAN_RUN = re.compile(r"[\u3400-\u9fff]+")
_BEFORE, _AFTER = re.compile(r"(?<![^\W\u3400-\u9fff])"), re.compile(r"(?![^\W\u3400-\u9fff])")
_FIGURE = r"[\d〇零一二两三四五六七八九十百千万亿]"
_EDGES = (
    (re.compile(r"[^\W\u3400-\u9fff]"), _BEFORE, _AFTER),
    (re.compile(_FIGURE), re.compile(f"(?<!{_FIGURE})"), re.compile(f"(?!{_FIGURE})")),
    (ANYWHERE, ANYWHERE, ANYWHERE),
)
"""What a wording begins or ends with, and what may not stand before and behind it."""
_NO_NAME_FOLLOWS = re.compile(r"(?![^\W\u3400-\u9fff])(?!['’]?\w* [A-Z])")


def bears_out(
    quote: str, *, subject: Collection[str], value: str, called: Collection[str] = (), is_speaker: bool = False
) -> bool:
    """Whether a quote says a value of a subject: both stand in it, or a pronoun for one of them.

    `subject` are its names, `called` those of a value that is a thing with a name: only what has a name may stand in
    part, or as a pronoun. Any other value stands as a whole, with its own figures. Who speaks (`is_speaker`) needs no
    name to tell of himself.
    """
    is_named, has_one = names_one_of(quote, subject), has_pronoun(quote)
    if names_one_of(quote, called) or (
        find_words(value, quote) is not None and find_unsupported(value, [quote]) is None
    ):
        return is_named or has_one or is_speaker
    return bool(called) and is_named and has_one


def find_words(said: str, text: str) -> tuple[int, int] | None:
    """Where words stand in a text, case and white space aside; Latin ones and figures are met whole.

    For readings, where a name or value is told in a model's own case; a verdict's quote is `find_quote`'s, as written.
    """
    parts = said.split()
    if not parts:
        return None
    before = next(edge for kind, edge, _ in _EDGES if kind.match(parts[0]))
    after = next(edge for kind, _, edge in _EDGES if kind.match(parts[-1][-1]))
    return next(find_wording(_lower(text), [_lower(part) for part in parts], before=before, after=after), None)


def as_written(said: str, text: str) -> str:
    """What was said as a text writes it, on one line; "" when it does not stand there."""
    place = find_words(said, text)
    return "" if place is None else " ".join(text[place[0] : place[1]].split())


def has_pronoun(quote: str) -> bool:
    """Whether a quote has a personal or possessive pronoun."""
    return _PRONOUN.search(quote) is not None


def is_pronoun(name: str) -> bool:
    """Whether a name is none, but a pronoun."""
    return _PRONOUN.fullmatch(name.strip()) is not None


def names_one_of(quote: str, names: Collection[str]) -> bool:
    """Whether a name stands in a quote, or a telling part of one: "the seal" for "the Jade Seal", 玉玺 for 传国玉玺.

    A part in front of another word in capitals is somebody else: "Lin Feng died" does not name Lin Yue. Of a name with
    a figure that figure is the telling part: "pump P-50" does not name the pump P-40.
    """
    folded = quote.casefold()
    return any(
        _stands(folded, name.casefold()) or any(_part_stands(quote, part) for part in _parts(name))
        for name in names
        if name.strip()
    )


def _lower(text: str) -> str:
    """In lower case, but every character in its place: what becomes two of them stays."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(c if len(c.lower()) > 1 else c.lower() for c in text)


def _stands(quote: str, name: str) -> bool:
    return next(find_wording(quote, name.split(), before=_BEFORE, after=_AFTER), None) is not None


def _parts(name: str) -> Iterator[str]:
    """The words of a name that tell something, and two Chinese characters in a row of a longer name."""
    words = name.split()
    telling = [word for word in words if any(map(str.isdigit, word))] or words
    yield from (word for word in telling if len(words) > 1 and word.isascii() and index_tokens(word))
    for run in _HAN_RUN.findall(name):
        yield from (run[at : at + 2] for at in range(len(run) - 1) if len(run) > 2)


def _part_stands(quote: str, part: str) -> bool:
    after = _NO_NAME_FOLLOWS if part[:1].isupper() else _AFTER
    wordings = {part, part.lower()}
    return any(next(find_wording(quote, [each], before=_BEFORE, after=after), None) for each in wordings)
