"""What is known of one user, as a block: whole where it fits, newest first, dated, what was said before behind it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from amb_core.rendering import Language
from amb_core.rendering.labels import MEMORY_CLOSE, MEMORY_OPEN, PROFILE_HEADS
from amb_core.rendering.safe_text import clip_line
from amb_core.text import detect_language, estimate_tokens
from amb_longterm.free_changes import earlier_of
from amb_longterm.memory_records import MemoryRecord, day_of
from amb_longterm.sameness import denied_terms, denies, frame_key, replaces

__all__ = ["KnownOfUser", "ProfileBlock", "ProfileItem", "profile_block", "profile_items"]

_LARGEST_SHARE = 0.4
"""No memory takes more of the room than this."""
_LITTLE = 0.25
"""What matters less than this goes first where not all fits."""
_COMPARED = 16
"""So many groups that begin alike are compared with a record."""
_TELLING = 20
"""So many of the newest memories say in which language a block speaks."""
_EARLIER: dict[Language, str] = {"en": "earlier", "zh": "此前"}
_REPORTED: dict[Language, str] = {"en": "a worker's finding", "zh": "子智能体得出"}
_MORE: dict[Language, str] = {"en": "… and {} more that do not fit here.", "zh": "……另有 {} 条放不下。"}


@dataclass(frozen=True, slots=True)
class ProfileItem:
    """A record, and what was said of the same before it, the newest first, with the time of each (0 for unknown).

    `ids` are those of all records in it.
    """

    record: MemoryRecord
    earlier: tuple[tuple[float, str], ...] = ()
    ids: frozenset[str] = frozenset()

    @property
    def matters_little(self) -> bool:
        """Whether it is left out before what matters more."""
        return self.record.importance < _LITTLE


@dataclass(frozen=True, slots=True)
class ProfileBlock:
    """A block ("" when nothing is known), the items that it shows, and whether these are all."""

    text: str = ""
    shown: tuple[ProfileItem, ...] = ()
    is_whole: bool = True


@dataclass(frozen=True, slots=True)
class KnownOfUser:
    """What is known of a user, newest first; items with a record in `first` go first where not all fit.

    `unread` is how many records there are beside these.
    """

    items: tuple[ProfileItem, ...] = ()
    unread: int = 0
    first: frozenset[str] = frozenset()

    def block(self, *, room: int, language: Language | None = None) -> ProfileBlock:
        """The block of at most `room` tokens; `language` is that of its fixed words, by default of what it says."""
        told = language or detect_language(" ".join(item.record.content for item in self.items[:_TELLING]))
        return profile_block(self.items, room=room, language=told, first=self.first, unread=self.unread)

    def only(self, wanted: Callable[[ProfileItem], bool], *, unread: int = 0) -> KnownOfUser:
        """Some of the items, as if there were no others but those `unread`."""
        return KnownOfUser(tuple(filter(wanted, self.items)), unread, self.first)


def profile_items(records: Iterable[MemoryRecord]) -> list[ProfileItem]:
    """Records, given newest first, each with those behind it whose place it takes; what was told at one time stands in
    the order in which it was told."""
    groups: list[list[MemoryRecord]] = []
    alike: dict[tuple[object, ...], list[list[MemoryRecord]]] = {}
    for record in records:
        if record.key:  # a record of the caller's own stands for itself
            groups.append([record])
            continue
        said, home = denies(record.content), (record.namespace, record.type)
        frame, terms = (*home, "frame", *frame_key(record.content)), denied_terms(record.content)
        looked = [frame, *((*home, not said, term) for term in terms)]
        near = (each for key in looked for each in alike.get(key, ())[-_COMPARED:])
        group = next((each for each in near if _takes_place(each, record)), None)
        if group is None:
            groups.append(group := [])
        group.append(record)
        for key in (frame, *((*home, said, term) for term in terms)):
            alike.setdefault(key, []).append(group)
    items = [_item(group) for group in reversed(_with_changes(groups))]
    return sorted(items, key=lambda item: -item.record.updated_at)


def _with_changes(groups: Sequence[list[MemoryRecord]]) -> list[list[MemoryRecord]]:
    """The groups, each whose newest record a later one changes in free words behind the group of that one."""
    flat = [(record, group) for group in groups for record in group if not record.key and record.is_of_user]
    flat.sort(key=lambda each: -each[0].updated_at)
    changed = earlier_of([record.content for record, _ in flat])
    joined = {id(group): [*group] for group in groups}
    for old, new in sorted(changed.items(), reverse=True):  # the oldest first, so that a chain comes together
        (record, older), (_, newer) = flat[old], flat[new]
        if older is not newer and record is older[0] and id(older) in joined and id(newer) in joined:
            joined[id(newer)] += joined.pop(id(older))
    return [sorted(joined[id(group)], key=lambda record: -record.updated_at) for group in groups if id(group) in joined]


def _takes_place(group: Sequence[MemoryRecord], record: MemoryRecord) -> bool:
    """Whether the newest or the oldest of a group takes the place of a record that is older still."""
    if replaces(group[0].content, record.content):
        return True
    return len(group) > 1 and replaces(group[-1].content, record.content)


def profile_block(
    items: Sequence[ProfileItem],
    *,
    room: int,
    language: Language,
    first: Collection[str] = (),
    unread: int = 0,
) -> ProfileBlock:
    """The block of at most `room` tokens, tags included; where not all fits, items with a record in `first` go first.

    `unread` is how many records there are beside these. No text can close the block or pose as a line of it.
    """
    longest = max(16, int(room * _LARGEST_SHARE))
    lines = [_lines(item, longest, language) for item in items]
    order = sorted(range(len(items)), key=lambda at: (items[at].ids.isdisjoint(first), items[at].matters_little))
    left, chosen = room - estimate_tokens(_block([], language, more=len(items) + unread)), list[int]()
    for at in order:
        while len(lines[at]) > 1 and _cost(lines[at]) > left:
            lines[at].pop()
        if _cost(lines[at]) <= left:
            chosen.append(at)
            left -= _cost(lines[at])
    while True:
        cut = sum(1 + len(items[at].earlier) - len(lines[at]) for at in chosen)
        more = len(items) - len(chosen) + unread + cut
        text = _block([line for at in sorted(chosen) for line in lines[at]], language, more=more)
        if not chosen:
            return ProfileBlock(is_whole=not more)
        if estimate_tokens(text) <= room:
            return ProfileBlock(text, tuple(items[at] for at in sorted(chosen)), not more)
        chosen.pop()


def _cost(lines: Sequence[str]) -> int:
    return estimate_tokens("\n".join(lines)) + 1


def _item(group: Sequence[MemoryRecord]) -> ProfileItem:
    newest = group[0]
    told = [(each.updated_at, each.content) for each in group[1:]]
    told += [(0.0, line) for each in group for line in each.earlier.splitlines() if line.strip()]
    once = {" ".join(text.split()): (at, text) for at, text in reversed(told)}
    once.pop(" ".join(newest.content.split()), None)
    earlier = tuple(sorted(once.values(), key=lambda each: -each[0]))
    return ProfileItem(newest, earlier, frozenset(each.id for each in group))


def _lines(item: ProfileItem, longest: int, language: Language) -> list[str]:
    """One line for what is so, behind a dash and its date, and one for each thing that was said before."""
    record = item.record
    reported = record.source == "worker"
    marks = [day_of(record.updated_at), *([_REPORTED[language]] if reported else [])]
    lines = [f"- {', '.join(marks)}: {clip_line(record.content, longest)}"]
    for at, text in item.earlier:
        when = f" {day_of(at)}" if at else ""
        lines.append(f"  {_EARLIER[language]}{when}: {clip_line(text, longest // 2)}")
    return lines


def _block(lines: Sequence[str], language: Language, *, more: int) -> str:
    rest = [_MORE[language].format(more)] if more else []
    return "\n".join([MEMORY_OPEN, PROFILE_HEADS[language], *lines, *rest, MEMORY_CLOSE])
