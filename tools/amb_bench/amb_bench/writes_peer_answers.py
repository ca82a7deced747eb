"""Answers for other libraries' requests: valid for the schema they ask for, made of what the text really says.

Their prompts are theirs; what a model would take from the text is here what the local summary keeps: a fact a sentence.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle
from typing import Any

from amb_agents import local_agents
from amb_agents.key_terms import keywords
from amb_core.agent_io import StructureRequest
from amb_core.chat_io import ChatReply, ChatRequest, ToolCall
from amb_values import entities, sentences

__all__ = ["PeerAnswers"]

_MOST_FACTS, _MOST_NAMES, _MOST_WORDS = 60, 40, 6
_BY_ITSELF = frozenset({"PatchDoc", "RemoveDoc", "Done"})
"""Tools that change what is there or end a turn: a new text adds."""
_LISTED = "lossless_restatement"
"""The field by which SimpleMem's prompt, which sends no schema, asks for a list of facts."""
_NAMING = frozenset({"name", "source", "target", "subject", "object", "label", "id"})
_EMPTY = ("duplicate", "contradict", "resolution", "invalidat", "delete", "update", "removed")
"""Lists so named speak of what is there already; for a new text they are empty."""


class PeerAnswers:
    """A ChatModel that answers requests of other libraries about `text`, the text that is being written."""

    def __init__(self, *, model: str = "facts") -> None:
        self._model = model
        self._structure = local_agents().structure
        self._facts: tuple[str, ...] = ("",)
        self._names: tuple[str, ...] = ("it",)
        self._words: tuple[str, ...] = ()

    @property
    def model(self) -> str:
        """The name it was given."""
        return self._model

    @property
    def endpoint(self) -> str:
        """The word `facts`."""
        return "facts"

    def tell(self, text: str) -> str:
        """What text is being written from now on; gives back a fact of it that could be asked for."""
        summary = self._structure.structure(StructureRequest(content=text)).summary
        self._facts = tuple(sentences(summary)[:_MOST_FACTS]) or (text,)
        names = dict.fromkeys(entity.name for entity in entities(text))
        self._words = keywords(text)
        self._names = tuple(names)[:_MOST_NAMES] or self._words or ("it",)
        return max(self._facts, key=len)

    def complete(self, request: ChatRequest) -> ChatReply:
        """The answer for the tools or the schema of the request; memories and facts without either."""
        filler = _Filler(self._facts, self._names, self._words)
        tools = [one["function"] for one in request.tools if one.get("type") == "function"]
        if tools:
            adding = next((tool for tool in tools if tool["name"] not in _BY_ITSELF), tools[0])
            return ChatReply("", tool_calls=tuple(filler.calls(adding)), finish_reason="tool_calls")
        if request.schema is not None:
            return ChatReply(_json(filler.fill(request.schema, request.schema)))
        if any(_LISTED in str(message.get("content")) for message in request.messages):
            return ChatReply(_json([{_LISTED: fact, "keywords": list(self._words)} for fact in self._facts]))
        memories = [{"id": str(at), "text": fact} for at, fact in enumerate(self._facts)]
        return ChatReply(_json({"memory": memories}))


class _Filler:
    """Fills schemas with facts and names in turn."""

    def __init__(self, facts: Sequence[str], names: Sequence[str], words: Sequence[str]) -> None:
        self._facts, self._names, self._words = facts, names, words
        self._next_fact, self._next_name = cycle(facts), cycle(names)

    def calls(self, tool: Mapping[str, Any]) -> Iterator[ToolCall]:
        """A call for each fact, or one that holds them all when the tool takes a list."""
        schema = tool.get("parameters") or {}
        properties = schema.get("properties") or {}
        takes_all = any(_resolved(one, schema).get("type") == "array" for one in properties.values())
        for number, _ in enumerate(self._facts[:1] if takes_all else self._facts, 1):
            yield ToolCall(f"call-{number}", tool["name"], _json(self.fill(schema, schema)))

    def fill(self, part: Mapping[str, Any], whole: Mapping[str, Any], name: str = "") -> Any:
        """A value for a part of a schema."""
        part = _resolved(part, whole)
        if "enum" in part:
            return part["enum"][0]
        if "const" in part:
            return part["const"]
        match part.get("type"):
            case "object":
                return {key: self.fill(one, whole, key) for key, one in (part.get("properties") or {}).items()}
            case "array":
                return self._list(part, whole, name)
            case "integer" | "number":
                return 0
            case "boolean":
                return False
            case "null":
                return None
        return self._text(name)

    def _list(self, part: Mapping[str, Any], whole: Mapping[str, Any], name: str) -> list[Any]:
        items = _resolved(part.get("items") or {}, whole)
        if any(word in name.casefold() for word in _EMPTY) or items.get("type") in ("integer", "number"):
            return []
        if items.get("type") == "string":
            return list(self._words[:_MOST_WORDS])
        named = {"name", "label"} & set(items.get("properties") or {})
        count = len(self._names) if named else len(self._facts)
        return [self.fill(items, whole, name) for _ in range(min(count, part.get("maxItems") or count))]

    def _text(self, name: str) -> str:
        if name.endswith(("_at", "_time", "date")):
            return ""
        lower = name.casefold()
        if not _NAMING.isdisjoint(lower.split("_")):
            return next(self._next_name)
        if any(word in lower for word in ("type", "relation", "predicate")):
            return "RELATES_TO"
        return next(self._next_fact)


def _resolved(part: Mapping[str, Any], whole: Mapping[str, Any]) -> Mapping[str, Any]:
    """A part with its reference followed; of several forms the one that is empty, else the first."""
    while "$ref" in part or "anyOf" in part or "allOf" in part:
        if "$ref" in part:
            part = (whole.get("$defs") or whole.get("definitions") or {})[part["$ref"].rpartition("/")[2]]
        else:
            forms = part.get("anyOf") or part.get("allOf") or [{}]
            part = next((form for form in forms if form.get("type") == "null"), forms[0])
    return part


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
