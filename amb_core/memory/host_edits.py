"""What a host did to its transcript since a text in it was kept: cleared it, put another in its place, took it out.

What was only cleared or shortened stays as it was. What was replaced or deleted is not shown by itself any more; who
asks for it with `recall` or opens its step is told. What stands on a branch that was left is shown and marked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from amb_core.memory.interaction_tree import EDIT
from amb_core.memory.writer import Writer
from amb_core.models import ToolResult
from amb_core.reading.outcomes import stands_for

__all__ = ["HostEdit", "mark_edits", "older_results", "standing_entry"]

HostEdit = Literal["", "replaced", "deleted", "left"]
"""What became of a text in its transcript; "" for one that is there, or was cleared or shortened."""
_CALL = ("tool", "arguments", "source")


def mark_edits(writer: Writer, edits: Mapping[str, tuple[HostEdit, Sequence[str]]]) -> None:
    """Note by entry id what became of it, and the texts that stand in its place now (hold the lock)."""
    tree, changes = writer.state.tree, writer.state.changes()
    for entry_id, (edit, now) in edits.items():
        entry = tree.entries.get(entry_id)
        if entry is None or entry.forgotten:
            continue
        if edit == "replaced" and any(stands_for(writer.redacted(text), entry.text) for text in now):
            edit = ""
        if tree.edits.get(entry_id, "") != edit:
            rest = {name: value for name, value in entry.metadata.items() if name != EDIT}
            changes.put(entry.model_copy(update={"metadata": rest | ({EDIT: edit} if edit else {})}))
    if changes.puts:
        writer.commit(changes)


def standing_entry(writer: Writer, result: ToolResult) -> str | None:
    """The entry of the same call for which a result only stands: a placeholder, an excerpt, or word that nothing came.

    None for what memory has word for word, and for a call it does not know (hold the lock).
    """
    tree, text = writer.state.tree, None
    for entry in reversed(tree.of_call(result.call_id or "", run=result.run)):
        text = writer.redacted(result.output).strip() if text is None else text
        old = entry.text.strip()
        if old not in text and stands_for(text, old) and entry.metadata.get("tool") == result.tool:
            return entry.entry_id
    return None


def older_results(writer: Writer, run: str, call_id: str, text: str) -> dict[str, tuple[HostEdit, tuple[str, ...]]]:
    """The entries of a call, beside that of the text, which it left before its host put that text in their place.

    Only those that asked for the very same: some hosts count their calls anew in each turn (hold the lock).
    """
    entries = writer.state.tree.of_call(call_id, run=run)
    plain = writer.redacted(text).rstrip() if len(entries) > 1 else ""
    standing = next((entry for entry in reversed(entries) if entry.text.rstrip() == plain), None)
    if len(entries) < 2 or standing is None:
        return {}
    asked = [standing.metadata.get(name) for name in _CALL]
    same = (entry for entry in entries if [entry.metadata.get(name) for name in _CALL] == asked)
    found: dict[str, tuple[HostEdit, tuple[str, ...]]] = {standing.entry_id: ("", ())}
    found |= {entry.entry_id: ("replaced", (text,)) for entry in same if entry.text.rstrip() != plain}
    return found
