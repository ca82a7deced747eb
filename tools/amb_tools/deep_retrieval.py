"""The tool that opens what is behind a note of memory, with the files that belong to it."""

from __future__ import annotations

from amb_core import AmbError, ContextAdapter, MemoryBank
from amb_core.attachments import AttachmentContent
from amb_tools.agent_tool import Tool, ToolOutput, answering

__all__ = ["deep_retrieval_tool"]


def deep_retrieval_tool(bank: MemoryBank) -> Tool:
    """`deep_retrieval(node_id, page=0)`: the raw entries behind a note, paged, as `ContextAdapter.memory_tools` has it.

    Code and documents are in the text; `run` also gives the files of the note on its first page, images as base64
    with their media type. Files are read from the bank's own folders only.
    """
    (shown,) = ContextAdapter(bank).memory_tools()

    def action(node_id: object, page: object = 0) -> ToolOutput:
        text = shown(node_id=node_id, page=page)
        failed = text.startswith("Error:")
        contents = () if failed or page not in (0, "0") else _contents(bank, str(node_id))
        return ToolOutput(text, contents=contents, is_error=failed)

    answers = answering(shown.name, shown.parameters, action)
    return Tool(shown.name, shown.description, shown.parameters, answers)


def _contents(bank: MemoryBank, node_id: str) -> tuple[AttachmentContent, ...]:
    """The opened files of a note; an id may come in the brackets it is shown in."""
    try:
        entries = bank.host.deep_retrieval(node_id.strip().strip("[]").strip())
    except AmbError:
        return ()
    return tuple(content for entry in entries for content in entry.attachments)
