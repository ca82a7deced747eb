"""Messages of which each holds several things, for the forms in which user and model speak in turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from amb_core.errors import InvalidParameter
from amb_wire_forms.form_parts import with_fields

__all__ = ["Piece", "Turn", "new_piece", "pieces_of", "write_turns"]

Block = Any


@dataclass(frozen=True, slots=True, eq=False)
class Turn:
    """One message of the list: where it stands, whose it is, and what it holds."""

    message: Any
    at: int
    role: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Blocks of one message that stay or go together; of no message (`turn` is None) for what AMB adds."""

    turn: Turn | None
    role: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class _Written:
    """A message to be: what it is made from, the places it has in the list that came, and its blocks."""

    turn: Turn | None
    role: str
    blocks: tuple[Block, ...]
    first: int = -1
    last: int = -1

    @property
    def is_as_it_came(self) -> bool:
        own = self.turn.blocks if self.turn is not None and self.first == self.last else None
        return own is not None and len(own) == len(self.blocks) and all(map(_is, own, self.blocks))


def new_piece(told: Mapping[str, Any], blocks: Callable[[Any], list[Block]]) -> Piece:
    """What AMB adds, as text of the user; InvalidParameter for system text, for which such a list has no place."""
    if told["role"] == "system":
        raise InvalidParameter(
            "these messages hold no system text, so the block cannot go there: use placement 'tail' or 'user_prefix'."
        )
    return Piece(None, "user", tuple(blocks(told["content"])))


def pieces_of(turn: Turn, *, stands_alone: Callable[[Block], bool]) -> list[Piece]:
    """A message in pieces: each block that stands alone, such as a result, and what stands between them."""
    groups: list[list[Block]] = []
    joins = False
    for block in turn.blocks:
        alone = stands_alone(block)
        if joins and not alone:
            groups[-1].append(block)
        else:
            groups.append([block])
        joins = not alone
    return [Piece(turn, turn.role, tuple(group)) for group in groups or [[]]]


def write_turns(
    pieces: Iterable[Piece],
    *,
    key: str,
    as_block: Callable[[Block, Sequence[Block]], Block],
    stands_first: Callable[[Block], bool],
) -> list[Any]:
    """The messages for some pieces, with what they hold under `key`; the very same where nothing changed.

    Two of one role that came apart are joined: what AMB adds, and what is left when something between them is gone. In
    a joined message what `stands_first` goes before the rest. `as_block` gives a block the kind of those beside it.
    """
    written: list[_Written] = []
    for each in _together(pieces):
        before = written[-1] if written else None
        came_apart = before is None or before.last < 0 or each.first < 0 or each.first != before.last + 1
        if before is not None and before.role == each.role and came_apart:
            blocks = sorted((*before.blocks, *each.blocks), key=lambda block: not stands_first(block))
            places = [at for at in (before.first, each.last) if at >= 0]
            first, last = (min(places), max(places)) if places else (-1, -1)
            turn = before.turn or each.turn
            written[-1] = replace(before, turn=turn, blocks=tuple(blocks), first=first, last=last)
        else:
            written.append(each)
    return [_message(one, key, as_block) for one in written]


def _together(pieces: Iterable[Piece]) -> Iterable[_Written]:
    for turn, group in groupby(pieces, key=lambda piece: piece.turn):
        left = list(group)
        if turn is None:
            yield from (_Written(None, piece.role, piece.blocks) for piece in left)
        else:
            blocks = tuple(block for piece in left for block in piece.blocks)
            if blocks or not turn.blocks:
                yield _Written(turn, turn.role, blocks, turn.at, turn.at)


def _message(one: _Written, key: str, as_block: Callable[[Block, Sequence[Block]], Block]) -> Any:
    if one.turn is None:
        return {"role": one.role, key: [as_block(block, ()) for block in one.blocks]}
    if one.is_as_it_came:
        return one.turn.message
    own, blocks = one.turn.blocks, one.blocks
    if len(blocks) == len(own) == 1 and isinstance(blocks[0], str):  # content that is one text stays one text
        return with_fields(one.turn.message, **{key: blocks[0]})
    return with_fields(one.turn.message, **{key: [as_block(block, own) for block in blocks]})


def _is(one: object, other: object) -> bool:
    return one is other
