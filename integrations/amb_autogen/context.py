"""AMBContext: AutoGen's model context with a memory bank behind it."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Sequence
from itertools import chain
from typing import Self

from autogen_core import Component, Image
from autogen_core.model_context import ChatCompletionContext
from autogen_core.models import LLMMessage
from pydantic import BaseModel

from amb_autogen.banks import BankConfig, bank_config, open_bank
from amb_autogen.prompt import condensed, placed, without_blocks
from amb_autogen.transcript import chat_messages
from amb_core import ContextAdapter, MemoryBank
from amb_core.adapter import Placement, TokenCounter, attachment_part
from amb_core.adapter.tool_calls import items_of
from amb_core.condensing import TranscriptItem

__all__ = ["AMBContext", "AMBContextConfig"]

_log = logging.getLogger("amb.autogen")


class AMBContextConfig(BaseModel):
    """What AMBContext can be built from again; see its own arguments."""

    bank: BankConfig
    agent: str | None = None
    run: str = ""
    placement: Placement | None = None
    merge_with_last_user: bool = False
    reserved_tokens: int = 0
    initial_messages: list[LLMMessage] | None = None


class AMBContext(ChatCompletionContext, Component[AMBContextConfig]):
    """A model context that keeps the raw transcript, and shows the model a bounded one with the memory block.

    `agent` and `run` mark what is absorbed; `placement` and `merge_with_last_user` say where the block goes (see
    ContextAdapter); `reserved_tokens` is what the system message and tool schemas take when that is more than a fifth
    of `prompt_budget_tokens`. Work on memory runs in a thread, off the event loop.
    """

    component_config_schema = AMBContextConfig
    component_provider_override = "amb_autogen.AMBContext"

    def __init__(
        self,
        bank: MemoryBank,
        *,
        agent: str | None = None,
        run: str = "",
        placement: Placement | None = None,
        merge_with_last_user: bool = False,
        reserved_tokens: int = 0,
        initial_messages: Sequence[LLMMessage] | None = None,
    ) -> None:
        super().__init__(None if initial_messages is None else list(initial_messages))
        self.bank = bank
        self.adapter = ContextAdapter(bank, placement=placement, run=run, agent=agent)
        self._agent, self._run = agent, run
        self._placement: Placement | None = placement
        self._merge = merge_with_last_user
        self._reserved = TranscriptItem("system", "", tokens=reserved_tokens)
        self._count = TokenCounter()
        self._in_order = threading.Lock()

    async def add_message(self, message: LLMMessage) -> None:
        """Keep the message as it is; a tool result is memory when this returns."""
        await super().add_message(message)
        await asyncio.to_thread(self._take_in)

    async def get_messages(self) -> list[LLMMessage]:
        """The messages for the next model call: old results condensed, the block in its place."""
        return await asyncio.to_thread(self._request)

    def _take_in(self) -> None:
        with self._in_order:
            self.adapter.intercept_context(list(chain.from_iterable(chat_messages(list(self._messages)))))

    def _request(self) -> list[LLMMessage]:
        self._take_in()  # what came by load_state or initial_messages, or was refused before
        with self._in_order:
            plain = without_blocks(self._messages)
            chat = chat_messages(plain)
            items = items_of(list(chain.from_iterable(chat)), count=self._count)
            outcome = self.adapter.condense_items([*items, self._reserved])
            request = condensed(plain, chat, outcome, strict_roles=self._merge)
            block = self.adapter.block()
            if block is None:
                return request
            self.adapter.log(block, prompt_tokens=outcome.tokens + block.tokens, raw_tokens=outcome.raw_tokens)
            where: Placement = self._placement or self.bank.settings.placement
            return placed(request, block.text, images=self._images(), placement=where, merge=self._merge)

    def _images(self) -> list[Image]:
        images: list[Image] = []
        for content in self.adapter.waiting_files():
            if attachment_part(content) is None:
                continue
            try:
                images.append(Image.from_base64(content.file_content))
            except (OSError, ValueError):
                _log.warning("attachment %s is no image AutoGen can open; it is not shown", content.id)
        return images

    def _to_config(self) -> AMBContextConfig:
        return AMBContextConfig(
            bank=bank_config(self.bank),
            agent=self._agent,
            run=self._run,
            placement=self._placement,
            merge_with_last_user=self._merge,
            reserved_tokens=self._reserved.tokens or 0,
            initial_messages=self._initial_messages,
        )

    @classmethod
    def _from_config(cls, config: AMBContextConfig) -> Self:
        options = {name: getattr(config, name) for name in AMBContextConfig.model_fields if name != "bank"}
        return cls(open_bank(config.bank), **options)
