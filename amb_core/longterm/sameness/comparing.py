"""Whether a new text says what a remembered one says: the same, more, otherwise, or something else.

Things said are held against each other word by word. What one text says and the other does not is allowed on one side
only: a word that stands where the other text has another one never counts as the same, whether it is listed or not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from amb_core.agents.contradiction import contradictions
from amb_core.longterm.remarks import plain
from amb_core.longterm.sameness.held import Held, Pair, aligned, crossed, exchanged, left_out, replaced
from amb_core.longterm.sameness.saying import MOST_THINGS, Said, Thing, said
from amb_core.text import detect_language, sentences

__all__ = ["Sameness", "SamenessKind", "compare"]

SamenessKind = Literal["same", "adds", "conflict", "different"]

_LONGEST_ADDITION = 2
_MOST_SENTENCES = 200
_FEW_SENTENCES = 3
_MOST_MET = 5
"""Sentences of a longer text that a sentence is held against."""
_SHORT = 600
"""Characters up to which a text is looked at as one statement."""
_SUBJECT_THINGS = 8
_VALUE_CHARS = 80
_LEAST_COMMON = 0.6
_LIKE_ENOUGH = 0.92
_PERSONAL = re.compile(
    r"(?P<who>[A-Z][\w'-]+(?: [A-Z][\w'-]+)?) (?:always |usually )?(?:prefers|likes|loves|enjoys|hates|dislikes|wants|"
    r"speaks|lives|eats|drinks|plays|is allergic|was born|does ?n[o']t (?:eat|drink|like|speak))\b"
    r"|(?P<wer>[\u4e00-\u9fff]{2,4}?)(?:更?喜欢|偏好|偏爱|讨厌|住在|出生于|会说|不吃|不喝|爱吃|爱喝|对[\u4e00-\u9fff]{1,6}过敏)"
)
_USERS = frozenset(("User", "用户", "本人", "我们", "The"))
_FIGURES = ("number:", "code:")
_TIMES = frozenset(
    (
        "date",
        "part of year",
        "month",
        "relative_day",
        "relative_period",
        "relative_month",
        "relative_quarter",
        "relative_year",
    )
)


@dataclass(frozen=True, slots=True)
class Sameness:
    """`same`: nothing new; `adds`: the same matter and more, nothing contradicts; `conflict`: another value for it.

    A conflict says what about (`subject`) and names the `values`, the old one first.
    """

    kind: SamenessKind
    subject: str = ""
    values: tuple[str, ...] = ()


_HAN = "\u4e00-\u9fff"
_MARK = re.compile(
    rf"(?<![A-Za-z])[A-Z](?=[{_HAN}])|(?<=[{_HAN}])[A-Z](?![A-Za-z])|\b[A-Z]{{1,6}}-\d+\b|\b\d{{4}}-\d{{3,}}\b|#\d+"
)
_WORD = re.compile(rf"[{_HAN}]|[^\W{_HAN}]+|[,;，；、/&=]")
_EITHER_WAY = frozenset("and or nor is are was were equals 和 与 或 及 跟 是 为 ， 、 ； , ; / & =".split())
"""Words on both sides of which things may stand either way."""

_SAME, _ADDS, _DIFFERENT = Sameness("same"), Sameness("adds"), Sameness("different")


def compare(new: str, old: str, *, likeness: float | None = None, topics: tuple[str, str] = ("", "")) -> Sameness:
    """How a new text stands to an old one; texts whose values differ are never `same` or `adds`.

    `likeness` in [0, 1] is an embedder's, None without one: it tells a conflict from another matter where the words
    leave it open, and never makes two texts the same. `topics` name what the new and the old text are about. What
    merging wrote beside a text (an earlier value, the date of a line) does not count.
    """
    new, old = plain(new), plain(old)
    folded = " ".join(new.split()), " ".join(old.split())
    if folded[0] == folded[1]:
        return _SAME
    if not all(folded):
        return _DIFFERENT
    if _marks(new) != _marks(old):
        return _DIFFERENT
    if len(new) < _SHORT and _changed_places(new, old):
        return Sameness("conflict", subject=_clip(old), values=(_clip(old), _clip(new)))
    parts = sentences(new), sentences(old)
    if max(map(len, parts)) > _MOST_SENTENCES:
        return _DIFFERENT  # what is not read to its end is never said to be known
    if len(parts[0]) == len(parts[1]) == 1:
        found = _compared(said(new), said(old), likeness)
    else:
        found = _by_sentences(*parts, likeness)
    if found.kind == "different" and _may_speak_of_one(said(new), said(old)):
        told = contradictions(old, new, topics=(topics[1], topics[0]))
        if told:
            return Sameness("conflict", told[0].subject, told[0].values)
    return _DIFFERENT if found.kind == "conflict" and not found.subject.strip() else found


def _marks(text: str) -> set[str]:
    """What names one of several things of a kind: the letter in A栋, the number in A-17 or 2025-044."""
    return set(_MARK.findall(text))


def _changed_places(new: str, old: str) -> bool:
    """Whether two parts of a text stand on the other sides of a third, which is no mere "and" or "is".

    Word for word the same but for that: "Peter reports to Anna" and the other way round, 甲收购乙 and 乙收购甲.
    """
    one, other = _WORD.findall(new.casefold()), _WORD.findall(old.casefold())
    if len(one) != len(other) or sorted(one) != sorted(other):
        return False
    differ = [place for place in range(len(one)) if one[place] != other[place]]
    if not differ:
        return False
    one, other = one[differ[0] : differ[-1] + 1], other[differ[0] : differ[-1] + 1]
    for first in range(1, len(one) - 1):
        if one[:first] != other[-first:]:
            continue
        for last in range(1, len(one) - first):
            between = one[first:-last]
            if one[-last:] == other[:last] and between == other[last:-first] and not set(between) <= _EITHER_WAY:
                return True
    return False


def _may_speak_of_one(new: Said, old: Said) -> bool:
    if max(len(new.things), len(old.things)) > MOST_THINGS:
        return False
    held = aligned(new, old)
    return not _of_other_things(new, old) and any(p[0].use != "soft" for p in held.counted)


# --- two statements --------------------------------------------------------------------------------------------------


def _compared(new: Said, old: Said, likeness: float | None = None) -> Sameness:
    if max(len(new.things), len(old.things)) > MOST_THINGS:
        return _DIFFERENT
    held = aligned(new, old)
    changed = exchanged(held, new, old)
    turned = crossed(held, new, old)
    if not held.counted and not changed:
        return _DIFFERENT
    if changed or turned or _apart(held, new, old):
        return _conflict(held, new, old, changed, turned, likeness)
    if not held.counted:
        return _DIFFERENT
    more = _said_out(held.more)
    if not more:
        return _SAME
    return _ADDS if len(held.counted) > 1 or len(more) <= _LONGEST_ADDITION else _DIFFERENT


def _said_out(things: Iterable[Thing]) -> list[Thing]:
    return [thing for thing in things if thing.use != "soft"]


def _apart(held: Held, new: Said, old: Said) -> bool:
    """Whether something may have been exchanged: both say something that the other does not."""
    clock = any(pair[0].kind == "clock" for pair in held.pairs)
    if any(thing.use == "strict" or (clock and thing.kind == "daypart") for thing in (*held.more, *held.less)):
        return True
    if _said_out((*held.more, *held.less)) and _relations(new) != _relations(old):
        return True
    if (_said_out(held.more) and _said_out(held.less)) or left_out(held):
        return True
    if new.ors != old.ors and (new.ands or old.ands):
        return True
    if (new.must and old.may and not old.must) or (old.must and new.may and not new.must):
        return True
    return _of_another(held.more, new, old) or _of_another(held.less, old, new)


def _relations(text: Said) -> set[str]:
    """The relations of a formula that a text has."""
    return {relation for thing in text.things for relation in thing.relations} & {"below", "taken"}


def _of_another(extra: Sequence[Thing], one: Said, other: Said) -> bool:
    """Whether one text says of somebody else what the other says of the user."""
    return "user" in other.keys and "user" not in one.keys and any(t.place == 0 and t.use == "hard" for t in extra)


# --- conflicts -------------------------------------------------------------------------------------------------------


def _conflict(
    held: Held, new: Said, old: Said, changed: Sequence[Pair], turned: Sequence[Pair], likeness: float | None
) -> Sameness:
    """A conflict where the texts are about one matter and differ in one thing; else something different."""
    more, less = _said_out(held.more), _said_out(held.less)
    if _of_other_things(new, old):
        return _DIFFERENT
    if turned and not (more and less) and _common(held, ()) >= _LEAST_COMMON:
        return _told(held, (_clip(old.text), _clip(new.text)))
    kinds = [(x, y) for x, y in changed if x.kind and x.kind == y.kind]
    if kinds:
        rest = (
            [t for t in more if all(t is not x for x, _ in kinds)],
            [t for t in less if all(t is not y for _, y in kinds)],
        )
        if not (rest[0] and rest[1]) and not _of_other_times(held, kinds) and _common(held, kinds) >= _LEAST_COMMON:
            return _told(held, (kinds[0][1].surface, kinds[0][0].surface))
    elif held.counted and (chunk := replaced(new, old)):
        return _told(held, (_run(chunk[1]), _run(chunk[0])))
    elif (
        held.counted
        and _may_be_values(more, less, bool(changed))
        and _common(held, tuple(zip(more, less, strict=False))) >= _LEAST_COMMON
    ):
        return _told(held, (_run(less), _run(more)))
    alone = len(_runs(more)) == len(_runs(less)) == 1
    if likeness is not None and likeness >= _LIKE_ENOUGH and changed and held.counted and alone:
        return _told(held, (changed[0][1].surface, changed[0][0].surface))
    return _DIFFERENT


def _of_other_things(new: Said, old: Said) -> bool:
    """Whether a number, letter or code tells apart what the texts are about ("Shelf A …", "Shelf B …").

    Two figures that both differ do so as well: the price of item 5 is 15, that of item 6 is 18.
    """
    one, other = _identified(new), _identified(old)
    if (one and other and one != other) or _of_other_people(new.text, old.text):
        return True
    figures = [[thing.key for thing in text.things if thing.key.startswith(_FIGURES)] for text in (new, old)]
    if len(figures[0]) != len(figures[1]):
        return False
    return len([x for x, y in zip(*figures, strict=True) if x != y]) > 1


def _of_other_people(new: str, old: str) -> bool:
    """Whether the one is what one person likes, eats or speaks, and the other what another does."""
    found = _PERSONAL.match(new), _PERSONAL.match(old)
    if not found[0] or not found[1]:
        return False
    one, other = (match["who"] or match["wer"] for match in found if match)
    return one != other and not {one, other} & _USERS


def _identified(text: Said) -> str:
    """What tells the thing a text begins with from others of its sort, "" for none."""
    for thing in text.things[:2]:
        if thing.kind not in ("number", "code") and not (thing.key.startswith("word:") and len(thing.surface) == 1):
            continue
        first = text.things[0]
        noun = first.key == "user" or (first.use == "hard" and first.kind in ("", "staff"))
        end = thing.start + len(thing.surface)
        if thing.place == 0 or noun or text.text[end : end + 1] in (":", "："):
            return thing.key
    return ""


def _runs(things: Sequence[Thing]) -> list[list[Thing]]:
    """Things that stand next to each other together: the words of a name."""
    runs: list[list[Thing]] = []
    for thing in things:
        if runs and thing.place == runs[-1][-1].place + 1:
            runs[-1].append(thing)
        else:
            runs.append([thing])
    return runs


def _of_other_times(held: Held, changed: Sequence[Pair]) -> bool:
    """Whether the texts tell of two times, so that both may be true; a term or deadline is no such time."""
    dated = [x for x, _ in changed if x.kind in _TIMES]
    if not dated or any(pair[0].kind in ("until", "when") for pair in held.pairs):
        return False
    return any(x.kind not in _TIMES for x, _ in changed) or all(
        x.kind == "part of year" or x.key.removeprefix("date:").isdigit() for x in dated
    )


def _may_be_values(more: Sequence[Thing], less: Sequence[Thing], in_one_place: bool) -> bool:
    """Whether what only the one and only the other text says are two values of one kind nobody listed."""
    if not more or not less or any(thing.kind for thing in (*more, *less)):
        return False
    if len(more) == len(less) == 1:
        return in_one_place
    if len(_runs(more)) > 1 or len(_runs(less)) > 1:
        return False
    return max(len(more), len(less)) < 4 and all(thing.key.startswith(("word:", "han:")) for thing in (*more, *less))


def _run(things: Sequence[Thing]) -> str:
    return _beside([thing.surface for thing in things])


def _common(held: Held, changed: Sequence[Pair]) -> float:
    """The share of what the shorter text says that the other says, too; what was exchanged counts as said."""
    both = sum(_weight(pair[0]) for pair in held.pairs) + len({x.key for x, _ in changed})
    only = [sum(map(_weight, side)) for side in (held.more, held.less)]
    only[0] -= len({x.key for x, _ in changed})
    only[1] -= len({y.key for _, y in changed})
    return both / (both + max(0.0, min(only))) if both else 0.0


def _weight(thing: Thing) -> float:
    return 0.4 if thing.use == "soft" else 1.0


def _told(held: Held, values: tuple[str, str]) -> Sameness:
    subject = sorted(held.counted or held.pairs, key=lambda pair: pair[0].place)
    found = dict.fromkeys(pair[0].surface for pair in subject)
    return Sameness("conflict", _beside(list(found)[:_SUBJECT_THINGS]), values)


def _beside(surfaces: Sequence[str]) -> str:
    """Words side by side, with spaces where their language has them."""
    text = " ".join(surfaces)
    return text.replace(" ", "") if surfaces and detect_language(text) == "zh" else text


def _clip(text: str) -> str:
    folded = " ".join(text.split())
    return folded if len(folded) <= _VALUE_CHARS else folded[: _VALUE_CHARS - 1] + "…"


# --- texts of several sentences --------------------------------------------------------------------------------------


def _by_sentences(new: Sequence[str], old: Sequence[str], likeness: float | None) -> Sameness:
    """Sentence against sentence; few sentences also as a whole, for one may say in two what the other says in one."""
    known: set[int] = set()
    fresh: list[Said] = []
    all_met = True
    conflict: Sameness | None = None
    new, old = list(dict.fromkeys(new)), list(dict.fromkeys(old))
    others = [said(other) for other in old]
    for sentence in map(said, new):
        met = {place: _compared(sentence, others[place], likeness) for place in _nearest(sentence, others)}
        found = list(met.values())
        known.update(place for place, sameness in met.items() if _covers(sameness, sentence, old[place]))
        kinds = {sameness.kind for sameness in found}
        if "same" not in kinds:
            fresh.append(sentence)
            all_met &= "adds" in kinds
            conflict = conflict or next((sameness for sameness in found if sameness.kind == "conflict"), None)
    if conflict is not None:
        return conflict
    if not fresh:
        return _SAME
    left = [said(other) for place, other in enumerate(old) if place not in known]
    if (known or all_met) and not _touch(fresh, left):
        return _ADDS
    if max(len(new), len(old)) <= _FEW_SENTENCES:
        return _compared(said("\n".join(new)), said("\n".join(old)), likeness)
    return _DIFFERENT


def _nearest(sentence: Said, others: Sequence[Said]) -> list[int]:
    """The places of the sentences it is held against: all of a few, of many those with most in common."""
    if len(others) <= _FEW_SENTENCES:
        return list(range(len(others)))
    common = [len(sentence.keys & other.keys) for other in others]
    best = sorted((place for place in range(len(others)) if common[place]), key=lambda place: -common[place])
    return sorted(best[:_MOST_MET])


def _covers(sameness: Sameness, sentence: Said, other: str) -> bool:
    """Whether the old sentence says nothing that the new one does not."""
    return sameness.kind == "adds" or (sameness.kind == "same" and not _said_out(aligned(sentence, said(other)).less))


def _touch(fresh: Sequence[Said], left: Sequence[Said]) -> bool:
    """Whether sentences may be about the matter of others: they share a word, or give two values of one kind."""
    known = {thing.key for other in left for thing in other.things}
    known.update(thing.kind for other in left for thing in other.things if thing.kind)
    return any(
        thing.key in known or thing.kind in known for one in fresh for thing in one.things if thing.key != "user"
    )
