"""The cues that routing listens for, from `routing_cues.txt`."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

__all__ = ["cue", "hears"]

_HEAD = re.compile(r"\[([a-z ]+)\](?:  # .*)?")
_NAMED = re.compile(r"<([a-z ]+)>")


def hears(name: str, text: str) -> re.Match[str] | None:
    """The first place in a text where it says what a cue listens for."""
    return cue(name).search(text)


@cache
def cue(name: str) -> re.Pattern[str]:
    """A cue by its name; it is compiled when it is first listened for."""
    return re.compile(_expression(name), re.IGNORECASE)


def _expression(name: str) -> str:
    ways = "|".join(f"(?:{line})" for line in _lines()[name])
    return _NAMED.sub(lambda found: f"(?:{_expression(found[1])})", ways)


@cache
def _lines() -> dict[str, list[str]]:
    """The lines of the file by the name they stand below."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in files("amb_core.longterm").joinpath("routing_cues.txt").read_text(encoding="utf-8").splitlines():
        if head := _HEAD.fullmatch(line):
            name = head[1]
        elif line and name:
            found.setdefault(name, []).append(line)
    return found
