"""The types of arguments: what cannot be one is wrong usage, exit code 2."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TypeAlias

__all__ = ["Commands", "path", "positive"]

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def path(text: str) -> Path:
    """A path; an empty one would be the working directory, which nobody means."""
    if not text.strip():
        raise argparse.ArgumentTypeError("name a folder or a file")
    return Path(text)


def positive(text: str) -> int:
    """A whole number from 1 on."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value
