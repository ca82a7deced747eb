"""One request of an agent through memory: whose it is, what goes on instead of it, and what its reply leaves behind."""

from __future__ import annotations

import json
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import eq
from typing import Any

from amb_core import Banks, BanksDeleted, ContextAdapter, MemoryBank
from amb_core.adapter import Tool, fingerprint_of, read_transcript, text_of
from amb_core.adapter.memory_tools import deep_retrieval_tool
from amb_core.errors import WireFormUnknown
from amb_proxy.bodies import BodyForm, Reply
from amb_proxy.bodies.body_form import as_bytes
from amb_proxy.conversations import Client, Conversation, Conversations
from amb_proxy.ledger import Cost, GatewayCosts, PrefixCost

__all__ = ["Bypass", "Turn", "Turns"]

_MOST_TRANSCRIPTS = 48
_IDLE = 600.0
"""Seconds after which a transcript nobody asked for is let go; its bank has all of it."""


_ANSWERS = ("tool", "function")
"""Roles of messages that bring what a tool returned."""
_LATE_SHARE = 0.25
"""What is new in a request is taken in while the provider works, up to this share of the budget."""

_LOOKS_FROM = 0.5
"""Above this share of the budget memory looks at each request."""
_MARGIN = 8
"""By so many tokens counting messages one by one may be short of a request."""
_LOOKS_EVERY = 4
"""Of smaller requests memory looks at each one of so many, to be ready when the budget is full."""


class Bypass(Exception):
    """A request that goes on as it came; the text says why."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What goes on to the provider (`content`), whose it is, and the line that tells the client.

    `begins` names its transcript, and `sent` are the messages that memory prepared for it. With `inside` the model
    may call our tool; so far it has done so `rounds` times. `late` takes in what came with it, which is done while
    the provider works.
    """

    form: BodyForm
    conversation: Conversation
    caller: Client
    content: bytes
    note: str
    begins: str
    inside: bool = False
    rounds: int = 0
    late: Callable[[], None] | None = None
    sent: Sequence[Any] = ()


@dataclass(slots=True)
class _Transcript:
    """One transcript of a conversation: sub-agents share a session, but not how they begin.

    `waiting` are messages whose results memory does not have yet; whoever comes next takes them in. While `alone`
    holds, all `entries` of the bank came from this transcript, which was never changed.
    """

    adapter: ContextAdapter
    raw: PrefixCost
    sent: PrefixCost
    lock: threading.Lock
    used: float
    waiting: list[Any] | None = None
    failed: int = 0
    entries: int = 0
    alone: bool = True
    unseen: int = 0
    asked: int = 0

    def take_in(self) -> None:
        """Take in what waits (hold the lock)."""
        messages, self.waiting = self.waiting, None
        if messages is None or self.adapter.bank.closed:  # nobody waits for what was deleted
            return
        before = self.adapter.bank.size.entries
        taken = self.adapter.intercept_context(messages)
        after = self.adapter.bank.size.entries
        self.alone = self.alone and (before, after) == (self.entries, before + len(taken.reports))
        self.entries = after

    def is_to_be_seen(self, tokens: int, asked: int) -> bool:
        """Whether memory has to look at a request that goes on at once, with so many messages of the user."""
        budget = self.adapter.bank.settings.budget_for(None)
        self.unseen += 1
        wanted = tokens > _LOOKS_FROM * budget or asked != self.asked or self.unseen >= _LOOKS_EVERY
        self.asked, self.unseen = asked, 0 if wanted else self.unseen
        return wanted

    def has_nothing_to_add(self, tokens: int) -> bool:
        """Whether a request of so many tokens goes on as it is: it fits, only grew, and holds all that is known."""
        settings, size = self.adapter.bank.settings, self.adapter.bank.size
        budget = settings.budget_for(None)
        self.alone = self.alone and size.entries == self.entries
        return (
            self.alone
            and self.raw.grew
            and settings.inject != "always"
            and self.raw.new <= min(settings.max_raw_tokens, _LATE_SHARE * budget)
            and self.adapter.expected_tokens(tokens) <= settings.high_water * budget - _MARGIN
        )


