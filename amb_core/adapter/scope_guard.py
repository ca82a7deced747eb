"""One bank for one user and thread: whoever else comes is refused before anything is sent or taken in."""

from __future__ import annotations

import logging
import re
import weakref
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from amb_core.adapter.chat_messages import calls_of, text_of
from amb_core.adapter.message_facts import Grown
from amb_core.adapter.nested_runs import outer_run
from amb_core.adapter.wire_forms import ANSWERED_INSIDE
from amb_core.bank import MemoryBank
from amb_core.call_lock import CallLock
from amb_core.errors import InvalidParameter, ScopeMixed
from amb_core.reading.outcomes import elides, is_masked
from amb_core.scope import Scope
from amb_core.text import estimate_tokens
from amb_core.text.text_spans import known_text

__all__ = ["Caller", "ScopeGate", "ScopeGuard", "guard_of", "scope_in"]

_log = logging.getLogger("amb.adapter")
_Part = tuple[Mapping[str, Any], int]
"""What a message says, or a part of it, and its fingerprint."""
_STRANDS = 256
"""So many transcripts are remembered for a bank; the one used longest ago is forgotten first."""
_MODEL_WORDS = 200
"""So many tokens of the model's words make two transcripts that begin alike branches of one, as a tool result does."""
_BEGINNING, _PLACEHOLDER = 40, 200
"""A result that was shortened keeps so many characters of its beginning; what stands for one that was cleared has no
more than so many."""
_CALLS, _SUMMARIES = 2, 3
"""So many same calls make a transcript with masked results the same one; it begins among so many of its messages."""
_LONG_ID, _LONE_ID = 8, 16
"""An id that is made up has so many letters and figures in a row, or so many where it is the only one."""
_FIGURES, _MIXED = re.compile(r"\d+"), re.compile(r"[A-Za-z\d]*\d[A-Za-z][A-Za-z\d]*")
_NOBODY = Scope()
_RESULTS = frozenset({"tool", "function"})
_USER = ("user_id", "langgraph_user_id")
_THREAD = ("thread_id", "session_id", "conversation_id")
_guards: weakref.WeakKeyDictionary[MemoryBank, ScopeGuard] = weakref.WeakKeyDictionary()
_opening = CallLock()


@dataclass(frozen=True, slots=True)
class Caller:
    """Who a request is made for: the `scope` a framework names, and an object that is one `run`'s alone, or its id."""

    scope: Scope = _NOBODY
    run: object = None


def scope_in(*places: object) -> Scope:
    """The user and the thread that mappings or objects name as `user_id`, `thread_id`, `session_id` and the like."""
    return Scope(_named(places, _USER), _named(places, _THREAD))


def _named(places: Sequence[object], names: Sequence[str]) -> str | None:
    for place in places:
        for name in names:
            value = place.get(name) if isinstance(place, Mapping) else getattr(place, name, None)
            if isinstance(value, str | int) and not isinstance(value, bool) and str(value).strip():
                return str(value)
    return None


def guard_of(bank: MemoryBank) -> ScopeGuard:
    """The guard of a bank, the same for all adapters that work with it."""
    with _opening:
        return _guards.setdefault(bank, ScopeGuard(bank.host.scope))


@dataclass(frozen=True, slots=True)
class Told:
    """A transcript as it comes: the messages that say something, and a fingerprint for each.

    `results` says where the tool results stand, with a fingerprint of how each begins.
    """

    messages: list[Mapping[str, Any]] = field(default_factory=list)
    talk: list[int] = field(default_factory=list)
    results: dict[int, int] = field(default_factory=dict)

    def add(self, told: Iterable[Sequence[_Part]]) -> None:
        """Go on with what further messages say."""
        for message, mark in chain.from_iterable(told):
            if message["role"] in _RESULTS:
                beginning = known_text(text_of(message.get("content"))[: 2 * _BEGINNING])[:_BEGINNING]
                self.results[len(self.talk)] = hash(beginning)
            self.messages.append(message)
            self.talk.append(mark)

    @property
    def is_fresh(self) -> bool:
        """Whether only the user has spoken yet."""
        return all(message["role"] == "user" for message in self.messages)


