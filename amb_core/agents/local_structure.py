"""Summaries without a model: the sentences that carry most, verbatim and in their order.

How likely a sentence holds what somebody will ask for is judged by where it stands, what it has that was not said
before, numbers and names. The weights were fitted by logistic regression on every other passage of a Chinese reading
comprehension set (does it hold an answer?); they know no vocabulary.
"""

from __future__ import annotations

import heapq
import math
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Sequence, Set
from operator import mul

from amb_core.agent_io import StructureAnswer, StructureRequest
from amb_core.agents.chunking import chunk_spans, chunk_tokens
from amb_core.agents.extracts import Extract, extracts, joined
from amb_core.settings import Settings
from amb_core.text import detect_language, entities, index_tokens, name_key
from amb_core.text.language import Language

__all__ = ["LocalStructure"]

_MOST, _LEAST, _STRETCH = 0.5, 0.3, 0.65
_WHOLE_CHARS = {"en": 300, "zh": 120}
_FEW_CHARS = {"en": 500, "zh": 200}
_FEW = 3


class LocalStructure:
    """A StructureAgent that needs no model: it keeps sentences, items and rows and drops the rest.

    The summary has at most half of the characters (at least 30 % where sentences allow) and only text of the content.
    Kept first is what the goal asks for, then what is most likely asked: what comes early, is new, and holds numbers,
    dates and names. A sentence that leans on another ("It …", a list item, a table row) is only kept together with it.
    Content of up to 300 characters (120 in Chinese), or of three sentences and 500 (200), is kept whole: a short note
    must not lose its fact. Time is linear in the length of the content.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self._limit = chunk_tokens(settings or Settings())

    def structure(self, request: StructureRequest) -> StructureAnswer:
        """The summary of one cluster; that of a blank one is empty."""
        text = request.content
        chunks = chunk_spans(text, limit=self._limit)
        if len(chunks) == 1 and _is_short(text):
            return StructureAnswer(summary=text.strip())
        parts = (_summary(text, start, end, request.task_goal) for start, end in chunks)
        return StructureAnswer(summary="\n".join(part for part in parts if part))


def _is_short(text: str) -> bool:
    body = text.strip()
    language = detect_language(body)
    if len(body) <= _WHOLE_CHARS[language]:
        return True
    if len(body) > _FEW_CHARS[language]:
        return False
    return len(extracts(body, 0, len(body), language=language)) <= _FEW


def _summary(text: str, start: int, end: int, goal: str) -> str:
    body = text[start:end].strip()
    language = detect_language(body)
    found = extracts(text, start, end, language=language)
    summary = _best_extracts(text, found, most=_MOST * len(body), language=language, goal=goal)
    if len(summary) < _LEAST * len(body):
        # sentences this long leave no good choice: a little more room does, else their clauses
        summary = _best_extracts(text, found, most=_STRETCH * len(body), language=language, goal=goal)
    if len(summary) < _LEAST * len(body):
        found = extracts(text, start, end, language=language, fine=True)
        summary = _best_extracts(text, found, most=_MOST * len(body), language=language, goal=goal)
    return summary if len(summary) >= _LEAST * len(body) else _start_of(body)


def _start_of(body: str) -> str:
    """The first half, to the end of a word, of a text that has nothing to choose between."""
    half = body[: int(_MOST * len(body))]
    space = half.rfind(" ", len(half) // 2)
    return half[: space if space > 0 else len(half)].rstrip(" ,，;；、") + "…"


# --- how much each extract tells, and which tell most together --------------------------------------------------------

FEATURES = (
    "bias",
    "offset",  # logarithm of how far from the start of the text
    "place",  # share of the text before it
    "late",  # in the last seventh
    "length",  # logarithm
    "number",
    "name",  # one not mentioned before
    "fresh",  # share of its words that did not occur before
    "things",  # how many numbers and new names; no evidence, but a worth of its own
)
_THINGS = FEATURES.index("things")

_ASKED = 0.6
_THING = 0.04
"""What a number, date or name is worth by itself, beside the likelihood of being asked for."""
_COST_POWER = 0.8
_RECORD_KINDS = frozenset({"table", "json", "code"})
_LEAD_IN = 0.1
_AFTER_MATCH, _BEFORE_MATCH, _IN_MATCH = 0.1, 0.05, 0.1
_SCALE = {"en": 1.0, "zh": 2.5}
_NUMBER = re.compile(r"\d[\d.,]*|[一二三四五六七八九十百千万亿]{2,}|[一二三四五六七八九十两][年月日个位人次座条家种]")


def _best_extracts(text: str, found: Sequence[Extract], *, most: float, language: Language, goal: str = "") -> str:
    """Those of the extracts that together tell most within `most` characters, verbatim and in order."""
    return joined(text, found, _Telling(text, found, language, goal).chosen(most))


def _features_of(
    text: str, found: Sequence[Extract], words: Sequence[Set[str]], *, language: Language
) -> list[tuple[float, ...]]:
    """One row per extract, columns as in `FEATURES`; `words` are the index terms of each."""
    if not found:
        return []
    start = found[0].start
    length = found[-1].end - start
    names = _names(text, found)
    seen: set[str] = set()
    rows: list[tuple[float, ...]] = []
    for at, extract in enumerate(found):
        body = text[extract.start : extract.end]
        numbers = len(_NUMBER.findall(body))
        new = len(names[at] - seen)
        terms = words[at]
        fresh = len(terms - seen) / len(terms) if terms else 0.0
        offset = extract.start - start
        rows.append(
            (
                1.0,
                math.log(1.0 + _SCALE[language] * offset),
                offset / length,
                offset > 0.85 * length,
                math.log(_SCALE[language] * extract.length),
                numbers > 0,
                new > 0,
                fresh,
                numbers + new,
            )
        )
        seen |= names[at]
        seen.update(terms)
    return rows


def _names(text: str, found: Sequence[Extract]) -> list[set[str]]:
    """The names that begin in each extract, folded."""
    starts = [extract.start for extract in found]
    names: list[set[str]] = [set() for _ in found]
    if all(extract.kind in _RECORD_KINDS for extract in found):
        return names  # every cell of a record may be a name: it tells nothing
    first = starts[0]
    for entity in entities(text[first : found[-1].end]):
        place = bisect_right(starts, first + entity.start) - 1
        if first + entity.start < found[place].end:
            names[place].add("@" + name_key(entity.name))
    return names


class _Telling:
    """What the extracts of one text tell, and what the goal asks of them; an asked word counts once."""

    def __init__(self, text: str, found: Sequence[Extract], language: Language, goal: str) -> None:
        self._found = found
        self._lengths = [extract.length for extract in found]
        words = [set(index_tokens(text[extract.start : extract.end])) for extract in found]
        rows = _features_of(text, found, words, language=language)
        self._worth = [_likelihood(row) + _THING * row[_THINGS] for row in rows]
        for at, extract in enumerate(found):
            if text[extract.end - 1] in ":：":
                self._worth[at] *= _LEAD_IN
        wanted = set(index_tokens(goal))
        self._things = [terms & wanted for terms in words] if wanted else [set[str]()] * len(found)
        spread = Counter(word for terms in self._things for word in terms)
        self._asked = {word: _ASKED * math.log((len(found) + 1) / count) for word, count in spread.items()}
        self._with = [self._closure(at) for at in range(len(found))]
        if self._asked:
            self._raise_answers()

    def _raise_answers(self) -> None:
        """Raise what matches the goal, and what stands beside it: the answer may stand in the next sentence."""
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


def _likelihood(row: Sequence[float]) -> float:
    return 1.0 / (1.0 + math.exp(-sum(map(mul, _WEIGHTS, row))))


# in the order of FEATURES
_WEIGHTS = (-3.85, -0.05, -1.15, 0.6, 0.3, 0.3, 0.1, 2.0, 0.0)
