"""What a summary is put together from: sentences, items, rows and turns, and which of them cannot stand alone."""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise, zip_longest
from typing import NamedTuple

from amb_core.agents.text_units import Unit, lay_out
from amb_core.text.language import Language

__all__ = ["Extract", "extracts", "joined"]

_LARGEST = {"en": 2_500, "zh": 1_100}
_LONG = {"en": 240, "zh": 100}
_LEANS = {
    "en": re.compile(r"(?:he|she|it|they|his|her|its|their|this|these|those)\b", re.IGNORECASE),
    "zh": re.compile("[他她它其此这那]"),
}
"""What a sentence opens with that says nothing without the one before."""
_PIECE_END = re.compile(r"(?<=[;；，])|(?<=,)(?=\s)|\n|(?<=[,}\]])(?=\s*[\"{\[])")
_LOOSE_END = " ,，;；、:："
_LINE_KINDS = frozenset({"heading", "code", "table", "turn", "item", "json"})


class Extract(NamedTuple):
    """A stretch of the text that is taken or left as one; `needs` are indices of others without which it misleads.

    `goes_on` says that a text without sentences goes on in the next one, so that leaving that one out has to show.
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
    """What `text[start:end]` consists of, in order: sentences, items, rows and turns, each whole.

    `fine` takes long blocks, members and sentences apart at any comma or line end.
    """
    units = lay_out(text, start, end, limit=_LARGEST[language], join_short=False)
    found: list[Extract] = []
    first: list[int] = []
    for unit, needs in zip(units, _needs(text, units, language), strict=True):
        first.append(len(found))
        whole = Extract(unit.start, unit.end, unit.kind, unit.gap, tuple(sorted(first[need] for need in needs)))
        if fine and whole.length > _LONG[language]:
            found.extend(_pieces(text, whole, at=len(found), least=_LONG[language] // 6))
        else:
            found.append(whole)
    return found


def joined(text: str, found: Sequence[Extract], chosen: Collection[int]) -> str:
    """The chosen extracts in text order, verbatim; what was next to each other stays as it stood."""
    written: list[str] = []
    for at, following in zip_longest(sorted(chosen), sorted(chosen)[1:], fillvalue=len(found)):
        this = found[at]
        body = text[this.start : this.end]
        written.append(body.rstrip(_LOOSE_END) + "…" if this.goes_on and following != at + 1 else body)
        if following == len(found):
            break
        apart = any(each.gap for each in found[at + 1 : following + 1])
        if following == at + 1:
            written.append(text[this.end : found[following].start])
        elif {this.kind, found[following].kind} & _LINE_KINDS or apart:
            written.append("\n" + _indent(text, found[following].start))
        else:
            written.append("" if text[this.end - 1] >= "\u2e80" else " ")
    return "".join(written)


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
        gap = 0 if number else whole.gap
        yield Extract(left, left + len(piece.strip()), whole.kind, gap, needs, goes_on=end < len(body))


def _needs(text: str, units: Sequence[Unit], language: Language) -> Iterator[set[int]]:
    """For each unit those it leans on: its heading, the line that leads in, the sentence its first word points to."""
    heading = lead_in = header = definition = -1
    for at, unit in enumerate(units):
        if unit.kind == "heading":
            yield set()
            heading, lead_in, header = at if at else -1, -1, -1
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
        if unit.kind == "prose" and at and _leans(text, units[at - 1], unit, language):
            needs.add(at - 1)
        yield needs - {-1}


def _leans(text: str, before: Unit, unit: Unit, language: Language) -> bool:
    """Whether a sentence says nothing without the one before."""
    if before.kind != "prose":
        return False
    return text[before.end - 1] in ";；:：" or _LEANS[language].match(text, unit.start) is not None
