"""AMBSession: a conversation kept on this machine, of which a run gets no more than fits."""

from __future__ import annotations

import asyncio
from typing import Any

from agents import Session, SQLiteSession, TResponseInputItem
from agents.memory import SessionSettings

from amb_core import ContextAdapter, MemoryBank, Scope, ToolResult
from amb_core.adapter import Caller, digest_of, text_of
from amb_openai_agents.callers import enter_session
from amb_openai_agents.items import ChatMessages, chat_messages, items_of, taken_in

__all__ = ["AMBSession"]


class AMBSession:
    """A Session that keeps all items and hands out the newest, about `keep_tokens` of them; the rest is memory.

    `history` is where the items are kept: any local Session of yours, by default an in-memory SQLiteSession named
    `session_id`. Its name is the thread that the bank belongs to, so that a session of another name gets ScopeMixed.
    `keep_tokens` is by default half the prompt budget. A call and its result are never separated. Tool
    results are taken in as they are added, and the talk before the handed-out part when it is left out first.
    """

    def __init__(
        self,
        memory: MemoryBank | ContextAdapter,
        *,
        session_id: str | None = None,
        history: Session | None = None,
        keep_tokens: int | None = None,
    ) -> None:
        self.history: Session = history or SQLiteSession(session_id or "amb")
        self._scope = Scope(thread=session_id if history is None else history.session_id)
        self.session_id = self.history.session_id
        self.session_settings: SessionSettings | None = self.history.session_settings
        self.adapter = ContextAdapter.of(memory)
        self._keep = keep_tokens or self.adapter.bank.settings.prompt_budget_tokens // 2

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """The newest items in order: `limit` of them, or as many as fit."""
        items = await self.history.get_items(limit)
        chat = chat_messages(items)
        await asyncio.to_thread(self.adapter.meet, chat, Caller(self._scope))
        enter_session(self._scope)
        if limit is not None:
            return items
        start = self._start(chat)
        await asyncio.to_thread(self._remember, chat[:start])
        return items_of(chat[start:])

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Keep the items; the tool results among them are memory when this returns."""
        await self.history.add_items(items)
        await asyncio.to_thread(self.adapter.intercept_context, taken_in(chat_messages(items)))

    async def pop_item(self) -> TResponseInputItem | None:
        """Remove and return the newest item; None when there is none. Memory keeps what it has."""
        return await self.history.pop_item()

    async def clear_session(self) -> None:
        """Remove all items. Memory keeps what it has."""
        await self.history.clear_session()

    def _start(self, chat: ChatMessages) -> int:
        """The first message that is handed out, one of the user; len(chat) where even the newest talk is too long."""
        start, left = len(chat), self._keep
        while start and (left := left - self.adapter.count.message(chat[start - 1])) >= 0:
            start -= 1
        return next((at for at in range(start, len(chat)) if chat[at]["role"] == "user"), len(chat))

    def _remember(self, chat: ChatMessages) -> None:
        talk = [f"{message['role']}: {text_of(message['content'])}" for message in chat if _is_talk(message)]
        self.adapter.absorb(
            ToolResult(tool="conversation", output=text, call_id=f"talk-{digest_of(text)}", source=self.session_id)
            for text in talk
        )


def _is_talk(message: dict[str, Any]) -> bool:
    return message["role"] in ("user", "assistant") and "tool_calls" not in message and bool(message["content"])
