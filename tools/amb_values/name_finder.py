"""What finds the Chinese names that nothing marks: rules, or where the setting asks for it the model of the extra `zh`."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from functools import cache
from threading import Lock
from typing import Annotated, Literal, Protocol

from pydantic import Field
from pydantic_settings import SettingsConfigDict

from amb_core.errors import MissingExtra
from amb_core.registry import find_extra
from amb_core.settings import CheckedSettings
from amb_values.names import Entity

__all__ = ["NameModel", "TextSettings", "chosen_model"]

_log = logging.getLogger("amb.text")
_opening = Lock()


class NameModel(Protocol):
    """Finds names; may be used by several threads at once."""

    def names(self, text: str) -> Iterator[Entity]:
        """The names in a text in their order; they do not overlap."""
        ...


class TextSettings(CheckedSettings):
    """How texts are read, for all banks of a process; from the environment or a `.env` file."""

    model_config = SettingsConfigDict(
        env_prefix="AMB_", env_file=".env", extra="ignore", frozen=True, populate_by_name=True
    )

    chinese_names: Annotated[
        Literal["rules", "lac"],
        Field(
            description="what finds Chinese names; `lac` (extra `zh`) finds three times as many, at 50 times the cost"
        ),
    ] = "rules"


def chosen_model() -> NameModel | None:
    """The model where the setting asks for it, opened once a process; None for the rules.

    Where the extra is missing a warning says so, once, and the rules are used. Raises ModelFileChanged.
    """
    with _opening:
        return _opened()


@cache
def _opened() -> NameModel | None:
    if TextSettings().chinese_names == "rules":
        return None
    try:
        model: NameModel = find_extra("lac")()
        return model
    except MissingExtra as error:
        _log.warning("Chinese names are found by rules: %s", error)
        return None
