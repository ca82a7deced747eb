"""What an agent says of an open dispute: it counts where the evidence says so too, else it is shown as its opinion."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from amb_core.errors import InvalidInput, UnknownId
from amb_core.memory.conflict_states import hear, is_disputed, require_disputed
from amb_core.memory.named_steps import named_numbers
from amb_core.memory.proof import states
from amb_core.memory.witnesses import Witnesses
from amb_core.models import Conflict, Opinion

if TYPE_CHECKING:
    from amb_core.memory.writer import Writer

__all__ = ["HeardOpinion", "Opinions"]

_ENTRY = re.compile(r"(?<![A-Za-z0-9])e(\d{1,9})(?![A-Za-z0-9])")
_MOST_CHARS = 600
_LISTED = 5


@dataclass(frozen=True, slots=True)
class HeardOpinion:
    """A dispute with what was said of it, and why that does not count; "" where it counts."""

    conflict: Conflict
    missing: str = ""


class Opinions:
    """Hears what an agent says of the disputes of one bank; asks no model. Both notes stay as they are."""

    def __init__(self, writer: Writer, witnesses: Witnesses) -> None:
        self._writer, self._state, self._witnesses = writer, writer.state, witnesses

    def hear(self, dispute: str, *, holds: str, because: str) -> HeardOpinion:
        """Keep which value of a dispute the agent says holds, and why; a blank `holds` takes back what it said.

        `dispute` is an id such as c3, or of a note that is in one dispute. `because` names the steps or entries that
        say so. Raises UnknownId, InvalidInput for a value that is neither, ConflictStateError for one that is settled.
        """
        with self._writer.lock:
            conflict, because = self._open_one(dispute), self._writer.redacted(because)
            opinion = self._read(conflict, holds, because) if holds.strip() else None
            changed = hear(conflict, opinion)
            missing = self._witnesses.missing_for(changed)
            changes = self._state.changes()
            changes.put(*(hear(one, opinion) for one in self._alike(conflict)))
            self._writer.commit(changes)
            return HeardOpinion(changed, missing)

    def _alike(self, conflict: Conflict) -> list[Conflict]:
        """The dispute, and those of its notes with others that are between the same two values."""
        near = (one for node_id in self._state.living(conflict.node_ids) for one in self._state.disputes(node_id))
        return [*{one.id: one for one in (conflict, *near) if set(one.values) == set(conflict.values)}.values()]

    def _open_one(self, dispute: str) -> Conflict:
        found = self._state.conflicts.get(dispute)
        mine = [found] if found else self._state.disputes(dispute) if dispute in self._state.graph else []
        if len(mine) == 1:
            require_disputed(mine[0])
        if mine and len(mine[0].values) == 2 and len({frozenset(one.values) for one in mine}) == 1:
            return mine[0]
        among = mine or [one for one in self._state.conflicts.values() if is_disputed(one)]
        told = "; ".join(f"{one.id}: {' / '.join(one.values)}" for one in among[-_LISTED:] if len(one.values) == 2)
        if len(mine) > 1:
            raise InvalidInput(f"{dispute} is in several disputes; give the id of one of them: {told}.")
        raise UnknownId("open dispute", dispute, near=[told] if told else [])

    def _read(self, conflict: Conflict, holds: str, because: str) -> Opinion:
        wanted = holds.strip()
        sides = [value for value in conflict.values if value.casefold() == wanted.casefold()]
        sides = sides or [value for value in conflict.values if states(wanted, value) or states(value, wanted)]
        if len(sides) != 1:
            both = " or ".join(f'"{value}"' for value in conflict.values)
            raise InvalidInput(f"{conflict.id} is between two values; give {both} as holds.")
        told = " ".join(because.split())[:_MOST_CHARS]
        return Opinion(holds=sides[0], because=told, entries=_named(told), at=self._writer.clock.now())


def _named(because: str) -> tuple[str, ...]:
    """The entries that a text names, as e12 or as step 12."""
    numbers: Sequence[int] = [int(one) for one in _ENTRY.findall(because)] + named_numbers(because)
    return tuple(dict.fromkeys(f"e{number}" for number in numbers))