class Turns:
    """Prepares requests and registers replies. Thread-safe; the requests of one transcript wait for each other."""

    def __init__(
        self, banks: Banks, conversations: Conversations, ledger: GatewayCosts, *, deep_retrieval: bool = False
    ) -> None:
        self._banks, self.conversations, self.ledger = banks, conversations, ledger
        self.tool, self._offers = deep_retrieval_tool(_no_memory), deep_retrieval
        self._open: OrderedDict[tuple[str, float, str], _Transcript] = OrderedDict()
        self._lock = threading.Lock()

    def prepare(self, form: BodyForm, headers: Mapping[str, str], raw: bytes) -> Turn:
        """The request that goes on; Bypass for one that memory has no part in."""
        body = _body(raw)
        if why := "off" if headers.get("x-amb", "").casefold() == "off" else form.bypass(body):
            raise Bypass(why)
        messages = form.messages(body)
        try:
            chat = read_transcript(messages, form=form.name).chat
        except WireFormUnknown as error:
            raise Bypass("unknown form") from error
        answered = any(message.get("role") in _ANSWERS for message in chat)
        if not (answered or form.has_tools(body) or headers.get("x-amb-conversation")):
            raise Bypass("no tools")
        caller, begins = self.conversations.caller(headers, body), _beginning(chat)
        found = self.conversations.find(caller, begins, chat, beside=form.beside(body))
        if found is None:
            raise Bypass("too many conversations")
        turn = Turn(form, found, caller, raw, f"{found.id}; by={found.by}; entries=0", begins)
        try:
            return self._prepared(turn, body, messages, chat)
        except BaseException:
            self.refused(turn)
            raise

    def accepted(self, turn: Turn) -> None:
        """Keep a new conversation, whose first request the provider has taken; others give way where there are many."""
        if turn.conversation.is_new:
            for name in self.conversations.room_for(turn.caller) or ():
                self.delete(name)
            self.conversations.keep(turn.conversation)

    def refused(self, turn: Turn) -> None:
        """Leave nothing of a new conversation, whose first request the provider has not taken."""
        if turn.conversation.is_new and self.conversations.withdraw(turn.conversation):
            self._delete_bank(turn.conversation)

    def _prepared(self, turn: Turn, body: Mapping[str, Any], messages: list[Any], chat: Sequence[Any]) -> Turn:
        """The turn of a conversation that was found or begun."""
        form, found = turn.form, turn.conversation
        answered = any(message.get("role") in _ANSWERS for message in chat)
        offered = form.with_tool(body, self.tool) if self._offers else body
        if offered is not body:
            messages = form.restored(messages, partial(self.conversations.hidden, found))
            turn = replace(turn, inside=True, content=as_bytes(offered))
        if found.by == "new" and not answered:
            return turn
        asked = sum(message.get("role") == "user" for message in chat)
        return self._through_memory(turn, body, offered, messages, asked=asked)

    def register(self, turn: Turn, reply: Reply) -> None:
        """Let the reply find its conversation again; one that broke off leaves nothing."""
        if reply.complete:
            self.conversations.register(turn.conversation, turn.caller, turn.begins, reply)

    def learn(self, turn: Turn, prompt_tokens: int) -> None:
        """Take in what the provider says a request had in tokens, for the next ones of its transcript."""
        if not prompt_tokens or not turn.sent:
            return
        with self._lock:
            mine = self._open.get((turn.conversation.id, turn.conversation.begun, turn.begins))
        if mine is not None:
            beside = turn.form.beside(json.loads(turn.content))
            mine.adapter.learn_usage(prompt_tokens, counted=mine.adapter.tokens_of(turn.sent, beside=beside))

    def look_up(self, turn: Turn) -> Tool:
        """`deep_retrieval` over the memory of a turn; one that finds nothing where that was deleted meanwhile."""
        mine = self._transcript(turn, begin=False)
        if mine is None:
            return self.tool
        self._take_in(mine)
        (tool,) = mine.adapter.memory_tools()
        return tool

    def follow_up(self, turn: Turn, body: Mapping[str, Any]) -> Turn:
        """The turn with one more request inside, which counts as cost of ours."""
        mine = self._transcript(turn, begin=False)
        if mine is not None:
            with mine.lock:
                tokens, billed = mine.sent.request(turn.form.beside(body), turn.form.messages(body))
            self._bill(turn, Cost(sent_tokens=tokens, sent_billed=billed), mine)
        return replace(turn, content=as_bytes(body), rounds=turn.rounds + 1, sent=turn.form.messages(body))

    def delete(self, conversation: str) -> BanksDeleted:
        """Delete a conversation with all that is kept of it: what finds it, what it cost, and its bank."""
        found = self.conversations.get(conversation)
        self.conversations.delete(conversation)  # first, so that whoever works on it begins nothing anew
        if found is None:
            return BanksDeleted(banks=0, files=0, bytes=0, bytes_left=0)
        return self._delete_bank(found)

    def delete_user(self, user: str) -> BanksDeleted:
        """Delete all conversations of a user, also those that are only being begun; InvalidParameter for no id.

        `user` is the digest that is shown, or the name that clients give, with whatever credential.
        """
        users = {user}
        for one in self.conversations.of_user(user):
            self.conversations.delete(one.id)
            self._let_go(one.id)
            users.add(one.user)
        deleted = [self._banks.delete(user=one) for one in sorted(users)]
        return BanksDeleted(**{name: sum(getattr(one, name) for one in deleted) for name in BanksDeleted.model_fields})

    def _let_go(self, conversation: str) -> None:
        """Forget what is open of a conversation that is gone."""
        with self._lock:
            for key in [key for key in self._open if key[0] == conversation]:
                del self._open[key]

    def _delete_bank(self, conversation: Conversation) -> BanksDeleted:
        """Delete what a conversation that is gone has left."""
        self._let_go(conversation.id)
        return self._banks.delete(user=conversation.user, thread=conversation.id)

    def _bill(self, turn: Turn, cost: Cost, mine: _Transcript) -> int:
        """Count what a request cost, unless its conversation was deleted meanwhile; returns the entries of its bank."""
        size = mine.adapter.bank.size
        cost = replace(cost, entries=size.entries, disputes=size.open_conflicts)
        with self.ledger.store.transaction():
            if self.conversations.holds(turn.conversation):
                self.ledger.add(turn.conversation.id, cost)
        return size.entries

    # --- inside ------------------------------------------------------------------------------------------------------

    def _through_memory(
        self, turn: Turn, body: Mapping[str, Any], offered: Mapping[str, Any], messages: list[Any], *, asked: int
    ) -> Turn:
        """The turn after memory; `body` came, `offered` is the same with our tool, `asked` the user's messages."""
        mine, beside, tools = self._transcript(turn, begin=True), turn.form.beside(offered), turn.form.tools(offered)
        if mine is None:
            raise Bypass("the conversation was deleted")
        adapter, came = mine.adapter, turn.form.messages(body)
        with mine.lock:
            mine.take_in()
            before = mine.raw.copy()
            raw = mine.raw.request(turn.form.beside(body), came)
            at_once = offered is body and mine.has_nothing_to_add(raw[0])
            mine.waiting, made = messages, came
            if not at_once:
                if mine.raw.new > _LATE_SHARE * adapter.bank.settings.prompt_budget_tokens:
                    mine.take_in()  # it may have to be shortened now, by what memory knows of it
                made = adapter.prepare(messages, reserved_tokens=adapter.count.text(beside), tools=tools)
            changed = not _is_same(made, came)
            if mine.sent is mine.raw and (changed or offered is not body):
                mine.sent = before  # from here on it is not what came
            mine.alone = mine.alone and not changed
            sent = raw if mine.sent is mine.raw else mine.sent.request(beside, made)
            failed, mine.failed = sum(adapter.failures.values()) - mine.failed, sum(adapter.failures.values())
        entries = self._bill(turn, Cost(1, raw[0], sent[0], raw[1], sent[1], failed), mine)
        note = f"{turn.conversation.id}; by={turn.conversation.by}; entries={entries}"
        content = as_bytes(turn.form.with_messages(offered, made)) if changed else turn.content
        note = f"{note}; failed={failed}" if failed else note
        looks = at_once and mine.is_to_be_seen(raw[0], asked)
        late = partial(self._catch_up, mine, messages, beside, tools) if looks else partial(self._take_in, mine)
        return replace(turn, content=content, note=note, late=late, sent=made)

    @staticmethod
    def _take_in(mine: _Transcript) -> None:
        with mine.lock:
            mine.take_in()

    @staticmethod
    def _catch_up(mine: _Transcript, messages: list[Any], beside: str, tools: list[str]) -> None:
        """Take in what came with a request that went on at once, and let memory see it, unless the next is there."""
        with mine.lock:
            if mine.waiting is messages and not mine.adapter.bank.closed:
                mine.take_in()
                reserved = mine.adapter.count.text(beside)
                made = mine.adapter.prepare(messages, reserved_tokens=reserved, tools=tools)
                mine.alone = mine.alone and _is_same(made, messages)

    def _transcript(self, turn: Turn, *, begin: bool) -> _Transcript | None:
        """The open transcript of a turn; None where its conversation was deleted, or there is no bank to go on with."""
        conversation, now = turn.conversation, time.monotonic()
        key = (conversation.id, conversation.begun, turn.begins)
        with self._lock:
            mine = self._open.get(key)
        if mine is None or mine.adapter.bank.closed:
            bank = self._banks(conversation.scope) if begin else self._banks.find(conversation.scope)
            mine = None if bank is None else self._opened(turn, bank, now)
        if not self.conversations.holds(conversation):
            if self.conversations.get(conversation.id) is None:
                self._delete_bank(conversation)
            return None
        if mine is None:
            return None
        with self._lock:
            known = self._open.pop(key, mine)  # another request of it may have been faster
            mine = mine if known.adapter.bank.closed else known
            mine.used = now
            self._open[key] = mine
            while len(self._open) > _MOST_TRANSCRIPTS or now - next(iter(self._open.values())).used > _IDLE:
                self._open.popitem(last=False)
        return mine

    @staticmethod
    def _opened(turn: Turn, bank: MemoryBank, now: float) -> _Transcript:
        conversation, form = turn.conversation, turn.form
        # Only the first transcript is the talk with the user, whose questions change the goal.
        adapter = ContextAdapter(
            bank,
            scope=conversation.scope,
            run=turn.begins,
            form=form.name,
            merge_with_last_user=form.name == "anthropic",
            follows_talk=turn.begins == conversation.main,
        )
        cost = PrefixCost(adapter.count.text)
        return _Transcript(adapter, cost, cost, threading.Lock(), now)


def _is_same(made: Sequence[Any], came: Sequence[Any]) -> bool:
    """Whether these are the messages that came."""
    return len(made) == len(came) and all(map(eq, made, came))


def _no_memory(**_given: object) -> str:
    return "Error: there is no memory yet."


def _body(raw: bytes) -> Mapping[str, Any]:
    try:
        body = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise Bypass("no JSON") from error
    if not isinstance(body, Mapping):
        raise Bypass("no JSON object")
    return body


def _beginning(chat: Sequence[Mapping[str, Any]]) -> str:
    """A digest of what the user said first."""
    said = next((text_of(message.get("content")) for message in chat if message.get("role") == "user"), "")
    return str(fingerprint_of(said))
