"""Two sentences that are the same, word for word, except for one value."""

import re

from amb_core.agents.attribute_words import LISTED, RECURRING, ZH_LISTED, ZH_RECURRING
from amb_core.agents.frame_words import frame_tokens, is_verb
from amb_core.agents.quantities import Slot, compare, differ_plainly
from amb_core.agents.slot_finding import find_slots
from amb_core.text import name_key, values
from amb_core.text.remembering import text_cache

__all__ = ["swapped"]

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*\.?(?=\s|$|[,;:)\"”])|\d[\d.,]*\d|\w+|[^\w\s]")
_MAX_NAME_WORDS = 7
_FEWEST = {(True, False): 3, (False, False): 9, (True, True): 6, (False, True): 15}
"""Words (Chinese characters) in common, by whether the subject is named and by language."""
_MANY_SHARED = 9
_CONNECTORS = frozenset("of the de la del di da von van der du le and & for".split())
_MEASURE_PREPOSITIONS = frozenset("in at for to from among of".split())
_CJK = re.compile(r"[\u3400-\u9fff]")


@text_cache(most=8_192)
def _words(sentence: str) -> tuple[tuple[str, int, int], ...]:
    return tuple((m.group(), m.start(), m.end()) for m in _WORD.finditer(sentence))


@text_cache(most=8_192)
def _slots(sentence: str) -> tuple[Slot, ...]:
    return find_slots(sentence, values(sentence))


def swapped(a: str, b: str, *, named: bool = False) -> tuple[Slot, Slot] | None:
    """The one value in which two sentences differ (offsets in the sentences), or None.

    `named` says that both are known to name the same subject: then fewer words in common are enough.
    """
    chinese = bool(_CJK.search(a))
    return (
        None if chinese != bool(_CJK.search(b)) else (_chinese if chinese else _english)(a, b, _FEWEST[named, chinese])
    )


# --- English ---------------------------------------------------------------------------------------------------------


def _english(a: str, b: str, fewest: int) -> tuple[Slot, Slot] | None:
    words_a, words_b = _words(a), _words(b)
    left = _common([w.lower() for w, _, _ in words_a], [w.lower() for w, _, _ in words_b])
    right = _common(
        [w.lower() for w, _, _ in reversed(words_a[left:])], [w.lower() for w, _, _ in reversed(words_b[left:])]
    )
    middle_a, middle_b = words_a[left : len(words_a) - right], words_b[left : len(words_b) - right]
    if not middle_a or not middle_b or max(len(middle_a), len(middle_b)) > _MAX_NAME_WORDS:
        return None
    before, after = [w for w, _, _ in words_a[:left]], [w for w, _, _ in words_a[len(words_a) - right :]]
    shared = len(frame_tokens([*before, *after]))
    if shared < fewest:
        return None
    span_a, span_b = (middle_a[0][1], middle_a[-1][2]), (middle_b[0][1], middle_b[-1][2])
    if any(char.isdigit() for char in a[slice(*span_a)] + b[slice(*span_b)]):
        return _figures(a, span_a, b, span_b, before)
    if _is_name(middle_a) and _is_name(middle_b):
        return _names(a, span_a, b, span_b, before, after, shared)
    return _figures(a, span_a, b, span_b, before)


def _common(a: list[str], b: list[str]) -> int:
    count = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        count += 1
    return count


def _is_name(words: tuple[tuple[str, int, int], ...]) -> bool:
    texts = [word for word, _, _ in words]
    capital = [word[0].isupper() for word in texts]
    if not any(capital):
        return False
    return all(up or word.lower() in _CONNECTORS or word in ".-–'’" for word, up in zip(texts, capital, strict=True))


def _names(
    a: str, span_a: tuple[int, int], b: str, span_b: tuple[int, int], before: list[str], after: list[str], shared: int
) -> tuple[Slot, Slot] | None:
    """Two names in one place, unless several may stand there or the name is whom the sentence is about."""
    if not any(map(is_verb, before)) or _in_list(before, after):
        return None
    if a[span_a[0] - 1 : span_a[0]] in (".", "_", "/", "`"):
        # part of an identifier
        return None
    following = after[0] if after else ""
    if is_verb(following) and before[-1].lower() not in ("by", "of", "in", "at", "from", "with"):
        return None
    clause = _last_clause(before)
    if shared < _MANY_SHARED and frame_tokens(clause) & LISTED:
        return None
    if before[-1].lower() in _MEASURE_PREPOSITIONS and any(word[0].isdigit() and len(word) != 4 for word in clause):
        return None
    pair = _name_slot(a, span_a), _name_slot(b, span_b)
    return pair if compare(*pair) == "different" else None


def _last_clause(before: list[str]) -> list[str]:
    for index in range(len(before) - 1, -1, -1):
        if before[index] in (",", ";", ":", "(", "—", "–") or before[index].lower() in ("but", "while", "which", "who"):
            return before[index + 1 :]
    return before


