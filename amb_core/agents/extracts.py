"""What a summary is put together from: sentences, items, rows and turns, and which of them cannot stand alone."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from amb_core.agents.layout import Unit, lay_out

__all__ = ["Extract", "extracts", "joined"]

Language = Literal["en", "zh"]

_LARGEST = {"en": 2_500, "zh": 1_100}
_LONG = {"en": 240, "zh": 100}
_DANGLES = {
    "en": re.compile(
        r"(?:he|she|it|they|his|her|hers|its|their|him|them|this|these|those|that|such|both|neither|"
        r"the (?:former|latter|same|other|others|two|three|first|second|third|last|rest)|another|others|"
        r"however|but|and|or|so|yet|nor|also|thus|therefore|hence|moreover|furthermore|nevertheless|instead|otherwise|"
        r"meanwhile|similarly|likewise|consequently|additionally|subsequently|afterwards|then|later|again|still|"
        r"in (?:addition|fact|contrast|turn)|for (?:example|instance)|as a result|on the other hand|who|which)\b"
    ),
    "zh": re.compile(
        r"[他她它其该此这那]|两者|前者|后者|双方|但|而|并|因此|所以|因而|故|于是|然而|不过|同时|此外|另外|后来|之后|随后|"
        r"接着|从而|进而|例如|比如|以及|还|也|则|却|反之|相反|即|换言之"
    ),
}
_STRICT = {
    "en": re.compile(
        r"(?:this|these|those|that|such|however|but|so|thus|therefore|hence|as a result|together|"
        r"the (?:former|latter))\b"
    ),
    "zh": re.compile(r"[此这那]|前者|后者|但|因此|所以|因而|故|于是|然而|不过|例如|比如|反之|相反|即|换言之|则|却"),
}
_PRONOUN = {
    "en": re.compile(r"\b(?:he|she|his|her|its|it|they|their|him|them|this|these|those)\b"),
    "zh": re.compile(r"[他她它]们?"),
}
_PERSON = {"his": "he", "him": "he", "her": "she", "its": "it", "their": "they", "them": "they"}
_NAME = re.compile(r"\b[A-Z]\w")
_PIECE_END = re.compile(r"(?<=[;；，])|(?<=,)(?=\s)|\n|(?<=[,}\]])(?=\s*[\"{\[])")
_LOOSE_END = " ,，;；、:："
_LINE_KINDS = frozenset({"heading", "code", "table", "turn", "item", "json"})


@dataclass(frozen=True, slots=True)
class Extract:
    """Characters `start:end` that are taken or left as one; `needs` are indices of others without which it misleads.

    `goes_on` says that its sentence or block goes on in the next one, so that leaving that one out has to show.
    """

    start: int
    end: int
    kind: str
    gap: int
    needs: tuple[int, ...] = ()
    goes_on: bool = False

    @property
    def length(self) -> int:
        """In characters."""
        return self.end - self.start


def extracts(text: str, start: int, end: int, *, language: Language, fine: bool = False) -> list[Extract]:
    """What `text[start:end]` consists of, in order; `fine` takes long sentences, blocks and members apart."""
    units = lay_out(text, start, end, limit=_LARGEST[language])
    leans = list(_needs(text, units, language))
    found: list[Extract] = []
    first: list[int] = []
    for unit, needs in zip(units, leans, strict=True):
        first.append(len(found))
        whole = Extract(unit.start, unit.end, unit.kind, unit.gap, tuple(first[need] for need in needs))
        if fine and whole.length > _LONG[language]:
            found.extend(_parts(text, whole, at=len(found), least=_LONG[language] // 6))
        else:
            found.append(whole)
    return found


def joined(text: str, found: Sequence[Extract], chosen: Collection[int]) -> str:
    """The chosen extracts in text order, verbatim; what was next to each other stays as it stood."""
    order = sorted(chosen)
    written: list[str] = []
    for place, at in enumerate(order):
        following = order[place + 1] if place + 1 < len(order) else len(found)
        body = text[found[at].start : found[at].end]
        if found[at].goes_on and following != at + 1:
            body = body.rstrip(_LOOSE_END) + "…"
        written.append(body)
        if following < len(found):
            written.append(_between(text, found, at, following))
    return "".join(written)


def _between(text: str, found: Sequence[Extract], last: int, at: int) -> str:
    before, after = found[last], found[at]
    if at == last + 1:
        return text[before.end : after.start]
    if before.kind in _LINE_KINDS or after.kind in _LINE_KINDS or any(found[i].gap for i in range(last + 1, at + 1)):
        line = text.rfind("\n", 0, after.start) + 1
        indent = text[line : after.start]
        return "\n" + (indent if indent.isspace() else "")
    return "" if text[before.end - 1] >= "\u2e80" else " "


def _parts(text: str, whole: Extract, *, at: int, least: int) -> Iterator[Extract]:
    """Adjoining clauses, lines or members of about `least` characters or more; a sentence's need its first one."""
    body = text[whole.start : whole.end]
    cuts = [0]
    for found in _PIECE_END.finditer(body):
        if found.start() - cuts[-1] >= least and len(body) - found.start() >= least:
            cuts.append(found.start())
    cuts.append(len(body))
    for number, (start, end) in enumerate(pairwise(cuts)):
        piece = body[start:end]
        left = whole.start + start + len(piece) - len(piece.lstrip())
        needs = (*whole.needs, at) if number and whole.kind == "prose" else whole.needs
        stop = left + len(piece.strip())
        gap = 0 if number else whole.gap
        yield replace(whole, start=left, end=stop, gap=gap, needs=needs, goes_on=end < len(body))


