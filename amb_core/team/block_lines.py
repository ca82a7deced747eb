"""The lines of a team block: sections by what they say, kept by how much they matter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from amb_core.rendering import escape_line
from amb_core.rendering.blocks import TEAM_CLOSE
from amb_core.team.queries import normalised
from amb_core.text import clip_tokens, estimate_tokens

__all__ = ["Section", "fitted", "line_of"]

_LINE_TOKENS = 60
_JOINT = "; "


@dataclass(frozen=True, slots=True)
class Section:
    """Lines under a heading, or one line of `joined` pieces; `ranks` say of each line when it gets room, 0 first."""

    heading: str
    lines: tuple[str, ...]
    ranks: tuple[int, ...]
    joined: bool = False

    def rendered(self, kept: Sequence[int]) -> list[str]:
        """The section with some of its lines; [] without any."""
        lines = [self.lines[place] for place in kept]
        if not lines:
            return []
        return [self.heading.format(_JOINT.join(lines))] if self.joined else [self.heading, *(f"- {x}" for x in lines)]


def line_of(text: str, *, tokens: int = _LINE_TOKENS) -> str:
    """A text as one harmless line of bounded length."""
    line = escape_line(text)
    return line if estimate_tokens(line) <= tokens else clip_tokens(line, tokens).rstrip() + "…"


def fitted(head: Sequence[str], sections: Sequence[Section], budget_tokens: int) -> str:
    """As many lines as there is room for, by rank, in the order of the sections; no line that says what another says.

    "" when there is no room for any.
    """
    wanted = sorted(
        (section.ranks[place], number, place)
        for number, section in enumerate(sections)
        for place in range(len(section.lines))
    )
    kept: dict[int, list[int]] = {number: [] for number in range(len(sections))}
    seen: set[str] = set()
    order: list[tuple[int, int]] = []
    for _, number, place in wanted:
        line = sections[number].lines[place]
        bare = (
            line if sections[number].joined else normalised(line.partition("：")[2] or line.partition(": ")[2] or line)
        )
        if bare in seen:
            continue
        kept[number] = sorted([*kept[number], place])
        if estimate_tokens(_joined(head, sections, kept)) > budget_tokens:
            kept[number].remove(place)
            continue
        seen.add(bare)
        order.append((number, place))
    return _joined(head, sections, kept) if order else ""


def _joined(head: Sequence[str], sections: Sequence[Section], kept: dict[int, list[int]]) -> str:
    told = [line for number, section in enumerate(sections) for line in section.rendered(kept[number])]
    return "\n".join([*head, *told, TEAM_CLOSE])
