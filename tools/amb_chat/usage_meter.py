"""What calls to chat models cost, by purpose, against a budget, and the one place where they are counted."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from amb_chat.prices import Price, price_of
from amb_chat.replies import readable
from amb_chat.token_figures import in_figures
from amb_core.call_lock import CallLock
from amb_core.chat_io import ChatReply, ChatRequest, TokenUsage
from amb_core.errors import BudgetSpent, InvalidParameter, ModelError, PriceUnknown
from amb_core.protocols import ChatModel
from amb_core.tracing import model_call
from amb_core.usage import Ledger, spent

__all__ = ["Budget", "MeteredChatModel", "UsageMeter", "metered"]

_log = logging.getLogger("amb.chat")
_WARN_AT = 0.8


@dataclass(frozen=True, slots=True)
class Budget:
    """What a task may spend on model calls; None is no limit. A limit in money needs the price of every model."""

    tokens: int | None = None
    calls: int | None = None
    money: float | None = None


class UsageMeter:
    """Adds up what is spent, by purpose; thread-safe.

    `price` is that of every model, or a mapping from names to prices; where it says nothing, `price_of` does. `spent`
    is what was spent before (`bank.usage.spent`), by purpose; it counts against the budget. At 80 % of a limit the
    meter warns, once; at 100 % `allow` raises BudgetSpent, so that local agents do the rest. A call that is under way
    when the limit is reached is counted in full. `on_warning` is called with a line for the user. Raises
    InvalidParameter for a budget that cannot be kept.
    """

    def __init__(
        self,
        *,
        budget: Budget | None = None,
        price: Price | Mapping[str, Price] | None = None,
        spent: Mapping[str, TokenUsage] | None = None,
        on_warning: Callable[[str], object] | None = None,
    ) -> None:
        self._budget = budget or Budget()
        self._price = price
        self._on_warning = on_warning or _log.warning
        self._lock = CallLock()
        self._spent = Ledger(spent)
        self._warned = False
        limits = (self._budget.tokens, self._budget.calls, self._budget.money)
        if any(limit is not None and not limit >= 0 for limit in limits):
            raise InvalidParameter("a budget cannot be below 0; leave out what is not to be limited")
        if self._budget.money is not None and self.money is None:
            raise InvalidParameter("what was spent before has no known price; limit the tokens or calls instead")

    def price_of(self, model: str) -> Price | None:
        """The price of a model: the one given to the meter, else the one AMB knows; None without either."""
        if isinstance(self._price, Price):
            return self._price
        return (self._price or {}).get(model) or price_of(model)

    def check(self, model: str, price: Price | None) -> None:
        """Raise PriceUnknown when a budget in money cannot be kept for the model."""
        if self._budget.money is not None and price is None:
            raise PriceUnknown(model)

    def priced(self, usage: TokenUsage, *, model: str, price: Price | None = None) -> TokenUsage:
        """The usage with what it cost; its calls count as unpriced when the model's price is not known."""
        price = price or self.price_of(model)
        longest = price.longest_prompt if price else None
        if price is None or (longest is not None and usage.prompt_tokens > longest):
            return replace(usage, unpriced_calls=usage.calls or int(usage.tokens > 0))
        return replace(usage, money=price.of(usage))

    def __call__(self, purpose: str, usage: TokenUsage) -> None:
        """Add what a call cost, as `priced` gives it."""
        with self._lock:
            self._spent.add(purpose, usage)
            share = self._share()
            warn, self._warned = share >= _WARN_AT and not self._warned, self._warned or share >= _WARN_AT
        if warn:
            self._on_warning(f"{share:.0%} of the budget for model calls is spent; at 100 % local agents take over")

    @property
    def by_purpose(self) -> Mapping[str, TokenUsage]:
        """What was spent for each purpose, in the order of their first calls."""
        return self._spent.by_purpose

    @property
    def total(self) -> TokenUsage:
        """What was spent in all."""
        return self._spent.total

    @property
    def money(self) -> float | None:
        """What was spent in money; None when the price of a call is not known: nothing is guessed."""
        return self.total.cost

    def allow(self) -> None:
        """Raise BudgetSpent when nothing is left for another call."""
        if self._share() >= 1:
            raise BudgetSpent("the budget for model calls is spent; local agents do the rest of the task")

    def _share(self) -> float:
        """The largest share of a limit that is spent; an unknown sum of money counts as all of it."""
        total = self.total
        spent = (total.tokens, total.calls, total.cost)
        limits = (self._budget.tokens, self._budget.calls, self._budget.money)
        return max(
            (
                s / limit if limit and s is not None else 1.0
                for s, limit in zip(spent, limits, strict=True)
                if limit is not None
            ),
            default=0.0,
        )


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
