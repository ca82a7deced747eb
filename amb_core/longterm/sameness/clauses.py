"""What stands between two marks of a text, with where in it the words are that its reader asks for at every word."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence

from amb_core.longterm.sameness.wording import Token

__all__ = ["Clause", "clauses"]

Fits = Callable[[str], bool]


class Clause:
    """The tokens between two marks; looking ahead or back costs the same in a clause of ten words and of thousands."""

    __slots__ = ("_places", "_saying", "_with_to", "tokens")

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self._saying = [at for at, token in enumerate(tokens) if token.meaning.use != "empty"]
        self._with_to = [at for at, token in enumerate(tokens) if token.meaning.use != "empty" or token.word == "to"]
        self._places: dict[Fits, list[int]] = {}

    def following(self, at: int) -> Token | None:
        """The next token behind `at` that says something, or is "to"."""
        found = bisect_right(self._with_to, at)
        return self.tokens[self._with_to[found]] if found < len(self._with_to) else None

    def rest(self, at: int, *, most: int) -> list[Token]:
        """The first `most` tokens behind `at` that say something."""
        first = bisect_right(self._saying, at)
        return [self.tokens[place] for place in self._saying[first : first + most]]

    def comes(self, at: int, fits: Fits) -> bool:
        """Whether a word that fits stands at `at` or behind it."""
        places = self._where(fits)
        return bool(places) and places[-1] >= at

    def last_before(self, at: int, fits: Fits) -> Token | None:
        """The last token before `at` whose word fits."""
        places = self._where(fits)
        found = bisect_left(places, at)
        return self.tokens[places[found - 1]] if found else None

    def _where(self, fits: Fits) -> list[int]:
        if fits not in self._places:
            self._places[fits] = [at for at, token in enumerate(self.tokens) if fits(token.word)]
        return self._places[fits]


def clauses(found: Sequence[Token]) -> list[Clause]:
    """The tokens between marks; a mark between single words of a list does not part them."""
    parts: list[list[Token]] = [[]]
    for token in found:
        if token.meaning.key in ("break", "but") and token.meaning.use == "relator":
            parts.append([])
        else:
            parts[-1].append(token)
    return [Clause(part) for part in parts if part]
