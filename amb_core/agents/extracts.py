"""What a summary is put together from: clauses, items, rows and turns, and which of them cannot stand alone."""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby, pairwise
from typing import Literal, NamedTuple

from amb_core.agents.sentence_parts import parts_of
from amb_core.agents.text_units import Unit, lay_out
from amb_core.text.language import Language

__all__ = ["Extract", "extracts", "joined"]

Span = tuple[int, int]

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


class Extract(NamedTuple):
    """Stretches of the text that are taken or left as one; `block` numbers the sentence, item, row or turn it is of.

    `needs` are indices of others without which it misleads. `goes_on` says that a text without sentences goes on in
    the next one, so that leaving that one out has to show. `aside` marks a bracket.
    """

    spans: tuple[Span, ...]
    block: int
    kind: str
    gap: int
    needs: tuple[int, ...] = ()
    goes_on: bool = False
    aside: bool = False

    @property
    def start(self) -> int:
        """Where it begins in the text."""
        return self.spans[0][0]

    @property
    def end(self) -> int:
        """Where it ends in the text."""
        return self.spans[-1][1]

    @property
    def length(self) -> int:
        """In characters."""
        if len(self.spans) == 1:
            return self.spans[0][1] - self.spans[0][0]
        return sum(end - start for start, end in self.spans)


def extracts(text: str, start: int, end: int, *, language: Language, fine: bool = False) -> list[Extract]:
    """What `text[start:end]` consists of, in order: clauses and asides of sentences, whole items, rows and turns.

    `fine` takes long blocks, members and sentences apart at any comma or line end.
    """
    units = lay_out(text, start, end, limit=_LARGEST[language], join_short=False)
    found: list[Extract] = []
    first: list[int] = []
    last: list[int] = []
    block = 0
    for unit, (needs, before) in zip(units, _needs(text, units, language), strict=True):
        first.append(len(found))
        known = {*(first[need] for need in needs), *((last[before],) if before >= 0 else ())}
        whole = Extract(((unit.start, unit.end),), block, unit.kind, unit.gap, tuple(sorted(known)))
        if fine and whole.length > _LONG[language]:
            found.extend(_pieces(text, whole, at=len(found), least=_LONG[language] // 6))
        elif unit.kind == "prose" and not fine:
            found.extend(_clauses(text, whole, at=len(found), language=language))
        else:
            found.append(whole)
        last.append(next(at for at in range(len(found) - 1, -1, -1) if not found[at].aside))
        block = found[-1].block + 1
    return found


def _clauses(text: str, whole: Extract, *, at: int, language: Language) -> Iterator[Extract]:
    parts = parts_of(text, whole.start, whole.end, language=language)
    if len(parts) == 1:
        yield whole
        return
    for number, part in enumerate(parts):
        needs = (*whole.needs, *(at + need for need in part.needs)) if number else whole.needs
        yield Extract(part.spans, whole.block, whole.kind, whole.gap, needs, aside=part.aside)


def joined(text: str, found: Sequence[Extract], chosen: Collection[int]) -> str:
    """The chosen extracts in text order, verbatim; what was next to each other stays as it stood."""
    blocks = [[found[at] for at in group] for _, group in groupby(sorted(chosen), key=lambda at: found[at].block)]
    bounds: dict[int, tuple[int, int]] = {}
    broken = [0]  # how many of the blocks before begin on a line of their own
    for number, group in groupby(found, key=lambda extract: extract.block):
        members = list(group)
        bounds[number] = min(m.start for m in members), max(m.end for m in members)
        broken.append(broken[-1] + (members[0].gap > 0))
    written: list[str] = []
    for place, members in enumerate(blocks):
        this = members[0].block
        following = blocks[place + 1][0] if place + 1 < len(blocks) else None
        body = "".join(text[start:end] for start, end in sorted(span for member in members for span in member.spans))
        written.append(body.rstrip(_LOOSE_END) + "…" if members[-1].goes_on and _skips(following, this) else body)
        if following is None:
            break
        if following.block == this + 1:
            written.append(text[bounds[this][1] : bounds[following.block][0]])
        elif (
            members[0].kind in _LINE_KINDS
            or following.kind in _LINE_KINDS
            or broken[following.block + 1] > broken[this + 1]
        ):
            written.append("\n" + _indent(text, following.start))
        else:
            written.append("" if text[bounds[this][1] - 1] >= "\u2e80" else " ")
    return "".join(written)


def _skips(following: Extract | None, block: int) -> bool:
    return following is None or following.block != block + 1


def _indent(text: str, start: int) -> str:
    """The blanks a line begins with, when `start` is where its text does."""
    indent = text[text.rfind("\n", 0, start) + 1 : start]
    return indent if indent.isspace() else ""


def _pieces(text: str, whole: Extract, *, at: int, least: int) -> Iterator[Extract]:
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
        yield Extract(
            ((left, left + len(piece.strip())),),
            whole.block + number,
            whole.kind,
            0 if number else whole.gap,
            needs,
            goes_on=end < len(body),
        )


def _needs(text: str, units: Sequence[Unit], language: Language) -> Iterator[tuple[tuple[int, ...], int]]:
    """For each unit the units it leans on: its heading, the line that leads in, whom its pronoun stands for.

    Also the one it leans on to its last clause ("This …"), or -1.
    """
    heading = lead_in = header = anchor = definition = -1
    for at, unit in enumerate(units):
        if unit.kind == "heading":
            yield (), -1
            heading, lead_in, header, anchor = at if at else -1, -1, -1, -1
            continue
        needs, before = {heading}, -1
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
            if anchor >= 0 and (leans := _leans(text, units, at, language)):
                before = at - 1 if leans == "strictly" else -1
                needs.add(at - 1 if leans == "strictly" else anchor)
            else:
                anchor = at
        yield tuple(sorted(needs - {-1})), before


def _leans(text: str, units: Sequence[Unit], at: int, language: Language) -> Literal["", "loosely", "strictly"]:
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
