"""A chat model whose every call is allowed, counted and billed in one place."""

from __future__ import annotations

from amb_core.accounting import spent
from amb_core.chat.metering import UsageMeter
from amb_core.chat_io import ChatReply, ChatRequest, TokenUsage
from amb_core.errors import ModelError
from amb_core.protocols import ChatModel

__all__ = ["MeteredChatModel", "metered"]


class MeteredChatModel:
    """Passes requests on while the meter allows it, and tells the meter and the open ledgers what each call cost."""

    def __init__(self, chat: ChatModel, *, meter: UsageMeter | None = None) -> None:
        self._chat = chat
        self.meter = meter or UsageMeter()

    @property
    def model(self) -> str:
        """The name of the model behind it."""
        return self._chat.model

    @property
    def endpoint(self) -> str:
        """The endpoint behind it."""
        return self._chat.endpoint

    def complete(self, request: ChatRequest) -> ChatReply:
        """One answer; BudgetSpent when nothing is left for a call."""
        self.meter.allow()
        try:
            reply = self._chat.complete(request)
        except ModelError as error:
            self._write(request.purpose, TokenUsage(failed_calls=error.failed_calls))
            raise
        self._write(request.purpose, reply.usage)
        return reply

    def _write(self, purpose: str, usage: TokenUsage) -> None:
        usage = self.meter.priced(usage, model=self.model)
        self.meter(purpose, usage)
        spent(purpose, usage)


def metered(chat: ChatModel, *, meter: UsageMeter | None = None) -> MeteredChatModel:
    """The model with a meter; one that has a meter already keeps it unless another is given."""
    if isinstance(chat, MeteredChatModel) and meter in (None, chat.meter):
        return chat
    return MeteredChatModel(chat, meter=meter)
