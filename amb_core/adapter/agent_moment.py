"""What an agent is doing now, read off its messages: the goal, its newest words and calls, what its request holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from amb_core.adapter.chat_messages import calls_of, text_of
from amb_core.adapter.condenser import KEEP, Action, TranscriptItem
from amb_core.memory.moment import Moment

__all__ = ["moment_of", "text_in"]

_SAID, _RESULTS = 4, 2


def moment_of(
    items: Sequence[TranscriptItem],
    actions: Sequence[Action],
    request: Iterable[Mapping[str, Any]],
    *,
    goal: str,
    run: str,
    query: str | None = None,
) -> Moment:
    """The moment of a transcript, of which `request` is what will be sent; a `query` takes the place of what is asked.

    Held is a result that stands whole in the request, and not as a reference to what memory has of it.
    """
    users = [item.text for item in items if item.kind == "user"]
    said = [item.text for item in items if item.kind in ("call", "assistant") and item.text.strip()]
    results = [item.text for item in items if item.kind == "result"]
    pairs = zip(items, actions, strict=True)
    whole = [item for item, action in pairs if item.kind == "result" and action is KEEP and not item.reference]
    held = {(run, name) for item in whole for name in item.call_ids}
    return Moment(
        goal=goal or (users[0] if users else ""),
        asked=query or (users[-1] if len(users) > 1 else ""),
        said=tuple(said[-_SAID:][::-1]),
        results=tuple(results[-_RESULTS:][::-1]),
        used=tuple(item.text for item in items if item.kind == "call"),
        held=frozenset(held),
        request="\n".join(map(text_in, request)),
    )


def text_in(message: Mapping[str, Any]) -> str:
    """All that a message says, with the calls it makes."""
    calls = (f"{tool} {text_of(arguments)}" for tool, arguments in calls_of(message).values())
    return "\n".join([text_of(message.get("content")), *calls])
