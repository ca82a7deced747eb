"""Which names of a Chinese book mean the same person: where its text says so, or where no other can be meant."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from amb_book.cast.chinese_cast import BookName, ChineseBook, book_names
from amb_book.cast.chinese_name_words import FUNCTION, OFFICES, TITLES
from amb_book.cast.found_names import FoundName
from amb_book.statements import EntityKind
from amb_core.text.chinese_words import COMPOUND_SURNAMES, SURNAMES

__all__ = ["chinese_groups", "is_chinese", "is_whole", "surname_of"]

_H = r"\u3400-\u9fff"
_SUR = f"(?:{'|'.join(COMPOUND_SURNAMES)}|[{SURNAMES}])"
_INTRODUCED = re.compile(
    rf"姓(?P<s>{_SUR})，?(?:双)?(?:单)?(?:讳|名)(?:唤|叫|是|为)?(?P<g>[{_H}]{{1,2}}?)(?:，?(?:表)?字(?P<z>[{_H}]{{2}}))?"
    rf"(?:，后改(?:字)?(?P<y>[{_H}]{{2}}))?(?=[，。；：、“”（\s也者]|$)"
)
_STYLED = re.compile(rf"(?P<n>{_SUR}[{_H}]{{1,2}})[，,]?(?:表)?字(?P<z>[{_H}]{{2}})(?=[，。；：、也者乃\s]|$)")
_GIVEN_STYLE = re.compile(rf"(?:(?<=[。，；\n\s])|^)(?P<g>[{_H}])字(?P<z>[{_H}]{{2}})(?=[，。；、])", re.MULTILINE)
_CALLED = re.compile(
    r"(?:绰号|浑名|诨名|混名|诨号|浑号|外号|道号|法号|法名|乳名|小名|小字|人送外号|江湖人称|人称|人都称|人都叫|人唤做)"
    rf"(?:唤做|唤作|叫做|叫作|为|是|作|他做|他是|他|做|曰)?[“「]?(?P<z>[{_H}]{{2,5}}?)[”」]?(?=[，。；：！、“”（\s的]|$)"
)
_HEAD = re.compile(rf"(?:^|[^{_H}])[是乃即]?([{_H}]{{2,4}})(?:[，,]|的|者，|，[^，。]{{1,6}}，)?$")
_TITLED = re.compile(rf"(?P<s>{_SUR})(?P<t>[大二三]?(?:{OFFICES}|妹妹|哥哥|学究|皇叔|贼|行者|大圣|僧))")
_FOND = re.compile(rf"[小老阿](?P<g>[{_H}])|(?P<h>[{_H}])(?:姐|哥|姐儿|哥儿|丫头|妹妹|姐姐)")
_NOT_BEFORE = "假真小老大那这连向与同像对从跟和给叫找见替被"
_SURNAMED = re.compile(rf"(?:(?<![{_H}])|(?<=[{''.join(sorted(FUNCTION))}]))(?P<s>{_SUR})(?=(?P<g>[{_H}]{{2}}))")
_OFFICE = re.compile(f"[大二三四五六七八九]?(?:{TITLES}|[家某妈婆母嫂])")
_STOPS = "。！？；，\n"
_AROUND = 300
_LEAST = 3


class _Groups:
    """Names in groups that only grow: no two people with a full name each ever become one."""

    def __init__(self, names: dict[str, BookName]) -> None:
        self.names = names
        self.full: set[str] = set()
        self._owner = {name: name for name in names}
        self._members = {name: [name] for name in names}

    def add(self, each: BookName, *, full: bool) -> None:
        """One more name, a group of its own, unless it is there."""
        if each.name not in self.names:
            self.names[each.name] = each
            self._owner[each.name] = each.name
            self._members[each.name] = [each.name]
            if full:
                self.full.add(each.name)

    def own(self, name: str) -> str:
        """What stands for the group of a name."""
        return self._owner[name]

    def members(self, name: str) -> list[str]:
        """All names of the group of a name."""
        return self._members[self._owner[name]]

    def join(self, name: str, other: str) -> None:
        """Put two names with one another."""
        one, two = self._owner[name], self._owner[other]
        if one == two or len(self.full & {*self._members[one], *self._members[two]}) > 1:
            return
        for each in self._members[two]:
            self._owner[each] = one
        self._members[one] += self._members.pop(two)


def surname_of(name: str) -> str:
    """The surname a name begins with, blank for none."""
    if name[:2] in COMPOUND_SURNAMES and len(name) > 2:
        return name[:2]
    return name[0] if name[:1] in SURNAMES and 2 <= len(name) <= 3 else ""


def is_chinese(texts: Sequence[str]) -> bool:
    """Whether most of what these texts open with is Chinese."""
    sample = "".join(text[:2_000] for text in texts[:20])
    return 2 * len(re.findall(f"[{_H}]", sample)) > len(re.sub(r"\s", "", sample))


def is_whole(name: str) -> bool:
    """Whether a name is a surname with a given name."""
    surname = surname_of(name)
    return bool(surname) and not _OFFICE.fullmatch(name[len(surname) :]) and not _TITLED.fullmatch(name)


def chinese_groups(texts: Sequence[str]) -> list[list[FoundName]]:
    """Everybody and every place of a Chinese book with all their names."""
    book = ChineseBook(texts)
    return [[FoundName(*each) for each in _known(book, group)] for group in _joined(book, book_names(book))]


def _known(book: ChineseBook, group: Sequence[BookName]) -> Iterator[tuple[str, EntityKind, int, int]]:
    """Names with the texts they are known from: not by what only looks like one before the full name is first told."""
    whole = [each for each in group if is_whole(each.name)]
    begins = min(whole, key=lambda each: each.first).first if whole else 0
    before = sum(book.before(each.name, begins) for each in group) if whole else 0
    few = _LEAST + min(5, sum(each.count for each in group) // 40)
    for each in group:
        part = any(each.name in one.name for one in whole)
        yield each.name, each.kind, each.count, max(each.first, begins) if before < few and not part else each.first


def _joined(book: ChineseBook, names: Sequence[BookName]) -> list[list[BookName]]:
    """People in groups of names that mean one and the same; each place alone."""
    people = {each.name: each for each in names if each.kind == "character"}
    told = dict(_told(book, people))
    groups = _Groups({**people, **{name: each for name, each in told.items() if name not in people}})
    styles = _styles(book, groups)
    _mark_full(groups, styles)
    for full, other in styles:
        groups.join(full, other)
    for full, other in _called(book, groups):
        groups.join(full, other)
    for full, other in _given(book, groups):
        groups.join(full, other)
    for full, other in _beside(book, groups):
        groups.join(full, other)
    for full, other in _titled(book, groups):
        groups.join(full, other)
    found: defaultdict[str, list[BookName]] = defaultdict(list)
    for name, each in groups.names.items():
        found[groups.own(name)].append(each)
    return [*found.values(), *([each] for each in names if each.kind != "character")]


def _told(book: ChineseBook, people: dict[str, BookName]) -> Iterator[tuple[str, BookName]]:
    """Names that an introduction tells, if they are used at all."""
    for found in _INTRODUCED.finditer(book.text):
        styles = [style for style in (found["z"], found["y"]) if style]
        whole = [found["s"] + found["g"], *(name for style in styles for name in (style, found["s"] + style))]
        for name in whole:
            count = book.text.count(name)
            if name not in people and count >= _LEAST and not any(char in FUNCTION for char in name):
                yield name, BookName(name, "character", count, book.first(name), 1.0)
    styled = [(found, found["n"]) for found in _STYLED.finditer(book.text)]
    for found, owner in [*styled, *_by_given(book, people)]:
        if owner in people and found["z"] not in people:
            for name in (found["z"], surname_of(owner) + found["z"]):
                count = book.text.count(name)
                if count >= _LEAST and not any(char in FUNCTION for char in name):
                    yield name, BookName(name, "character", count, book.first(name), 1.0)


def _styles(book: ChineseBook, groups: _Groups) -> list[tuple[str, str]]:
    """Full names with the names of courtesy an introduction gives them, which no other one bears."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for each in _INTRODUCED.finditer(book.text):
        for style in (each["z"], each["y"]):
            if style:
                found[style].add(each["s"] + each["g"])
    for each in _STYLED.finditer(book.text):
        found[each["z"]].add(each["n"])
    for each, full in _by_given(book, groups.names):
        found[each["z"]].add(full)
    pairs: list[tuple[str, str]] = []
    for courtesy, owners in found.items():
        owner = max(owners, key=lambda name: (groups.names[name].count if name in groups.names else 0, name))
        if owner not in groups.names or sum(name in groups.names for name in owners) > 1:
            continue
        pairs += [(owner, each) for each in (courtesy, surname_of(owner) + courtesy) if each in groups.names]
    return pairs


