"""Whether a text repeats something that was forgotten and that nothing else in the bank says."""

from __future__ import annotations

import re
from collections.abc import Iterable

from amb_core.rendering.safe_text import escape_line
from amb_core.text import index_tokens, sentences, values
from amb_core.text.wordings import find_wording

__all__ = ["Traces"]

_FREE_BEFORE, _FREE_AFTER = re.compile(r"(?<![0-9a-z])(?<![0-9][.,])"), re.compile(r"(?![0-9a-z]|[.,][0-9])")
_TELLING = 3
"""A sentence with fewer content words ("Yes, it is.") says nothing that would have to be hunted down elsewhere."""
_OURS = "one two first second once twice 一 二 两 一处 另一处 两处 两步 两种 两个 一次"
"""Words of AMB's own sentences ("one says …"): a forgotten text that has them too has left no trace in these."""


class Traces:
    """The wording and the values of forgotten texts, less what `known` texts (all that stays) say as well."""

    def __init__(self, forgotten: Iterable[str], *, known: Iterable[str]) -> None:
        self._known_texts = [_OURS, *known]
        self._known: str | None = None
        self._lost: dict[str, bool] = {}
        self._phrases: dict[str, None] = {}
        self._terms: dict[str, None] = {}
        for text in forgotten:
            said = map(_on_one_line, sentences(text))
            self._add_phrases(part for sentence in said for part in (sentence, sentence[: len(sentence) // 2]))
            self._add_terms(value.surface for value in values(text) if value.kind not in ("negation", "unit"))

    def add(self, text: str, *, terms: Iterable[str] = ()) -> None:
        """Hunt down the sentences of a text that was made from the forgotten ones, and these terms."""
        self._add_phrases(map(_on_one_line, sentences(text)))
        self._add_terms(terms)

    def spare(self, texts: Iterable[str]) -> None:
        """What these texts say stays as well."""
        self._known_texts += texts
        self._known = None
        self._lost.clear()

    def _add_phrases(self, phrases: Iterable[str]) -> None:
        for phrase in phrases:
            if len(index_tokens(phrase)) >= _TELLING:
                self._phrases.update(dict.fromkeys((phrase, escape_line(phrase))))

    def _add_terms(self, terms: Iterable[str]) -> None:
        self._terms.update(dict.fromkeys(term.strip().casefold() for term in terms if term.strip()))

    def said_in(self, *texts: str) -> bool:
        """Whether one of the texts holds a lost sentence, the first half of one, or a lost value or name."""
        for text in map(_on_one_line, texts):
            if text and any(phrase in text and self._is_lost(phrase) for phrase in self._phrases):
                return True
            folded = text.casefold()
            if any(_stands_in(folded, term) and self._is_lost(term, whole=True) for term in self._terms):
                return True
        return False

    def _is_lost(self, wording: str, *, whole: bool = False) -> bool:
        """Whether nothing that stays says it (as `whole` words); looked up only when it turns up somewhere."""
        if wording not in self._lost:
            if self._known is None:
                self._known = "\n".join(_on_one_line(text) for text in self._known_texts).casefold()
            folded = wording.casefold()
            known = folded in self._known and (not whole or _stands_in(self._known, folded))
            self._lost[wording] = not known
        return self._lost[wording]


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _stands_in(text: str, wording: str) -> bool:
    """Whether a wording stands in a text, not as a part of a longer Latin word or figure."""
    return any(find_wording(text, (wording,), before=_FREE_BEFORE, after=_FREE_AFTER))