class _Telling:
    """What the messages of a transcript that grows say. Not thread-safe."""

    def __init__(self) -> None:
        self._told, self._said = Grown(lambda: told_in), Told()

    def of(self, messages: Sequence[Mapping[str, Any]]) -> Told:
        """What all of them say, as it is now."""
        told = self._told.of(messages)
        if not self._told.before:
            self._said = Told()
        self._said.add(told[self._told.before :])
        return Told([*self._said.messages], [*self._said.talk], {**self._said.results})


@dataclass(slots=True)
class _Strand:
    """One transcript as it was seen last, the adapter and the run it was of, and how that run ended."""

    talk: list[int]
    messages: Sequence[Mapping[str, Any]] = ()
    results: Mapping[int, int] = field(default_factory=dict)
    adapter: object = None
    run: object = None
    answer: int | None = None
    answered: bool = False
    failed: bool = False

    def is_of(self, run: object) -> bool:
        held = _object(self.run)
        return run is not None and (held is run or (isinstance(run, str) and held == run))

    def goes_on_in(self, talk: list[int], *, fresh: bool, run: object, refused: bool) -> bool:
        """Whether a transcript continues this one, goes back in it, or asks again what was not answered.

        One that was `refused` when it began goes back in nothing: its first words were said by two.
        """
        if (not fresh or len(talk) > len(self.talk)) and self._stands_in(talk):
            return True
        if talk != self.talk[: len(talk)]:
            return False
        return not refused if not fresh else self._may_be_asked_again(talk, run)

    def _stands_in(self, talk: list[int]) -> bool:
        """Whether the newest message of this one is there, behind the one before it or first of those that are left."""
        ends = dict.fromkeys(self.talk[-1:], self.talk[-2:-1])
        ends |= {} if self.answer is None else {self.answer: self.talk[-1:]}
        found = [last for last in ends if last in talk]
        places = (at for last in found for at in reversed(range(len(talk))) if talk[at] == last)
        return any(at == 0 or ends[talk[at]] in ([], talk[at - 1 : at]) for at in places)

    def _may_be_asked_again(self, talk: list[int], run: object) -> bool:
        """Whether the same first question is another try: its run has failed, or nothing has come of it."""
        if self.answered or self.failed:
            return not self.answered
        if self.run is None or run is None:
            return talk == self.talk
        return isinstance(self.run, weakref.ref) and self.run() is None

    def branches_into(self, said: Told) -> bool:
        """Whether a transcript is this one with something edited in it, answered anew, or left out at its end.

        They begin with the same words of user and model, and what was found or said at length stands in that part. Two
        users who are shown one page share a result as well, yet not all that was said and asked before it. Results
        may have been shortened in place, as long as one has not, or all that was said is there and each says so. They
        may have been masked where several calls are the same. A call whose id nobody counts is enough by itself.
        """
        pairs = enumerate(zip(self.talk, said.talk, strict=False))
        results = self.results.keys() & said.results.keys()
        if self._is_shortened_in(said) or self._has_calls_of(said) or self._is_masked_in(said):
            return True
        apart = (at for at, (mine, theirs) in pairs if mine != theirs and at not in results)
        common = next(apart, min(len(self.talk), len(said.talk)))
        words, asked = 0, False
        for at, message in enumerate(said.messages[:common]):
            asked = asked or message["role"] == "user"  # what greets everybody stands before any question
            same = self.talk[at] == said.talk[at]
            found = message["role"] in _RESULTS and message.get("is_error") is not True
            if asked and same and (found or message.get(ANSWERED_INSIDE)):
                return True
            if asked and message["role"] == "assistant":
                words += estimate_tokens(text_of(message.get("content")))
        return words >= _MODEL_WORDS

    def _is_shortened_in(self, said: Told) -> bool:
        """Whether all of this one is there but for results that were cleared, or keep their beginning and say so."""
        results = said.results
        for at, mark in enumerate(self.talk):
            if said.talk[at : at + 1] == [mark]:
                continue
            if at not in results or at not in self.results:
                return False
            text = text_of(said.messages[at].get("content")).strip()
            begins = len(text) > _BEGINNING and results[at] == self.results[at]
            if not elides(text) or not (begins or len(text) <= _PLACEHOLDER):
                return False
        return bool(self.results)

    def _has_calls_of(self, said: Told) -> bool:
        """Whether a call is in both, with its arguments, whose id is no number that others count up to as well."""
        made_up = _made_up_ids(said.messages)
        theirs = {call for call in _calls_in(said.messages) if call[0] in made_up}
        return not theirs.isdisjoint(_calls_in(self.messages))

    def _is_masked_in(self, said: Told) -> bool:
        """Whether a stretch of this one with several calls begins there, in the results of which parts were masked.

        A summary or two may stand before it.
        """
        firsts = enumerate(said.talk[:_SUMMARIES])
        starts = ((at, to) for to, mark in firsts for at, mine in enumerate(self.talk) if mine == mark)
        return any(self._masked_calls(said, at, to) >= _CALLS for at, to in starts)

    def _masked_calls(self, said: Told, start: int, to: int) -> int:
        """How many calls with arguments are the same from two places on; 0 when a result is not the same but masked."""
        asked, found = False, set[int]()
        for at, (mine, theirs) in enumerate(zip(self.talk[start:], said.talk[to:], strict=False)):
            before, now = self.messages[start + at], said.messages[to + at]
            asked = asked or now["role"] == "user"
            if now["role"] in _RESULTS and before["role"] in _RESULTS:
                if mine != theirs and not is_masked(text_of(now.get("content")), text_of(before.get("content"))):
                    return 0
            elif mine != theirs:
                break
            elif asked and any(arguments for _, arguments in calls_of(now).values()):
                found.add(mine)
        return len(found)