def _by_given(book: ChineseBook, people: Mapping[str, BookName]) -> Iterator[tuple[re.Match[str], str]]:
    """Names of courtesy told of a given name alone, with whom the lines before that name in full."""
    for found in _GIVEN_STYLE.finditer(book.text):
        before = book.text[max(0, found.start() - 60) : found.start()]
        full = {name for name in people if name[-1] == found["g"] and is_whole(name) and name in before}
        if len(full) == 1:
            yield found, full.pop()


def _mark_full(groups: _Groups, styles: Sequence[tuple[str, str]]) -> None:
    courtesy = {other for _, other in styles}
    for name in groups.names:
        surname = surname_of(name)
        rest = name[len(surname) :]
        plain = surname and name not in courtesy and not _OFFICE.fullmatch(rest) and rest not in groups.names
        plain = plain and not _TITLED.fullmatch(name)
        if plain and not (name.endswith("儿") and name[:-1] in groups.names):
            groups.full.add(name)


def _called(book: ChineseBook, groups: _Groups) -> Iterator[tuple[str, str]]:
    """Whom a sentence says somebody is called: the one person it names before that."""
    for found in _CALLED.finditer(book.text):
        other = found["z"]
        if other not in groups.names:
            continue
        before = book.text[max(0, found.start() - 40) : found.start()]
        introduced = list(_INTRODUCED.finditer(before))
        names = [introduced[-1]["s"] + introduced[-1]["g"]] if introduced else []
        if head := _HEAD.search(before):
            names += [head[1][-size:] for size in (4, 3, 2)]
        name = next((name for name in names if name in groups.names), "")
        if name and name != other:
            yield name, other


