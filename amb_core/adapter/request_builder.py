"""Makes a request out of an agent's transcript: which messages stay, and where what memory says is put.

What memory says is said at a cut and where people ask something new, and stays where it was put until the next cut, so
that a provider reads it from its cache. Between them a small block may stand at the tail, chosen anew at each call.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal

from amb_core.adapter.block_source import BlockSource, moment_of
from amb_core.adapter.chat_messages import (
    NewMessage,
    Placement,
    TokenCounter,
    absent,
    item_reader,
    joined,
    placed,
    roles_in_turn,
)
from amb_core.adapter.message_facts import Grown
from amb_core.adapter.request_budget import CutMessage, RequestBudget
from amb_core.adapter.short_messages import short_message
from amb_core.adapter.transcript_trimmer import KEEP, TranscriptTrimmer, TrimmedTranscript
from amb_core.adapter.transcript_turns import Key, TranscriptItem
from amb_core.memory.moment import Moment
from amb_core.rendering import MemoryBlock

__all__ = ["Inject", "PreparedRequest", "RequestBuilder"]

Inject = Literal["missing", "always", "never"]
_FRAME = 8
"""What a message costs that holds a block, beside its text."""
_LEAST_BLOCK = 48
"""Tokens below which memory has nothing to say in a request."""
_ASKED = 8
"""New words of the user get one part in so many of the block's room, or what was said before them gives way."""
_EACH_TIME = 5
"""A block that is made anew for every request has one part in so many, or every turn would be a cut."""
_TRIES = 4
_MOST_PER_TOKEN = 1.5
_HEAD: Key = ("head", (), "", 0)
"""The place behind the pinned messages, where a block stands that may not stand alone behind the last one."""
_TEXTS = ("content", "tool_calls", "function_call")
"""What is shortened of a message."""
_QUESTION = 400
"""Characters of a line in which a question may stand."""


@dataclass(frozen=True, slots=True)
class PreparedRequest:
    """The messages for the next request, and what memory says in them.

    `tokens` are those of the messages, `raw_tokens` those of the messages they were made of. `cut` is what of the
    user's and the system's words did not fit whole. `anew` says that what stays was decided just now.
    """

    messages: list[NewMessage]
    tokens: int
    raw_tokens: int
    block: MemoryBlock | None = None
    cut: tuple[CutMessage, ...] = ()
    anew: bool = False


@dataclass(frozen=True, slots=True)
class _StandingBlock:
    """Something memory said, which stays behind the message it was put behind."""

    block: MemoryBlock
    content: str | list[NewMessage]
    tokens: int


@dataclass(frozen=True, slots=True)
class _View:
    """A transcript with what was decided about it, and what is asked of memory for it."""

    messages: Sequence[NewMessage]
    items: Sequence[TranscriptItem]
    trimmed: TrimmedTranscript
    budget: RequestBudget
    inject: Inject
    goal: str
    query: str | None

    @property
    def last(self) -> int:
        """The last message that is sent; -1 for none."""
        return max(self.trimmed.kept, default=-1)

    @property
    def whole(self) -> list[int]:
        """Where the messages stand that are sent as they are."""
        return [at for at, action in self.trimmed.kept.items() if action is KEEP]


