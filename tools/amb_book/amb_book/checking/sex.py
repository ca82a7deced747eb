"""Whether somebody is a man or a woman, as far as names, titles and words for kin tell."""

from __future__ import annotations

import re
from typing import Literal

from amb_book.checking.known import Known
from amb_book.checking.naming import NO_NAME
from amb_book.entities import Entity

__all__ = ["Sex", "sex_of", "sex_of_word"]

Sex = Literal["m", "f"]

_MEN = re.compile(
    r"\b(?:King|Lord|Father|Brother|Duke|Prince|Baron|Sir|Mr\.?|Uncle|Abbot|Emperor|man|boy|male|husband|son|"
    r"(?:grand)?father|brother|king|twin brother|priest|monk)\b|^m$|男|公子|先生|公公|太监|王爷|皇上|陛下|太子|皇帝|"
    r"老爷|少爷|和尚|道长|"
    r"秀才|书生|大叔|大爷|老头|将军|父|爹|爸|爷|兄|弟(?!媳)|哥|丈夫|相公|儿子|叔|伯(?!母)|舅(?!妈)|侄子|孙子"
)
_WOMEN = re.compile(
    r"\b(?:Queen|Lady|Mother|Sister|Duchess|Princess|Dame|Mrs\.?|Miss|Madam|Aunt|Abbess|Baroness|Countess|Empress|"
    r"woman|"
    r"girl|female|wife|daughter|(?:grand)?mother|sister|queen|nun|maid)\b|^f$|女|妃|皇后|娘娘|夫人|姑娘|小姐|嬷嬷|婆|"
    r"公主|娘|"
    r"师姐|师妹|太后|尼姑|丫鬟|丫头|母|妈|奶奶|姐|妹(?!夫)|妻|姑|姨|婶|嫂|媳"
)


def sex_of_word(word: str) -> Sex | None:
    """The sex that a word for a role says: mother, 爷爷; None for twin or 师父."""
    if _WOMEN.search(word):
        return "f"
    return "m" if _MEN.search(word) and word not in ("师父", "师傅") else None


def sex_of(known: Known, person: Entity) -> Sex | None:
    """Man or woman by name, alias or property, or as the other half of a couple; None when nothing tells."""
    own = _told(known, person) or _by_pronouns(known, person)
    if own is not None:
        return own
    for fact in known.related(person, "MARRIED_TO"):
        name = fact.object if fact.subject == person.name else fact.subject
        other = next((_told(known, each) for each in known.by_name.get(name, ())), None)
        if other is not None:
            return "m" if other == "f" else "f"
    return None


def _by_pronouns(known: Known, person: Entity) -> Sex | None:
    """By he and she in sentences of the chapter that brings somebody in, where they name nobody else."""
    sexes: set[Sex] = set()
    others = {word for each in known.entities if each.kind == "character" and each != person for word in _words(each)}
    for sentence in known.sentences(person.since):
        place = min((sentence.find(word) for word in _words(person) if word in sentence), default=-1)
        if place < 0 or any(word in sentence for word in others - _words(person)):
            continue
        found = _PRONOUN.search(sentence, place)
        if found is not None:
            sexes.add("f" if found.group().casefold() in ("she", "her", "她") else "m")
    return next(iter(sexes)) if len(sexes) == 1 else None


_PRONOUN = re.compile(r"\b(?:[Hh]e|[Ss]he|his|her|him)\b|[他她](?!们)")


def _words(person: Entity) -> set[str]:
    return {word for word in person.name.split() if len(word) > 2 and word not in NO_NAME} | (
        {person.name} if " " not in person.name else set()
    )


def _told(known: Known, person: Entity) -> Sex | None:
    said = [*person.aliases, *([person.name] if " " in person.name else [])]
    said += [
        str(fact.object)
        for fact in known.properties(person)
        if re.search(r"sex|gender|rank|role|title|性别|职|身份|称", fact.attribute)
    ]
    women, men = any(map(_WOMEN.search, said)), any(map(_MEN.search, said))
    if women == men:
        return None
    return "f" if women else "m"
