"""How much each extract of a text tells, and which of them together tell most within a length."""

import heapq
import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from amb_core.agents.extracts import Extract, joined
from amb_core.text import entities, index_tokens, name_key, values

__all__ = ["best_extracts"]

_VALUE, _NAME, _WORD, _GOAL, _EARLY = 0.4, 0.4, 0.05, 8.0, 6.0
_LEAD_IN = 0.1
_DENSITIES = (0.5, 1.0)


def best_extracts(text: str, found: Sequence[Extract], *, most: float, goal: str = "") -> str:
    """Those of the extracts that together tell most within `most` characters, verbatim and in order."""
    return joined(text, found, _Telling(text, found, goal).chosen(most))


class _Telling:
    """What the extracts of one text tell: words of the goal, numbers, dates, names and the words the text is about.

    A thing counts once, however many extracts say it; this keeps the selection diverse. Early extracts count for more.
    """

    def __init__(self, text: str, found: Sequence[Extract], goal: str) -> None:
        self._found = found
        self._things = [set(index_tokens(text[extract.start : extract.end])) for extract in found]
        spread = Counter(word for words in self._things for word in words)
        self._weight = {word: _WORD * (1 + math.log(units)) for word, units in spread.items()}
        self._asked = {
            word: _GOAL * math.log((len(found) + 1) / spread[word]) for word in set(index_tokens(goal)) & spread.keys()
        }
        start, end = (found[0].start, found[-1].end) if found else (0, 0)
        body = text[start:end]
        kept = (value for value in values(body) if value.kind in ("number", "date"))
        self._add((start + value.start, f"={value.key}", _VALUE) for value in kept)
        self._add((start + entity.start, f"@{name_key(entity.name)}", _NAME) for entity in entities(body))
        self._early = [1.0 + _EARLY / (1.0 + at) for at in range(len(found))]
        for at, extract in enumerate(found):
            if text[extract.end - 1] in ":：":
                self._early[at] *= _LEAD_IN
        self._with = [self._closure(at) for at in range(len(found))]

    def chosen(self, most: float) -> set[int]:
        """Indices of extracts of at most `most` characters together that tell most; with each the ones it needs."""
        tries = [self._greedy(most, density) for density in _DENSITIES]
        return max(tries, key=lambda result: result[0])[1]

    def _add(self, marks: Iterable[tuple[int, str, float]]) -> None:
        """Give every mark to the extract it begins in."""
        starts = [extract.start for extract in self._found]
        for start, key, weight in marks:
            at = bisect_right(starts, start) - 1
            if at >= 0 and start < self._found[at].end:
                self._things[at].add(key)
                self._weight[key] = weight

    def _closure(self, at: int) -> frozenset[int]:
        """The extract with all it needs, directly or through others."""
        taken, waiting = {at}, [at]
        while waiting:
            for need in self._found[waiting.pop()].needs:
                if need not in taken:
                    taken.add(need)
                    waiting.append(need)
        return frozenset(taken)

    def _greedy(self, most: float, density: float) -> tuple[float, set[int]]:
        """What is told in all, and by which extracts, when the best telling per length**density is taken each time."""
        chosen: set[int] = set()
        told: set[str] = set()
        total = spent = 0.0
        queue = [(-math.inf, at) for at in range(len(self._found))]
        while queue:
            _, at = heapq.heappop(queue)
            new = self._with[at] - chosen
            length = sum(self._found[index].length for index in new)
            if not new or spent + length > most:
                continue
            gain = self._gain(new, told)
            # gains only shrink while others are taken, so a fresh one that still leads is the best of all
            priority = -gain / length**density
            if queue and priority > queue[0][0]:
                heapq.heappush(queue, (priority, at))
                continue
            chosen |= new
            told.update(*(self._things[index] for index in new))
            total += gain
            spent += length
        return total, chosen

    def _gain(self, new: Collection[int], told: set[str]) -> float:
        gain = 0.0
        for index in new:
            fresh = self._things[index] - told
            gain += (1.0 + sum(map(self._weight.__getitem__, fresh))) * self._early[index]
            gain += sum(worth for thing, worth in self._asked.items() if thing in fresh)
        return gain
