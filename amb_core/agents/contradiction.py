"""Contradictions between two texts: the same question answered with another value, or the same thing said and denied."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from amb_core.agents.attribute_words import (
    EXCLUSIVE,
    LASTING,
    LISTED,
    ONCE,
    RECURRING,
    ROLES,
    SETTING_CONCEPTS,
    ZH_EXCLUSIVE,
    ZH_LISTED,
)
from amb_core.agents.quantities import Slot, compare
from amb_core.agents.statements import Statement, statements
from amb_core.agents.swaps import swapped

__all__ = ["Contradiction", "contradictions", "same_question"]

_ARTICLES = frozenset(("a", "an", "the"))
_TENSES = frozenset(("<past>", "<present>"))


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Statement `a` of the first text and `b` of the second cannot both hold."""

    kind: Literal["number", "date", "name", "polarity"]
    a: Statement
    b: Statement

    @property
    def subject(self) -> str:
        """Whom or what the disagreement is about, with the attribute: a search query in the language of the texts."""
        name = self.a.subject or self.b.subject
        words = self.a.attribute
        if self.a.chinese:
            return f"{name} {words}".strip()
        inside = {word.casefold() for word in name.split()}
        kept = [word for word in words.split() if word.casefold() not in inside]
        return " ".join([name, *kept[:8]]).strip()

    @property
    def values(self) -> tuple[str, str]:
        """The two things said, as they stand in the texts."""
        return self.a.value, self.b.value


# --- do two statements answer the same question? ---------------------------------------------------------------------


def _words(statement: Statement) -> frozenset[str]:
    return statement.head | statement.frame


def _same_subject(a: Statement, b: Statement) -> bool:
    return not a.subjects.isdisjoint(b.subjects)


def _topics_agree(a: Statement, b: Statement) -> bool:
    """Whether words that point outside the sentence ("it", "the film") may point to the same thing."""
    if a.named and b.named:
        return _same_subject(a, b) or not (a.subjects and b.subjects)
    if a.topics and b.topics:
        return not a.topics.isdisjoint(b.topics) or _same_subject(a, b)
    return True


def _by_subject(a: Statement, b: Statement) -> bool:
    """The same subject and the same attribute words, allowing for a word more on one side of a long frame."""
    if not _same_subject(a, b):
        return False
    words_a, words_b = _words(a), _words(b)
    common = words_a & words_b
    extra_a, extra_b = words_a - common, words_b - common
    if not extra_a and not extra_b:
        concept = any(word.startswith("@") for word in common)
        return concept or len(common) >= (4 if a.chinese else 2)
    extra = extra_a | extra_b
    if extra & (a.head | b.head) or any(word in EXCLUSIVE or word[0] in "#+" for word in extra):
        return False
    if a.kind == "date" and common & ONCE and _tells_once(extra_a, a) and _tells_once(extra_b, b):
        return True
    if any(word[0] == "=" for word in extra) or (extra_a and extra_b):
        return False
    return len(common) >= (6 if a.chinese else 4) and len(extra) <= (3 if a.chinese else 1)


def _tells_once(extra: frozenset[str], statement: Statement) -> bool:
    return len(extra) <= (6 if statement.chinese else 4) and not any(word[0] == "@" for word in extra)


def _pointless(a: Statement, b: Statement) -> bool:
    """Whether it is unknown what either sentence is about (an instruction, a fragment)."""
    return not (a.subjects and b.subjects) and not (a.topics and b.topics) and "none" in (a.pointing, b.pointing)


def _by_sentence(a: Statement, b: Statement) -> bool:
    """Nearly the same sentence, word for word, apart from the values."""
    if a.nth != b.nth or not _topics_agree(a, b) or _pointless(a, b):
        return False
    common = len(a.bag & b.bag)
    extra = a.bag ^ b.bag
    enough = 8 if a.chinese else 5
    if common < enough or any(word in EXCLUSIVE or word[0] in "#=+" for word in extra):
        return False
    if _words(a) ^ _words(b):
        return False
    allowed = common // (6 if a.chinese else 8)
    return len(extra) <= allowed


def _same_times(a: Statement, b: Statement) -> bool:
    """Whether both are bound to the same time, or to none, or say what holds for good."""
    if a.scope and b.scope:
        return _each_has_match(a.scope, b.scope) or _each_has_match(b.scope, a.scope)
    if not a.scope and not b.scope:
        return True
    return bool(_words(a) & _words(b) & LASTING)