class ScopeGuard:
    """Lets one user and thread at a bank: by the names given, and where none are, by what a transcript continues.

    A bank nobody has met yet is the first one's, whatever its owner has read into it.
    """

    def __init__(self, held: Scope | None = None) -> None:
        self._held = held or _NOBODY
        self._strands: list[_Strand] = []
        self._refused: list[list[int]] = []
        self._lock = CallLock()

    def claim(self, bank: MemoryBank, scope: Scope) -> None:
        """Compare a name and keep it with the bank; ScopeMixed when the bank is another's."""
        with self._lock:
            self._compare(scope)
            joined = self._held.joined(scope)
            if joined != (bank.host.scope or _NOBODY) and not bank.closed:
                try:
                    joined = bank.host.assign(joined)
                except ScopeMixed:
                    raise
                except Exception as error:  # noqa: BLE001 - a store that fails costs the record of it, not the guard
                    _log.warning("whose memory this is could not be stored (%s)", type(error).__name__)
            self._held = joined

    def meet(
        self,
        bank: MemoryBank,
        said: Told,
        caller: Caller,
        *,
        adapter: object = None,
        inner: object = None,
    ) -> None:
        """Let a request whose messages say this pass, or raise ScopeMixed.

        `adapter` stands for the one it comes by; `inner` is a run inside of the caller's, which it may be without.
        """
        with self._lock:
            self._compare(caller.scope)
            if not said.talk and not caller.scope:
                return  # nobody says anything yet
            refused = any(said.talk[: len(talk)] == talk for talk in self._refused)
            going_on = self._going_on(said, caller.run, refused=refused)
            known = going_on is not None or any(map(self.knows, (caller.run, inner)))
            known = known or self._held.agrees(caller.scope)
            if not known and (self._strands or self._held):
                named = caller.scope or self._held
                if named or refused or not any(s.adapter is adapter and s.branches_into(said) for s in self._strands):
                    self._refused = [*self._refused, said.talk][-_STRANDS:] if said.talk else self._refused
                    raise ScopeMixed("another conversation", held=self._held, met=caller.scope)
            if caller.scope:
                self.claim(bank, caller.scope)
            self._note(said, caller.run, adapter, instead_of=going_on)
            if inner is not None and not self.knows(inner):
                self._note(said, inner, adapter, instead_of=None)

    @property
    def is_taken(self) -> bool:
        """Whether somebody was let at the bank, or it has a name."""
        return bool(self._strands) or bool(self._held)

    def knows(self, run: object) -> bool:
        """Whether a run was let at the bank."""
        return bool(self._of(run)) and run is not None

    def answer(self, run: object, text: str) -> None:
        """Note that a run (None: the one met last) has its answer: the same question is a new conversation now."""
        for strand in self._of(run):
            strand.answered = True
            strand.answer = hash(text.strip())

    def fail(self, run: object) -> None:
        """Note that a run ended without an answer: it may begin again."""
        for strand in self._of(run):
            strand.failed = not strand.answered

    def forget_run(self, run: object) -> None:
        """Note that what an object stands for begins anew: it is no longer known by it."""
        for strand in self._of(run) if run is not None else ():
            strand.run, strand.answered = None, True

    def _going_on(self, said: Told, run: object, *, refused: bool) -> _Strand | None:
        talk, fresh = said.talk, said.is_fresh
        going = (each for each in self._strands if each.goes_on_in(talk, fresh=fresh, run=run, refused=refused))
        return next(going, None)

    def _of(self, run: object) -> list[_Strand]:
        with self._lock:
            return self._strands[-1:] if run is None else [strand for strand in self._strands if strand.is_of(run)]

    def _compare(self, scope: Scope) -> None:
        if self._held.differs(scope):
            user = self._held.user is not None and scope.user not in (None, self._held.user)
            raise ScopeMixed("another user" if user else "another thread", held=self._held, met=scope)

    def _note(self, said: Told, run: object, adapter: object, *, instead_of: _Strand | None) -> None:
        if not said.talk:
            return
        if instead_of is not None and instead_of.talk == said.talk[: len(instead_of.talk)]:
            self._strands.remove(instead_of)
            run = _object(instead_of.run) if run is None else run
        elif instead_of is not None and said.is_fresh:  # another try, which is the only one
            for strand in self._strands:
                strand.answered = strand.answered or strand.talk[: len(said.talk)] == said.talk
        self._strands.append(_Strand(said.talk, said.messages, said.results, adapter, _hold_weakly(run)))
        del self._strands[:-_STRANDS]


