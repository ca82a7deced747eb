"""Which English names of a book mean the same person: full, short, titled and pet names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from amb_book.cast.english_name_evidence import without_particle
from amb_book.cast.english_titles import (
    FAMILY,
    NICKNAMES,
    Sex,
    sex_of_name,
    sex_of_title,
    split_title,
)
from amb_book.cast.found_names import FoundName, Met
from amb_core.text.common_words import is_common

__all__ = ["same_persons"]

_EPITHETS = frozenset("Old Poor Dear Blind Good Honest".split())
_APART = frozenset("Young Little".split())
_RULERS = frozenset("King Queen Prince Princess Emperor Empress Pope Saint Lord".split())
_LIKE_MR = frozenset(
    "Mr Monsieur Doctor Captain Colonel Major General Sergeant Lieutenant Professor Reverend Squire Inspector Judge "
    "Commander Admiral Signor Señor Herr Don Cardinal Comte Count Chevalier Abbe Corporal Ensign Sheriff Baron".split()
)
_LIKE_MRS = frozenset("Mrs Madame Signora Señora Frau Missis".split())
_LIKE_MISS = frozenset("Miss Mademoiselle Fräulein".split())
_RANKS = frozenset("Lady Dame Queen Princess Duchess Countess Baroness Comtesse".split())
_SPOKEN = 0.25
"""Another title of a man is used for at most so much of the naming by his usual one."""
_HARDLY = 5


@dataclass(slots=True, eq=False)
class _Person:
    """Somebody as far as names are known to mean the same."""

    names: list[FoundName] = field(default_factory=list)
    fulls: list[tuple[str, ...]] = field(default_factory=list)
    titles: set[str] = field(default_factory=set)

    @property
    def count(self) -> int:
        return sum(each.count for each in self.names)

    @property
    def sex(self) -> Sex:
        sexes: set[Sex] = {sex for each in self.titles if (sex := sex_of_title(each))}
        sexes = sexes or {sex for full in self.fulls if (sex := sex_of_name(full[0]))}
        return sexes.pop() if len(sexes) == 1 else ""


def same_persons(found: Sequence[FoundName], met: Mapping[str, Met]) -> list[list[FoundName]]:
    """The names of each person, those named most first.

    `met` are the other capitalised names of the book: what is put together of the names of persons is theirs, too, and
    who else bears a name keeps it from being taken for one person's.
    """
    return [person.names for person in _Register(found, met).persons()]


class _Register:
    """Joins names, the surest ties first."""

    def __init__(self, found: Sequence[FoundName], met: Mapping[str, Met]) -> None:
        self._met = met
        self._of: dict[FoundName, _Person] = {}
        self._single: dict[str, FoundName] = {}
        self._titled: dict[tuple[str, str], FoundName] = {}
        spelt: dict[tuple[str, tuple[str, ...]], FoundName] = {}
        for each in (*found, *_put_together(found, met)):
            title, words = _parsed(each.name)
            first = spelt.setdefault((title, words), each)
            person = self._of[each] = self._of[first] if first != each else _Person()
            person.names.append(each)
            person.titles.update([title] if title else [], met[each.name].titles if each.name in met else ())
            if len(words) > 1 and not title:
                if words[0] not in _EPITHETS | _APART:
                    person.fulls.append(words)
            elif len(words) == 1 and first == each:
                self._titled[title, words[0]] = each
                if not title:
                    self._single[words[0]] = each
        self._bearers = self._all_bearers()
        self._join_fulls()
        self._join_titles()
        self._join_singles()
        self._join_pet_names()

    def _all_bearers(self) -> dict[str, dict[tuple[str, ...], int]]:
        """Every word with the full names that begin or end with it, and how often they stand in the book."""
        bearers: dict[str, dict[tuple[str, ...], int]] = {}
        for name, each in self._met.items():
            title, words = _parsed(name)
            if title or len(words) < 2:
                continue
            known = _is_first_name(words[0]) or words[0] in self._single
            if not known and (each.count < 2 or is_common(words[0].casefold())):
                continue
            for word in (words[0], words[-1]):
                bearers.setdefault(word, {})[words] = each.count
        return bearers

    def persons(self) -> list[_Person]:
        """Everybody, each once."""
        everyone = {id(person): person for person in self._of.values()}
        return sorted(everyone.values(), key=lambda each: (-each.count, each.names[0].name))

    # --- inside ------------------------------------------------------------------------------------------------------

    def _join(self, one: FoundName, other: _Person) -> None:
        mine = self._of[one]
        if mine is other:
            return
        for each in mine.names:
            self._of[each] = other
        other.names += mine.names
        other.fulls += mine.fulls
        other.titles |= mine.titles

    def _full_persons(self) -> list[_Person]:
        return [person for person in self.persons() if person.fulls]

    def _by_first(self, word: str) -> list[_Person]:
        return [each for each in self._full_persons() if any(full[0] == word for full in each.fulls)]

    def _by_last(self, word: str) -> list[_Person]:
        return [each for each in self._full_persons() if any(full[-1] == word for full in each.fulls)]

    def _join_fulls(self) -> None:
        """Full names with more, or with a pet name, of the same last name; epithets before any name."""
        parsed = [(each, _parsed(each.name)) for each in self._of]
        fulls = [(each, words) for each, (title, words) in parsed if not title and len(words) > 1]
        for each, full in sorted(fulls, key=lambda one: (-len(one[1]), one[0].name)):
            if full[0] in _EPITHETS | _APART:
                if full[0] in _EPITHETS and full[1] in self._single and len(full) == 2:
                    self._join(each, self._of[self._single[full[1]]])
                continue
            longer = [
                one
                for one, other in fulls
                if len(other) > len(full) and full in (other[: len(full)], other[-len(full) :])
            ]
            formal = [
                one
                for one, other in fulls
                if len(full) == 2 == len(other) and full[1] == other[1] and other[0] in NICKNAMES.get(full[0], ())
            ]
            same = {id(self._of[one]): self._of[one] for one in (*longer, *formal)}
            if len(same) == 1:
                self._join(each, next(iter(same.values())))

    def _join_titles(self) -> None:
        """A title with a last name, or with a first name where that is usual, for the only one it can mean."""
        for (title, word), each in sorted(self._titled.items(), key=lambda one: (-one[1].count, one[0])):
            if title and title not in _RULERS:
                owner = self._titled_owner(title, word, each)
                if owner is not None:
                    self._join(each, owner)
        for (title, word), each in sorted(self._titled.items(), key=lambda one: (-one[1].count, one[0])):
            for kin in (_LIKE_MRS, _LIKE_MR):
                alike = [one for other in kin if (one := self._titled.get((other, word))) is not None]
                most = max(alike, key=lambda one: one.count, default=None)
                plain = kin is _LIKE_MRS or title in ("Mr", "Monsieur") or (most and _parsed(most.name)[0] == "Mr")
                if title in kin and most is not None and most != each and (plain or each.count < most.count * _SPOKEN):
                    self._join(each, self._of[most])

    def _titled_owner(self, title: str, word: str, each: FoundName) -> _Person | None:
        sex = sex_of_title(title)
        known = title in FAMILY or (title in ("Mr", "Monsieur") and sex_of_name(word) == "m")
        firsts = [one for one in self._by_first(word) if one.sex in (sex, "")] if known else []
        if title in ("Sir", "Lady", "Lord"):
            firsts = [one for one in firsts if title in one.titles] or firsts
        lasts = self._by_last(word)
        if len(firsts) == 1 and not lasts:
            return firsts[0]
        single = self._single.get(word)
        if firsts:
            return (
                self._of[single] if single is not None and not lasts and title not in ("Sir", "Lady", "Lord") else None
            )
        if title in FAMILY and single is not None and not lasts and self._is_first(word, title):
            return self._of[single]
        if title in ("Sir", "Uncle", "Aunt", "Brother", "Sister", "Father", "Mother", "Master"):
            return None
        fits = [one for one in lasts if one.sex in (sex, "")]
        return fits[0] if len(fits) == 1 and self._belongs(fits[0], title, word, each) else None

    def _is_first(self, word: str, title: str) -> bool:
        """Whether a word is a first name rather than a last one: no Mr or Mrs goes with it."""
        formal = any((other, word) in self._titled for other in (*_LIKE_MRS, "Mr", "Monsieur"))
        return sex_of_name(word) != "" or (not formal and title not in ("Miss", "Master", "Lady", "Madame"))

    def _belongs(self, person: _Person, title: str, word: str, each: FoundName) -> bool:
        """Whether a title with a last name is that of the only one with the full name who can have it."""
        others = {full[0] for full in self._bearers.get(word, {}) if full[-1] == word}
        own = {full[0] for full in person.fulls}
        women = {first for first in others if sex_of_name(first) == "f"} - own
        if title in _LIKE_MRS:
            return bool(person.titles & _LIKE_MRS) and not (person.titles & _LIKE_MISS or women)
        if title in _LIKE_MISS:
            sisters = any(name in self._met for name in (f"Miss {each.name.split()[-1]}s", f"Misses {word}"))
            return person.sex == "f" and not (person.titles & (_LIKE_MRS | _RANKS) or women or sisters)
        boy = "Master" in person.titles or any(f"Master {each}" in self._met for each in (*own, word))
        if title == "Mr" and boy and any((each, word) in self._titled for each in _LIKE_MRS):
            return False  # the father's name; the boy is called Master
        men = {first for first in others if sex_of_name(first) != "f"} - own
        if men - _EPITHETS:
            return False
        wives = any(name in self._met for first in own for name in (f"Mrs. {first} {word}", f"Mrs {first} {word}"))
        return not wives and not any(
            not sex_of_name(first) and (("Mr", first) in self._titled or self._by_last(first)) for first in own
        )

    def _join_singles(self) -> None:
        """A first or last name alone for the only full name that has it, else a last name for Mr with it."""
        for word, each in sorted(self._single.items(), key=lambda one: (-one[1].count, one[0])):
            firsts, lasts = self._by_first(word), self._by_last(word)
            titled = self._others_titled(word)
            men = [one for one in titled if one.titles & _LIKE_MR]
            lasts = [one for one in lasts if one.sex != "f"] or ([] if any(one.sex == "m" for one in titled) else lasts)
            if men and not firsts and all(one in men for one in lasts):
                owner = men[0] if len(men) == 1 else None
            elif men and not firsts:
                owner = men[0] if len(men) == 1 and men[0].count > sum(one.count for one in lasts) else None
            elif firsts and not lasts and not (men and men[0] not in firsts):
                owner = max(firsts, key=lambda one: one.count)
            elif lasts and not firsts:
                owner = max(lasts, key=lambda one: one.count)
            else:
                owner = titled[0] if len(titled) == 1 and not (firsts or lasts) else None
            if owner is not None and (owner in titled or self._alone(word, owner)):
                self._join(each, owner)

    def _others_titled(self, word: str) -> list[_Person]:
        found = [self._of[one] for (title, own), one in self._titled.items() if title and own == word]
        return list({id(one): one for one in found}.values())

    def _alone(self, word: str, person: _Person) -> bool:
        """Whether nobody else of the book bears a name, but for one who is hardly met by it."""
        bearers = self._bearers.get(word, {})
        own = sum(count for full, count in bearers.items() if full in person.fulls)
        return (sum(bearers.values()) - own) * _HARDLY <= own

    def _join_pet_names(self) -> None:
        """A pet name alone for the only one whose first name it is short for."""
        for word, each in sorted(self._single.items()):
            person = self._of[each]
            if word not in NICKNAMES or any(full[0] != word for full in person.fulls):
                continue
            formal = {
                id(one): one
                for first in NICKNAMES[word]
                for one in (*self._by_first(first), *([self._of[self._single[first]]] if first in self._single else []))
            }
            lasts = {full[-1] for full in self._bearers.get(word, {}) if full[0] == word}
            fits = [one for one in formal.values() if one is not person and lasts <= {full[-1] for full in one.fulls}]
            if len(formal) == 1 == len(fits) and fits[0].count >= person.count / 2:
                self._join(each, fits[0])


def _put_together(found: Sequence[FoundName], met: Mapping[str, Met]) -> Iterator[FoundName]:
    """Names without evidence of their own that are put together of the names of persons: Jane with Bennet."""
    known = {each.name for each in found}
    parsed = [_parsed(each.name) for each in found]
    singles = {words[0] for title, words in parsed if not title and len(words) == 1}
    firsts = {words[0] for title, words in parsed if not title and len(words) > 1}
    lasts = {words[-1] for title, words in parsed if title or len(words) > 1}
    for name, each in met.items():
        title, words = _parsed(name)
        if name in known or not words:
            continue
        if len(words) == 1:
            fits = words[0] in singles | lasts | firsts if title else words[0] in lasts | firsts and each.count > 1
        else:
            first = words[0] in singles or _is_first_name(words[0])
            fits = not title and len(words) == 2 and first and words[-1] in lasts | singles
            fits = fits and (sex_of_name(words[0]) != "" or (each.count > 1 and not sex_of_name(words[-1])))
        if fits:
            yield FoundName(name, "character", each.count, each.text, each.start)


def _is_first_name(word: str) -> bool:
    return sex_of_name(word) != "" or word in NICKNAMES


_GAP = re.compile(r"[ \t]+")


def _parsed(name: str) -> tuple[str, tuple[str, ...]]:
    """Title and words of a name, spelt one way; a particle belongs to no word, and what follows `of` is one."""
    title, own = split_title(name)
    head, of, home = without_particle(own).replace("'", "’").partition(" of ")
    words = [word[:1].upper() + word[1:] for word in _GAP.split(head) if word]
    return title, (*words, f"of {home}") if of else tuple(words)
