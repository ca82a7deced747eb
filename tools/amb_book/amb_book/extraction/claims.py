"""What a rule says of a sentence, with the names in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from amb_book.entities import kind_of_object
from amb_book.extraction.marking import Actor, Marked, actors_in
from amb_book.extraction.passages import BLOT, Passage
from amb_book.extraction.rules import Rule, Said

__all__ = ["Claim", "claims_of"]

_SIGN = re.compile(r"<[a-z]\d+>")
_NO_ITEM = frozenset(
    "man woman boy girl child time day night morning evening way truth news chance attention rest others "
    "words word answer look hand hands eyes side road lead "
    "place seat breath trouble message order orders command floor stairs wheel oath blame field moment hour "
    "week month year head door doors window question matter "
    "battle war fight game crown throne room house wall walls street city town village river sea sky sun "
    "moon light dark cold air wind rain snow men women people "
    "soldiers guards others thing things one same first last next upper other king queen lord lady captain "
    "name story tale point crowd lot sight stage shape form step steps".split()
)
_LEAD = re.compile(r"^(?:那|这|一)?(?:枚|把|柄|盏|块|支|卷|本|只)?[“「《]?")
_TAIL = re.compile(r"[”」》]$")


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing said: relation, STATUS, HAS or ALIAS; `value` where the object is no actor."""

    relation: str
    subject: Actor
    evidence: str
    confidence: float
    object: Actor | None = None
    value: str = ""
    attribute: str = ""
    ends: bool = False


def claims_of(rule: Rule, match: re.Match[str], marked: Marked, passage: Passage) -> Iterator[Claim]:
    """Everything a rule says with a match, for each of several subjects."""
    for said in rule.says:
        subjects = _actors(_group(match, said.subject), marked, said, of_object=False)
        if said.relation == "STATUS":
            for subject in subjects:
                yield Claim("STATUS", subject, passage.text, rule.confidence, value=said.object)
        elif said.relation in ("HAS", "ALIAS"):
            value = _spelt(_group(match, said.object).strip(), marked)
            if value and not _SIGN.search(value) and BLOT not in value:
                for subject in subjects:
                    yield Claim(
                        said.relation, subject, passage.text, rule.confidence, value=value, attribute=said.attribute
                    )
        else:
            for subject in subjects:
                for other in _actors(_group(match, said.object), marked, said, of_object=True):
                    if other != subject:
                        relation = said.relation.lstrip("-")
                        yield Claim(relation, subject, passage.text, rule.confidence, other, ends=said.ends)


def _spelt(value: str, marked: Marked) -> str:
    """A value with the places in it by name: the prefect of a town."""
    return re.sub(r"<l(\d+)>", lambda found: marked.actors[int(found[1])].name, value)


def _group(match: re.Match[str], name: str) -> str:
    """What a group matched; `s2` and `o2` stand for `s` and `o` in the other form of a pattern."""
    groups = match.groupdict()
    return groups.get(name) or groups.get(f"{name}2") or ""


def _actors(piece: str, marked: Marked, said: Said, *, of_object: bool) -> list[Actor]:
    """The actors of a piece of a sentence; a thing or skill that only is described is one by its words."""
    found = actors_in(piece, marked.actors)
    if found or not of_object or not piece or BLOT in piece or "<" in piece:
        return found
    kind = kind_of_object(said.relation.lstrip("-"))
    name = _TAIL.sub("", _LEAD.sub("", piece)).strip()
    if kind not in ("item", "ability") or name.split()[-1:] == [] or name.split()[-1] in _NO_ITEM:
        return []
    if len(name) < 2:
        return []
    return [Actor(name, kind)]
