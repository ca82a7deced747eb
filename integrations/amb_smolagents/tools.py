"""The memory tools as smolagents tools."""

from __future__ import annotations

from typing import Any

from smolagents import Tool as TheirTool

from amb_core import AmbError, ContextAdapter, MemoryBank, Tool

__all__ = ["DeepRetrieval", "memory_tools"]


class DeepRetrieval(TheirTool):  # type: ignore[misc,unused-ignore]  # smolagents has no types
    """The tool `deep_retrieval(node_id, page=0)` on one memory, or `settle_dispute(id, holds, because)`."""

    output_type = "string"
    skip_forward_signature_validation = True  # `inputs` say what it takes

    def __init__(self, tool: Tool) -> None:
        self.name, self._tool = tool.name, tool
        # It stands in the system prompt, where the block's own tag would look like a block that was left open.
        self.description = tool.description.replace("<memory>", "your memory")
        self.inputs: dict[str, dict[str, Any]] = {
            name: {"type": wanted["type"], "description": wanted["description"]}
            | ({} if name in tool.parameters["required"] else {"nullable": True})
            for name, wanted in tool.parameters["properties"].items()
        }
        super().__init__()

    def forward(self, *given: Any, **named: Any) -> str:
        """What the tool says, or what is wrong with the request."""
        arguments = dict(zip(self.inputs, given, strict=False)) | named
        return self._tool(**{name: value for name, value in arguments.items() if value is not None})

    def to_dict(self) -> dict[str, Any]:
        """Refused, since a bank cannot be written into the tool's source."""
        raise AmbError(f"{self.name} cannot be saved: detach(agent) before you save the agent or push it.")


def memory_tools(memory: MemoryBank | ContextAdapter) -> list[DeepRetrieval]:
    """The tools to give to an agent beside its own: `deep_retrieval`, with `settles` also `settle_dispute`."""
    return [DeepRetrieval(tool) for tool in ContextAdapter.of(memory).memory_tools()]
