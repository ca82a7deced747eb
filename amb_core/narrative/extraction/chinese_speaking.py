"""In which chapters of a Chinese book somebody speaks: who speaks after a death has been read did not die there."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence

from amb_core.narrative.extraction.chinese_name_words import SPEAKS

__all__ = ["ChineseSpeakers"]

_H = r"\u3400-\u9fff"
_SPOKEN = re.compile(rf"(?<![{_H}])([{_H}]{{2,9}}?)(?:{SPEAKS})(?=[：:]|，?\s*[“「『‘\"])")
_AGAIN = 3


class ChineseSpeakers:
    """Who speaks in which text, from 0; `owners` are all names, each with the one that counts."""

    def __init__(self, texts: Sequence[str], owners: Mapping[str, str]) -> None:
        self._spoken: defaultdict[str, list[int]] = defaultdict(list)
        for number, text in enumerate(texts):
            for found in _SPOKEN.finditer(text):
                name = next((owners[found[1][:size]] for size in (4, 3, 2) if found[1][:size] in owners), None)
                if name is not None:
                    self._spoken[name].append(number)

    def speaks_after(self, name: str, number: int) -> bool:
        """Whether somebody speaks again and again behind a text."""
        spoken = self._spoken[name]
        return len(spoken) - bisect_right(spoken, number) >= _AGAIN
