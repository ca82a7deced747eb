"""What the user has set outside the program: in the environment, else in `.env` of the working folder."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["configured"]


def configured(*names: str) -> str | None:
    """The first of these variables that is set and not empty; the environment is asked for all of them first."""
    return _first(names, dict(os.environ)) or _first(names, _env_file())


def _first(names: tuple[str, ...], values: dict[str, str]) -> str | None:
    return next((value for name in names if (value := values.get(name, "").strip())), None)


def _env_file() -> dict[str, str]:
    file = Path(".env")
    if not file.is_file():
        return {}
    from dotenv import dotenv_values

    return {name: value or "" for name, value in dotenv_values(file, interpolate=False).items()}
