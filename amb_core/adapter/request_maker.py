"""Makes a request out of an agent's transcript: which messages stay, and where what memory says is put.

In a large budget what memory says stands still: behind the pinned messages, until old turns leave the next time, and a
little more behind the newest result where there is more to say, which then stays there. In a small one the transcript
is filled up at every call and the block behind it is chosen anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal

from amb_core.adapter.block_source import BlockSource, moment_of
from amb_core.adapter.chat_messages import (
    Costs,
    NewMessage,
    Placement,
    TokenCounter,
    items_of,
    joined,
    placed,
    roles_in_turn,
)
from amb_core.adapter.condenser import DROP, KEEP, CondensedTranscript, Condenser, Key, TranscriptItem, keys_of
from amb_core.adapter.request_limits import CutMessage, RequestLimits
from amb_core.adapter.short_messages import short_message
from amb_core.rendering import MemoryBlock

__all__ = ["Inject", "PreparedRequest", "RequestMaker"]

Inject = Literal["missing", "always", "never"]
_APPENDED = 120
"""Tokens that memory may add to a request between two cuts."""
_TRIES = 4
_SAID = ("content", "tool_calls", "function_call")
"""What is shortened of a message."""


@dataclass(frozen=True, slots=True)
class PreparedRequest:
    """The messages for the next request, and what memory says in them; `tokens` are those of the messages.

    `cut` is what of the user's and the system's words did not fit whole.
    """

    messages: list[NewMessage]
    tokens: int
    block: MemoryBlock | None = None
    cut: tuple[CutMessage, ...] = ()


@dataclass(frozen=True, slots=True)
class _Piece:
    """Something memory said, which stays where it was put."""

    block: MemoryBlock
    content: str | list[NewMessage]
    tokens: int


@dataclass(slots=True)
class _Standing:
    """What memory has in one transcript: behind the pinned messages, and behind some of the others."""

    head: _Piece | None = None
    notes: dict[Key, _Piece] = field(default_factory=dict)

    def pieces(self) -> list[_Piece]:
        return [*([self.head] if self.head else []), *self.notes.values()]


@dataclass(frozen=True, slots=True)
class _View:
    """A transcript with what was decided about it, and what is asked of memory for it."""

    messages: Sequence[NewMessage]
    items: Sequence[TranscriptItem]
    keys: Sequence[Key]
    outcome: CondensedTranscript
    limits: RequestLimits
    inject: Inject
    goal: str
    query: str | None


class RequestMaker:
    """Keeps the transcripts of one agent within the bound; remembers what it decided, and what memory said where.

    Not thread-safe: its owner holds a lock.
    """

    def __init__(
        self,
        condenser: Condenser,
        source: BlockSource,
        *,
        count: TokenCounter,
        placement: Placement = "tail",
        merge: bool = False,
        run: str = "",
    ) -> None:
        self._condenser, self._source, self._count = condenser, source, count
        self._placement: Placement = placement
        self._merge, self._run = merge, run
        self._standing: dict[tuple[Key, ...], _Standing] = {}
        self._short: dict[tuple[Key, int], NewMessage] = {}

    def request(
        self,
        messages: Sequence[NewMessage],
        costs: Costs,
        *,
        limits: RequestLimits,
        inject: Inject,
        goal: str = "",
        query: str | None = None,
    ) -> PreparedRequest:
        """The messages for a request within `limits`, with what memory says in them.

        The bound is checked on what is really sent; where an estimate was too low, more is left out.
        """
        make = partial(self._made, messages, costs, inject=inject, goal=goal, query=query)
        within = _with_room_for_words(limits.in_batches() if inject == "always" else limits, messages, costs)
        made = make(within)
        for _ in range(_TRIES - 1):
            over = made.tokens - limits.budget
            if over <= 0:
                return made
            within = within.beside(over)
            made = make(within)
        for block in (max(within.block // 2, 1), 1):  # memory estimates its size, the request may be counted exactly
            if made.tokens > limits.budget:  # what the block gives up goes to no message
                made = make(replace(within, block=block, budget=max(within.budget - within.block + block, 1)))
        return made

    def _made(
        self,
        messages: Sequence[NewMessage],
        costs: Costs,
        limits: RequestLimits,
        *,
        inject: Inject,
        goal: str,
        query: str | None,
    ) -> PreparedRequest:
        items = items_of(messages, [costs[id(message)] for message in messages])
        keys = keys_of(items)
        steady = inject == "missing" and limits.is_steady
        standing = self._of(items, keys) if steady else _Standing()
        spoken = sum(piece.tokens for piece in standing.pieces())
        outcome = self._condenser.condense(items, limits=limits, standing=spoken)
        if outcome.cut:
            standing.head, standing.notes = None, {}
        view = _View(messages, items, keys, outcome, limits, inject, goal, query)
        if steady:
            self._say(view, standing)
            return self._counted(view, self._written(view, standing), costs, _together(standing.pieces()))
        shown = self._written(view, standing)
        block = self._chosen(view, shown)
        if block is None:
            return self._counted(view, shown, costs, None)
        images = self._source.images()
        full = placed(shown, block.text, images=images, placement=self._placement, merge=self._merge)
        return self._counted(view, full, costs, block)

    # --- what memory says ---------------------------------------------------------------------------------------------

    def _chosen(self, view: _View, shown: Sequence[NewMessage]) -> MemoryBlock | None:
        """The block for this request alone."""
        if view.inject == "never":
            return None
        if view.inject == "always":
            return self._source.whole_block(view.query, view.limits.block)
        return self._missing(view, shown, view.limits.block)

    def _missing(self, view: _View, shown: Sequence[NewMessage], budget: int) -> MemoryBlock | None:
        """What the messages that are shown do not hold."""
        actions = view.outcome.actions
        moment = moment_of(view.items, actions, shown, goal=view.goal, run=self._run, query=view.query)
        return self._source.missing_block(moment, budget)

    def _say(self, view: _View, standing: _Standing) -> None:
        """Put in what memory knows and the request does not hold: a whole block after a cut, else a little.

        Where people say something new it is half a block, for they may ask for what left long ago. Memory is not asked
        where nothing may be put in.
        """
        last, limits = self._last(view), view.limits
        is_head = view.outcome.cut or last < view.outcome.index_at
        if not is_head and not self._joins_nothing(view, last):
            return
        spoken = sum(piece.tokens for piece in standing.pieces())
        budget = limits.block
        if spoken:
            is_question = last >= 0 and view.items[last].kind == "user"
            budget = budget // 2 if is_question else min(_APPENDED, budget)
        if view.outcome.tokens + spoken + budget > limits.budget:
            return
        block = self._missing(view, self._written(view, standing), budget)
        self._correct(standing)
        if block is None:
            return
        piece = self._piece(block)
        if is_head:
            standing.head = piece
        else:
            standing.notes[view.keys[last]] = piece

    def _joins_nothing(self, view: _View, last: int) -> bool:
        """Whether a message of its own may stand behind the last one, or joins it as the user's."""
        strict = self._merge or self._placement != "tail"
        return view.items[last].kind == "user" if strict else view.items[last].kind != "call"

    def _piece(self, block: MemoryBlock) -> _Piece:
        images = self._source.images()
        content: str | list[NewMessage] = [{"type": "text", "text": block.text}, *images] if images else block.text
        return _Piece(block, content, self._count.message({"role": "user", "content": content}))

    def _of(self, items: Sequence[TranscriptItem], keys: Sequence[Key]) -> _Standing:
        """What stands in the transcript that begins with these pinned messages; notes whose place is gone are lost."""
        first = next((at for at, item in enumerate(items) if item.kind == "user"), -1)
        begins = tuple(key for at, key in enumerate(keys) if items[at].kind == "system" or at == first)
        standing = self._standing.setdefault(begins, _Standing())
        here = set(keys)
        standing.notes = {key: piece for key, piece in standing.notes.items() if key in here}
        self._correct(standing)
        return standing

    def _correct(self, standing: _Standing) -> None:
        """Take out of what stands what is no longer so."""
        standing.head = self._corrected(standing.head) if standing.head else None
        notes = {key: self._corrected(piece) for key, piece in standing.notes.items()}
        standing.notes = {key: piece for key, piece in notes.items() if piece is not None}

    def _corrected(self, piece: _Piece) -> _Piece | None:
        """What memory said, without what is no longer so; None where nothing is left. Mostly it is as it was."""
        text = self._source.corrected(piece.block.text)
        if text == piece.block.text:
            return piece
        return self._piece(replace(piece.block, text=text)) if text.strip() else None

    @staticmethod
    def _last(view: _View) -> int:
        """The last message that is sent; -1 for none."""
        sent = (at for at in range(len(view.items) - 1, -1, -1) if view.outcome.actions[at] is not DROP)
        return next(sent, -1)

    # --- the messages -------------------------------------------------------------------------------------------------

    def _written(self, view: _View, standing: _Standing) -> list[NewMessage]:
        """The messages that are sent, with what memory has among them; no note comes between a call and its results."""
        head, sent, waiting = self._head(view.outcome, standing), list[NewMessage](), list[NewMessage]()
        for at in range(len(view.messages)):
            if at == view.outcome.index_at:
                sent += head
            if view.items[at].kind != "result":
                sent, waiting = [*sent, *waiting], []
            if view.outcome.actions[at] is DROP:
                continue
            sent.append(self._shown(view, at))
            note = standing.notes.get(view.keys[at])
            if note is not None:
                waiting.append({"role": "user", "content": note.content})
        sent += waiting if view.outcome.index_at < len(view.messages) else [*waiting, *head]
        return roles_in_turn(sent) if self._merge else self._head_in_place(sent, head)

    def _head(self, outcome: CondensedTranscript, standing: _Standing) -> list[NewMessage]:
        """What stands behind the pinned messages: what left, and what memory says of it."""
        told: list[NewMessage] = [{"role": "user", "content": outcome.index}] if outcome.index else []
        if standing.head is not None:
            content = standing.head.content
            told = [joined(told[0], content)] if told else [{"role": "user", "content": content}]
        return told

    def _head_in_place(self, sent: list[NewMessage], head: Sequence[NewMessage]) -> list[NewMessage]:
        """Puts the head in the message that `placement` names."""
        if self._placement == "tail" or not head:
            return sent
        role = "system" if self._placement == "system" else "user"
        rest = [message for message in sent if message is not head[0]]
        at = next((at for at, message in enumerate(rest) if message["role"] == role), None)
        if at is None:
            return sent
        pair = (rest[at], head[0]) if role == "system" else (head[0], rest[at])
        content = joined(pair[0], pair[1].get("content"))["content"]
        return [*rest[:at], {**rest[at], "content": content}, *rest[at + 1 :]]

    def _shown(self, view: _View, at: int) -> NewMessage:
        """A message that stays, as it is or shortened; what was shortened once comes out the same again."""
        action, message, item = view.outcome.actions[at], view.messages[at], view.items[at]
        if action is KEEP:
            return message
        known = (view.keys[at], action.tokens)
        if known not in self._short:
            asked = _asked(view, at)
            self._short[known] = short_message(
                message,
                action.tokens,
                shorten=lambda text, tokens: self._source.shorten(item, asked, text, tokens),
                count=self._count,
            )
        short = self._short[known]
        return {key: short[key] if key in _SAID else value for key, value in message.items() if key in short}

    def _counted(
        self, view: _View, messages: list[NewMessage], costs: Costs, block: MemoryBlock | None
    ) -> PreparedRequest:
        tokens = sum(self._count.each(messages, known=costs).values())
        return PreparedRequest(messages, tokens, block, tuple(self._cut(view, costs)))

    def _cut(self, view: _View, costs: Costs) -> Iterator[CutMessage]:
        """What of the user's and the system's words is not sent whole, though it is sent."""
        for at, item in enumerate(view.items):
            if item.kind in ("user", "system") and view.outcome.actions[at].kind == "shorten":
                message = view.messages[at]
                if self._shown(view, at).get("content") != message.get("content"):
                    yield CutMessage(view.keys[at], item.kind, costs[id(message)])