@dataclass(slots=True)
class RequestBuilder:
    """Keeps the transcripts of one agent within the bound; remembers what it decided, and what memory said where.

    Not thread-safe: its owner holds a lock.
    """

    trimmer: TranscriptTrimmer
    source: BlockSource
    count: TokenCounter
    placement: Placement = "tail"
    merge: bool = False
    run: str = ""
    _standing: dict[Key, _StandingBlock] = field(default_factory=dict)
    _short: dict[tuple[Key, int], NewMessage] = field(default_factory=dict)
    _unused: dict[tuple[Key, int], int] = field(default_factory=dict)
    """Tokens that a shortened message was given and does not take: what is left of a call may be much less."""
    _spare: int = 0
    """How much of that was in the request before: memory may have said something in it, which is no reason to cut."""
    _withdrawals: int | None = None
    _per_token: float = 1.0
    """What memory takes a token of the host's count for, as the block before showed."""
    _items: Grown[TranscriptItem] = field(init=False)

    def __post_init__(self) -> None:
        self._items = Grown(partial(item_reader, self.count.message))

    def build(
        self,
        messages: Sequence[NewMessage],
        *,
        budget: RequestBudget,
        inject: Inject,
        goal: str = "",
        query: str | None = None,
    ) -> PreparedRequest:
        """The messages for a request within `budget`, with what memory says in them.

        The bound is checked on what is really sent; where an estimate was too low, more is left out.
        """
        make = partial(self._made, messages, inject=inject, goal=goal, query=query)
        if self._withdrawals != (now := self.source.withdrawals):  # what stands may say what may not be said any more
            self._withdrawals = now
            self._standing.clear()
            self._short.clear()
            self._unused.clear()
            self.trimmer.forget_references()
        within, made = budget, make(budget)
        for _ in range(_TRIES):
            over = made.tokens - budget.total
            if over <= 0:
                return made
            within = within.less(over)
            made = make(within)
        return make(replace(within.with_block(1), total=max(within.total - within.block, 1)))

    def _made(
        self,
        messages: Sequence[NewMessage],
        budget: RequestBudget,
        *,
        inject: Inject,
        goal: str,
        query: str | None,
    ) -> PreparedRequest:
        items = self._items.of(messages)
        stands = inject == "missing" and self.placement == "tail"
        if not stands:
            self._standing.clear()
        reserved = asked = 0
        if inject == "always":
            budget = budget.with_block(min(budget.block, max(budget.fill // _EACH_TIME, 1)))
            reserved = budget.block
        elif stands:
            asked = budget.block // _ASKED
        standing = max(self._standing_tokens - self._spare, 0)
        trimmed = self.trimmer.trim(
            items, budget, standing=standing, reserved=reserved, asked=asked, answered=self._standing
        )
        view = _View(messages, items, trimmed, budget, inject, goal, query)
        said = self._say(view) if stands else False
        written = self._written(view)
        self._spare = self._unused_in(trimmed)
        goes_on = stands and view.last >= 0
        most = budget.tail if goes_on else budget.block
        block = None if said else self._block(view, written, most, between=goes_on and not trimmed.cut)
        if block is not None:
            images = self.source.images()
            written = placed(written, block.text, images=images, placement=self.placement, merge=self.merge)
        blocks = [piece.block for piece in self._standing.values()]
        return self._counted(view, written, _together([*blocks, block] if block is not None else blocks))

    # --- what memory says ---------------------------------------------------------------------------------------------

    def _unused_in(self, trimmed: TrimmedTranscript) -> int:
        """The tokens that the shortened messages of a transcript were given and do not take."""
        kept = trimmed.kept.items()
        return sum(self._unused.get((trimmed.keys[at], action.tokens), 0) for at, action in kept if action.tokens)

    @property
    def _standing_tokens(self) -> int:
        return sum(piece.tokens for piece in self._standing.values())

    def _block(
        self, view: _View, written: Sequence[NewMessage], most: int, *, between: bool = False
    ) -> MemoryBlock | None:
        """What memory says to this request in the room that is free, of at most so many tokens."""
        unused = self._unused_in(view.trimmed)
        room = min(most, view.budget.total - view.trimmed.tokens + unused - self._standing_tokens - _FRAME)
        if view.inject == "always":
            return self.source.whole_block(view.query, max(room, 1))
        if view.inject == "never" or room < _LEAST_BLOCK:
            return None
        whole = view.whole
        moment = moment_of(view.items, whole, written, goal=view.goal, run=self.run, query=view.query)
        moment = replace(moment, language=self.source.language)
        spoken = self.source.held_spoken(view.messages, whole)
        held = (moment.held - self.source.cleared(view.items[at] for at in whole)) | spoken
        return self._filled(replace(moment, held=held, between=between and not moment.question), room)

    def _filled(self, moment: Moment, room: int) -> MemoryBlock | None:
        """What a request does not hold, in a room by the host's count: memory itself goes by an estimate."""
        asked = int(room * self._per_token)
        block = self.source.missing_block(moment, asked)
        tokens = self.count.text(block.text) if block is not None else 0
        if tokens > room and asked > room:
            block = self.source.missing_block(moment, room)
            tokens = self.count.text(block.text) if block is not None else 0
        if block is not None and tokens:
            self._per_token = min(max(block.tokens / tokens, 1.0), _MOST_PER_TOKEN)
        return block

    def _say(self, view: _View) -> bool:
        """Say behind the last message what memory knows; whether it says anything there, now or since an earlier call.

        It does after a cut, behind new words of the user, and where all that came fits and memory knows more.
        """
        trimmed = view.trimmed
        if trimmed.cut:
            self._standing.clear()
        here = {trimmed.keys[at] for at in trimmed.kept}
        self._standing = {key: piece for key, piece in self._standing.items() if key in here or key is _HEAD}
        self._correct()
        last = view.last
        if last < 0 or view.items[last].kind == "call":
            return last >= 0
        is_user = view.items[last].kind == "user"
        place = trimmed.keys[last] if is_user or not self.merge else _HEAD
        if place is _HEAD and not trimmed.cut:
            return True  # nothing may stand alone behind the last message, and the head is cached
        again = self._standing.pop(place, None)  # the same request once more: nothing stands behind it
        if not (trimmed.cut or again is not None or is_user) and (trimmed.index or self._standing):
            return False
        block = self._block(view, self._written(view), view.budget.block // (2 if self._standing else 1))
        self._correct()
        if block is not None:
            self._standing[place] = self._piece(block, absent(self.source.images(), view.messages))
        return True

    def _correct(self) -> None:
        """Take out of what stands what is no longer so."""
        corrected = {key: self._corrected(piece) for key, piece in self._standing.items()}
        self._standing = {key: piece for key, piece in corrected.items() if piece is not None}

    def _piece(self, block: MemoryBlock, images: Sequence[NewMessage]) -> _StandingBlock:
        content: str | list[NewMessage] = [{"type": "text", "text": block.text}, *images] if images else block.text
        return _StandingBlock(block, content, self.count.message({"role": "user", "content": content}))

    def _corrected(self, piece: _StandingBlock) -> _StandingBlock | None:
        """What memory said, without what is no longer so; None where nothing is left. Mostly it is as it was."""
        text = self.source.corrected(piece.block.text)
        if text == piece.block.text:
            return piece
        images = [] if isinstance(piece.content, str) else piece.content[1:]
        return self._piece(replace(piece.block, text=text), images) if text.strip() else None

    # --- the messages -------------------------------------------------------------------------------------------------

    def _written(self, view: _View) -> list[NewMessage]:
        """The messages that are sent, with what stands among them; nothing comes between a call and its results."""
        trimmed, sent, waiting = view.trimmed, list[NewMessage](), list[NewMessage]()
        index: list[NewMessage] = [{"role": "user", "content": trimmed.index}] if trimmed.index else []
        if _HEAD in self._standing:
            told = self._standing[_HEAD].content
            index = [joined(one, told) for one in index] or [{"role": "user", "content": told}]
        seen, end = 0, len(view.messages)
        for at in (*trimmed.kept, end):
            for place in range(seen, min(at + 1, end)):
                if place == trimmed.index_at:
                    sent += index
                if view.items[place].kind != "result":
                    sent += waiting
                    waiting = []
                if not waiting and not place < trimmed.index_at <= at:
                    break  # of what left there is nothing more to say
            seen = at + 1
            if at < end:
                sent.append(self._shown(view, at))
            piece = self._standing.get(trimmed.keys[at]) if at < end else None
            if piece is not None:
                waiting.append({"role": "user", "content": piece.content})
        sent += [*waiting, *(index if trimmed.index_at >= end else [])]
        if self.merge:
            return roles_in_turn(sent)
        return self._index_in_place(sent, index)

    def _index_in_place(self, sent: list[NewMessage], index: Sequence[NewMessage]) -> list[NewMessage]:
        """Puts the line about what left into the message that `placement` names."""
        if self.placement == "tail" or not index:
            return sent
        role = "system" if self.placement == "system" else "user"
        rest = [message for message in sent if message is not index[0]]
        at = next((at for at, message in enumerate(rest) if message["role"] == role), None)
        if at is None:
            return sent
        return [*rest[:at], joined(rest[at], index[0]["content"], before=role == "user"), *rest[at + 1 :]]

    def _shown(self, view: _View, at: int) -> NewMessage:
        """A message that stays, as it is or shortened; what was shortened once comes out the same again."""
        action, message, item = view.trimmed.kept[at], view.messages[at], view.items[at]
        if action is KEEP:
            return message
        known = (view.trimmed.keys[at], action.tokens)
        if known not in self._short:
            asked = _asked(view, at)
            self._short[known] = short_message(
                message,
                action.tokens,
                shorten=lambda text, tokens: self.source.shorten(item, asked, text, tokens),
                count=self.count,
            )
            self._unused[known] = max(action.tokens - self.count.message(self._short[known]), 0)
        short = self._short[known]
        return {key: short[key] if key in _TEXTS else value for key, value in message.items() if key in short}

    def _counted(self, view: _View, messages: list[NewMessage], block: MemoryBlock | None) -> PreparedRequest:
        tokens, trimmed = sum(map(self.count.message, messages)), view.trimmed
        return PreparedRequest(messages, tokens, trimmed.raw_tokens, block, tuple(self._cut(view)), trimmed.cut)

    def _cut(self, view: _View) -> Iterator[CutMessage]:
        """What of the user's and the system's words is not sent whole, though it is sent."""
        for at, action in view.trimmed.kept.items():
            item, message = view.items[at], view.messages[at]
            if item.kind not in ("user", "system") or action.kind != "shorten":
                continue
            if self._shown(view, at).get("content") != message.get("content"):
                yield CutMessage(view.trimmed.keys[at], item.kind, self.count.message(message))


def _asked(view: _View, at: int) -> str:
    """What an item is looked at for: a result for the call it answers and the first words of the user, else the newest.

    The newest words themselves are looked at for their first and last lines: a question stands before or behind what
    was pasted with it.
    """
    item = view.items[at]
    if item.kind != "result":
        newest = next((one for one in reversed(view.items) if one.kind == "user"), item)
        return newest.text if newest is not item else _ends(item.text)
    calls = (one.text for one in view.items if one.kind == "call" and set(one.call_ids) & set(item.call_ids))
    user = next((one.text for one in view.items if one.kind == "user"), "")
    return "\n".join([next(calls, ""), user])


def _ends(text: str) -> str:
    """The first and the last line of a text, as far as they are no longer than a question."""
    lines = [line for line in text.strip().split("\n") if line.strip()]
    return "\n".join(line[:_QUESTION] for line in (*lines[:1], *lines[1:][-1:]))


def _together(blocks: Sequence[MemoryBlock]) -> MemoryBlock | None:
    """What memory says in a request as one block; None where it says nothing."""
    if len(blocks) < 2:
        return blocks[0] if blocks else None
    text = "\n\n".join(block.text for block in blocks)
    receipts = {receipt.node_id: receipt for block in blocks for receipt in block.receipts}
    return MemoryBlock(text, tuple(receipts.values()), sum(block.tokens for block in blocks), blocks[-1].query)
