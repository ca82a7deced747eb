"""What a word or phrase stands for when two memories are compared: looked up in the word lists, English and Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from amb_core.longterm.sameness.common_synonym_words import COMMON, LIGHT
from amb_core.longterm.sameness.everyday_synonym_words import EVERYDAY, EVERYDAY_LIGHT
from amb_core.longterm.sameness.filler_words import EMPTY, EMPTY_HAN, SOFT
from amb_core.longterm.sameness.opposing_words import NEGATORS, OPPOSED, STRICT
from amb_core.longterm.sameness.relating_words import RELATORS
from amb_core.longterm.sameness.synonym_words import EXPANDED, SAME
from amb_core.text.common_chinese import COMMON_WORDS
from amb_core.text.irregular_forms import BASE_OF
from amb_core.text.remembering import clears
from amb_core.text.words import stem

__all__ = ["Lexicon", "Meaning", "Use", "base", "lexicon"]

_SHORTEST_EMPTY = 3
_KEPT_WORDS = 20_000

Use = Literal["empty", "soft", "hard", "strict", "clause", "next", "passive", "relator"]
"""How a word counts: not at all, as something that may go unsaid, as something said, as something never left out; the
three ways of denying (what follows, the next words, what it is said of); or as what puts others in a relation."""


class Meaning(NamedTuple):
    """`key` is equal for words that mean the same; of the words of one `kind` only one can hold."""

    key: str
    use: Use
    kind: str = ""


class Lexicon(NamedTuple):
    """Meanings by lower-case word, by stem, by phrase (its first word's base → the bases of all, longest first), and
    of Chinese words with the lengths that words with a first character have, the most first."""

    words: dict[str, Meaning]
    stems: dict[str, Meaning]
    phrases: dict[str, list[tuple[tuple[str, ...], Meaning]]]
    han: dict[str, Meaning]
    han_lengths: dict[str, tuple[int, ...]]
    expanded: dict[str, str]


@lru_cache(maxsize=_KEPT_WORDS)
def base(word: str) -> str:
    """What the forms of a lower-case English word have in common."""
    return stem(BASE_OF.get(word, word))


clears(base.cache_clear)


_ROWS = (
    (SAME, "hard"),
    (COMMON, "hard"),
    (EVERYDAY, "hard"),
    (SOFT, "soft"),
    (LIGHT, "soft"),
    (EVERYDAY_LIGHT, "soft"),
)
_NO_WORDS = frozenset(("分为", "日前", "一度", "之一", "一一", "有的"))
"""Common words that are mostly two here ("以分为单位", "截止日前")."""
_HAN = re.compile(r"[\u3400-\u9fff]")


def _listed() -> Iterator[tuple[str, Meaning]]:
    """Every listed form with its meaning; what comes first counts."""
    strict = frozenset(STRICT.split())
    for line in NEGATORS.replace("\n    ", " ").strip().splitlines():
        scope, _, forms = line.partition(":")
        for form in forms.split():
            yield form, Meaning("not", scope.strip())  # type: ignore[arg-type]
    for line in RELATORS.strip().splitlines():
        name, _, forms = line.partition(":")
        for form in forms.split():
            yield form, Meaning(name.strip(), "relator")
    for form in (*EMPTY.split(), *EMPTY_HAN.split()):
        yield form, Meaning("", "empty")
    for line in OPPOSED.strip().splitlines():
        kind, _, rest = line.partition(":")
        for forms in rest.split("|"):
            words = forms.split()
            meaning = Meaning(words[0], "strict" if words[0] in strict else "hard", kind)
            yield from ((word, meaning) for word in words)
    for rows, use in _ROWS:
        for forms in rows.split("|"):
            words = forms.split()
            yield from ((word, Meaning(words[0], use)) for word in words)  # type: ignore[arg-type]


@cache
def lexicon() -> Lexicon:
    """The word lists as tables."""
    found = Lexicon({}, {}, {}, {}, {}, {})
    for form, meaning in _listed():
        if _HAN.search(form):
            found.han.setdefault(form, meaning)
        elif "_" in form or "-" in form:
            bases = tuple(map(base, re.split(r"[_-]", form)))
            entry = (bases, meaning)
            known = found.phrases.setdefault(bases[0], [])
            if all(bases != other for other, _ in known):
                known.append(entry)
        else:
            found.words.setdefault(form, meaning)
    roots: dict[str, set[str]] = {}
    for form, meaning in found.words.items():
        if form.isascii() and form.isalpha() and len(form) > 2 and meaning.use in ("hard", "soft", "strict"):
            roots.setdefault(base(form), set()).add(meaning.key)
            found.stems.setdefault(base(form), meaning)
    for root in [root for root, keys in roots.items() if len(keys) > 1]:
        del found.stems[root]  # "importance" is neither an import nor clearly important
    for form, meaning in found.words.items():
        if form.isalpha() and len(form) > _SHORTEST_EMPTY and meaning.use == "empty" and base(form) not in roots:
            found.stems.setdefault(base(form), meaning)
    for entries in found.phrases.values():
        entries.sort(key=lambda entry: -len(entry[0]))
    for word in COMMON_WORDS - _NO_WORDS:
        found.han.setdefault(word, Meaning(word, "hard"))
    for pair in EXPANDED.replace("\n", "").split("|"):
        word, _, said = pair.strip().partition("=")
        found.expanded[word] = said
    lengths: dict[str, set[int]] = {}
    for word in (*found.han, *(word for word in found.expanded if not word.isascii())):
        lengths.setdefault(word[0], set()).add(len(word))
    found.han_lengths.update({first: tuple(sorted(all_, reverse=True)) for first, all_ in lengths.items()})
    return found
