"""What a summary is put together from: sentences, items, rows and turns, and which of them cannot stand alone."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest

from amb_core.agents.text_units import Unit, lay_out
from amb_core.text.language import Language

__all__ = ["Extract", "extracts", "joined"]

_LARGEST = {"en": 2_500, "zh": 1_100}
_LONG = {"en": 240, "zh": 40}
_LEANS = {
    "en": re.compile(
        r"(?:he|she|it|they|his|her|hers|its|their|him|them|this|these|those|that|such|both|neither|"
        r"the (?:former|latter|same|other|others|two|first|second|last|rest)|another|others|"
        r"however|but|and|or|so|yet|nor|also|thus|therefore|hence|moreover|instead|otherwise|"
        r"meanwhile|similarly|consequently|then|later|for (?:example|instance)|as a result|who|which)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"[他她它其该此这那]|两者|前者|后者|双方|但|而|并|因此|所以|因而|于是|然而|不过|同时|另外|后来|之后|随后|接着|从而|例如|比如|以及|"
        r"还|也|则|却|反之|相反|即"
    ),
}
"""How a sentence opens that says nothing, or something else, without the one before."""
_PIECE_END = re.compile(r"(?<=[;；，])|(?<=,)(?=\s)|\n|(?<=[,}\]])(?=\s*[\"{\[])")
_LOOSE_END = " ,，;；、:："
_LINE_KINDS = frozenset({"heading", "code", "table", "turn", "item", "json"})


@dataclass(frozen=True, slots=True)
class Extract:
    """Characters `start:end` that are taken or left as one.

    `needs` are indices of others without which it misleads. `goes_on` says that a text without sentences goes on in
    the next one, so that leaving that one out has to show.
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
    """What `text[start:end]` consists of, in order: sentences, items, rows and turns.

    `fine` takes long ones apart at any comma or line end; a long Chinese sentence may always lose its end at a comma.
    """
    units = lay_out(text, start, end, limit=_LARGEST[language], join_short=False)
    found: list[Extract] = []
    first: list[int] = []
    for unit, needs in zip(units, _needs(text, units, language), strict=True):
        first.append(len(found))
        whole = Extract(unit.start, unit.end, unit.kind, unit.gap, tuple(first[need] for need in needs))
        if whole.length > _LONG[language] and (fine or (language == "zh" and unit.kind == "prose")):
            found.extend(_pieces(text, whole, at=len(found), least=_LONG[language] // 6))
        else:
            found.append(whole)
    return found


def joined(text: str, found: Sequence[Extract], chosen: Collection[int]) -> str:
    """The chosen extracts in text order, verbatim; what was next to each other stays as it stood."""
    written: list[str] = []
    order = sorted(chosen)
    for at, following in zip_longest(order, order[1:]):
        this = found[at]
        body = text[this.start : this.end]
        written.append(body.rstrip(_LOOSE_END) + "…" if this.goes_on and following != at + 1 else body)
        if following is None:
            break
        then = found[following]
        if following == at + 1:
            written.append(text[this.end : then.start])
        elif {this.kind, then.kind} & _LINE_KINDS or any(one.gap for one in found[at + 1 : following + 1]):
            written.append("\n" + _indent(text, then.start))
        else:
            written.append("" if body[-1] >= "\u2e80" else " ")
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
        needs = (at + number - 1,) if number and whole.kind == "prose" else whole.needs
        gap = 0 if number else whole.gap
        yield Extract(left, left + len(piece.strip()), whole.kind, gap, needs, goes_on=end < len(body))


def _needs(text: str, units: Sequence[Unit], language: Language) -> Iterator[tuple[int, ...]]:
    """For each unit the units it leans on: its heading, the line that leads in, the sentence its pronoun refers to."""
    heading = lead_in = header = definition = -1
    for at, unit in enumerate(units):
        if unit.kind == "heading":
            yield ()
            heading, lead_in, header = at if at else -1, -1, -1
            continue
        needs = {heading}
        if unit.kind == "code":
            indented = unit.start > 0 and text[unit.start - 1] in " \t"
            definition = definition if indented else at if unit.level else -1
            needs.add(definition if indented else -1)
        if unit.kind in ("item", "table"):
            lead_in = at - 1 if at and text[units[at - 1].end - 1] in ":：" else lead_in
            header = at if unit.kind == "table" and (not at or units[at - 1].kind != "table") else header
            needs |= {lead_in, header if header != at else -1}
        else:
            lead_in = header = -1
        if unit.kind == "prose" and at and units[at - 1].kind == "prose" and _leans(text, units, at, language):
            needs.add(at - 1)
        yield tuple(sorted(needs - {-1}))


def _leans(text: str, units: Sequence[Unit], at: int, language: Language) -> bool:
    """Whether a sentence needs the one before: a pronoun or connective opens it, or the one before is half a one."""
    opening = text[units[at].start : units[at].start + 40]
    half = text[units[at - 1].end - 1] in ";；:：" or opening[:1].islower()
    return half or _LEANS[language].match(opening) is not None
