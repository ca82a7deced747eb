"""Whether two statements answer the same question, so that different answers contradict each other."""

import re
from collections.abc import Sequence

from amb_core.agents.attribute_words import (
    EXCLUSIVE,
    LASTING,
    LISTED,
    ONCE,
    RECURRING,
    ROLES,
    SETTING_CONCEPTS,
    ZH_EXCLUSIVE,
    ZH_GENERIC,
    ZH_LISTED,
    ZH_MODIFIERS,
    ZH_RECURRING,
)
from amb_core.agents.quantities import Slot, compare, equal
from amb_core.agents.statements import Statement

__all__ = ["agrees", "differs", "is_adrift", "may_align", "opposed", "same_question", "topics_agree"]

_TENSES = frozenset(("<past>", "<present>"))
_PREPOSITIONS = {"a": "a", "an": "a", "the": "a"} | dict.fromkeys(
    ("is", "was", "are", "were", "by", "be", "是", "为", "由"), "is"
)
_NONE: frozenset[int] = frozenset()
_DENIAL = re.compile(r"没有|并未|从未|尚未|[不没未无非]")
_SHORTEST_DENIED = 8
_ENOUGH_WORDS = {False: 5, True: 8}
"""Words (character pairs in Chinese) two sentences must share to be taken for the same without a known subject."""


# --- subject and attribute -------------------------------------------------------------------------------------------


def _same_subject(a: Statement, b: Statement) -> bool:
    return not a.identity.isdisjoint(b.identity)


def topics_agree(a: Statement, b: Statement) -> bool:
    """Whether words that point outside the sentence ("it", "the film") may point to the same thing."""
    if a.named and b.named:
        return _same_subject(a, b) or not (a.subjects and b.subjects)
    if a.topics and b.topics:
        return not a.topics.isdisjoint(b.topics) or _same_subject(a, b)
    return True


def is_adrift(a: Statement, b: Statement) -> bool:
    """Whether it is unknown what one of the sentences is about (an instruction, a fragment)."""
    return not (a.subjects and b.subjects) and not (a.topics and b.topics) and "none" in (a.pointing, b.pointing)


def may_align(a: Statement, b: Statement) -> bool:
    """A quick test that everything that aligns passes: without the same subject nothing does whose topics differ."""
    if a.words.isdisjoint(b.words) and (a.words or b.words):
        return False
    return _same_subject(a, b) or ((a.kind == "polarity" or a.words == b.words) and topics_agree(a, b))


def _by_subject(a: Statement, b: Statement) -> bool:
    """The same subject and the same attribute words, allowing for a word more on one side of a long frame."""
    if not _same_subject(a, b):
        return False
    common = a.words & b.words
    extra_a, extra_b = a.words - common, b.words - common
    extra = extra_a | extra_b
    if not extra:
        return len(common) >= 2 or any(word[0] == "@" or word in ROLES for word in common)
    if extra & (a.head | b.head) or any(word in EXCLUSIVE or word[0] in "#+" for word in extra):
        return False
    if a.kind == "date" and common & ONCE and _tells_once(extra_a, a) and _tells_once(extra_b, b):
        return True
    if any(word[0] in "=@" for word in extra) or (extra_a and extra_b):
        return False
    if a.chinese:
        plain = len(extra) == 1 and len(common) >= 2 and not ZH_MODIFIERS.intersection(*extra)
        return plain or (len(common) >= 6 and len(extra) <= 3)
    return len(common) >= 4 and len(extra) == 1


def _tells_once(extra: frozenset[str], statement: Statement) -> bool:
    return len(extra) <= (6 if statement.chinese else 4) and not any(word[0] == "@" for word in extra)


def _by_sentence(a: Statement, b: Statement) -> bool:
    """Nearly the same sentence, word for word, apart from the values."""
    if a.nth != b.nth or a.words != b.words or not topics_agree(a, b):
        return False
    common, extra = a.bag & b.bag, a.bag ^ b.bag
    if a.chinese and not extra and _names_itself(common):
        return True
    if is_adrift(a, b) or len(common) < _ENOUGH_WORDS[a.chinese]:
        return False
    if any(word in EXCLUSIVE or word[0] in "#=+" for word in extra):
        return False
    return len(extra) <= len(common) // (6 if a.chinese else 8)


def _names_itself(common: frozenset[str]) -> bool:
    """Whether a Chinese sentence has, beside what it tells, characters that can name its subject."""
    rest = [word for word in common if word[0] != "@" and not ZH_GENERIC.issuperset(word)]
    return len(rest) >= (1 if any(word[0] == "@" for word in common) else 7)


def same_question(a: Statement, b: Statement) -> bool:
    """Whether two statements answer the same question, so that two different values contradict each other."""
    if a.kind != b.kind or a.chinese != b.chinese or a.polarity != b.polarity:
        return False
    if a.kind == "name" and not _functional(a, b):
        return False
    if not (_by_subject(a, b) or _by_sentence(a, b)):
        return False
    if a.kind == "date" and (_recurs(a) or _recurs(b) or _differences(a, b) > 1):
        # a figure that goes with the date: the date is when it was so
        return False
    return _same_times(a, b) and _same_markers(a, b)


def _recurs(statement: Statement) -> bool:
    if statement.chinese:
        return bool(ZH_RECURRING.search(statement.attribute))
    return not statement.words.isdisjoint(RECURRING)


# --- time ------------------------------------------------------------------------------------------------------------


