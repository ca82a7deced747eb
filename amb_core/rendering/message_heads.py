"""The line above what an agent or its user said, as a block of passages shows it."""

from __future__ import annotations

from collections.abc import Mapping

from amb_core.rendering.labels import Language, labels_for
from amb_core.rendering.passage_block import short_call
from amb_core.rendering.safe_text import escape_line

__all__ = ["message_head"]

_LONGEST_NAME = 60


def message_head(
    number: int,
    *,
    speaker: str,
    agent: str,
    tool: str,
    arguments: Mapping[str, object],
    language: Language,
    tokens: int,
) -> str:
    """`step 12 · you wrote index.html`: one line, escaped; an `agent` that has a name is named, for others may read it.

    Of a long argument of a call it names what else was asked for in one line, such as a path, or else the tool.
    """
    labels = labels_for(language)
    who = escape_line(agent)[:_LONGEST_NAME]
    if speaker == "user":
        told = labels.user_said
    elif not tool:
        told = labels.other_said.format(who) if who else labels.you_said
    else:
        values = [value for value in arguments.values() if isinstance(value, str) and value.strip()]
        what = short_call({"": next((value for value in values if "\n" not in value), tool)}, tokens)
        told = labels.other_wrote.format(who, what) if who else labels.you_wrote.format(what)
    return f"{labels.step.format(number)} · {told}"
