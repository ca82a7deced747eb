"""AMBSession: a conversation kept on this machine, of which a run gets no more than fits."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from agents import Session, SQLiteSession, TResponseInputItem
from agents.memory import SessionSettings

from amb_core import ContextAdapter, MemoryBank, Scope, ToolResult
from amb_core.adapter import Caller, fingerprint_of, text_of
from amb_openai_agents.callers import enter_session
from amb_openai_agents.transcript import ChatMessages, chat_messages, items_of, news_in

__all__ = ["AMBSession"]

_ALL = 2**31 - 1
"""A limit that lets all items through, where a session has one of its own."""


class AMBSession:
    """A Session that keeps all items and hands out the newest, about `keep_tokens` of them; the rest is memory.

    `history` is where the items are kept: any local Session of yours, by default an in-memory SQLiteSession named
    `session_id`. Its name is the thread that the bank belongs to, so that a session of another name gets ScopeMixed.
    `keep_tokens` is by default half the prompt budget. What is handed out begins with a question of the user; a call
    and its result are never separated. With a limit, by `session_settings` (by default those of `history`), by the
    run's or by an argument, so many items are handed out as it says, and no others. Tool results are taken in as they
    are added, and the agent's answers when they are left out first; a question of the user's is never taken for
    something that was found.
    """

    def __init__(
        self,
        memory: MemoryBank | ContextAdapter,
        *,
        session_id: str | None = None,
        history: Session | None = None,
        keep_tokens: int | None = None,
        session_settings: SessionSettings | dict[str, Any] | None = None,
    ) -> None:
        self.history: Session = history or SQLiteSession(session_id or "amb")
        self._scope = Scope(thread=session_id if history is None else history.session_id)
        self.session_id = self.history.session_id
        if isinstance(session_settings, dict):  # as the sessions of the SDK take them
            session_settings = SessionSettings(**session_settings)
        self.session_settings: SessionSettings | None = session_settings or self.history.session_settings
        self.adapter = ContextAdapter.of(memory)
        self._keep = keep_tokens or self.adapter.bank.settings.prompt_budget_tokens // 2

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """The newest items in order: `limit` of them, as many as the settings say, or else as many as fit.

        A limit is kept to the item, as `history` keeps it: with 0 there is none, and the first may be a result whose
        call is older.
        """
        limit = _limit_in(self.session_settings) if limit is None else limit
        everything = await self.history.get_items(None if limit is None else _ALL)
        chat = chat_messages(everything)
        await asyncio.to_thread(self.adapter.meet, chat, Caller(self._scope))
        enter_session(self._scope)
        if limit is not None:
            items = await self.history.get_items(limit)
            await asyncio.to_thread(self._remember, chat_messages(everything[: len(everything) - len(items)]))
            return items
        start = self._start(chat)
        await asyncio.to_thread(self._remember, chat[:start])
        return items_of([*_question_before(chat, start), *chat[start:]])

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Keep the items; the tool results among them are memory when this returns."""
        await asyncio.to_thread(self.adapter.meet, [], Caller(self._scope))
        await self.history.add_items(items)
        await asyncio.to_thread(self.adapter.intercept_context, news_in(chat_messages(items)))

    async def pop_item(self) -> TResponseInputItem | None:
        """Remove and return the newest item; None when there is none. Memory keeps what it has."""
        return await self.history.pop_item()

    async def clear_session(self) -> None:
        """Remove all items. Memory keeps what it has."""
        await self.history.clear_session()

    def _start(self, chat: ChatMessages) -> int:
        """Where what fits begins: at a question of the user, or where none fits never at a result without its call."""
        start, left = len(chat), self._keep
        while start and (left := left - self.adapter.count.message(chat[start - 1])) >= 0:
            start -= 1
        fits = range(start, len(chat))
        asked = (at for at in fits if chat[at]["role"] == "user")
        return next(asked, next((at for at in fits if chat[at]["role"] != "tool"), len(chat)))

    def _remember(self, chat: ChatMessages) -> None:
        talk = [f"assistant: {text_of(message['content'])}" for message in chat if _is_answer(message)]
        self.adapter.absorb(
            ToolResult(tool="conversation", output=text, call_id=f"talk-{fingerprint_of(text)}", source=self.session_id)
            for text in talk
        )


def _limit_in(settings: SessionSettings | Mapping[str, Any] | None) -> int | None:
    """How many items settings ask for; the SDK takes a mapping for settings as well."""
    return settings.get("limit") if isinstance(settings, Mapping) else getattr(settings, "limit", None)


def _question_before(chat: ChatMessages, start: int) -> ChatMessages:
    """The user's newest question, where what is handed out would begin in the middle of the work on it."""
    if start == len(chat) or chat[start]["role"] == "user":
        return []
    return [message for message in chat[:start] if message["role"] == "user"][-1:]


def _is_answer(message: dict[str, Any]) -> bool:
    """What the agent said is memory; what the user asked is a question, and nothing that was found out."""
    return message["role"] == "assistant" and "tool_calls" not in message and bool(message["content"])
