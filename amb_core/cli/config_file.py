"""Defaults of the command line from a file: `amb.toml`, `[tool.amb]` of `pyproject.toml`, or one for all folders.

A key stands for a variable of the environment, which counts more, and an option of the command line most.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from amb_core.errors import InvalidInput

__all__ = ["CONFIG_KEYS", "configured"]

CONFIG_KEYS: Mapping[str, str] = {
    "language": "AMB_LANGUAGE",
    "folder": "AMB_FOLDER",
    "model": "LLM_MODEL",
    "base-url": "LLM_BASE_URL",
    "budget-tokens": "AMB_BUDGET_TOKENS",
}
"""What a file can hold, each with the variable it is the default of."""
_WHOLE_NUMBERS = ("budget-tokens",)
_SECRET = ("key", "token", "secret", "password")


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
        if key.replace("_", "-").rpartition("-")[2].casefold() in _SECRET:
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