def _needs(text: str, units: Sequence[Unit], language: Language) -> Iterator[tuple[int, ...]]:
    """For each unit the units it leans on: its heading, the line that leads in, whom its pronoun stands for."""
    heading = lead_in = header = anchor = definition = -1
    for at, unit in enumerate(units):
        if unit.kind == "heading":
            yield ()
            heading, lead_in, header, anchor = at if at else -1, -1, -1, -1
            continue
        needs = {heading}
        if unit.kind == "code":
            indented = unit.start > 0 and text[unit.start - 1] in " \t"
            definition = definition if indented else at if unit.level else -1
            needs.add(definition if indented else -1)
        if unit.kind in ("item", "table") and at and text[units[at - 1].end - 1] in ":：":
            lead_in = at - 1
        if unit.kind == "table" and (not at or units[at - 1].kind != "table"):
            header = at
        if unit.kind in ("item", "table"):
            needs |= {lead_in, header if header != at else -1}
        else:
            lead_in = header = -1
        if unit.kind == "prose":
            if anchor >= 0 and (leans := _leaning(text, units, at, language)):
                needs.add(at - 1 if leans == "strictly" else anchor)
            else:
                anchor = at
        yield tuple(sorted(needs - {-1}))


def _leaning(text: str, units: Sequence[Unit], at: int, language: Language) -> Literal["", "loosely", "strictly"]:
    """Whether a sentence needs the one before ("This …", half a sentence) or only whom it is about ("She …")."""
    start = units[at].start
    opening = text[start : start + 40]
    if text[units[at - 1].end - 1] in ";；:：" or _STRICT[language].match(opening.lower()):
        return "strictly"
    if opening[:1].islower() or _DANGLES[language].match(opening.lower()):
        before, now = _who(text, units[at - 1], language), _who(text, units[at], language)
        return "strictly" if before and now and before != now else "loosely"
    found = _PRONOUN["en"].search(opening) if language == "en" else None
    return "loosely" if found and not _NAME.search(opening, 1, found.start()) else ""


def _who(text: str, unit: Unit, language: Language) -> str:
    """Which pronoun a sentence opens with, so that a change of person is seen."""
    found = _PRONOUN[language].search(text[unit.start : unit.start + 40].lower())
    return _PERSON.get(found.group(), found.group()) if found else ""
