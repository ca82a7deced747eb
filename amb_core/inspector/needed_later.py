"""What an agent's later calls used of its old results, and which words a note shares with what it was chosen for."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import Any

from amb_core.memory.passage_terms import identifiers, plain_text
from amb_core.models import BankSnapshot, Injection, InteractionEntry, Receipt
from amb_core.text import index_tokens

__all__ = ["later_uses", "shared_words"]

_NEWEST = 2
"""What one of so many newest results holds is not far."""
_MOST_WORDS = 8
_WORD = re.compile(r"[\u3400-\u9fff]{2,}|[^\W_](?:[\w./@#:+-]*\w)?")
_Use = dict[str, Any]


def later_uses(snapshot: BankSnapshot) -> list[_Use]:
    """Each value that a call used and only an older result held, with whether the block of its request said it.

    A value is an identifier, a path, an address, a figure or a name in the arguments of a call; the goal and the newest
    two results do not hold it, nor do the calls they answer. A call belongs to the last request before it: `turn` is
    its place in `injections`, `call` and `source` are ids of entries.
    """
    read = [entry for entry in snapshot.entries if not entry.forgotten]
    requests = [injection.timestamp for injection in snapshot.injections]
    goals = identifiers("\n".join(snapshot.goals))
    found: list[_Use] = []
    for at, entry in enumerate(read):
        turn = bisect_right(requests, entry.timestamp) - 1
        values = identifiers("\n".join(_leaves(entry.metadata.get("arguments")))) - goals if turn >= 0 else ()
        if not values:
            continue
        before = [one for one in read[:at] if one.timestamp <= requests[turn]]
        for value in sorted(values):
            holders = [one for one in before[:-_NEWEST] if _stands_in(value, plain_text(one.text))]
            near = any(_stands_in(value, f"{_told(one)}\n{plain_text(one.text)}") for one in before[-_NEWEST:])
            if holders and not near:
                there = _stands_in(value, snapshot.injections[turn].block)
                use = {"turn": turn, "call": entry.entry_id, "value": value, "source": holders[-1].entry_id}
                found.append({**use, "there": there})
    return found


def shared_words(injection: Injection, receipt: Receipt, entries: Mapping[str, InteractionEntry]) -> list[str]:
    """Words of what is shown that also stand in what it was asked for, the rarest first, as they are written there."""
    asked = set(index_tokens(injection.query))
    texts = (entries[span.entry_id].text[span.start : span.end] for span in receipt.spans if span.entry_id in entries)
    words: dict[str, int] = {}
    for word in _WORD.findall("\n".join(texts)):
        terms = index_tokens(word)
        if terms and asked.issuperset(terms):
            words[word] = words.get(word, 0) + 1
    once = {word.lower(): word for word in reversed(words)}
    return sorted(once.values(), key=lambda word: (words[word], -len(word), word))[:_MOST_WORDS]


def _told(entry: InteractionEntry) -> str:
    return "\n".join(_leaves(entry.metadata.get("arguments")))


def _leaves(value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        for one in value.values():
            yield from _leaves(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _leaves(one)
    elif value is not None and not isinstance(value, bool):
        yield str(value)


def _stands_in(value: str, text: str) -> bool:
    """Whether a text holds a value between the bounds of words."""
    return value in text and re.search(rf"(?<![\w]){re.escape(value)}(?![\w])", text) is not None