class ScopeGate:
    """The guards of the banks one adapter works with, and whom its owner says that it works for.

    A `scope` of the owner's stands for those that a framework names; where they name another, that one is refused.
    With `sharing`, everybody passes.
    """

    def __init__(self, bank: MemoryBank, shared: MemoryBank | None, *, scope: Scope | None, sharing: bool) -> None:
        self._bank, self._shared, self._scope = bank, shared, scope
        self._guard = None if sharing else guard_of(bank)
        self._adapter = object()  # stands for the adapter, which a guard must not keep alive
        self._telling, self._lock = _Telling(), CallLock()
        if scope is not None:
            self._claim(scope)

    def meet(self, messages: Sequence[Mapping[str, Any]], caller: Caller | None = None) -> None:
        """Let a request with these OpenAI-style messages pass, or raise ScopeMixed; the whole transcript, every time.

        Call it before anything of the request is taken in.
        """
        if self._guard is None:
            return
        caller = Caller() if caller is None else caller
        if not isinstance(caller, Caller):
            raise InvalidParameter(f"caller takes a Caller(Scope(user=…, thread=…)), not {type(caller).__name__}")
        own, caller = caller.run, replace(caller, run=_whole(caller.run))
        if self._scope is not None:
            if self._scope.differs(caller.scope):
                raise ScopeMixed("another user or thread", held=self._scope, met=caller.scope)
            caller = replace(caller, scope=self._scope)
        if self._shared is not None and caller.scope:
            guard_of(self._shared).claim(self._shared, caller.scope)
        with self._lock:
            said = self._telling.of(messages)
        self._guard.meet(self._bank, said, caller, adapter=self._adapter, inner=own)

    @property
    def is_taken(self) -> bool:
        """Whether the bank is somebody's, by name or by a transcript that passed."""
        return self._guard is None or self._guard.is_taken

    def knows(self, run: object) -> bool:
        """Whether a run has passed here."""
        return self._guard is None or self._guard.knows(_whole(run))

    def answered(self, text: object, run: object = None) -> None:
        """Note that a run (by default the one met last) has its answer."""
        if self._guard is not None:
            self._guard.answer(_whole(run), text_of(text))

    def failed(self, run: object = None) -> None:
        """Note that a run ended without an answer, so that it may begin again."""
        if self._guard is not None:
            self._guard.fail(_whole(run))

    @contextmanager
    def watching(self, run: object) -> Iterator[None]:
        """One model or tool call of a run; when it fails, the run may begin again."""
        try:
            yield
        except BaseException:
            self.failed(run)
            raise

    def begin_again(self, run: object) -> None:
        """Note that what names a run begins anew, for somebody else perhaps."""
        if self._guard is not None:
            self._guard.forget_run(_whole(run))

    def _claim(self, scope: Scope) -> None:
        for bank in (self._bank, self._shared) if self._guard is not None else ():
            if bank is not None:
                guard_of(bank).claim(bank, scope)


