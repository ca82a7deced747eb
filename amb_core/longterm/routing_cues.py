"""The cues that routing listens for, from `routing_cues.txt`."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

__all__ = ["cue", "hears"]

_HEAD = re.compile(r"\[([a-z ]+)\](?:  # .*)?")


def hears(name: str, text: str) -> re.Match[str] | None:
    """The first place in a text where it says what a cue listens for."""
    return cue(name).search(text)


@cache
def cue(name: str) -> re.Pattern[str]:
    """A cue by its name; it is compiled when it is first listened for."""
    return re.compile("|".join(f"(?:{line})" for line in _lines()[name]), re.IGNORECASE)


@cache
def _lines() -> dict[str, list[str]]:
    """The lines of the file by the name they stand below."""
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in files("amb_core.longterm").joinpath("routing_cues.txt").read_text(encoding="utf-8").splitlines():
        if head := _HEAD.fullmatch(line):
            lines = found[head[1]] = []
        elif not line.startswith("#"):
            lines.append(line)
    return found
