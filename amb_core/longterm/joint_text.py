"""What a record says after it took in another text: its sentences replaced, appended to or summarized."""

from __future__ import annotations

import re
from collections.abc import Callable

from amb_core.longterm.memory_records import MergeStrategy
from amb_core.longterm.sameness import other_values, same
from amb_core.text import sentences

__all__ = ["joined", "replaced", "undated"]

_MOST_LINES, _MOST_CHARS = 200, 20_000
"""What appending leaves of a text, its newest lines."""
_DATE = re.compile(r"^\[[^\]\n]{1,40}\] ", re.MULTILINE)


def joined(
    strategy: MergeStrategy, old: str, new: str, *, when: str, summarize: Callable[[str, str], str] | None = None
) -> str:
    """The next content of a record that says `old` and is told `new`, by `append` or `summarize`.

    `when` is the date put before what is appended. Where `summarize(old, new)` is not given or gives "", a summary is
    the sentences of both without repeats, and of two that give other values only the newer.
    """
    if same(old, new):
        return old
    if strategy is MergeStrategy.APPEND:
        return _append(old, new, when)
    return (summarize(old, new) if summarize else "") or _summarize(old, new)


def replaced(old: str, new: str, *, over: Callable[[str, str], bool]) -> str:
    """The new text with the sentences of the old one that are not `over` (new, sentence); "" where none is over."""
    before = sentences(undated(old))
    kept = [sentence for sentence in before if not over(new, sentence)]
    return "" if len(kept) == len(before) else _run([*kept, new])


def undated(text: str) -> str:
    """What a record was told, without the dates of its lines."""
    return _DATE.sub("", text)


def _append(old: str, new: str, when: str) -> str:
    """The old lines, then those of the new text that are not there yet; the oldest go when there are too many."""
    lines = old.rstrip().splitlines()
    known = set(map(_bare, lines))
    fresh = [line for line in new.strip().splitlines() if _bare(line) not in known]
    if not any(map(str.strip, fresh)):
        return old
    lines = [*lines, f"[{when}] {fresh[0]}", *fresh[1:]][-max(_MOST_LINES, len(fresh)) :]
    while sum(map(len, lines)) + len(lines) > _MOST_CHARS and len(lines) > len(fresh):
        del lines[0]
    return "\n".join(lines)


def _bare(line: str) -> str:
    return " ".join(undated(line).split()).casefold()


def _summarize(old: str, new: str) -> str:
    kept = sentences(old)
    for said in sentences(new):
        corrected = next((at for at, before in enumerate(kept) if other_values(said, before)), None)
        if corrected is not None:
            kept[corrected] = said
        elif not any(same(said, before) for before in kept):
            kept.append(said)
    return _run(kept)


def _run(parts: list[str]) -> str:
    """The sentences as one text: no space after a Chinese stop, a line of its own for what ends without one."""
    ends = {**dict.fromkeys("。！？；）", ""), **dict.fromkeys(".!?)", " ")}
    return "".join(part + ends.get(part[-1:], "\n") for part in parts).strip()