def _whole(run: object) -> object:
    """The run around this one, where it is part of another: of a tool call, or of `run_task`."""
    outer = outer_run()
    return run if outer is None else outer


def _parts(message: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """What a message says, and the calls it makes apart: forms that have items for both join them as they come."""
    if not (message.get("tool_calls") and text_of(message.get("content")).strip()):
        return (message,)
    said = {name: value for name, value in message.items() if name not in ("tool_calls", ANSWERED_INSIDE)}
    return said, {**message, "content": None}


def told_in(message: Mapping[str, Any]) -> Sequence[_Part]:
    """What a message says, in its parts, each with its fingerprint."""
    return [(part, mark) for part in _parts(message) if (mark := _fingerprint(part)) is not None]


def _fingerprint(message: Mapping[str, Any]) -> int | None:
    """A hash of what a message says; None for instructions and for messages without content, no part of the talk."""
    if message["role"] in ("system", "developer", "marker"):
        return None
    text, calls = known_text(text_of(message.get("content"))), calls_of(message)
    if not text and not calls:
        return None
    return hash((text, text_of([[call_id, *call] for call_id, call in calls.items()]))) if calls else hash(text)


def _calls_in(messages: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """Each call by its id, and its tool and arguments as one text."""
    for message in messages:
        for call_id, call in calls_of(message).items():
            yield call_id, text_of([*call])


def _made_up_ids(messages: Iterable[Mapping[str, Any]]) -> set[str]:
    """The ids of calls that were made up at random: none is another with other figures, or holds its tool's name."""
    names = {call_id: call[0] for message in messages for call_id, call in calls_of(message).items()}
    forms = Counter(_FIGURES.sub("0", call_id) for call_id in names)
    least = _LONG_ID if len(names) > 1 else _LONE_ID
    return {
        call_id
        for call_id, tool in names.items()
        if forms[_FIGURES.sub("0", call_id)] == 1
        and tool.casefold() not in call_id.casefold()
        and any(len(run) >= least for run in _MIXED.findall(call_id))
    }


def _hold_weakly(run: object) -> object:
    try:
        return weakref.ref(run)
    except TypeError:  # a text, a number
        return run


def _object(held: object) -> object:
    return held() if isinstance(held, weakref.ref) else held
