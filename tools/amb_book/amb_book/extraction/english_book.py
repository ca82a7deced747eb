"""What a whole English book says by the way: ranks, couples, the kin of speakers, and who still speaks later."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence

from amb_book.extraction.cast import CastMember
from amb_book.extraction.english_naming import HONORIFICS, SAY
from amb_book.extraction.english_narrator import narrators
from amb_book.extraction.english_relations import KIN
from amb_book.extraction.english_titles import TITLE_WORDS, sex_of, spelt_out, split_title
from amb_book.extraction.passages import unwrapped
from amb_book.statements import EntityStatement, RelationStatement, Statement
from amb_core.text import name_key
from amb_core.text.common_words import is_common

__all__ = ["EnglishBook"]

_RANKS = frozenset(
    "Captain Colonel Major General Lieutenant Sergeant Corporal Ensign Commander Admiral Doctor Professor Reverend "
    "Inspector Judge Sir Lady Lord Duke Duchess Count Countess Comte Comtesse Baron Baroness Cardinal King Queen "
    "Prince Princess Squire Chevalier Abbe Bishop Marquis Earl Emperor Empress".split()
)
_LEAST = 3
"""So often a rank must stand before a name, and somebody speak behind a death, to count."""
_SHARE = 0.1
"""A rank that stands before less of the naming of somebody may be a joke."""
_NAME = rf"(?:(?:{HONORIFICS})\.? )?[\w’'-]+(?: [\w’'-]+){{0,2}}"
_SPEAKER = re.compile(rf"[”\"'’] (?:(?:{SAY}) (?P<behind>{_NAME})|(?P<before>{_NAME}) (?:{SAY})\b)")
_QUOTE = re.compile(r"“[^”\n]*”|\"[^\"\n]*\"")
_OWN_KIN = re.compile(
    r"\b[Mm]y (?:own |dear(?:est)? |poor |late |good |old |elde(?:st|r) |young(?:er|est) |little |only )*"
    r"(?P<kin>brother|sister|wife|husband|son|daughter|father|mother|uncle|aunt|cousin|nephew|niece) "
    rf"(?P<name>{_NAME})"
)
_MEN = frozenset("brother husband son father uncle nephew".split())
_COUPLE = re.compile(
    r"\b(?P<his>(?:Mr|M|Dr|Monsieur|Lord|Colonel|Captain|Doctor)\.?|Sir [A-Z][a-z]+) and "
    r"(?P<hers>Mrs|Mme|Madame|Lady)(?P<dot>\.?) (?P<last>(?:de )?[A-Z][\w’'-]+)"
)


class EnglishBook:
    """Reads what only a whole book tells; texts count from 0."""

    def __init__(self, texts: Sequence[str], cast: Sequence[CastMember]) -> None:
        self._texts = [unwrapped(each) for each in texts]
        self._cast = {each.name: each for each in cast if each.kind == "character"}
        self._owners = {
            name_key(name): each.name
            for each in reversed(list(self._cast.values()))
            for name in (each.name, *each.aliases)
        }
        self._spoken: defaultdict[str, list[int]] = defaultdict(list)
        for number, text in enumerate(self._texts):
            for found in _SPEAKER.finditer(text):
                name = self._owner(found["behind"] or found["before"])
                if name:
                    self._spoken[name].append(number)
        self._narrators = narrators(self._texts, self._owner, self._names)
        self._told: defaultdict[int, list[Statement]] = defaultdict(list)
        for number, said in self._ranks():
            self._told[number].append(said)
        held: set[tuple[str, ...]] = set()
        for number, relation in self._relations():
            slot = (relation.relation, *sorted((relation.subject, relation.object)))
            if slot not in held:
                held.add(slot)
                self._told[number].append(relation)

    def speaks_after(self, name: str, number: int) -> bool:
        """Whether somebody speaks again and again behind a text."""
        spoken = self._spoken[name]
        return len(spoken) - bisect_right(spoken, number) >= _LEAST

    def narrator(self, number: int) -> str:
        """Who tells one of the texts of himself, "" where nobody does."""
        return self._narrators.get(number, "")

    def statements(self, number: int) -> list[Statement]:
        """What one of the texts is the first to tell so."""
        return list(self._told[number])

    # --- inside ------------------------------------------------------------------------------------------------------

    def _names(self, name: str) -> Sequence[str]:
        return (name, *self._cast[name].aliases)

    def _owner(self, words: str) -> str:
        """Whom the first of some words name, as many of them as possible; "" for nobody."""
        parts = words.split()
        while parts:
            name = " ".join(parts)
            owner = self._owners.get(name_key(name)) or self._owners.get(name_key(re.sub(r"['’]s$", "", name)))
            if owner:
                return owner
            parts.pop()
        return ""

    def _ranks(self) -> Iterator[tuple[int, EntityStatement]]:
        for each in self._cast.values():
            titled = [
                (sum(text.count(name) for text in self._texts), since, split_title(name)[0], name)
                for name, since in zip((each.name, *each.aliases), (each.first, *each.since), strict=True)
                if split_title(name)[0] in _RANKS
            ]
            count, since, title, name = max(titled, default=(0, 0, "", ""))
            word = split_title(name)[1].casefold()
            if (
                count >= _LEAST
                and count >= _SHARE * each.count
                and not is_common(word)
                and spelt_out(word.title()) not in TITLE_WORDS
            ):
                yield (
                    since,
                    EntityStatement(
                        entity=each.name,
                        kind=each.kind,
                        properties={"title": title},
                        evidence=_around(self._texts[since], name),
                    ),
                )

    def _relations(self) -> Iterator[tuple[int, RelationStatement]]:
        for number, text in enumerate(self._texts):
            for found in _COUPLE.finditer(text):
                knight, last = found["his"].startswith("Sir"), found["last"]
                his = found["his"] if knight else f"{found['his']} {last}"
                hers = f"{found['hers']}{found['dot']} {last}"
                others = self._others(last, self._owner(his))
                if not others and (not knight or found["hers"] == "Lady"):
                    yield from self._relation(number, self._owner(his), "MARRIED_TO", self._owner(hers), found.group())
            for paragraph in text.split("\n"):
                if " my " in paragraph or "My " in paragraph:
                    yield from self._spoken_kin(number, paragraph)

    def _others(self, last: str, his: str) -> bool:
        """Whether the book has another Mrs, or another man, of a last name, so that a couple of it may be of those."""
        for each in self._cast.values():
            for name in (each.name, *each.aliases):
                title, own = split_title(name)
                if title == "Mrs" and len(own.split()) > 1 and own.endswith(f" {last}"):
                    return True
                man = each.name != his and not title and sex_of(name) != "f"
                if man and len(own.split()) > 1 and own.endswith(f" {last}"):
                    return True
        return False

    def _spoken_kin(self, number: int, paragraph: str) -> Iterator[tuple[int, RelationStatement]]:
        """Whom the one speaker of a paragraph calls my brother, my wife and so on."""
        told = _QUOTE.sub(lambda found: '"' + " " * (len(found.group()) - 2) + '"', paragraph)
        speakers = {self._owner(found["behind"] or found["before"]) for found in _SPEAKER.finditer(told)} - {""}
        if len(speakers) != 1:
            return
        speaker = speakers.pop()
        for quote in _QUOTE.finditer(paragraph):
            for found in _OWN_KIN.finditer(quote.group()):
                other = self._owner(found["name"])
                sex = sex_of(other)
                fits = found["kin"] == "cousin" or not sex or (sex == "m") == (found["kin"] in _MEN)
                if found["name"][:1].isupper() and other and fits:
                    relation, first, _ = KIN[found["kin"]].split(" ")
                    pair = (speaker, other) if first == "s" else (other, speaker)
                    yield from self._relation(number, pair[0], relation, pair[1], found.group())

    def _relation(
        self, number: int, one: str, relation: str, other: str, said: str
    ) -> Iterator[tuple[int, RelationStatement]]:
        """A relation from the text on in which both are known."""
        if one and other and one != other:
            since = max(number, self._cast[one].first, self._cast[other].first)
            evidence = _around(self._texts[number], said)
            yield since, RelationStatement(subject=one, relation=relation, object=other, evidence=evidence)


def _around(text: str, said: str) -> str:
    """The sentence or line in which something first stands."""
    at = max(text.find(said), 0)
    start = max(text.rfind(". ", 0, at) + 2, text.rfind("\n", 0, at) + 1, at - 150)
    ends = [end + 1 for mark in (". ", "\n") if (end := text.find(mark, at + len(said))) >= 0]
    return text[start : min([*ends, at + 250, len(text)])].strip()
