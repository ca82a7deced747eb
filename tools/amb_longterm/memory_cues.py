"""What routing and search listen for in a text: regular expressions by name, English and Chinese, from a file."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from amb_core.text import dialogue_speaker

__all__ = ["cue", "hears", "tells_change", "without_change"]

_HEAD = re.compile(r"\[([a-z ]+)\](?:  # .*)?")
_ENDS = (".", "!", "。", "！")
_LONGEST_CHANGE = 300
"""Characters of a statement that tells of a change; longer texts tell of many things."""


def hears(name: str, text: str) -> re.Match[str] | None:
    """The first place in a text where it says what a cue listens for."""
    return cue(name).search(text)


@cache
def cue(name: str) -> re.Pattern[str]:
    """A cue by its name; it is compiled when it is first listened for."""
    return re.compile("|".join(f"(?:{line})" for line in _lines()[name]), re.IGNORECASE)


def tells_change(text: str) -> bool:
    """Whether a short statement says that something is otherwise than it was: no question, and no turn of a talk."""
    if len(text) > _LONGEST_CHANGE or not (hears("change", text) or hears("event", text)):
        return False
    asks = hears("question", text) is not None and not text.rstrip().endswith(_ENDS)
    return not asks and dialogue_speaker(text) is None and hears("no change", text) is None


def without_change(text: str) -> str:
    """A text without the words that say that something has changed."""
    return cue("change").sub(" ", text)


@cache
def _lines() -> dict[str, list[str]]:
    """The lines of the file by the name they stand below."""
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in files("amb_longterm").joinpath("routing_cues.txt").read_text(encoding="utf-8").splitlines():
        if head := _HEAD.fullmatch(line):
            lines = found[head[1]] = []
        elif not line.startswith("#"):
            lines.append(line)
    return found
