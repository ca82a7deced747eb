"""The types of arguments: what cannot be one is wrong usage, exit code 2."""

from __future__ import annotations

import argparse
import math
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias
from urllib.parse import urlsplit

__all__ = ["Commands", "address", "choice_of_role", "path", "port", "positive", "seconds", "sum_of_money"]

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def path(text: str) -> Path:
    """A path; an empty one would be the working directory, which nobody means."""
    if not text.strip():
        raise argparse.ArgumentTypeError("name a folder or a file")
    return Path(text)


def positive(text: str) -> int:
    """A whole number from 1 on."""
    return _whole_number(text, 1, None, "must be a whole number from 1 on")


def port(text: str) -> int:
    """A port of this machine; 0 is any free one."""
    return _whole_number(text, 0, 65_535, "must be a whole number from 0 to 65535")


def seconds(text: str) -> float:
    """A time above 0."""
    return sum_of_money(text)


def sum_of_money(text: str) -> float:
    """An amount above 0, in the currency of the price table."""
    with suppress(ValueError):
        if math.isfinite(value := float(text)) and value > 0:
            return value
    raise argparse.ArgumentTypeError("must be a number above 0")


def address(text: str) -> str:
    """The URL of an endpoint; a key does not belong in it, nor on a command line at all."""
    try:
        parts = urlsplit(text)
        named, secret = (
            parts.scheme in ("http", "https") and parts.hostname,
            parts.username or parts.password or parts.query,
        )
    except ValueError:
        named, secret = None, None
    if secret:
        raise argparse.ArgumentTypeError("a key does not belong on the command line; set LLM_API_KEY")
    if not named:
        raise argparse.ArgumentTypeError("name the endpoint as http://HOST:PORT/v1 or https://HOST/v1")
    return text


def choice_of_role(text: str) -> tuple[str, str]:
    """ROLE=MODEL, or ROLE=none."""
    role, _, model = text.partition("=")
    if not role.strip() or not model.strip():
        raise argparse.ArgumentTypeError("write ROLE=MODEL, such as planning=gpt-5-mini, or ROLE=none")
    return role.strip(), model.strip()


def _whole_number(text: str, least: int, most: int | None, otherwise: str) -> int:
    with suppress(ValueError):
        if least <= (value := int(text)) and (most is None or value <= most):
            return value
    raise argparse.ArgumentTypeError(otherwise)
