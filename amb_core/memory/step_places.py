"""A step of the agent: results are numbered from 1 in the order in which they were taken in, as in their own ids.

A number stays with its entry when others are forgotten. `deep_retrieval` may be asked for a step, some lines of it, or
a record in it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from amb_core.errors import InvalidParameter
from amb_core.memory.ids import id_number
from amb_core.memory.interaction_tree import InteractionTree
from amb_core.models import InteractionEntry

__all__ = ["StepPlace", "parse_step_place", "step_entry", "step_number"]


def step_number(entry_id: str) -> int:
    """The step that an entry is, from 1."""
    return id_number(entry_id)


def step_entry(tree: InteractionTree, number: int) -> InteractionEntry | None:
    """The entry of a step; None when there is none of that number or its text was forgotten."""
    entry = tree.entries.get(f"e{number}")
    return None if entry is None or entry.forgotten else entry


_PLACE = re.compile(
    r"(?P<shared>team\s+|团队\s*|團隊\s*)?(?:(?:step|步骤|步驟|第)\s*)?#?(?P<number>\d{1,9})\s*步?"
    r"(?:[\s:：,，·]+(?:的\s*)?(?P<rest>.*))?",
    re.IGNORECASE | re.DOTALL,
)
_LINES = re.compile(
    r"(?:lines?|行|第)\s*(?P<first>\d{1,9})(?:\s*(?:-|–|—|\.\.|~|to|到|至)\s*(?P<last>\d{1,9}))?\s*行?", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class StepPlace:
    """A step, and the lines (from 1) or the path of the record in it that are wanted; without them all of it."""

    number: int
    lines: tuple[int, int] | None = None
    path: str = ""
    shared: bool = False

    def span(self, text: str) -> tuple[int, int]:
        """Characters (start, end) of what is wanted of the step's text; InvalidParameter where it has no such thing."""
        if self.lines is not None:
            return _span_of_lines(text, *self.lines)
        if not self.path:
            return 0, len(text)
        from amb_core.reading.record_places import find_record

        found, step = find_record(text, self.path), str(replace(self, lines=None, path=""))
        if found is None:
            raise InvalidParameter(
                f"{step} has nothing at {self.path[:80]!r}; pass a path as memory shows it, such as "
                f'"{step} flights[2]", or "{step} lines 1-40"'
            )
        return found

    def __str__(self) -> str:
        wanted = f" lines {self.lines[0]}-{self.lines[1]}" if self.lines else f" {self.path[:80]}" if self.path else ""
        return f"{'team ' if self.shared else ''}step {self.number}{wanted}"


def parse_step_place(shown: object) -> StepPlace | None:
    """The step named by "step 12", "12", "step 12 lines 40-80" or "step 12 flights[2]"; None for anything else."""
    found = _PLACE.fullmatch(shown.strip()) if isinstance(shown, str) else None
    if found is None or not int(found["number"]):
        return None
    rest = (found["rest"] or "").strip()
    lines = _LINES.fullmatch(rest)
    number, shared = int(found["number"]), bool(found["shared"])
    if lines is None:
        return StepPlace(number, path=rest, shared=shared)
    first, last = int(lines["first"]), int(lines["last"] or lines["first"])
    return StepPlace(number, lines=(min(first, last), max(first, last)), shared=shared)


def _span_of_lines(text: str, first: int, last: int) -> tuple[int, int]:
    lines = text.split("\n")
    if first < 1 or first > len(lines):
        raise InvalidParameter(f"there is no line {first}: the lines are 1 to {len(lines)}")
    start = sum(len(line) + 1 for line in lines[: first - 1])
    return start, start + len("\n".join(lines[first - 1 : last]))
