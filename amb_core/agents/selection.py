"""How much each extract of a text tells, and which of them together tell most within a length.

How likely a sentence holds what somebody will ask for is judged by where it stands and what it has that was not said
before: words, numbers, names. The weights were fitted by logistic regression on every other passage of a Chinese
reading comprehension set (does the sentence hold an answer?).
"""

import heapq
import math
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Sequence, Set

from amb_core.agents.extracts import Extract, joined
from amb_core.text import entities, index_tokens, name_key
from amb_core.text.language import Language

__all__ = ["best_extracts"]

_BIAS, _OFFSET, _PLACE, _OPENS, _LENGTH = -3.85, -0.05, -1.15, 0.1, 0.3
_NUMBER, _NAME, _FRESH, _DEFINES = 0.3, 0.1, 2.0, 0.35
"""Weights: how far from the start, share of the text before, leans on nothing, how long, has a number, has a new name,
share of words not said before, says what something is."""
_ASKED = 0.6
_THING = 0.04
"""What a number, date or name is worth by itself, beside the likelihood of being asked for."""
_COST_POWER = 0.8
_RECORD_KINDS = frozenset({"table", "json", "code"})
_LEAD_IN = 0.1
_AFTER_MATCH, _BEFORE_MATCH, _IN_MATCH = 0.1, 0.05, 0.1
_SCALE = {"en": 1.0, "zh": 2.5}
_FIGURE = re.compile(r"\d[\d.,]*|[一二三四五六七八九十百千万亿]{2,}|[一二三四五六七八九十两][年月日个位人次座条家种]")
_SAYS_WHAT = re.compile(r"\b(?:is|was|are|were|known as|called|named)\b|[是为称叫名]")


def best_extracts(text: str, found: Sequence[Extract], *, most: float, language: Language, goal: str = "") -> str:
    """Those of the extracts that together tell most within `most` characters, verbatim and in order."""
    return joined(text, found, _Selection(text, found, language, goal).chosen(most))


def _worths(text: str, found: Sequence[Extract], words: Sequence[Set[str]], *, language: Language) -> list[float]:
    """What each extract is worth by itself; `words` are the index terms of each."""
    if not found:
        return []
    start, length = found[0].start, found[-1].end - found[0].start
    names, seen = _names(text, found), set[str]()
    worths: list[float] = []
    for extract, terms, named in zip(found, words, names, strict=True):
        numbers, new = len(_FIGURE.findall(text, extract.start, extract.end)), len(named - seen)
        offset = extract.start - start
        evidence = _BIAS + _OFFSET * math.log(1.0 + _SCALE[language] * offset) + _PLACE * offset / length
        evidence += _LENGTH * math.log(_SCALE[language] * extract.length)
        evidence += _OPENS * (not extract.needs) + _NUMBER * (numbers > 0) + _NAME * (new > 0)
        evidence += _FRESH * (len(terms - seen) / len(terms) if terms else 0.0)
        evidence += _DEFINES * (_SAYS_WHAT.search(text, extract.start, extract.end) is not None)
        worth = 1.0 / (1.0 + math.exp(-evidence)) + _THING * (numbers + new)
        worths.append(worth * _LEAD_IN if text[extract.end - 1] in ":：" else worth)
        seen |= named
        seen.update(terms)
    return worths


def _names(text: str, found: Sequence[Extract]) -> list[set[str]]:
    """The names that begin in each extract, folded."""
    starts = [extract.start for extract in found]
    names: list[set[str]] = [set() for _ in found]
    if all(extract.kind in _RECORD_KINDS for extract in found):
        return names  # every cell of a record may be a name: it tells nothing
    first, last = found[0].start, found[-1].end
    for entity in entities(text[first:last]):
        place = bisect_right(starts, first + entity.start) - 1
        if place >= 0 and first + entity.start < found[place].end:
            names[place].add("@" + name_key(entity.name))
    return names


class _Selection:
    """What the extracts of one text tell, and what the goal asks of them; an asked word counts once."""

    def __init__(self, text: str, found: Sequence[Extract], language: Language, goal: str) -> None:
        self._found = found
        self._lengths = [extract.length for extract in found]
        words = [set(index_tokens(text[extract.start : extract.end])) for extract in found]
        self._worth = _worths(text, found, words, language=language)
        wanted = set(index_tokens(goal))
        self._things = [terms & wanted for terms in words] if wanted else [set[str]()] * len(found)
        spread = Counter(word for terms in self._things for word in terms)
        self._asked = {word: _ASKED * math.log((len(found) + 1) / count) for word, count in spread.items()}
        self._with = [self._closure(at) for at in range(len(found))]
        if self._asked:
            self._raise_neighbours()

    def _raise_neighbours(self) -> None:
        """Raise what stands beside an extract that matches the goal: the answer may stand in the next sentence."""
        matches = [sum(self._asked[word] for word in sorted(things)) for things in self._things]
        for at, match in enumerate(matches):
            before, after = matches[at - 1] if at else 0.0, matches[at + 1] if at + 1 < len(matches) else 0.0
            self._worth[at] += max(_AFTER_MATCH * before, _BEFORE_MATCH * after) + _IN_MATCH * match

    def _closure(self, at: int) -> frozenset[int]:
        """The extract with all it needs, directly or through others."""
        taken, waiting = {at}, [at]
        while waiting:
            for need in self._found[waiting.pop()].needs:
                if need not in taken:
                    taken.add(need)
                    waiting.append(need)
        return frozenset(taken)

    def chosen(self, most: float) -> set[int]:
        """Indices of extracts of at most `most` characters together that tell most; with each the ones it needs."""
        users: defaultdict[int, list[int]] = defaultdict(list)
        for at, needed in enumerate(self._with):
            for need in needed:
                if need != at:
                    users[need].append(at)
        chosen: set[int] = set()
        told: set[str] = set()
        spent = 0
        queue = [(-self._rate(at, chosen, told), at) for at in range(len(self._found))]
        heapq.heapify(queue)
        while queue:
            stated, at = heapq.heappop(queue)
            new = self._with[at] - chosen
            length = sum(map(self._lengths.__getitem__, new))
            if not new or spent + length > most:
                continue
            rate = -self._rate(at, chosen, told)
            if rate > stated and queue and rate > queue[0][0]:
                heapq.heappush(queue, (rate, at))
                continue
            chosen |= new
            told.update(*(self._things[index] for index in new))
            spent += length
            # what needs these has become cheaper
            for user in dict.fromkeys(user for index in sorted(new) for user in users[index]):
                if user not in chosen:
                    heapq.heappush(queue, (-self._rate(user, chosen, told), user))
        return chosen

    def _rate(self, at: int, chosen: Set[int], told: Set[str]) -> float:
        """What an extract and all it needs add per character."""
        needed = self._with[at]
        new = needed if chosen.isdisjoint(needed) else needed - chosen
        gain = sum(map(self._worth.__getitem__, sorted(new)))
        if self._asked:
            fresh = set[str]().union(*(self._things[index] for index in new)) - told
            gain += sum(map(self._asked.__getitem__, sorted(fresh)))
        return float(gain / max(1.0, sum(map(self._lengths.__getitem__, new))) ** _COST_POWER)
