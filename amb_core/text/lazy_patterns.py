"""Patterns that are compiled at their first use."""

import re
from typing import Any, cast

__all__ = ["lazy_pattern"]

_METHODS = ("findall", "finditer", "fullmatch", "match", "search", "split", "sub", "subn")


class _LazyPattern:
    """Stands in for a pattern; takes over its methods the first time one of them is asked for."""

    __slots__ = (*_METHODS, "_flags", "_source")

    def __init__(self, source: str, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(self._source, self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def lazy_pattern(source: str, flags: int = 0) -> re.Pattern[str]:
    """What `re.compile` gives, as far as its methods go; an error in the regex shows at the first use."""
    return cast("re.Pattern[str]", _LazyPattern(source, flags))
