"""What a client can read of a bank without calling a tool: its Insight Doc, its notes, one note."""

import json
from collections.abc import Callable

from pydantic import JsonValue

from amb_core import MemoryBank, QueryNode
from amb_core.rendering import escape
from amb_mcp.banks import Banks

__all__ = ["MemoryResources"]

_NEWEST = 200
_LONGEST = 20_000
"""Characters shown of one text."""


class MemoryResources:
    """The resources over some banks, as JSON; texts of sources in it are escaped and cut to a length."""

    def __init__(self, banks: Banks) -> None:
        self._banks = banks

    @property
    def by_uri(self) -> dict[str, Callable[..., str]]:
        """Each URI template with the function that answers it."""
        return {
            "amb://banks/{bank}/insight": self.insight,
            "amb://banks/{bank}/nodes": self.nodes,
            "amb://banks/{bank}/nodes/{node_id}": self.node,
        }

    def insight(self, bank: str) -> str:
        """The Insight Doc of a bank: the goal of its task, the newest finished steps, and the next step."""
        with self._banks.working(bank) as memory:
            insight = memory.insight
        told = insight.model_dump(mode="json")
        told["completed_tasks"] = told["completed_tasks"][-_NEWEST:]
        return _written({**told, "steps": len(insight.completed_tasks)})

    def nodes(self, bank: str) -> str:
        """The newest notes of a bank by id and topic, and how many there are."""
        with self._banks.working(bank) as memory:
            nodes = memory.nodes
        shown: list[JsonValue] = [{"id": node.id, "context": node.context} for node in nodes[: -_NEWEST - 1 : -1]]
        return _written({"count": len(nodes), "newest": shown})

    def node(self, bank: str, node_id: str) -> str:
        """One note of a bank: summary, topic, keywords, related notes, and the text it stands on."""
        with self._banks.working(bank) as memory:
            return _written(_told(memory, memory.host.node(node_id)))


def _told(memory: MemoryBank, node: QueryNode) -> dict[str, JsonValue]:
    told = node.model_dump(mode="json", exclude={"embedding", "refuted"})
    return {**told, "text": "\n\n".join(text for _, text in memory.host.passages(node.id))}


def _written(value: JsonValue) -> str:
    return json.dumps(_harmless(value), ensure_ascii=False, indent=1)


def _harmless(value: JsonValue) -> JsonValue:
    """The value with all its texts escaped and bounded."""
    if isinstance(value, str):
        text = escape(value)
        return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
    if isinstance(value, list):
        return [_harmless(item) for item in value]
    return {key: _harmless(item) for key, item in value.items()} if isinstance(value, dict) else value
