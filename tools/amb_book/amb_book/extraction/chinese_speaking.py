"""In which chapters of a Chinese book somebody speaks or acts: who does so later did not die, and is free and awake."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence

from amb_book.extraction.chinese_name_words import SPEAKS

__all__ = ["PASSING", "ChineseSpeakers"]

_H = r"\u3400-\u9fff"
_SPOKEN = re.compile(rf"(?<![{_H}])([{_H}]{{2,9}}?)(?:{SPEAKS})(?=[：:]|，?\s*[“「『‘\"])")
_EDGE = re.compile(
    rf"(?:(?<=[，。！？；：、”」』\s．,.!?;:])|^|(?<=却说)|(?<=且说)|(?<=只见))(?=[{_H}]{{3}})", re.MULTILINE
)
_DEED = re.compile(
    "大?笑|大怒|大喜|大惊|大叫|大骂|喝|叹|曰|道|说|谓|问|答|奏|引|领|率|同|与|拍马|勒马|纵马|飞马|跃马|挺|舞|抡|横|提|拿|拔|"
    "慌忙|急忙|连忙|忙|急|听得|听了|听说|听毕|听罢|闻|见|看|望|回到|来到|走|坐|站|起身|出马|出阵|出迎|出班|入|上马|下马|上前|"
    "拜|谢|辞|赶|杀|奔|乃|遂|便|即|亦|又|也|就|正|在|把|将|令|命|教|唤|叫|得令|随"
)
_SPEECH = re.compile("“[^”\n]*(?:”|$)|「[^」\n]*(?:」|$)|『[^』\n]*(?:』|$)")
_AGAIN = 3
PASSING = frozenset(("unconscious", "wounded", "captured", "imprisoned", "missing"))
"""States that end again, mostly without a word of it."""


class ChineseSpeakers:
    """Who speaks and who acts in which text, from 0; `owners` are all names, each with the one that counts."""

    def __init__(self, texts: Sequence[str], owners: Mapping[str, str]) -> None:
        self._texts, self._owners = texts, owners
        self._spoken: defaultdict[str, list[int]] = defaultdict(list)
        self._acted: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, text in enumerate(texts):
            for found in _SPOKEN.finditer(text):
                name = next((owners[found[1][:size]] for size in (4, 3, 2) if found[1][:size] in owners), None)
                if name is not None:
                    self._spoken[name].append(number)
            told = _SPEECH.sub(lambda quote: " " * len(quote.group()), text)
            for found in _EDGE.finditer(told):
                for size in (4, 3, 2):
                    word = told[found.end() : found.end() + size]
                    if word in owners:
                        if _DEED.match(told, found.end() + size):
                            self._acted[owners[word]].append((number, found.end()))
                        break

    def speaks_after(self, name: str, number: int) -> bool:
        """Whether somebody speaks or acts again and again behind a text."""
        spoken = self._spoken[name]
        acted = [text for text, _ in self._acted[name] if text > number]
        return len(acted) >= _AGAIN or len(spoken) - bisect_right(spoken, number) >= _AGAIN

    def passes(self, name: str, number: int, evidence: str) -> bool:
        """Whether a state told in a sentence is over: somebody acts behind it, or speaks in a later text."""
        place = self._texts[number].find(evidence[:60])
        end = (number, place + len(evidence) if place >= 0 else 0)
        return self._spoken[name][-1:] > [number] or self._acted[name][-1:] > [end]
