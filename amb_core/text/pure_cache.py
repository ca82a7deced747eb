"""Results of pure functions of a text, kept for the agents that look at one text in turn, and forgotten on request."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar, cast

__all__ = ["clears", "forget_texts", "remembered", "text_cache"]

_Result = TypeVar("_Result")
_Given = ParamSpec("_Given")
_clearing: list[Callable[[], None]] = []


def remembered(
    *, most: int, longest: int, longer: int = 0
) -> Callable[[Callable[[str], _Result]], Callable[[str], _Result]]:
    """Keeps the results of the last `most` texts of at most `longest` characters until `forget_texts` is called.

    Of longer texts the results of the last `longer` ones are kept: for results that are small whatever the text is.

    The decorated function must depend on nothing but the text, and its result must not be changed by who gets it.
    """

    def decorate(function: Callable[[str], _Result]) -> Callable[[str], _Result]:
        kept, kept_longer = text_cache(most=most)(function), text_cache(most=longer)(function)

        @wraps(function)
        def looked_up(text: str) -> _Result:
            return kept(text) if len(text) <= longest else kept_longer(text)

        return looked_up

    return decorate


def text_cache(*, most: int) -> Callable[[Callable[_Given, _Result]], Callable[_Given, _Result]]:
    """Keeps the last `most` results of a function of texts or words of them until `forget_texts` is called."""

    def decorate(function: Callable[_Given, _Result]) -> Callable[_Given, _Result]:
        kept = lru_cache(maxsize=most)(function)
        clears(kept.cache_clear)
        return cast("Callable[_Given, _Result]", kept)

    return decorate


def clears(clear: Callable[[], None]) -> None:
    """Have `forget_texts` call this as well: for a store of words or texts that is no `remembered` function."""
    _clearing.append(clear)


def forget_texts() -> None:
    """Drop everything kept about any text: what a bank has forgotten must not stay in memory here."""
    for clear in _clearing:
        clear()
