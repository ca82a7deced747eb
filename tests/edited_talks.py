"""Transcripts whose host edits them between requests, in any wire form, and who may still be quoted afterwards.

A talk is a list of turns, each with texts that hold codes nobody else has. `WRITERS` write it in a form; `pairs_torn`
looks at a request without knowing how it was made.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field, replace
from typing import Any

TREES = "oak elm ash fir yew bay fig larch alder rowan".split()
CLEARED = (
    "[cleared]",
    "[Old tool result content cleared]",
    "",
    "…",
    "Error: the tool was not reachable",
    "[旧的工具结果已清除]",
)


@dataclass(frozen=True)
class Turn:
    """What one turn says: the user's words and the agent's answer, or a call with its result."""

    number: int
    kind: str
    asked: str
    text: str
    call_id: str = ""


@dataclass
class Host:
    """A transcript in the hands of its host, and the codes of which no request may speak any more."""

    seed: int
    turns: list[Turn] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)
    made: int = 0

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)

    def code(self, kind: str) -> str:
        """A code that stands nowhere else."""
        self.made += 1
        return f"{kind}{self.seed:02}{self.made:03}Q"

    def grow(self, kind: str) -> None:
        """One turn more."""
        number = self.made
        body = " ".join(f"{TREES[(k * number + k * k) % 10]} {k * number % 97}" for k in range(60))
        if kind == "work":
            text = f"Leaf {number} has the mark {self.code('R')}. {body}"
            self.turns.append(Turn(number, kind, json.dumps({"leaf": number}), text, f"call_{self.seed}x{number}"))
        else:
            asked = f"Please note that crate {number} bears the sign {self.code('U')} and stays here."
            self.turns.append(Turn(number, kind, asked, f"Noted: I keep tally {self.code('A')} for crate {number}."))

    def edit(self) -> str:
        """One thing that hosts do, and its name."""
        able = range(1, len(self.turns) - 2)  # what goes from the end is a branch that is left
        if len(able) < 4:
            return "nothing"
        at = self.random.choice(able)
        turn, what = self.turns[at], self.random.choice(EDITS)
        getattr(self, what)(at, turn)
        return what

    def clear(self, at: int, turn: Turn) -> None:
        if turn.kind == "work":
            self.turns[at] = replace(turn, text=self.random.choice(CLEARED))

    def shorten(self, at: int, turn: Turn) -> None:
        if turn.kind == "work" and len(turn.text) > 300:
            self.turns[at] = replace(turn, text=f"{turn.text[:120]}\n[… truncated, {len(turn.text) - 120} characters]")

    def add_a_line_break(self, at: int, turn: Turn) -> None:
        self.turns[at] = replace(turn, text=f"{turn.text}\n")

    def redact(self, at: int, turn: Turn) -> None:
        """Codes give way to stars, in a result or in both texts of a turn of talk."""
        for text in (turn.asked, turn.text):
            for code in codes_in(text):
                self.gone.add(code)
                turn = replace(turn, asked=turn.asked.replace(code, "****"), text=turn.text.replace(code, "****"))
        self.turns[at] = turn

    def replace(self, at: int, turn: Turn) -> None:
        """Another result, or another answer."""
        self.gone |= codes_in(turn.text)
        self.turns[at] = replace(
            turn, text=f"Leaf {turn.number} is settled now: {self.code('F')} holds, all else is void."
        )

    def delete(self, at: int, turn: Turn) -> None:
        self.gone |= codes_in(turn.asked + turn.text)
        del self.turns[at]

    def reorder(self, at: int, turn: Turn) -> None:
        self.turns[at], self.turns[at - 1] = self.turns[at - 1], turn

    def go_back(self, at: int, turn: Turn) -> None:
        """To one of the last turns; what was said after it was taken back, what was read stays what it was."""
        at = max(len(self.turns) - 2, 1)
        for left in self.turns[at:]:
            if left.kind == "talk":
                self.gone |= codes_in(left.asked + left.text)
        del self.turns[at:]


EDITS = ("clear", "shorten", "add_a_line_break", "redact", "replace", "delete", "reorder", "go_back")


def codes_in(text: str) -> set[str]:
    """The codes that stand in a text."""
    words = (word.strip('.,:;"\\') for word in text.split())
    return {word for word in words if len(word) == 7 and word[0] in "RUAF" and word.endswith("Q")}


# --- writers ----------------------------------------------------------------------------------------------------------


def chat(turns: list[Turn]) -> list[Any]:
    """OpenAI chat."""
    found: list[Any] = [
        {"role": "system", "content": "Be exact."},
        {"role": "user", "content": "Look after the leaves."},
    ]
    for turn in turns:
        if turn.kind == "talk":
            found += [{"role": "user", "content": turn.asked}, {"role": "assistant", "content": turn.text}]
        else:
            function = {"name": "read_leaf", "arguments": turn.asked}
            call = {"id": turn.call_id, "type": "function", "function": function}
            found.append({"role": "assistant", "content": None, "tool_calls": [call]})
            found.append({"role": "tool", "tool_call_id": turn.call_id, "content": turn.text})
    return found


def anthropic(turns: list[Turn]) -> list[Any]:
    """Anthropic messages."""
    found: list[Any] = [{"role": "user", "content": "Look after the leaves."}]
    for turn in turns:
        if turn.kind == "talk":
            found += [{"role": "user", "content": turn.asked}, {"role": "assistant", "content": turn.text or "."}]
        else:
            use = {"type": "tool_use", "id": turn.call_id, "name": "read_leaf", "input": json.loads(turn.asked)}
            result = {"type": "tool_result", "tool_use_id": turn.call_id, "content": turn.text}
            found += [{"role": "assistant", "content": [use]}, {"role": "user", "content": [result]}]
    return found


def responses(turns: list[Turn]) -> list[Any]:
    """OpenAI Responses items."""
    found: list[Any] = [{"role": "user", "content": "Look after the leaves."}]
    for turn in turns:
        if turn.kind == "talk":
            said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": turn.text}]}
            found += [{"role": "user", "content": turn.asked}, said]
        else:
            call = {"type": "function_call", "call_id": turn.call_id, "name": "read_leaf", "arguments": turn.asked}
            found += [call, {"type": "function_call_output", "call_id": turn.call_id, "output": turn.text}]
    return found


def gemini(turns: list[Turn]) -> list[Any]:
    """Gemini contents, without ids."""
    found: list[Any] = [{"role": "user", "parts": [{"text": "Look after the leaves."}]}]
    for turn in turns:
        if turn.kind == "talk":
            found += [
                {"role": "user", "parts": [{"text": turn.asked}]},
                {"role": "model", "parts": [{"text": turn.text}]},
            ]
        else:
            call = {"functionCall": {"name": "read_leaf", "args": json.loads(turn.asked)}}
            result = {"functionResponse": {"name": "read_leaf", "response": {"output": turn.text}}}
            found += [{"role": "model", "parts": [call]}, {"role": "user", "parts": [result]}]
    return found


WRITERS = {"openai-chat": chat, "anthropic": anthropic, "openai-responses": responses, "gemini": gemini}


def pairs_torn(request: list[Any]) -> list[str]:
    """The calls without a result behind them, and the results without a call before them, by id or name."""
    asked: list[str] = []
    torn: list[str] = []
    for item in request:
        parts = item.get("content") if isinstance(item.get("content"), list) else item.get("parts") or ()
        for one in (item, *(part for part in parts if isinstance(part, dict))):
            asked += [call["id"] for call in one.get("tool_calls") or ()]
            if one.get("type") in ("tool_use", "function_call"):
                asked.append(one.get("call_id") or one["id"])
            if "functionCall" in one:
                asked.append(one["functionCall"]["name"])
            answered = one.get("tool_call_id") or one.get("tool_use_id")
            answered = one["call_id"] if one.get("type") == "function_call_output" else answered
            answered = one["functionResponse"]["name"] if "functionResponse" in one else answered
            if answered is not None:
                if answered in asked:
                    asked.remove(answered)
                else:
                    torn.append(answered)
    return torn + asked
