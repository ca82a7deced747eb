"""What a host did to a transcript between two requests: which texts were replaced, deleted, or left with a branch.

A host may shorten, clear, edit or delete messages, go back and answer anew, or send a window of its newest messages.
A window and a summary take out what is oldest, and more and more of it: that stays recallable. What goes from the
middle was deleted, and what is gone from some place to the end was a branch.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from amb_core.adapter.chat_messages import answered_call, result_mark, text_of
from amb_core.adapter.message_facts import Grown
from amb_core.adapter.spoken_texts import text_reader

if TYPE_CHECKING:
    from amb_core.memory.host_edits import HostEdit

__all__ = ["HostEdits", "TranscriptHistory", "TranscriptPiece"]

PieceKey = tuple[str, str, str, int]
"""Speaker (or "result"), tool or call id, fingerprint of the text, and how often the same came before it."""
HostEdits = dict[PieceKey, tuple["HostEdit", tuple[str, ...]]]
"""By what is known what became of it, and the texts that stand in its place."""
_THERE: tuple[HostEdit, tuple[str, ...]] = ("", ())
_DELETED: tuple[HostEdit, tuple[str, ...]] = ("deleted", ())
_TALKS = 64
_FEW = 2
"""So many questions, or calls of one question, that are gone at once from the beginning may have been deleted; more are
out of a window."""
_MOVES, _REQUESTS = 3, 5
"""A window that moves on loses something at its beginning in so many of so many requests."""


@dataclass(frozen=True, slots=True)
class TranscriptPiece:
    """A result, a message, or a long argument of a call."""

    key: PieceKey
    text: str

    @property
    def slot(self) -> tuple[str, str]:
        """Whose it is, and of which call: what stands there instead has the same."""
        return self.key[:2]


def _reader() -> Callable[[Mapping[str, Any]], list[TranscriptPiece]]:
    """What gives of each OpenAI-style message what it holds; references to what memory has are none of it."""
    said = text_reader()
    seen: Counter[tuple[str, str, str]] = Counter()

    def read(message: Mapping[str, Any]) -> list[TranscriptPiece]:
        found = [TranscriptPiece(key, text) for key, text in said(message)]
        call_id = answered_call(message)
        if call_id and message.get("reference") is not True:
            name = ("result", call_id, result_mark(message))
            found.append(TranscriptPiece((*name, seen[name]), text_of(message.get("content"))))
            seen[name] += 1
        return found

    return read


@dataclass(slots=True)
class _Talk:
    """One conversation as it came last, what became of what is no longer in it, and what is gone from its beginning."""

    keys: list[PieceKey]
    edits: dict[PieceKey, HostEdit] = field(default_factory=dict)
    first_lost: dict[PieceKey, None] = field(default_factory=dict)
    moves: deque[bool] = field(default_factory=lambda: deque(maxlen=_REQUESTS))
    is_window: bool = False

    def has_grown_to(self, keys: Sequence[PieceKey]) -> bool:
        """Whether all that was there is there as it was, and anything new behind it."""
        return bool(self.keys) and self.keys == keys[: len(self.keys)]

    def grow(self, keys: list[PieceKey]) -> HostEdits:
        """What of what is new was there before; nothing was lost."""
        again = [key for key in keys[len(self.keys) :] if self.edits.pop(key, None) is not None]
        self.keys = keys
        self.moves.append(False)
        return dict.fromkeys(again, _THERE)


class TranscriptHistory:
    """Compares each transcript of an adapter with the last one of its conversation. Not thread-safe."""

    def __init__(self) -> None:
        self._talks: list[_Talk] = []
        self._found = Grown(_reader)
        self._pieces: list[TranscriptPiece] = []
        self._keys: list[PieceKey] = []

    def pieces_of(self, messages: Sequence[Mapping[str, Any]]) -> list[TranscriptPiece]:
        """What OpenAI-style messages hold, in order; whoever gets it must not change it."""
        found = self._found.of(messages)
        if not self._found.before:
            self._pieces, self._keys = [], []
        new = [piece for pieces in found[self._found.before :] for piece in pieces]
        self._pieces += new
        self._keys += [piece.key for piece in new]
        return self._pieces

    def follow(self, pieces: Sequence[TranscriptPiece]) -> HostEdits | None:
        """What became of texts since the last request of this conversation; None for a conversation that is new."""
        keys = [*self._keys] if pieces is self._pieces else [piece.key for piece in pieces]
        if self._talks and self._talks[-1].has_grown_to(keys):
            return self._talks[-1].grow(keys)
        talk = self._talk_of(set(keys))
        if talk is None:
            self._talks = [*self._talks, _Talk(keys)][-_TALKS:]
            return None
        self._talks.remove(talk)
        self._talks.append(talk)
        edits = _Comparison(talk, pieces).edits()
        for key, (edit, _) in edits.items():
            if edit:
                talk.edits[key] = edit
            else:
                talk.edits.pop(key, None)
        talk.keys = keys
        return edits

    def _talk_of(self, keys: set[PieceKey]) -> _Talk | None:
        """The conversation that has most of these; the newest of several."""
        best, most = None, 0
        for talk in reversed(self._talks):
            common = len(keys.intersection(talk.keys))
            if common > most:
                best, most = talk, common
                if common == len(talk.keys):
                    break
        return best


class _Comparison:
    """One transcript beside the one before it."""

    def __init__(self, talk: _Talk, pieces: Sequence[TranscriptPiece]) -> None:
        self.talk, self.pieces, self.before = talk, pieces, talk.keys
        self.places = {piece.key: at for at, piece in enumerate(pieces)}
        known, gone = set(talk.keys), {_said(key) for key in talk.keys if key not in self.places}
        self.fresh = [piece.key not in known and _said(piece.key) not in gone for piece in pieces]
        self.said = {_said(piece.key) for piece in pieces if piece.key[0] != "result" or piece.key not in known}
        self.said_at = {piece.key[:3] for piece in pieces}
        self.head = next((at for at, key in enumerate(talk.keys) if key[0] == "user"), -1)

    def edits(self) -> HostEdits:
        """What became of each text that was there, or is there again."""
        found: HostEdits = dict.fromkeys((key for key in self.places if key in self.talk.edits), _THERE)
        lost: list[int] = []
        ends = [at for at, key in enumerate(self.before) if key in self.places]
        for start, stop in zip([-1, *ends], [*ends, len(self.before)], strict=True):
            gap = [at for at in range(start + 1, stop) if not self._is_there(at)]
            twins = self._twins(gap, start, stop)
            found |= {self.before[at]: ("replaced", (text,)) for at, text in twins.items()}
            has_results = any(self.before[at][0] == "result" for at in gap)
            rest = [at for at in gap if at not in twins and (has_results or not self._is_argument(at))]
            if stop < len(self.before):
                lost += rest
            elif rest and self._is_summary(rest, start, ends):
                self.talk.is_window = True
            else:
                again = self._is_begun_anew(rest, ends)
                found |= {self.before[at]: (_left(self.before[at], again=again), ()) for at in rest}
        return found | self._lost(lost)

    def _is_argument(self, at: int) -> bool:
        """Whether a text is an argument of a call: gone without the call's result, it was only cleared."""
        return self.before[at][0] == "agent" and bool(self.before[at][1])

    def _is_there(self, at: int) -> bool:
        key = self.before[at]
        # Calls without ids are counted anew in a window; that another call has the same result is nothing to this one.
        return key in self.places or key[:3] in self.said_at or _said(key) in self.said

    def _twins(self, gap: Sequence[int], start: int, stop: int) -> dict[int, str]:
        """For texts of a gap those that stand in their places now; a result has its place by its call."""
        low = self.places[self.before[start]] if start >= 0 else -1
        high = self.places[self.before[stop]] if stop < len(self.before) else len(self.pieces)
        used: set[int] = set()
        found: dict[int, str] = {}
        for at in gap:
            slot = self.before[at][:2]
            around = range(len(self.pieces)) if slot[0] == "result" else range(low + 1, high)
            twin = next((n for n in around if self.fresh[n] and n not in used and self.pieces[n].slot == slot), None)
            if twin is not None:
                used.add(twin)
                found[at] = self.pieces[twin].text
        return found

    def _is_summary(self, rest: Sequence[int], start: int, ends: Sequence[int]) -> bool:
        """Whether all that followed the first question gave way to one text: the host told it in fewer words."""
        if start < 0 or max(ends) > self.head or self._is_few(rest):
            return False
        low = self.places[self.before[start]]
        after = [piece for n, piece in enumerate(self.pieces) if n > low and self.fresh[n]]
        return bool(after) and after[0].key[0] == "user" and self.before[rest[0]][0] != "user"

    def _is_begun_anew(self, rest: Sequence[int], ends: Sequence[int]) -> bool:
        """Whether only the first words of a long talk are there: they may as well begin another talk."""
        is_fresh = all(piece.key[0] == "user" for piece in self.pieces)
        return is_fresh and max(ends, default=-1) <= self.head and not self._is_few(rest)

    def _lost(self, lost: Sequence[int]) -> HostEdits:
        """What is gone though something behind it stays: deleted, or out of a window that moves on."""
        self.talk.moves.append(False)
        if not lost:
            return {}
        talk, before = self.talk, self.before
        if self._is_stripped(lost):
            return dict.fromkeys((before[at] for at in lost), _THERE)
        kept_users = [at for at, key in enumerate(before) if key in self.places and key[0] == "user" and at > self.head]
        kept_results = [at for at, key in enumerate(before) if key in self.places and key[0] == "result"]
        with_users = any(before[at][0] == "user" for at in lost)
        limit = min((kept_users if with_users else []) + kept_results, default=len(before))
        first_places = [at for at in lost if at < limit]
        first = dict.fromkeys(before[at] for at in first_places)
        found: HostEdits = dict.fromkeys((before[at] for at in lost if at >= limit), _DELETED)
        talk.first_lost |= first
        talk.moves[-1] = bool(first)
        moved_on = not self._is_few(first_places) or self.head in first_places or sum(talk.moves) >= _MOVES
        talk.is_window = talk.is_window or moved_on
        if talk.is_window:
            return found | dict.fromkeys(talk.first_lost, _THERE)
        return found | dict.fromkeys(first, _DELETED)

    def _is_stripped(self, lost: Sequence[int]) -> bool:
        """Whether several results are gone with nothing that was said: a host that clears tools took them out."""
        is_work = all(self.before[at][0] == "result" or self._is_argument(at) for at in lost)
        gone = (key for at, key in enumerate(self.before) if key[0] == "result" and not self._is_there(at))
        return is_work and sum(1 for _ in gone) > _FEW

    def _is_few(self, places: Sequence[int]) -> bool:
        kinds = Counter(self.before[at][0] for at in places)
        return kinds["user"] <= _FEW and kinds["result"] <= _FEW


def _said(key: PieceKey) -> tuple[str, str]:
    return key[0], key[2]


def _left(key: PieceKey, *, again: bool) -> HostEdit:
    """What becomes of a text of a branch that was left: results and files stay what they are, words were taken back.

    Words of a talk that may only have been begun `again` stay as well.
    """
    if key[0] == "result" or key[1]:
        return "left"
    return "" if again else "replaced"
