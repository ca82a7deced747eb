"""What is to be settled of a task, shown to the author first: statements, their evidence, what is new, what clashes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import JsonValue, TypeAdapter

from amb_book.forms import FormRow
from amb_core.errors import AmbError, InvalidParameter, StoreCorrupt, UnknownId
from amb_core.protocols import Clock, Record, RecordQuery, RecordStore

__all__ = ["Clash", "Proposal", "ProposalBook", "ProposalChanged", "ProposalState", "Row"]

ProposalState = Literal["open", "confirming", "applied", "discarded"]
_PLACE = "book:proposals"
ClashKind = Literal["contradicts", "replaces", "known", "invalid"]


@dataclass(frozen=True, slots=True)
class Clash:
    """How a statement stands to what is settled: `contradicts` it in the same chapter, `replaces` what held so far.

    `known` says that it holds already, `invalid` that it cannot be settled as it is written.
    """

    kind: ClashKind
    text: str
    settlement: str = ""

    @property
    def forbids(self) -> bool:
        """Whether the statement cannot be settled before the author decides."""
        return self.kind in ("contradicts", "invalid")


@dataclass(frozen=True, slots=True)
class Row:
    """One statement in its JSON form, which a form can edit; `evidence` is where it was said, `new` whom it brings in.

    `confidence` in [0, 1] is the extractor's, 1 for what the author wrote.
    """

    statement: Mapping[str, JsonValue]
    evidence: str = ""
    confidence: float = 1.0
    new: tuple[str, ...] = ()
    clashes: tuple[Clash, ...] = ()


@dataclass(frozen=True, slots=True)
class Proposal:
    """What one task would settle in `chapter`: open → confirming → applied, or discarded.

    `id` is also the id of the settlement. `turns` is how many turns were read for it, `note` what did not go well
    then. `revision` counts the corrections. `form` are places to fill in: whom the talk names and what nobody said of
    them. None of it is settled. `text` is the text of the chapter that goes to the archive, "" for none, `there` how
    many characters the archive has of the chapter by now.
    """

    id: str
    task: str
    title: str
    chapter: int
    rows: tuple[Row, ...]
    state: ProposalState = "open"
    at: float = 0.0
    turns: int = 0
    replace: bool = False
    chapter_title: str | None = None
    note: str = ""
    revision: int = 0
    form: tuple[FormRow, ...] = ()
    text: str = ""
    there: int = 0

    @property
    def contradictions(self) -> tuple[Clash, ...]:
        """What has to be decided before it can be settled."""
        return tuple(each for row in self.rows for each in row.clashes if each.forbids)

    def problems(self, *, replace_others: bool = False) -> list[tuple[int, Clash]]:
        """What forbids settling it, with the number of the row; with `replace_others` the new holds against facts."""
        found = [(number, each) for number, row in enumerate(self.rows, 1) for each in row.clashes if each.forbids]
        return [each for each in found if not replace_others or each[1].kind == "invalid"]

    @property
    def said(self) -> tuple[list[dict[str, JsonValue]], int, str]:
        """What a correction changes: statements, chapter and text."""
        return self.statements, self.chapter, self.text

    @property
    def statements(self) -> list[dict[str, JsonValue]]:
        """The statements in their JSON form."""
        return [dict(row.statement) for row in self.rows]


class ProposalChanged(AmbError):
    """Somebody else corrected a proposal meanwhile."""


class ProposalBook:
    """The proposals of one author, in the book's record store; each change of state is made by one window alone."""

    def __init__(self, store: RecordStore, *, clock: Clock, user: str = "author") -> None:
        self._store, self._clock = store, clock
        self._place = f"{_PLACE}:{user}"

    def put(self, proposal: Proposal) -> None:
        """Write a proposal down."""
        self._store.put([Record(self._place, proposal.id, _data(proposal), proposal.at, self._clock.now())])

    def get(self, id: str) -> Proposal:
        """One proposal; UnknownId when there is none."""
        found = self._store.get(self._place, id)
        if found is None:
            raise UnknownId("proposal", id)
        return _proposal(found)

    def all(self) -> list[Proposal]:
        """All proposals, oldest first."""
        return [_proposal(record) for record in self._store.search(RecordQuery(self._place))]

    def step(
        self,
        id: str,
        *,
        before: Sequence[ProposalState],
        after: ProposalState,
        seen: int | None = None,
        **changes: Any,
    ) -> Proposal | None:
        """Take a proposal from one state to another, with `changes` of it; None for one in another state.

        ProposalChanged when its revision is not the one `seen` any more.
        """
        with self._store.transaction():
            known = self.get(id)
            if known.state not in before:
                return None
            if seen is not None and seen != known.revision:
                raise ProposalChanged(f"the proposal {id} was corrected meanwhile")
            changed = replace(known, state=after, **changes)
            if changed.said != known.said:
                changed = replace(changed, revision=known.revision + 1)
            self.put(changed)
            return changed

    def remove(self, ids: Sequence[str]) -> None:
        """Delete proposals."""
        self._store.delete(self._place, ids)


_CODEC = TypeAdapter(Proposal)


def _data(proposal: Proposal) -> dict[str, JsonValue]:
    """InvalidParameter for what could not be read back."""
    try:
        data: dict[str, JsonValue] = _CODEC.dump_python(proposal, mode="json", exclude={"id", "at"}, warnings="error")
    except ValueError as error:
        raise InvalidParameter(f"the proposal {proposal.id} cannot be kept: {error}") from None
    return data


def _proposal(record: Record) -> Proposal:
    try:
        return _CODEC.validate_python({**record.data, "id": record.id, "at": record.created_at})
    except ValueError:
        raise StoreCorrupt(
            f"the record of proposal {record.id} is damaged; restore the book from a copy, or delete this record."
        ) from None
