"""When the goal of a bank follows the talk: new questions of users found, and what was wrongly taken for one.

The talks are a development set: whoever wrote them had read the rule.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from amb_bench.bench_metrics import mean
from amb_bench.tables import Table
from amb_core.adapter.goal_change import asked_anew

__all__ = ["changes_of", "goal_talks", "tables"]

_FILE = Path(__file__).with_name("goal_talks.jsonl")
_LABELS = ("answer", "goes_on", "thanks")


def goal_talks() -> list[dict[str, Any]]:
    """The talks: `id`, `language`, and `talk`, whose turns say what each of them is."""
    return [json.loads(line) for line in _FILE.read_text("utf-8").splitlines()]


def changes_of(turns: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, bool]]:
    """What each message of the user after the first is, and whether it was taken for a new question."""
    goal, followed, chat = "", False, list[dict[str, Any]]()
    for number, turn in enumerate(turns):
        if turn.get("worked"):
            call = {"id": f"c{number}", "type": "function", "function": {"name": "work", "arguments": "{}"}}
            chat.append({"role": "assistant", "content": "", "tool_calls": [call]})
            chat.append({"role": "tool", "tool_call_id": call["id"], "content": "done"})
        chat.append({"role": "assistant" if turn["is"] == "agent" else "user", "content": turn["text"]})
        if turn["is"] not in ("agent", "first"):
            yield turn["is"], asked_anew(chat, goal=goal, followed=followed) is not None
        if turn["is"] in ("first", "new"):
            goal, followed = turn["text"], turn["is"] == "new"


def tables(options: object) -> Iterator[Table]:
    """Precision and recall for each language, and how many messages of each other kind were taken for a question."""
    rows = list[tuple[str | float, ...]]()
    for language in ("en", "zh"):
        talks = [talk for talk in goal_talks() if talk["language"] == language]
        told = [change for talk in talks for change in changes_of(talk["talk"])]
        wrong = Counter(label for label, changed in told if changed)
        precision = mean(label == "new" for label, changed in told if changed)
        recall = mean(changed for label, changed in told if label == "new")
        rows.append((language, len(told), precision, recall, *(wrong[label] for label in _LABELS)))
    columns = ("language", "messages", "precision", "recall", *(f"wrong: {label}" for label in _LABELS))
    yield Table("New questions in talks (development set)", columns, tuple(rows))
