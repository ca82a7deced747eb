"""What models cost, as their providers say it: `prices.json` beside this file, or a file of the user's own.

    {"currency": "USD", "as_of": "2026-10-27", "providers": {"openai": {"source": "https://…",
     "prefixes": ["openai/"], "models": {"gpt-5-mini": {"prompt": 0.25, "completion": 2.0, "cached": 0.025}}}}}

A file of one's own (its path in AMB_PRICES) may also be just `{"my-model": {"prompt": 0.1, "completion": 0.2}}`; its
models go before those of `prices.json`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from amb_chat.user_environment import configured
from amb_core.chat_io import TokenUsage
from amb_core.errors import InvalidParameter, UnreadableSource

__all__ = ["Price", "price_date", "price_of"]

_SNAPSHOT = re.compile(r"-(?:20\d\d-\d\d-\d\d|20\d{6})$")
"""The date at the end of a snapshot's name; a snapshot with a price of its own has a row of its own."""


@dataclass(frozen=True, slots=True)
class Price:
    """Money per million tokens, in whatever currency the budget is in; `cached` is None where it costs the same.

    `longest_prompt` is the most tokens of one prompt the price holds for; what a longer one costs is not known.
    """

    prompt: float
    completion: float
    cached: float | None = None
    longest_prompt: int | None = None

    def __post_init__(self) -> None:
        if not all(0 <= one < float("inf") for one in (self.prompt, self.completion, self.cached or 0.0)):
            raise InvalidParameter("a price is a number of 0 or more per million tokens")

    def of(self, usage: TokenUsage) -> float:
        """What that usage costs."""
        cached = self.prompt if self.cached is None else self.cached
        fresh = usage.prompt_tokens - usage.cached_tokens
        return (fresh * self.prompt + usage.cached_tokens * cached + usage.completion_tokens * self.completion) / 1e6


_Money = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid")
    prompt: _Money
    completion: _Money
    cached: _Money | None = None
    longest_prompt: int | None = None
    note: str = ""

    @property
    def price(self) -> Price:
        return Price(self.prompt, self.completion, cached=self.cached, longest_prompt=self.longest_prompt)


class _Provider(BaseModel):
    source: str = ""
    prefixes: list[str] = []
    models: dict[str, _Row]


class _Table(BaseModel):
    as_of: str = ""
    providers: dict[str, _Provider]


_FILE: TypeAdapter[_Table | dict[str, _Row]] = TypeAdapter(_Table | dict[str, _Row])


def price_of(model: str) -> Price | None:
    """The price of a model by its name, in USD for those AMB knows; None when it is not known: nothing is guessed.

    A name counts as it is, without the date of a snapshot (`-2025-08-07`), and behind its own provider's prefix
    (`openai/`); not behind that of a reseller. Raises UnreadableSource for a file in AMB_PRICES that cannot be read.
    """
    own = configured("AMB_PRICES")
    prices = _own(Path(own)) if own else {}
    for name in (model, _SNAPSHOT.sub("", model)):
        found = prices.get(name) or _shipped_prices().get(name)
        if found is not None:
            return found
    return None


def price_date() -> str:
    """The day (YYYY-MM-DD) on which the prices that AMB knows were looked up."""
    return _Table.model_validate_json(_shipped_file()).as_of


def _shipped_file() -> bytes:
    return files("amb_chat").joinpath("prices.json").read_bytes()


@cache
def _shipped_prices() -> Mapping[str, Price]:
    return _read(_shipped_file())


def _own(file: Path) -> Mapping[str, Price]:
    try:
        return _read(file.read_bytes())
    except (OSError, ValidationError) as error:
        raise UnreadableSource(
            f"AMB_PRICES names {file}, which is no file of prices ({type(error).__name__}); see docs/models.md"
        ) from None


def _read(content: bytes) -> Mapping[str, Price]:
    table = _FILE.validate_json(content)
    if not isinstance(table, _Table):
        return {name: row.price for name, row in table.items()}
    return {
        prefix + name: row.price
        for provider in table.providers.values()
        for prefix in ("", *provider.prefixes)
        for name, row in provider.models.items()
    }