def _with_room_for_words(limits: RequestLimits, messages: Sequence[NewMessage], costs: Costs) -> RequestLimits:
    """Limits by which memory gets no more than what system messages and the user's first and newest words leave it."""
    users = [message for message in messages if message["role"] == "user"]
    words = {id(message) for message in (*users[:1], *users[-1:])}
    words.update(id(message) for message in messages if message["role"] in ("system", "developer"))
    left = limits.budget - sum(costs[one] for one in words)
    return replace(limits, block=max(left, 1)) if 0 <= left < limits.block else limits


def _asked(view: _View, at: int) -> str:
    """What an item is looked at for: a result for the call it answers and the first words of the user, else the newest.

    Words are not looked at for themselves.
    """
    item = view.items[at]
    if item.kind != "result":
        return next((one.text for one in reversed(view.items) if one.kind == "user" and one is not item), "")
    calls = (one.text for one in view.items if one.kind == "call" and set(one.call_ids) & set(item.call_ids))
    user = next((one.text for one in view.items if one.kind == "user"), "")
    return "\n".join([next(calls, ""), user])


def _together(pieces: Iterable[_Piece]) -> MemoryBlock | None:
    """What memory says in a request as one block; None where it says nothing."""
    blocks = [piece.block for piece in pieces]
    if len(blocks) < 2:
        return blocks[0] if blocks else None
    text = "\n\n".join(block.text for block in blocks)
    receipts = {receipt.node_id: receipt for block in blocks for receipt in block.receipts}
    return MemoryBlock(text, tuple(receipts.values()), sum(block.tokens for block in blocks), blocks[-1].query)