def _in_list(before: list[str], after: list[str]) -> bool:
    """Whether the place is one of a list: "A, X and B"."""
    joints = (",", "and", "or", "&", "/")
    if before[-1].lower() in joints and len(before) > 1 and (before[-2][0].isupper() or before[-2] == ","):
        return True
    if not after or after[0].lower() not in joints or len(after) < 2:
        return False
    return after[1][0].isupper() and (after[0] != "," or any(w.lower() in ("and", "or", "&") for w in after[2:8]))


def _name_slot(sentence: str, span: tuple[int, int]) -> Slot:
    surface = sentence[slice(*span)].strip(" .")
    return Slot("name", surface, span[0], span[1], "name", keys=frozenset([name_key(surface)]))


def _figures(
    a: str, span_a: tuple[int, int], b: str, span_b: tuple[int, int], before: list[str]
) -> tuple[Slot, Slot] | None:
    """Two figures or dates in one place."""
    slot_a, slot_b = _slot_at(a, span_a), _slot_at(b, span_b)
    if slot_a is None or slot_b is None or slot_a.kind != slot_b.kind or slot_a.kind == "name":
        return None
    if slot_a.unit != slot_b.unit or slot_a.fixed or slot_b.fixed:
        return None
    if not (_inside(span_a, slot_a) and _inside(span_b, slot_b)):
        # more than the figure differs
        return None
    told = any(map(is_verb, before))
    if slot_a.kind == "date" and (_is_label(a, slot_a) or frame_tokens([w for w, _, _ in _words(a)]) & RECURRING):
        return None
    if slot_a.unit == "ordinal" and not told:
        return None
    return (slot_a, slot_b) if differ_plainly(slot_a, slot_b) else None


_OPENING = 4
"""A date after so few characters opens its sentence ("In 2006, …")."""
_LABEL_AFTER = re.compile(r"[ -][a-z]")
_ZH_LABEL_AFTER = re.compile(r"赛季|年?[度届季]|学年|财年")
_LABEL_BEFORE = re.compile(r"\b(?:[Tt]he|[Aa]n?|[Tt]his|[Tt]hat|[Ii]ts|[Hh]is|[Hh]er|[Tt]heir|[Ss]eason|[Ee]dition) $")


def _is_label(sentence: str, date: Slot) -> bool:
    """Whether a date tells a member of a series from the others ("the 2006 season") or opens the sentence as its scope.

    What is measured then holds at that time, and of another time something else is true.
    """
    if _LABEL_BEFORE.search(sentence[: date.start]) and _LABEL_AFTER.match(sentence, date.end):
        return True
    opens = date.start <= _OPENING and any(
        slot.kind == "number" and slot.surface[:1].isdigit() and not slot.fixed for slot in _slots(sentence)
    )
    return opens or _ZH_LABEL_AFTER.match(sentence, date.end) is not None


def _inside(span: tuple[int, int], slot: Slot) -> bool:
    return slot.start <= span[0] and span[1] <= slot.end


def _slot_at(sentence: str, span: tuple[int, int]) -> Slot | None:
    """The slot that holds all of the span, or the only one that lies in it."""
    touching = [s for s in _slots(sentence) if s.start < span[1] and span[0] < s.end]
    return touching[0] if len(touching) == 1 else None


# --- Chinese ---------------------------------------------------------------------------------------------------------


def _chinese(a: str, b: str, fewest: int) -> tuple[Slot, Slot] | None:
    left = _common(list(a), list(b))
    right = _common(list(reversed(a[left:])), list(reversed(b[left:])))
    span_a, span_b = (left, max(left, len(a) - right)), (left, max(left, len(b) - right))
    if len(_CJK.findall(a[:left] + a[len(a) - right :])) < fewest:
        return None
    slot_a, slot_b = _slot_around(a, span_a), _slot_around(b, span_b)
    if slot_a is None or slot_b is None or slot_a.kind != slot_b.kind or slot_a.unit != slot_b.unit:
        return None
    if slot_a.start != slot_b.start or slot_a.fixed or slot_b.fixed or len(a) - slot_a.end != len(b) - slot_b.end:
        return None
    if slot_a.kind == "name":
        told = slot_a.start > 1 and not ZH_LISTED.search(a) and not re.search(r"[、和与及]$", a[: slot_a.start])
        return (slot_a, slot_b) if told and compare(slot_a, slot_b) == "different" else None
    if slot_a.kind == "date" and (_is_label(a, slot_a) or ZH_RECURRING.search(_clause_around(a, slot_a))):
        return None
    return (slot_a, slot_b) if differ_plainly(slot_a, slot_b) else None


def _clause_around(sentence: str, slot: Slot) -> str:
    left = max(sentence.rfind(mark, 0, slot.start) for mark in "，；")
    right = min((at for mark in "，；。" if (at := sentence.find(mark, slot.end + 1)) >= 0), default=len(sentence))
    return sentence[left + 1 : right]


def _slot_around(sentence: str, span: tuple[int, int]) -> Slot | None:
    """The one slot that holds the whole span (an empty span: an inserted digit)."""
    holding = [s for s in _slots(sentence) if s.start <= span[0] and span[1] <= s.end]
    return holding[0] if len(holding) == 1 else None