def _each_has_match(a: Sequence[Slot], b: Sequence[Slot]) -> bool:
    return all(any(compare(x, y) == "same" for y in b) for x in a)


def _same_markers(a: Statement, b: Statement) -> bool:
    different = a.markers ^ b.markers
    if different - _TENSES:
        return False
    return len(different) < 2 or bool(_words(a) & _words(b) & LASTING)


def same_question(a: Statement, b: Statement) -> bool:
    """Whether two statements answer the same question, so that two different values contradict each other."""
    if a.kind != b.kind or a.chinese != b.chinese or a.polarity != b.polarity:
        return False
    if a.kind == "name" and not _functional(a, b):
        return False
    if a.kind == "date" and ((_words(a) | _words(b)) & RECURRING or _differences(a, b) > 1):
        # a figure that goes with the date: the date is when it was so
        return False
    if not (_by_subject(a, b) or _by_sentence(a, b)):
        return False
    return _same_times(a, b) and _same_markers(a, b)


def _preposition(statement: Statement) -> str:
    return "a" if statement.before in _ARTICLES else statement.before


def _functional(a: Statement, b: Statement) -> bool:
    """Whether only one name can stand here: born in X, directed by X, the capital is X."""
    words = _words(a) & _words(b)
    if a.others or b.others or _preposition(a) != _preposition(b):
        return False
    if a.chinese:
        return not ZH_LISTED.search(a.sentence) and not ZH_LISTED.search(b.sentence)
    if words & LISTED:
        return False
    before = _preposition(a)
    if before == "by" or words & ROLES:
        return True
    if before in ("in", "at", "near", "from", "to"):
        return bool(words & SETTING_CONCEPTS) or len(a.bag & b.bag) >= 6
    return len(a.bag & b.bag) >= 6


# --- the two values --------------------------------------------------------------------------------------------------


def _differ(a: Statement, b: Statement) -> bool:
    if a.slot is None or b.slot is None or compare(a.slot, b.slot) != "different":
        return False
    return a.named or b.named or bool(a.topics and b.topics) or _differences(a, b) == 1


def _differences(a: Statement, b: Statement) -> int:
    """How many figures of the two sentences differ in order, those compared included."""
    if len(a.figures) != len(b.figures):
        return 1 + sum(not _equal(x, y) for x, y in zip(a.others, b.others, strict=False))
    return sum(not _equal(x, y) for x, y in zip(a.figures, b.figures, strict=True))


def _equal(a: Slot, b: Slot) -> bool:
    bounded = math.isinf(a.high - a.low) or math.isinf(b.high - b.low)
    return (a.low, a.high) == (b.low, b.high) or (not bounded and compare(a, b) == "same")


def _opposed(a: Statement, b: Statement) -> bool:
    """Whether one clause denies what the other says, or says the excluding word of a pair."""
    if a.chinese != b.chinese or not _same_values(a, b) or not _same_markers(a, b):
        return False
    words_a, words_b = _words(a), _words(b)
    long = len(a.bag & b.bag) >= (8 if a.chinese else 4)
    if a.polarity != b.polarity:
        if words_a != words_b or len(words_a) < (4 if a.chinese else 2):
            return False
        return _same_subject(a, b) or (a.bag == b.bag and long and _topics_agree(a, b) and not _pointless(a, b))
    if a.chinese:
        return _swapped(a, b)
    only_a, only_b = words_a - words_b, words_b - words_a
    if len(only_a) != 1 or len(only_b) != 1 or len(words_a & words_b) < 1:
        return False
    (word_a,), (word_b,) = only_a, only_b
    if word_a not in EXCLUSIVE or EXCLUSIVE[word_a] != EXCLUSIVE.get(word_b):
        return False
    alike = len(a.bag ^ b.bag) == 2 and long and _topics_agree(a, b) and not _pointless(a, b)
    return alike or (_same_subject(a, b) and len(words_a & words_b) >= 2 and only_a.isdisjoint(a.head))


