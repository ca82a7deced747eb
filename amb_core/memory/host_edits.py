"""What a host did to its transcript since a text in it was kept: cleared it, put another in its place, took it out.

What was only cleared or shortened stays as it was. What was replaced or deleted is shown to no model any more: whoever
opens its step sees what stands in its place, its notes and disputes are gone, and its raw text stays in the record, for
`snapshot` and `export`. What stands on a branch that was left is shown and marked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from amb_core.memory.bank_parts import BankParts
from amb_core.memory.change_set import ChangeSet
from amb_core.memory.ids import is_message
from amb_core.memory.interaction_tree import CALL, EDIT, WITHDRAWN
from amb_core.memory.writer import Writer
from amb_core.models import Digestion, EntryState, InteractionEntry, ToolResult
from amb_core.reading.outcomes import stands_for
from amb_core.text.text_spans import known_text

__all__ = ["HostEdit", "mark_edits", "older_results", "standing_entry"]

HostEdit = Literal["", "replaced", "deleted", "left"]
"""What became of a text in its transcript; "" for one that is there, or was cleared or shortened."""


def mark_edits(parts: BankParts, edits: Mapping[str, tuple[HostEdit, Sequence[str]]]) -> None:
    """Note by entry id what became of it, and the texts that stand in its place now (hold the lock)."""
    writer, tree = parts.writer, parts.state.tree
    marked: dict[str, InteractionEntry] = {}
    for entry_id, (edit, now) in edits.items():
        entry = tree.entries.get(entry_id)
        if entry is None or entry.forgotten:
            continue
        if edit == "replaced" and any(stands_for(writer.redacted(text), entry.text) for text in now):
            edit = ""
        if tree.edits.get(entry_id, "") != edit:
            rest = {name: value for name, value in entry.metadata.items() if name != EDIT}
            marked[entry_id] = entry.model_copy(update={"metadata": rest | ({EDIT: edit} if edit else {})})
    if not marked:
        return
    gone = [one for one in marked.values() if one.metadata.get(EDIT) in WITHDRAWN]
    taken = [one for one in gone if not tree.is_withdrawn(one.entry_id)]
    waiting = _to_digest(parts, marked) if taken or len(gone) < len(marked) else []
    changes = _without_notes(parts, taken)
    changes.put(*marked.values())
    for entry in waiting:
        changes.put(entry, Digestion(entry_id=entry.entry_id, state=EntryState.RAW))
    writer.commit(changes)
    parts.undigested.unasked.update(dict.fromkeys(entry.entry_id for entry in waiting))
    if taken:
        parts.forget_notes()


def _without_notes(parts: BankParts, taken: Sequence[InteractionEntry]) -> ChangeSet:
    """The change that takes out what was made of texts that their host took back, and makes no notes of them.

    The ids of their notes stay with them, by which a model may still ask.
    """
    state = parts.state
    digestions = [state.tree.digestions[entry.entry_id] for entry in taken]
    changes = state.changes()
    if any(one.node_ids for one in digestions) or (taken and state.conflicts):
        from amb_core.memory.forgetter import Forgetter  # here, for of most edited texts there are no notes yet

        changes = Forgetter(state, parts, taken).withdraw()
    changes.put(*(one.model_copy(update={"state": EntryState.DONE, "error": None}) for one in digestions))
    return changes


def _to_digest(parts: BankParts, marked: Mapping[str, InteractionEntry]) -> list[InteractionEntry]:
    """The entries of which notes are to be made anew: they stand again, or repeat a text that was taken back."""
    tree = parts.state.tree
    found: list[InteractionEntry] = []
    for entry_id, digestion in tree.digestions.items():
        entry = marked.get(entry_id) or tree.entries[entry_id]
        original = marked.get(digestion.repeat_of or "")
        stands = entry.metadata.get(EDIT) not in WITHDRAWN and not entry.forgotten
        if stands and original is not None and original.metadata.get(EDIT) in WITHDRAWN:
            found.append(entry.model_copy(update={"parent_id": None}))
        elif stands and tree.is_withdrawn(entry_id) and not is_message(entry_id):
            found.append(entry)
    return found


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
    plain = known_text(writer.redacted(text)) if len(entries) > 1 else ""
    standing = next((entry for entry in reversed(entries) if known_text(entry.text) == plain), None)
    if len(entries) < 2 or standing is None:
        return {}
    asked = [standing.metadata.get(name) for name in CALL]
    same = (entry for entry in entries if [entry.metadata.get(name) for name in CALL] == asked)
    found: dict[str, tuple[HostEdit, tuple[str, ...]]] = {standing.entry_id: ("", ())}
    found |= {entry.entry_id: ("replaced", (text,)) for entry in same if known_text(entry.text) != plain}
    return found
