"""Keys and endpoints: read from the environment or `.env`, used, and never said again.

`.env` of the working directory fills in what the environment does not set, for the time of one command. So do
`amb.toml`, `[tool.amb]` of `pyproject.toml` and a file for all folders, each key for one variable.
"""

from __future__ import annotations

import logging
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

from amb_core.errors import InvalidInput

__all__ = ["CONFIG_KEYS", "Secrets", "configured", "environment", "model_told", "number_told", "temperature_told"]

_READ = re.compile(
    r"^MAX_LLM_CALL_PER_RUN$|^(?:LLM|OPENAI|DEEPSEEK|SERPER|JINA)_[A-Z_]+$|_API_KEY$|_API_BASE$|_BASE_URL$"
)
_SECRET, _ADDRESS = ("_API_KEY", "_TOKEN", "_SECRET"), ("_BASE_URL", "_API_BASE")
"""How the names of such variables end."""
_KEY = re.compile(r"[!-~]+")
_HOTTEST = 2
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


def number_told(name: str) -> int | None:
    """What a variable of the environment says; InvalidInput for what is no number from 1 on."""
    told = os.environ.get(name, "").strip()
    if told and not (told.isdecimal() and int(told)):
        raise InvalidInput(f"{name} is {told!r:.40}; it must be a whole number from 1 on")
    return int(told) if told else None


def temperature_told() -> float | None:
    """LLM_TEMPERATURE of the environment; InvalidInput for what is no number from 0 to 2."""
    told = os.environ.get("LLM_TEMPERATURE", "").strip()
    if told and not (re.fullmatch(r"\d+(?:\.\d+)?", told) and float(told) <= _HOTTEST):
        raise InvalidInput(f"LLM_TEMPERATURE is {told!r:.40}; it must be a number from 0 to {_HOTTEST}")
    return float(told) if told else None


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


CONFIG_KEYS: Mapping[str, str] = {
    "language": "AMB_LANGUAGE",
    "folder": "AMB_FOLDER",
    "model": "LLM_MODEL",
    "base-url": "LLM_BASE_URL",
    "budget-tokens": "AMB_BUDGET_TOKENS",
}
"""What a file can hold, each with the variable it is the default of."""
_WHOLE_NUMBERS = ("budget-tokens",)
_SECRET_KEYS = ("key", "token", "secret", "password")


def configured() -> Mapping[str, str]:
    """The variables that files give a default to; a file of this folder counts more than the one for all folders.

    Raises InvalidInput for a file that cannot be read, a key nobody knows, or one that would hold a secret.
    """
    everywhere = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "amb" / "config.toml"
    told: dict[str, str] = {}
    for file in (everywhere, Path("pyproject.toml"), Path("amb.toml")):
        if file.is_file():
            table = _table(file)
            if file.name == "pyproject.toml":
                table = table.get("tool", {}).get("amb", {})
            told |= dict(_variable(file, key, value) for key, value in table.items())
    return told


def _table(file: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidInput(f"{file} cannot be read as TOML ({error}); mend or move it") from None


def _variable(file: Path, key: str, value: object) -> tuple[str, str]:
    if key not in CONFIG_KEYS:
        if key.replace("_", "-").rpartition("-")[2].casefold() in _SECRET_KEYS:
            raise InvalidInput(
                f"{file} holds {key!r}, and a secret does not belong in it: take it out, and set LLM_API_KEY in the "
                "environment or in .env"
            )
        near = get_close_matches(key.replace("_", "-"), CONFIG_KEYS, n=1, cutoff=0.0)
        raise InvalidInput(f"{file} holds {key!r}, which is no setting; is {near[0]!r} meant?")
    if key in _WHOLE_NUMBERS:
        if type(value) is not int or value < 1:
            raise InvalidInput(f"{key} in {file} must be a whole number from 1 on")
    elif not isinstance(value, str) or not value.strip():
        raise InvalidInput(f"{key} in {file} must be a text between quotation marks")
    return CONFIG_KEYS[key], str(value).strip()