def _given(book: ChineseBook, groups: _Groups) -> Iterator[tuple[str, str]]:
    """Given names with the one surname that stands before them, and names that differ by a sound of endearment."""
    whole: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for found in _SURNAMED.finditer(book.text):
        whole[found["g"]][found["s"]] += 1
    for name, each in list(groups.names.items()):
        if name.endswith("儿") and len(name) == 3 and name[:-1] in groups.names:
            yield name[:-1], name
        behind = whole[name]
        if len(name) != 2 or not behind:
            continue
        ((surname, times),) = behind.most_common(1)
        share = 8 if name in groups.full else 60
        if times < _LEAST or times * 10 < 9 * sum(behind.values()) or times * share < each.count:
            continue
        full = surname + name
        groups.full.discard(name)
        named = not _OFFICE.fullmatch(name) and not _TITLED.fullmatch(full)
        groups.add(BookName(full, "character", book.text.count(full), book.first(full), 1.0), full=named)
        if named:
            groups.full.add(full)
        yield full, name
    yield from _lengthened(groups)


def _lengthened(groups: _Groups) -> Iterator[tuple[str, str]]:
    """Names with one character before them that no other stands before, though it is no surname: 猪八戒."""
    longer: defaultdict[str, list[str]] = defaultdict(list)
    for name in groups.names:
        if len(name) == 3 and name[1:] in groups.names and name[0] not in _NOT_BEFORE:
            longer[name[1:]].append(name)
    for name, whole in longer.items():
        if len(whole) == 1 and name not in groups.full:
            if len(groups.full.intersection(groups.members(whole[0]))) > 1:
                groups.full.discard(whole[0])
            yield whole[0], name


def _beside(book: ChineseBook, groups: _Groups) -> Iterator[tuple[str, str]]:
    """What stands right before one full name again and again, and before no other, is what its bearer is called."""
    for name, each in list(groups.names.items()):
        if name in groups.full or surname_of(name) or len(name) < 3:
            continue
        after: Counter[str] = Counter()
        for place in book.places(name):
            end = place + len(name)
            whole = next((whole for size in (4, 3, 2) if (whole := book.text[end : end + size]) in groups.full), "")
            if whole:
                after[groups.own(whole)] += 1
        if after:
            ((owner, times),) = after.most_common(1)
            if times >= _LEAST and times * 10 >= 9 * sum(after.values()) and times * 20 >= each.count:
                yield owner, name


def _titled(book: ChineseBook, groups: _Groups) -> Iterator[tuple[str, str]]:
    """A surname with an office or a courtesy, and the one bearer of that surname who is about wherever it is said."""
    for name, each in list(groups.names.items()):
        found = _TITLED.fullmatch(name)
        fond = _FOND.fullmatch(name) if found is None else None
        if (found is None and fond is None) or each.count < _LEAST:
            continue
        groups.full.discard(name)
        place = len(book.text) if fond else book.text.find(name)
        bearers: Counter[str] = Counter()
        for full in sorted(groups.full):
            if (found and surname_of(full) == found["s"]) or (
                fond and full[-1] == (fond["g"] or fond["h"]) and len(full) > 2
            ):
                bearers[groups.own(full)] += sum(book.text.count(one, 0, place) for one in groups.members(full))
        if not bearers:
            continue
        ((owner, times),) = bearers.most_common(1)
        same = groups.members(name)
        if times >= 5 and times * 10 >= 8 * sum(bearers.values()) and _about(book, name, same, groups.members(owner)):
            yield owner, name


def _about(book: ChineseBook, name: str, same: Sequence[str], others: Sequence[str]) -> bool:
    """Whether the rarer of two is named near the other one mostly, by any name, and hardly ever in the same clause."""
    places, known = book.places(name), sorted(place for other in others for place in book.places(other))
    return _near(book, places[:80], others, name) or _near(book, known[:: max(1, len(known) // 80)], same, name)


def _near(book: ChineseBook, places: Sequence[int], marks: Sequence[str], name: str) -> bool:
    near = beside = 0
    for place in places:
        around = book.text[max(0, place - _AROUND) : place + _AROUND]
        near += any(mark in around for mark in marks)
        start = max(book.text.rfind(mark, 0, place) for mark in _STOPS) + 1
        ends = [end for mark in _STOPS if (end := book.text.find(mark, place)) >= 0]
        clause = book.text[start : min(ends, default=place + 40)]
        beside += name in clause and any(mark in clause.replace(name, "") for mark in marks)
    return near * 10 >= 6 * len(places) and beside * 8 <= len(places)
