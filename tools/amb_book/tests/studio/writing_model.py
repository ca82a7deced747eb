"""A competent model behind a real endpoint: it looks up, writes three ways, judges, changes one, reads off, checks."""

from __future__ import annotations

import json
from typing import Any

from amb_book.prompts import book_prompt

from amb_core.chat_io import ChatReply, ChatRequest, ToolCall

WAYS = (
    "Lin Yue came by night <b>over the ice</b> and set fire to the granary of Sarn.",
    "Old Wen walked in and told Lin Yue where the gate is weak.",
    "The traitor opened the gate before anybody asked him to.",
)
CHANGED = "At dawn the traitor opened the gate. Lin Yue was captured. <img src=x onerror=alert(1)>"
ADDED = {
    "kind": "relation",
    "quote": "Lin Yue danced all night",
    "id": "f1",
    "fact_quote": "",
    "reason": "She is wounded <i>since chapter 2</i>.",
}


def asked_for(request: ChatRequest) -> str:
    """What one of AMB's own requests is about, by its prompt."""
    said = "\n".join(str(each["content"]) for each in request.messages if each.get("role") == "system")
    last = str(request.messages[-1]["content"])
    if book_prompt("creative_revision", "en") in last or book_prompt("creative_revision", "zh") in last:
        return "change"
    for role in ("creative_review", "reading_talk", "checking", "creative", "task_summary"):
        if any(book_prompt(role, language) in said for language in ("en", "zh")):
            return role
    return ""


class WritingModel:
    """Answers as a competent model would; `broken` are the roles at which it speaks nonsense."""

    model, endpoint = "writer", "here"

    def __init__(self, *broken: str) -> None:
        self.broken = set(broken)
        self.asked: list[str] = []

    def complete(self, request: ChatRequest) -> ChatReply:
        """The answer of the role that asks."""
        role = asked_for(request)
        self.asked.append(role)
        if role in self.broken:
            return ChatReply("<b>la la la</b>")
        told = getattr(self, f"_{role}", lambda request: "Yes.")(request)
        return told if isinstance(told, ChatReply) else ChatReply(told if isinstance(told, str) else json.dumps(told))

    def _creative(self, request: ChatRequest) -> ChatReply | str:
        if request.tools and request.messages[-1].get("role") != "tool":
            return ChatReply("", tool_calls=(ToolCall("a", "facts_about", '{"name": "Lin Yue"}'),))
        there = str(request.messages[0]["content"])
        return next((way for way in WAYS if way not in there), WAYS[-1])

    def _change(self, request: ChatRequest) -> str:
        return CHANGED

    def _creative_review(self, request: ChatRequest) -> dict[str, Any]:
        options = json.loads(str(request.messages[-1]["content"]))["options"]
        return {"reviews": [self._judged(each) for each in options]}

    def _judged(self, option: dict[str, Any]) -> dict[str, Any]:
        score = 9 if "traitor" in option["text"] else 4
        scores = dict.fromkeys(("style", "tension", "plan", "consistency"), score)
        return {"option": option["option"], **scores, "reason": f"It {'serves' if score > 5 else 'leaves'} the plan."}

    def _reading_talk(self, request: ChatRequest) -> dict[str, Any]:
        captured = {"subject": "Lin Yue", "attribute": "STATUS", "value": "captured", "quote": "Lin Yue was captured."}
        invented = {
            "subject": "the King",
            "attribute": "DEAD",
            "value": "fell",
            "quote": "The King fell off his horse.",
        }
        return {"statements": [captured, invented]}

    def _checking(self, request: ChatRequest) -> dict[str, Any]:
        material = json.loads(str(request.messages[-1]["content"]))
        wounded = [each for each in material["facts"] if "wounded" in each["text"]]
        added = [{**ADDED, "id": each["id"], "fact_quote": "wounded"} for each in wounded[:1]]
        return {"verdicts": [], "added": added if "danced" in material["draft"] else []}
