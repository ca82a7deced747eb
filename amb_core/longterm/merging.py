"""What a record says after it took in another text: replaced, appended or summarised."""

from __future__ import annotations

from collections.abc import Callable

from amb_core.errors import AmbError
from amb_core.longterm.records import MergeStrategy
from amb_core.longterm.remarks import dated, plain, remarked, told_sentences
from amb_core.longterm.sameness import other_values, same
from amb_core.text import sentences, unsupported

__all__ = ["joined", "replaced"]

_MOST_LINES = 200
_MOST_CHARS = 20_000


def joined(
    strategy: MergeStrategy, old: str, new: str, *, when: str, summarize: Callable[[str, str], str] | None = None
) -> str:
    """The next content of a record that says `old` and is told `new`, by `append` or `summarize`.

    `when` is the date put before what is appended. What `summarize(old, new)` gives is taken only if every number, date
    and name in it stands in one of the two; otherwise, or when it fails, source sentences are joined.
    """
    if same(old, new):
        return old
    if strategy is MergeStrategy.APPEND:
        return _appended(old, new, when)
    return _told(old, new, summarize) or _summarized(old, new)


def replaced(old: str, new: str, *, over: Callable[[str, str], bool]) -> str:
    """The new text with the sentences of the old one that are not `over` (new, sentence); "" where none is over."""
    before = sentences(plain(old))
    kept = [sentence for sentence in before if not over(new, sentence)]
    return "" if len(kept) == len(before) else _run([*kept, new])


# --- one after the other ---------------------------------------------------------------------------------------------


def _appended(old: str, new: str, when: str) -> str:
    """The old lines, then those of the new text that are not there yet; the oldest go when there are too many."""
    lines = old.rstrip().splitlines()
    known = {_bare(line) for line in lines}
    fresh = [line for line in new.strip().splitlines() if not line.strip() or _bare(line) not in known]
    if not any(map(str.strip, fresh)):
        return old
    lines += [dated(fresh[0], when), *fresh[1:]]
    first = max(0, len(lines) - _MOST_LINES)
    size = sum(len(line) + 1 for line in lines[first:])
    while size > _MOST_CHARS and first < len(lines) - len(fresh):
        size -= len(lines[first]) + 1
        first += 1
    return "\n".join(lines[first:])


def _bare(line: str) -> str:
    return " ".join(plain(line).split()).casefold()


# --- one joint text --------------------------------------------------------------------------------------------------


def _told(old: str, new: str, summarize: Callable[[str, str], str] | None) -> str:
    """What the model makes of both, "" when there is none, it fails, or it states what neither text does."""
    if summarize is None:
        return ""
    try:
        text = summarize(old, new).strip()
    except AmbError:
        return ""
    return "" if unsupported(text, [old, new]) is not None else text


def _summarized(old: str, new: str) -> str:
    """The sentences of both without repeats; where two disagree the newer one leads and the older is kept beside it."""
    kept = list(told_sentences(old))
    for said, remark in told_sentences(new):
        _take_in(kept, said, remark)
    return _run([sentence + remark for sentence, remark in kept])


def _take_in(kept: list[tuple[str, str]], said: str, said_remark: str) -> None:
    for place, (before, _) in enumerate(kept):
        if same(said, before):
            return
        if other_values(said, before) is not None:
            kept[place] = remarked(said, before), ""
            return
    kept.append((said, said_remark))


def _run(parts: list[str]) -> str:
    """The sentences as one text: no space after a Chinese stop, a line of its own for what ends without one."""
    text = ""
    for part in parts:
        if text:
            text += "" if text[-1] in "。！？；）" else " " if text[-1] in ".!?)" else "\n"
        text += part
    return text
