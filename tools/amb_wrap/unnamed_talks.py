"""The conversations that come by one client and name nobody: the bank's own, and others, which are kept apart."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from amb_core.adapter.adapter_options import AdapterOptions
from amb_core.adapter.chat_messages import text_of
from amb_core.adapter.context_adapter import ContextAdapter
from amb_core.adapter.wire_forms import read_transcript
from amb_core.bank import MemoryBank
from amb_core.bank_source import ANY_GOAL
from amb_core.call_lock import CallLock
from amb_core.errors import ScopeMixed

__all__ = ["UnnamedTalks"]

_log = logging.getLogger("amb.adapter")
_MOST = 16
"""So many others are remembered. One that was let go is read anew from its transcript, which comes whole each time."""
_OF_ONE_USER = ("contributors", "experience", "memories", "shared", "team")
"""Options that tell a request of somebody; they are of the bank's conversation alone."""
_OTHER = (
    "another conversation came by a client whose bank serves one, so it goes on apart, with a memory that ends with "
    "the process. For one that is kept write wrap(client, bank, scope=Scope(user=…, thread=…)) for each; if it is the "
    "same conversation, edited or compacted, give it the same scope from its first request on"
)


class UnnamedTalks:
    """Sends each transcript through the memory it belongs to, so that none is told what another one said. Thread-safe.

    The bank's conversation is the first that offers tools or goes on: a question without tools, such as a warm-up or
    the request for a title, is bounded and leaves nothing. ScopeMixed is raised where the bank or its adapter has a
    name, for then its owner keeps users apart.
    """

    def __init__(self, memory: ContextAdapter, options: AdapterOptions) -> None:
        self.memory = memory
        self._of_one_user = any(options.get(name) for name in _OF_ONE_USER)
        self._options: Any = {name: value for name, value in options.items() if name not in _OF_ONE_USER}
        self._others: list[ContextAdapter] = []
        self._lock, self._warned = CallLock(), False

    def next_request(
        self, messages: Sequence[Any], *, beside: str, tools: Sequence[str]
    ) -> tuple[list[Any], ContextAdapter]:
        """The messages for the next model call, and the adapter that made them."""
        chat = read_transcript(messages, form=self.memory.form).chat
        lone = not tools and all(message["role"] in ("system", "developer", "user") for message in chat)
        if not (lone and self._may_wait()):
            try:
                return self.memory.next_request(messages, beside=beside, tools=tools), self.memory
            except ScopeMixed as error:
                if error.held or error.met:
                    raise
        if not lone:
            self._tell()
        with self._lock:
            for other in [] if lone else reversed(self._others):
                try:
                    made = other.next_request(messages, beside=beside, tools=tools)
                except ScopeMixed:
                    continue
                self._others.remove(other)
                self._others.append(other)
                return made, other
            other = self._new(chat)
            if not lone:
                self._others = [*self._others, other][-_MOST:]
        return other.next_request(messages, beside=beside, tools=tools), other

    def _may_wait(self) -> bool:
        """Whether the bank is nobody's yet and has nothing to say, so that a lone question needs none of it."""
        memory = self.memory
        is_free = not (memory.gate.is_taken or self._of_one_user or memory.bank.size.entries)
        return is_free and (memory.inject or memory.bank.settings.inject) != "always"

    def _new(self, chat: Sequence[dict[str, Any]]) -> ContextAdapter:
        """A memory of its own, which has the bounds of the bank's."""
        asked = next((text_of(message.get("content")) for message in chat if message["role"] == "user"), "")
        settings = self.memory.bank.settings.model_copy(update={"storage_dir": None, "temp_dir": None})
        return ContextAdapter(MemoryBank(asked if asked.strip() else ANY_GOAL, settings=settings), **self._options)

    def _tell(self) -> None:
        if not self._warned:
            self._warned = True
            _log.warning(_OTHER)
