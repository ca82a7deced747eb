"""AMBMemory: a bank behind AutoGen's Memory protocol, with what that protocol allows."""

from __future__ import annotations

import asyncio
from typing import Any, Self, Unpack

from autogen_core import CancellationToken, Component
from autogen_core.memory import Memory, MemoryContent, MemoryMimeType, MemoryQueryResult, UpdateContextResult
from autogen_core.model_context import ChatCompletionContext

from amb_autogen.bank_configs import BanksConfig, banks_config, open_banks
from amb_autogen.callers import caller_of
from amb_autogen.context import AMBContext
from amb_autogen.transcript import SOURCE, autogen_messages, chat_messages
from amb_core import ContextAdapter, InvalidInput, MemoryBank
from amb_core.adapter import AdapterOptions, Caller, text_of
from amb_core.rendering import MemoryBlock, has_block
from amb_core.rendering.memory_items import OWN, SHARED, with_letter

__all__ = ["AMBMemory"]


class AMBMemory(Memory, Component[BanksConfig]):
    """A memory for agents and code that take AutoGen's: `AssistantAgent("a", client, memory=[AMBMemory(bank)])`.

    AutoGen asks a Memory once a turn, not once a model call, and a Memory cannot shorten the transcript: what a tool
    returns is in the block of the next turn, and its raw text stays in the prompt. AMBContext has neither limit; beside
    one, `update_context` adds nothing. The options are ContextAdapter's.
    """

    component_config_schema = BanksConfig
    component_provider_override = "amb_autogen.AMBMemory"

    def __init__(self, bank: MemoryBank, **options: Unpack[AdapterOptions]) -> None:
        self.bank = bank
        self.adapter = ContextAdapter(bank, **options)

    async def update_context(self, model_context: ChatCompletionContext) -> UpdateContextResult:
        """Take in the tool results so far, and put the block for the last message in the place of the one before."""
        results: list[MemoryContent] = []
        if not isinstance(model_context, AMBContext):
            state = dict(await model_context.save_state())
            kept = [message for message in state.get("messages", ()) if not _is_block(message)]
            if len(kept) < len(state.get("messages", ())):
                await model_context.load_state(state | {"messages": kept})
            chat = chat_messages(await model_context.get_messages())
            block = await asyncio.to_thread(self._block, chat, caller_of(model_context))
            for message in autogen_messages(self.adapter.as_messages(block.text)) if block else ():
                await model_context.add_message(message)
                results.append(MemoryContent(content=str(block and block.text), mime_type=MemoryMimeType.TEXT))
        return UpdateContextResult(memories=MemoryQueryResult(results=results))

    def _block(self, chat: list[dict[str, Any]], caller: Caller) -> MemoryBlock | None:
        self.adapter.meet(chat, caller)
        self.adapter.intercept_context(chat)
        asked = next((text_of(one["content"]) for one in reversed(chat) if one["role"] == "user"), None)
        return self.adapter.block(query=asked)

    async def query(
        self, query: str | MemoryContent, cancellation_token: CancellationToken | None = None, **kwargs: Any
    ) -> MemoryQueryResult:
        """The notes of the bank and its team's on `query`, best first, with id, topic and score in their metadata."""
        return MemoryQueryResult(results=await asyncio.to_thread(self._found, _text(query)))

    def _found(self, query: str) -> list[MemoryContent]:
        shared = self.adapter.shared
        found = _notes(self.bank, query, letter=OWN if shared else "n")
        return sorted(found + (_notes(shared, query, letter=SHARED) if shared else []), key=_by_score)

    async def add(self, content: MemoryContent, cancellation_token: CancellationToken | None = None) -> None:
        """Take a text or JSON into the bank; `metadata["source"]` says where it is from. InvalidInput for the rest."""
        source = str((content.metadata or {}).get("source", "memory"))
        await asyncio.to_thread(self.bank.read, _text(content), source=source)

    async def clear(self) -> None:
        """Forget all that the bank has taken in, for good; the team's bank stays as it is."""
        for entry in [one for one in self.bank.snapshot().entries if not one.forgotten]:
            await asyncio.to_thread(self.bank.forget, entry.entry_id)

    async def close(self) -> None:
        """Leave the bank open: whoever opened it closes it."""

    def _to_config(self) -> BanksConfig:
        return BanksConfig.model_validate(banks_config(self.adapter))

    @classmethod
    def _from_config(cls, config: BanksConfig) -> Self:
        bank, shared = open_banks(config)
        return cls(bank, shared=shared)


def _is_block(message: dict[str, Any]) -> bool:
    return message.get("source") == SOURCE and has_block(text_of(message.get("content")))


def _text(content: str | MemoryContent) -> str:
    given = content if isinstance(content, str) else content.content
    if isinstance(given, str | dict):
        return text_of(given)
    raise InvalidInput(f"AMBMemory takes text and JSON, not {type(given).__name__}; files go in by bank.attach(path).")


def _notes(bank: MemoryBank, query: str, *, letter: str) -> list[MemoryContent]:
    found: list[MemoryContent] = []
    for receipt in bank.recall(query).receipts:
        shown, topic, text = receipt.node_id, receipt.reason, bank.open(receipt)
        if shown.startswith("n"):  # else an entry of which no note was made
            node = bank.host.node(shown)
            shown, topic = with_letter(node.id, letter), node.context
            text = "\n".join(passage for _, passage in bank.host.passages(node.id)) or node.summary
        metadata = {"id": shown, "topic": topic, "score": receipt.score}
        found.append(MemoryContent(content=text, mime_type=MemoryMimeType.TEXT, metadata=metadata))
    return found


def _by_score(content: MemoryContent) -> float:
    return -float((content.metadata or {})["score"])
