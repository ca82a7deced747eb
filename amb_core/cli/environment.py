"""Keys and endpoints: read from the environment or `.env`, used, and never said again.

`.env` of the working directory fills in what the environment does not set, for the time of one command.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from amb_core.cli.config_file import configured
from amb_core.errors import InvalidInput

__all__ = ["Secrets", "budget_told", "environment", "model_told"]

_READ = re.compile(r"^(?:LLM|OPENAI|DEEPSEEK|SERPER|JINA)_[A-Z_]+$|_API_KEY$|_API_BASE$|_BASE_URL$")
_SECRET, _ADDRESS = ("_API_KEY", "_TOKEN", "_SECRET"), ("_BASE_URL", "_API_BASE")
"""How the names of such variables end."""
_KEY = re.compile(r"[!-~]+")
_SHORTEST = 8
"""A shorter value (`none`, `ollama`) is no secret, and would blank words."""


class Secrets:
    """The values nobody may see again; `hide` puts stars where one stands in a text."""

    def __init__(self, values: Mapping[str, str] = {}) -> None:
        found = {value for name, value in values.items() if name.endswith(_SECRET)}
        for name, value in values.items():
            if name.endswith(_ADDRESS):
                found |= {part for part in (_split(value).password, _split(value).username) if part}
        self._values = sorted((v for v in found if len(v) >= _SHORTEST), key=lambda value: (-len(value), value))

    def hide(self, text: str) -> str:
        """The text without any of them."""
        for value in self._values:
            text = text.replace(value, "***")
        return text

    def __bool__(self) -> bool:
        return bool(self._values)


@contextmanager
def environment(folder: Path | None = None) -> Iterator[Secrets]:
    """The environment with what `.env` of the folder (default: the working one) and `amb.toml` add, and its secrets.

    Raises InvalidInput for a key that cannot be one: it would otherwise stand in somebody's error message.
    """
    before = dict(os.environ)
    try:
        for name, value in _env_file((folder or Path()) / ".env").items():
            if _READ.search(name) and not os.environ.get(name):
                os.environ[name] = value
        for name, value in configured().items():
            if not os.environ.get(name, "").strip():
                os.environ[name] = value
        yield Secrets(_checked(dict(os.environ)))
    finally:
        for name in os.environ.keys() - before.keys():
            del os.environ[name]
        os.environ.update(before)


def model_told() -> str | None:
    """The model the environment names."""
    return os.environ.get("LLM_MODEL", "").strip() or None


def budget_told() -> int | None:
    """The tokens a task may spend, as the environment says; InvalidInput for what is no number from 1 on."""
    told = os.environ.get("AMB_BUDGET_TOKENS", "").strip()
    if told and not (told.isdecimal() and int(told)):
        raise InvalidInput(f"AMB_BUDGET_TOKENS is {told!r:.40}; it must be a whole number from 1 on")
    return int(told) if told else None


def _env_file(file: Path) -> dict[str, str]:
    from dotenv import dotenv_values

    logging.getLogger("dotenv").setLevel(logging.ERROR)  # it repeats lines it cannot read
    try:
        told = dotenv_values(file, interpolate=False) if file.is_file() else {}
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(
            f"{file} cannot be read ({getattr(error, 'strerror', 'not UTF-8')}); mend or move it"
        ) from None
    return {name: value.strip() for name, value in told.items() if value and value.strip()}


def _checked(values: dict[str, str]) -> dict[str, str]:
    """The values, keys without the blanks around them; a header could not hold other ones."""
    for name, value in values.items():
        if not _READ.search(name) or not name.endswith(_SECRET):
            continue
        if value.strip() != value:
            os.environ[name] = values[name] = value.strip()
        if value.strip() and not _KEY.fullmatch(value.strip()):
            raise InvalidInput(f"{name} holds characters no key has (a blank, a line break?); set it anew")
    return values


def _split(url: str) -> SplitResult:
    try:
        return urlsplit(url)
    except ValueError:
        return urlsplit("")
