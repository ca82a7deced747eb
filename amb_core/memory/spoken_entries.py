"""What the agent and the user said, and long arguments of calls: raw entries of which no notes are made.

They are found and shown as results are. They are no steps, no evidence in a dispute, and nothing of them is promoted
or shared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import JsonValue

from amb_core.memory.arguments import storable
from amb_core.memory.ids import id_number
from amb_core.memory.interaction_tree import InteractionTree
from amb_core.memory.repeats import fingerprint_of_text
from amb_core.memory.writer import Writer
from amb_core.models import Digestion, EntryState, InteractionEntry
from amb_core.text.text_spans import known_text

__all__ = ["SAID", "Speaker", "SpokenText", "keep_messages"]

SAID = "said"
"""The kind of such entries."""
Speaker = Literal["agent", "user"]


@dataclass(frozen=True, slots=True)
class SpokenText:
    """One message of the agent or the user, or with a `tool` one long argument of a call, beside its shorter ones.

    `nth` counts the same text by the same speaker in one transcript, from 0. `calls` are the ids of the calls that the
    message makes; `after` is the call whose result stands last before it, `before` the one whose result comes next.
    `asked` says that the user has spoken since that result: what is said then belongs to the step that follows.
    """

    text: str
    speaker: Speaker
    nth: int = 0
    tool: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    calls: tuple[str, ...] = ()
    after: str = ""
    before: str = ""
    asked: bool = False
    run: str = ""
    agent: str = ""


def keep_messages(writer: Writer, spoken: Sequence[SpokenText]) -> list[tuple[str, str]]:
    """Journal what was said in one transaction, each once; what is known or was forgotten is not kept again.

    Returns the run and the id by which each is known, as a call of a tool is (hold the lock).
    """
    tree, changes = writer.state.tree, writer.state.changes()
    known: list[tuple[str, str]] = []
    fresh: dict[tuple[str, str], InteractionEntry] = {}
    for one in spoken:
        text = writer.redacted(one.text)
        metadata = _metadata_of(one, text, writer)
        step = _step_of(tree, one)
        key = (one.run, str(metadata["call_id"]))
        known.append(key)
        if key in fresh or tree.of_same_call(text, metadata) is not None:
            continue
        parent = next((entry.entry_id for entry in _entries(tree, one.run, one.calls)), None) if one.tool else None
        fresh[key] = InteractionEntry(
            entry_id=changes.new_id("w"),
            text=text,
            timestamp=writer.clock.now(),
            metadata=metadata | {"step": step},
            parent_id=parent,
        )
    for entry in fresh.values():
        changes.put(entry, Digestion(entry_id=entry.entry_id, state=EntryState.DONE))
    if fresh:
        writer.commit(changes)
    return known


def _metadata_of(one: SpokenText, text: str, writer: Writer) -> dict[str, JsonValue]:
    """The metadata of an entry; its id as a call holds a fingerprint of the text as it is kept."""
    mark = fingerprint_of_text("\x1e".join((one.speaker, one.tool, known_text(text)))).hex()
    metadata: dict[str, JsonValue] = {
        "kind": SAID,
        "speaker": one.speaker,
        "source": one.speaker,
        "call_id": f"said-{mark}-{one.nth}",
    }
    given: dict[str, JsonValue] = {"arguments": storable(one.arguments)} if one.arguments else {}
    arguments = writer.redacted(given)
    extra: dict[str, JsonValue] = {"tool": one.tool, "run": one.run, "agent": one.agent, **arguments}
    return {**metadata, **{key: value for key, value in extra.items() if value}}


def _entries(tree: InteractionTree, run: str, calls: Sequence[str]) -> Iterator[InteractionEntry]:
    """The newest result of each of these calls that has one."""
    for call_id in calls:
        yield from tree.of_call(call_id, run=run)[-1:]


def _step_of(tree: InteractionTree, one: SpokenText) -> int:
    """The step of the result that a message led to, or else of the one before it, and once the user has `asked`
    something new the one behind that; the newest where neither is known.
    """
    for calls, later in ((one.calls, 0), ((one.after,), int(one.asked)), ((one.before,), -1)):
        for entry in _entries(tree, one.run, calls):
            return max(id_number(entry.entry_id) + later, 1)
    return max(tree.last_step, 1)