def _swapped(a: Statement, b: Statement) -> bool:
    if abs(len(a.sentence) - len(b.sentence)) > 2 or not _topics_agree(a, b):
        return False
    return any(
        x in a.sentence and y in b.sentence and a.sentence.replace(x, y) == b.sentence
        for group in ZH_EXCLUSIVE
        for x in group
        for y in group
        if x != y
    )


def _same_values(a: Statement, b: Statement) -> bool:
    slots_a, slots_b = (*a.others, *a.scope), (*b.others, *b.scope)
    return len(slots_a) == len(slots_b) and all(
        compare(x, y) != "different" for x, y in zip(slots_a, slots_b, strict=True)
    )


# --- two texts -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    tokens: frozenset[str]
    members: tuple[Statement, ...]


@lru_cache(maxsize=4_096)
def _sentences(text: str, topic: str) -> tuple[_Sentence, ...]:
    grouped: dict[int, list[Statement]] = defaultdict(list)
    for statement in statements(text, topic=topic):
        grouped[statement.start].append(statement)
    return tuple(
        _Sentence(members[0].sentence, frozenset[str]().union(*map(_words, members)), tuple(members))
        for members in grouped.values()
    )


def contradictions(a: str, b: str, *, topics: tuple[str, str] = ("", "")) -> tuple[Contradiction, ...]:
    """What two texts contradict each other in, most certain first; () for texts that can both be true.

    `topics` name what each text is about where its own words do not.
    """
    left, right = _sentences(a, topics[0]), _sentences(b, topics[1])
    found: dict[tuple[int, int], Contradiction] = {}
    for x in left:
        for y in right:
            if x.text == y.text or x.tokens.isdisjoint(y.tokens):
                continue
            for pair in (*_swap(x, y), *_between(x.members, y.members)):
                if (x.members[0].start, y.members[0].start) not in found and not _settled(pair, left, right):
                    found[x.members[0].start, y.members[0].start] = pair
    order = {"number": 0, "date": 0, "name": 1, "polarity": 2}
    return tuple(sorted(found.values(), key=lambda pair: (order[pair.kind], pair.a.start, pair.b.start)))


def _swap(x: _Sentence, y: _Sentence) -> Iterable[Contradiction]:
    """The contradiction of two sentences that differ in one value and nothing else."""
    if len(x.tokens & y.tokens) * 2 < max(len(x.tokens), len(y.tokens)):
        return
    a, b = x.members[0], y.members[0]
    if not _topics_agree(a, b):
        return
    found = swapped(a, b, strict=_pointless(a, b))
    if found is None:
        return
    yield Contradiction(found[0].kind, _with_slot(x.members, found[0]), _with_slot(y.members, found[1]))


def _with_slot(members: Sequence[Statement], slot: Slot) -> Statement:
    """The statement of a sentence that holds a slot (offsets in the sentence), made to carry it."""
    start = members[0].start
    moved = replace(slot, start=slot.start + start, end=slot.end + start)
    for statement in members:
        if statement.slot is not None and statement.slot.start < moved.end and moved.start < statement.slot.end:
            if statement.kind == slot.kind:
                return replace(statement, slot=moved, value=slot.surface)
    return replace(members[0], kind=slot.kind, slot=moved, value=slot.surface)


def _between(left: Sequence[Statement], right: Sequence[Statement]) -> Iterable[Contradiction]:
    for a in left:
        for b in right:
            if a.kind != b.kind:
                continue
            if a.kind == "polarity":
                if _opposed(a, b):
                    yield Contradiction("polarity", a, b)
            elif _differ(a, b) and same_question(a, b):
                yield Contradiction(a.kind, a, b)


def _settled(pair: Contradiction, left: Sequence[_Sentence], right: Sequence[_Sentence]) -> bool:
    """Whether one of the texts also gives the other's value: then they do not disagree."""
    if pair.a.slot is None:
        return any(y.text == pair.a.sentence for y in right) or any(x.text == pair.b.sentence for x in left)
    return any(_agrees(pair.a, other) for y in right for other in y.members) or any(
        _agrees(pair.b, other) for x in left for other in x.members
    )


def _agrees(a: Statement, b: Statement) -> bool:
    if a.kind != b.kind or a.slot is None or b.slot is None or not _words(a) & _words(b):
        return False
    return compare(a.slot, b.slot) == "same" and (_by_subject(a, b) or _by_sentence(a, b))