def _same_times(a: Statement, b: Statement) -> bool:
    """Whether both are bound to the same time, or to none, or say what holds for good."""
    if a.scope and b.scope:
        if a.kind == "number" and not _lasts(a, b):
            # a quarter is no year: what holds of the part is not said of the whole
            left, right = ({(slot.unit, slot.low, slot.high) for slot in side.scope} for side in (a, b))
            return left <= right or right <= left
        return _each_has_match(a.scope, b.scope) or _each_has_match(b.scope, a.scope)
    return _lasts(a, b) or not (a.scope or b.scope or a.within.of_other_year(b.within))


def _each_has_match(a: Sequence[Slot], b: Sequence[Slot]) -> bool:
    return all(any(compare(x, y) == "same" for y in b) for x in a)


def _same_markers(a: Statement, b: Statement) -> bool:
    different = a.markers ^ b.markers
    if different - _TENSES:
        return False
    return len(different) < 2 or _lasts(a, b)


def _lasts(a: Statement, b: Statement) -> bool:
    return bool(a.words & b.words & LASTING)


# --- names -----------------------------------------------------------------------------------------------------------


def _role(statement: Statement) -> str:
    return _PREPOSITIONS.get(statement.before, statement.before)


def _functional(a: Statement, b: Statement) -> bool:
    """Whether only one name can stand here: born in X, directed by X, the capital is X."""
    words = a.words & b.words
    if a.others or b.others or _role(a) != _role(b):
        return False
    if a.chinese:
        return not ZH_LISTED.search(a.sentence) and not ZH_LISTED.search(b.sentence)
    if words & LISTED:
        return False
    if "by" in (a.before, b.before) or words & ROLES:
        return True
    if a.before in ("in", "at", "near", "from", "to") and words & SETTING_CONCEPTS:
        return True
    return len(a.bag & b.bag) >= 6


# --- values ----------------------------------------------------------------------------------------------------------


def differs(a: Statement, b: Statement) -> bool:
    """Whether the two values cannot both be meant; if nothing says what is spoken of, nothing else may differ."""
    if a.slot is None or b.slot is None or compare(a.slot, b.slot) != "different":
        return False
    return a.named or b.named or bool(a.topics and b.topics) or _differences(a, b) == 1


def _differences(a: Statement, b: Statement) -> int:
    """How many figures of one sentence the other has not, those compared included."""
    if len(a.within.figures) != len(b.within.figures):
        return 1 + sum(not equal(x, y) for x, y in zip(a.others, b.others, strict=False))
    left = list(b.within.figures)
    for figure in a.within.figures:
        match = next((other for other in left if figure.unit == other.unit and equal(figure, other)), None)
        if match is not None:
            left.remove(match)
    return len(left)


def agrees(a: Statement, b: Statement) -> bool:
    """Whether both give the same value for what may be the same thing; looser than `same_question`."""
    if a.kind != b.kind or a.slot is None or b.slot is None or compare(a.slot, b.slot) != "same":
        return False
    common = len(a.words & b.words)
    if not common or common * 2 < min(len(a.words), len(b.words)):
        return False
    return _same_subject(a, b) or (topics_agree(a, b) and not is_adrift(a, b))


# --- said and denied -------------------------------------------------------------------------------------------------


def opposed(a: Statement, b: Statement) -> bool:
    """Whether one clause denies what the other says, or says the excluding word of a pair."""
    if a.chinese != b.chinese or (len(a.words) != len(b.words) and not a.chinese):
        return False
    if not _same_figures(a, b) or not _same_markers(a, b):
        return False
    if a.polarity != b.polarity:
        if a.chinese and _said_and_denied(a.sentence, b.sentence) and topics_agree(a, b):
            return True
        if a.words != b.words or len(a.words) < (4 if a.chinese else 2):
            return False
        return _same_subject(a, b) or (a.bag == b.bag and _stands_alone(a, b))
    return _exchanged(a, b) if a.chinese else _excluding(a, b)


def _said_and_denied(a: str, b: str) -> bool:
    """Whether two Chinese sentences differ in nothing but a denial."""
    return min(len(a), len(b)) >= _SHORTEST_DENIED and _DENIAL.sub("", a) == _DENIAL.sub("", b)


def _stands_alone(a: Statement, b: Statement) -> bool:
    """Whether two sentences share enough to speak of the same without a known subject."""
    if a.chinese:
        return topics_agree(a, b) and len(a.bag & b.bag) >= 6
    return topics_agree(a, b) and not is_adrift(a, b) and len(a.bag & b.bag) >= 4


def _excluding(a: Statement, b: Statement) -> bool:
    only_a, only_b = a.words - b.words, b.words - a.words
    common = a.words & b.words
    if len(only_a) != 1 or len(only_b) != 1 or not common:
        return False
    (word_a,), (word_b,) = only_a, only_b
    if EXCLUSIVE.get(word_a, _NONE).isdisjoint(EXCLUSIVE.get(word_b, _NONE)):
        return False
    if len(a.bag ^ b.bag) == 2 and _stands_alone(a, b):
        return True
    enough = len(common) >= (1 if a.named and b.named else 2)
    return _same_subject(a, b) and enough and only_a.isdisjoint(a.head)


def _exchanged(a: Statement, b: Statement) -> bool:
    if abs(len(a.sentence) - len(b.sentence)) > 2 or not topics_agree(a, b):
        return False
    return any(
        x in a.sentence and y in b.sentence and a.sentence.replace(x, y) == b.sentence
        for group in ZH_EXCLUSIVE
        for x in group
        for y in group
        if x != y
    )


def _same_figures(a: Statement, b: Statement) -> bool:
    """Whether the figures and times of both clauses are the same."""
    slots_a, slots_b = (*a.others, *a.scope), (*b.others, *b.scope)
    return len(slots_a) == len(slots_b) and all(map(equal, slots_a, slots_b))
