"""Two texts held against each other: what both say, what only one says, and what has changed places or sides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from amb_core.longterm.sameness.saying import Said, Thing

__all__ = ["Held", "Pair", "aligned", "crossed", "exchanged", "left_out", "replaced"]

Pair = tuple[Thing, Thing]

_ENDINGS = frozenset(
    ("ment", "er", "or", "ion", "ation", "al", "ally", "ly", "ness", "abl", "able", "anc", "ing", "iz", "ist")
)
_SHORTEST_ROOT = len("word:") + 5
_LONGEST_VALUE = 4
_ALIKE = 0.6
_USER = "user"
_ACTIONS = frozenset(
    "send write save check sign query calculate sort mark analysis charge prepare notify show handle contact".split()
)
_ONE_ACTION = (
    {"send", "notify"}, {"write", "save"}, {"write", "prepare"}, {"prepare", "show"}, {"calculate", "prepare"},
    {"contact", "notify"}, {"contact", "send"}, {"write", "show"}, {"mark", "show"}, {"calculate", "analysis"},
    {"calculate", "handle"}, {"check", "handle"}, {"save", "show"}, {"prepare", "send"}, {"show", "send"},
)  # fmt: skip
"""Actions that one may be told for the other."""
_STEPS = {"later", "earlier"}
_ORDERING = {"later", "earlier", "below", "taken"}
_FREELY_ORDERED = frozenset(("staff", "aggregate", "time_unit", "grain", "extent", "size"))
_DAYPARTS = {
    "morning": (4, 12),
    "noon": (11, 14),
    "afternoon": (12, 18),
    "evening": (17, 23),
    "night": (20, 30),
    "dawn": (0, 6),
    "midnight": (24, 24),
}
"""The hours a part of the day has, of this day and the next."""


@dataclass(frozen=True, slots=True)
class Held:
    """The pairs of things both texts say (new, old), and what only the new (`more`) or the old one (`less`) says."""

    pairs: tuple[Pair, ...]
    more: tuple[Thing, ...]
    less: tuple[Thing, ...]

    @property
    def counted(self) -> tuple[Pair, ...]:
        """The pairs that say what the texts are about: not that there is a user."""
        return tuple(pair for pair in self.pairs if pair[0].key != _USER)


def aligned(new: Said, old: Said) -> Held:
    """Things with the same key belong together, and those of which one is a form of the other."""
    first = {thing.key: thing for thing in reversed(old.things)}
    pairs = [(thing, first[thing.key]) for thing in new.things if thing.key in first]
    more, less = _beyond(new.things, old.things), _beyond(old.things, new.things)
    for x in list(more):
        if (y := next((y for y in less if _akin(x.key, y.key)), None)) is not None:
            pairs.append((x, y))
            more.remove(x)
            less.remove(y)
    pairs += _joined(more, less, old)
    pairs += [(part, thing) for thing, part in _joined(less, more, new)]
    counts = any(map(_is_number, less)), any(map(_is_number, more))
    clocks = [pair[0].key for pair in pairs if pair[0].kind == "clock"]
    more = [thing for thing in more if (thing.key != "number:1|" or counts[0]) and not _told_by(thing, clocks)]
    less = [thing for thing in less if (thing.key != "number:1|" or counts[1]) and not _told_by(thing, clocks)]
    hard = [any(thing.use != "soft" for thing in side) for side in (more, less)]
    if hard[0] and not hard[1]:
        less += _said_less(old, new)
    elif hard[1] and not hard[0]:
        more += _said_less(new, old)
    return Held(tuple(pairs), tuple(more), tuple(less))


def _said_less(one: Said, other: Said) -> list[Thing]:
    """What one text says more often than the other, which has another word in its place."""
    spare = Counter(thing.key for thing in one.things if thing.use != "soft")
    spare.subtract(thing.key for thing in other.things)
    return [thing for thing in one.things if spare[thing.key] > 0 and thing.key in other.keys]


def _told_by(thing: Thing, clocks: Iterable[str]) -> bool:
    """Whether a time of day only repeats what a time both texts give says."""
    first, last = _DAYPARTS.get(thing.key, (25, 25))
    return thing.kind == "daypart" and any(
        first <= hour <= last or first <= hour + 24 <= last for hour in (int(key[6:8]) for key in clocks)
    )


def _joined(these: list[Thing], those: list[Thing], other: Said) -> list[Pair]:
    """Takes out Chinese that one text writes together and the other apart: 合格线索 and 线索…合格."""
    found: list[Pair] = []
    for thing in [thing for thing in these if thing.key.startswith("han:")]:
        rest, parts = thing.surface, []
        for part in sorted(other.things, key=lambda part: -len(part.surface)):
            if len(part.surface) > 1 and part.key.startswith("han:") and part.surface in rest:
                rest = rest.replace(part.surface, "", 1)
                parts.append(part)
        if len(parts) > 1 and not rest:
            these.remove(thing)
            found.append((thing, parts[0]))
            those[:] = [part for part in those if part not in parts]
    return found


def _is_number(thing: Thing) -> bool:
    return thing.key.startswith("number:") and thing.key != "number:1|"


def _is_figure(thing: Thing) -> bool:
    return thing.key.startswith(("number:", "date:", "code:"))


def _beyond(things: Iterable[Thing], others: Iterable[Thing]) -> list[Thing]:
    """What the one side says and the other does not; figures count as often as they are said."""
    known = Counter(thing.key for thing in others)
    used: Counter[str] = Counter()
    found: list[Thing] = []
    for thing in things:
        used[thing.key] += 1
        counted = _is_figure(thing) or thing.use == "strict"
        enough = used[thing.key] <= known[thing.key] if counted else known[thing.key] or used[thing.key] > 1
        if not enough:
            found.append(thing)
    return found


def _akin(a: str, b: str) -> bool:
    """Whether one unknown word is a form of the other ("deploy", "deployment")."""
    if not (a.startswith("word:") and b.startswith("word:")):
        return False
    short, long = sorted((a, b), key=len)
    return len(short) >= _SHORTEST_ROOT and long.startswith(short) and long[len(short) :] in _ENDINGS


# --- exchanged -------------------------------------------------------------------------------------------------------


def exchanged(held: Held, new: Said, old: Said) -> list[Pair]:
    """Things that stand where the other text has something else: of one kind, or in one place."""
    found = [(x, y) for x in held.more for y in held.less if x.kind and x.kind == y.kind]
    places = {(x.place, y.place) for x, y in found}
    for x, y in _in_one_place(held, new, old):
        if (x.place, y.place) not in places:  # a table has thousands of pairs
            places.add((x.place, y.place))
            found.append((x, y))
    return found


def _in_one_place(held: Held, new: Said, old: Said) -> Iterator[Pair]:
    common = {pair[0].key for pair in held.pairs} | {pair[1].key for pair in held.pairs}
    for x in held.more:
        for y in held.less:
            if _tells(x, y) and _neighbours(x, new, common) & _neighbours(y, old, common):
                yield x, y
    yield from _replaced(new, old)


def left_out(held: Held) -> bool:
    """Whether one text tells of an action that the other does not, which has something else to say."""
    return any(
        any(thing.key in _ACTIONS for thing in one) and any(thing.use != "soft" for thing in other)
        for one, other in ((held.more, held.less), (held.less, held.more))
    )


def _tells(x: Thing, y: Thing) -> bool:
    """Whether it is something else when the one stands for the other: one is hard, or both are different actions."""
    if x.use != "soft" or y.use != "soft":
        return True
    return x.key in _ACTIONS and y.key in _ACTIONS and {x.key, y.key} not in _ONE_ACTION


def _neighbours(thing: Thing, text: Said, common: set[str]) -> set[tuple[str, str]]:
    """The nearest things before and behind that both texts have."""
    before = next((t.key for t in reversed(text.things[: thing.place]) if t.key in common), "")
    behind = next((t.key for t in text.things[thing.place + 1 :] if t.key in common), "")
    return {("before", before), ("behind", behind)} - {("before", ""), ("behind", "")}


def _replaced(new: Said, old: Said) -> Iterator[Pair]:
    """Where two texts are alike in most of their order, the places at which one has another thing."""
    a, b = [thing.key for thing in new.things], [thing.key for thing in old.things]
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    if len(a) < 2 or matcher.quick_ratio() < 0.5 or matcher.ratio() < 0.5:
        return
    come, gone = Counter(a) - Counter(b), Counter(b) - Counter(a)
    for name, i, i_end, j, j_end in matcher.get_opcodes():
        if name != "replace":
            continue
        here, there = set(a[i:i_end]), set(b[j:j_end])
        for x in (thing for thing in new.things[i:i_end] if thing.key not in there and thing.key != _USER):
            for y in (thing for thing in old.things[j:j_end] if thing.key not in here and thing.key != _USER):
                alike = (x.kind and x.kind == y.kind) or (x.named and y.named)
                if alike or (come[x.key] and gone[y.key] and _tells(x, y)):
                    yield x, y


def replaced(new: Said, old: Said) -> tuple[list[Thing], list[Thing]] | None:
    """The one stretch in which two texts of one order differ; None when they differ in more, or are little alike."""
    a, b = [thing.key for thing in new.things], [thing.key for thing in old.things]
    same_start = next((at for at, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    rest = min(len(a), len(b)) - same_start
    same_end = next((at for at in range(rest) if a[-1 - at] != b[-1 - at]), rest)
    here, there = new.things[same_start : len(a) - same_end], old.things[same_start : len(b) - same_end]
    alike = 2 * (same_start + same_end) / (len(a) + len(b)) if a or b else 0.0
    short = 0 < len(here) <= _LONGEST_VALUE and 0 < len(there) <= _LONGEST_VALUE
    return (list(here), list(there)) if short and alike >= _ALIKE else None


# --- crossed ---------------------------------------------------------------------------------------------------------


def crossed(held: Held, new: Said, old: Said) -> list[Pair]:
    """Pairs that one text denies and the other does not, or that have changed places in a relation."""
    found = [pair for pair in held.pairs if {pair[0].side, pair[1].side} == {"+", "-"}]
    if new.denials != old.denials:
        found += [pair for pair in held.pairs if pair[0].side != pair[1].side][:1] or list(held.pairs[:1])
    elif new.denials and not any(pair[0].side in "-~" and pair[1].side in "-~" for pair in held.pairs):
        found += [pair for pair in held.pairs if "-" in (pair[0].side, pair[1].side)][:1] or list(held.pairs[:1])
    now, before = _relations(new), _relations(old)
    for relation in ("later", "earlier", "below", "taken", "from", "to", "by", "per", "of", "agent"):
        gone = [p for p in held.pairs if relation in now[p[0].key] and relation not in before[p[1].key]]
        come = [p for p in held.pairs if relation in before[p[1].key] and relation not in now[p[0].key]]
        if gone and come:
            found.append(gone[0])
    for pair in held.pairs:
        said = now[pair[0].key], before[pair[1].key]
        if len(said[0]) == len(said[1]) == 1 and said[0] | said[1] == _STEPS:
            found.append(pair)
    found += _reordered(held) or _other_voice(held)
    return found + _rebound(held, new, old)


def _relations(text: Said) -> dict[str, set[str]]:
    """The relations in which each thing of a text is said, wherever it is."""
    found: dict[str, set[str]] = {}
    for thing in text.things:
        found.setdefault(thing.key, set()).update(thing.relations)
    return found


def _reordered(held: Held) -> list[Pair]:
    """Things of one kind that have changed places although nothing says in which relation they stand."""
    plain = [
        pair
        for pair in held.pairs
        if (pair[0].kind or _is_named(pair))
        and pair[0].kind not in _FREELY_ORDERED
        and not (_ORDERING & (pair[0].relations | pair[1].relations))
        and "from" not in pair[0].relations & pair[1].relations
        and pair[0].side == pair[1].side == "+"
    ]
    for at, one in enumerate(plain):
        for other in plain[at + 1 :]:
            alike = one[0].kind == other[0].kind and one[0].key != other[0].key
            if not alike or _voiced(one) or _voiced(other) or not _turned(one, other):
                continue
            if not (_listed(one[0], other[0]) and _listed(one[1], other[1])):
                return [one]
    return []


def _other_voice(held: Held) -> list[Pair]:
    """Who does it in one text and has it done to them in the other: "X sued Y", "X was sued by Y"."""
    for one in held.pairs:
        if not _voiced(one):
            continue
        for other in held.pairs:
            beside = abs(one[0].place - other[0].place) == 1 == abs(one[1].place - other[1].place)
            alike = _is_named(other) or _may_be_named(other) or one[0].kind == other[0].kind != ""
            if other is not one and alike and not beside and not _voiced(other) and not _turned(one, other):
                return [one]
    return []


def _is_named(pair: Pair) -> bool:
    return pair[0].named or pair[1].named


def _may_be_named(pair: Pair) -> bool:
    """Whether a word nobody listed may be a name: one with a capital, or a Chinese one."""
    key, surface = pair[0].key, pair[0].surface
    return pair[0].use == "hard" and ((key.startswith("word:") and surface[0].isupper()) or key.startswith("han:"))


def _voiced(pair: Pair) -> bool:
    """Whether one text says in the passive who does it and the other does not: then the order is another."""
    return ("agent" in pair[0].relations) != ("agent" in pair[1].relations)


def _turned(one: Pair, other: Pair) -> bool:
    return (one[0].place < other[0].place) != (one[1].place < other[1].place)


def _listed(one: Thing, other: Thing) -> bool:
    """Whether two things stand in a list, where their order says nothing."""
    return abs(one.place - other.place) == 1 == abs(one.group - other.group)


def _rebound(held: Held, new: Said, old: Said) -> list[Pair]:
    """Figures that have exchanged what they belong to ("10 % for gold, 20 % for silver")."""
    figures = [pair for pair in held.pairs if _is_figure(pair[0]) or pair[0].named]
    if len(figures) < 2:
        return []
    common = {pair[0].key for pair in held.pairs if not _is_figure(pair[0]) and not pair[0].named}
    bound = [(_anchor(x, new, common), _anchor(y, old, common)) for x, y in figures]
    for one, (new_one, old_one) in enumerate(bound):
        for new_other, old_other in bound[one + 1 :]:
            if new_one and old_one and new_one == old_other != old_one == new_other:
                return [figures[one]]
    return []


def _anchor(figure: Thing, text: Said, common: set[str]) -> str:
    """The nearest thing both texts have, rather one of the same part."""
    near = (
        (thing.group != figure.group, abs(thing.place - figure.place), thing.place > figure.place, thing.key)
        for thing in text.things
        if thing.key in common and thing.use != "soft"
    )
    return min(near, default=(False, 0, False, ""))[3]
