"""A chat model whose every call is allowed, counted, billed and traced in one place."""

from __future__ import annotations

from dataclasses import replace

from amb_core.chat.characters import readable
from amb_core.chat.prices import Price
from amb_core.chat.token_figures import in_figures
from amb_core.chat.usage_meter import UsageMeter
from amb_core.chat_io import ChatReply, ChatRequest, TokenUsage
from amb_core.errors import ModelError
from amb_core.protocols import ChatModel
from amb_core.tracing import model_call
from amb_core.usage import spent

__all__ = ["MeteredChatModel", "metered"]


class MeteredChatModel:
    """Passes requests on while its meters allow it, and tells them and the open ledgers what each call cost.

    A model that has meters already keeps them. Raises PriceUnknown when a budget in money needs a price there is not.
    """

    def __init__(self, chat: ChatModel, *, meter: UsageMeter | None = None) -> None:
        inner = chat if isinstance(chat, MeteredChatModel) else None
        self._chat: ChatModel = inner._chat if inner else chat
        self.meter = meter or UsageMeter()
        others: tuple[UsageMeter, ...] = inner._meters if inner else ()
        self._meters: tuple[UsageMeter, ...] = (self.meter, *(other for other in others if other is not self.meter))
        for one in self._meters:
            one.check(self.model, self._price(one))

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
        for meter in self._meters:
            meter.allow()
        with model_call(request, model=self.model, endpoint=self.endpoint) as call:
            try:
                reply = readable(self._chat.complete(request))
            except ModelError as error:
                call.used(error.spent)
                self._write(request.purpose, error.spent)
                raise
            reply = replace(reply, usage=in_figures(reply.usage, request=request, reply=reply))
            call.answered(reply)
        self._write(request.purpose, reply.usage)
        return reply

    def _price(self, meter: UsageMeter) -> Price | None:
        return meter.price_of(self.model) or getattr(self._chat, "price", None)

    def _write(self, purpose: str, usage: TokenUsage) -> None:
        billed = [meter.priced(usage, model=self.model, price=self._price(meter)) for meter in self._meters]
        for meter, one in zip(self._meters, billed, strict=True):
            meter(purpose, one)
        spent(purpose, billed[0])


def metered(chat: ChatModel, *, meter: UsageMeter | None = None) -> MeteredChatModel:
    """The model with a meter; one that has a meter already keeps it, and is counted by another one too if given."""
    if isinstance(chat, MeteredChatModel) and meter in (None, chat.meter):
        return chat
    return MeteredChatModel(chat, meter=meter)
