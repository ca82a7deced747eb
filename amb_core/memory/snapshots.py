"""A bank as a JSON file: written atomically, read back only when it is whole."""

from __future__ import annotations

import errno
import json
import math
import os
import re
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from pydantic import ValidationError

from amb_core.errors import InvalidExport, StoreError
from amb_core.file_writer import write_file
from amb_core.memory.ids import LETTERS, id_number, is_id, is_message, link_id
from amb_core.models import BankSnapshot, ConflictStatus, Digestion, InteractionEntry, Link, MergeEvent, QueryNode, Span

__all__ = ["damage", "read_snapshot", "write_snapshot"]

_FORMAT = "amb-task-memory"
_VERSION = 1
_SHOWN = 300
"""Characters of a path or of what is wrong that an error repeats."""


def write_snapshot(snapshot: BankSnapshot, path: str | Path) -> Path:
    """Write the snapshot beside `path` and move it there; StoreError when the disk will not take it."""
    target = Path(path)
    data = snapshot.model_dump(mode="json")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with write_file(target, prefix=".") as partial:
            try:
                partial.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
            except UnicodeEncodeError:  # lone surrogates survive as \\uXXXX escapes
                partial.write_text(json.dumps(data, ensure_ascii=True, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise StoreError(
            f"{str(target)[:_SHOWN]} cannot be written ({error.strerror or error}); choose another place"
        ) from error
    return target


def read_snapshot(path: str | Path) -> BankSnapshot:
    """Read a file `write_snapshot` made; InvalidExport says what is wrong with any other."""
    source = Path(path)
    try:
        data = json.loads(_text_of(source))
    except FileNotFoundError:
        raise InvalidExport(f"there is no file {source}; check the path") from None
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", "not UTF-8")
        raise InvalidExport(f"{source} cannot be read ({reason}); is it a memory file?") from None
    except (ValueError, RecursionError):  # numbers of thousands of digits are a plain ValueError
        raise InvalidExport(f"{source} is torn or no JSON; export the bank again") from None
    if not isinstance(data, dict) or data.get("format") != _FORMAT:
        raise InvalidExport(f"{source} is no AMB memory file (its format is not {_FORMAT!r})")
    version = data.get("version")
    if type(version) is not int or not 1 <= version <= _VERSION:  # True is an int, too
        raise InvalidExport(f"{source} has version {version!r}; this AMB reads up to {_VERSION}. Upgrade AMB.")
    try:
        snapshot = BankSnapshot.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])[:_SHOWN]
        raise InvalidExport(f"{source} is damaged at {where}: {first['msg']}; export the bank again") from None
    broken = damage(snapshot)
    if broken:
        raise InvalidExport(f"{source} is damaged: {broken[:_SHOWN]}; export the bank again")
    return snapshot


def _text_of(path: Path) -> str:
    """What is in a regular file; pipes and devices, which would block or never end, are not read from."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "it is no regular file")
        return file.read().decode("utf-8")


_DOC_ID = re.compile(r"[\w-]{1,80}")
_HIGHEST = 10**18
"""Numbers of ids and counters lie below it."""


def damage(snapshot: BankSnapshot) -> str | None:
    """The first thing wrong with a snapshot in words, or None when all of it is whole."""
    for check in (_task, _identifiers, _digestions, _spans, _links, _conflicts, _archive, _merges, _times, _vectors):
        for problem in check(snapshot):
            return problem
    return None


def _task(snapshot: BankSnapshot) -> Iterator[str]:
    insight = snapshot.insight
    if not insight.task_goal.strip():
        yield "the task goal is empty"
    if not _DOC_ID.fullmatch(insight.doc_id):
        yield f"{insight.doc_id[:80]!r} is no id of a task"
    about = insight.pending.conflict_id if insight.pending else None
    known = {conflict.id for conflict in snapshot.conflicts}
    if about is not None and about not in known and not _given_out(about, "c", snapshot):
        yield f"the pending task is about conflict {about!r}, which is not there"
    for letter, last in snapshot.counters.items():
        if letter not in LETTERS or not 0 <= last < _HIGHEST:
            yield f"the counter of {letter!r} stands at {last}"


def _given_out(identifier: str, letter: str, snapshot: BankSnapshot) -> bool:
    """Whether there once was something of this id: what settled things refer to may have been forgotten since."""
    return is_id(identifier, letter) and id_number(identifier) <= snapshot.counters.get(letter, 0)


def _identifiers(snapshot: BankSnapshot) -> Iterator[str]:
    alive = [node.id for node in snapshot.nodes]
    archived = [kept.node.id for kept in snapshot.archive]
    yield from _ids("n", "node", [*alive, *archived])
    entries = [entry.entry_id for entry in snapshot.entries]
    yield from _ids("e", "entry", [entry_id for entry_id in entries if not is_message(entry_id)])
    yield from _ids("w", "message", [entry_id for entry_id in entries if is_message(entry_id)])
    yield from _ids("c", "conflict", [conflict.id for conflict in snapshot.conflicts])
    yield from _ids("m", "merge", [event.event_id for event in snapshot.merges])
    yield from _ids("a", "attachment", [waiting.id for waiting in snapshot.waiting])
    yield from _ids("g", "goal", [doc.id for doc in snapshot.earlier])
    yield from _ids("t", "injection", [f"t{injection.turn}" for injection in snapshot.injections])


def _ids(letter: str, kind: str, found: Iterable[str]) -> Iterator[str]:
    """Ids that are not of that letter, or come twice."""
    seen: set[str] = set()
    for identifier in found:
        if not is_id(identifier, letter):
            yield f"{identifier!r} is no id of {'an' if kind[0] in 'aei' else 'a'} {kind}"
        if identifier in seen:
            yield f"{kind} {identifier} is there twice"
        seen.add(identifier)


def _digestions(snapshot: BankSnapshot) -> Iterator[str]:
    entries = {entry.entry_id for entry in snapshot.entries}
    digestions: dict[str, Digestion] = {}
    for digestion in snapshot.digestions:
        if digestion.entry_id not in entries:
            yield f"a digestion names entry {digestion.entry_id!r}, which is not there"
        if digestion.entry_id in digestions:
            yield f"entry {digestion.entry_id} has two digestions"
        digestions[digestion.entry_id] = digestion
    for entry_id in entries - digestions.keys():
        yield f"entry {entry_id} has no digestion"
    for digestion in snapshot.digestions:
        if digestion.repeat_of is not None:
            original = digestions.get(digestion.repeat_of)
            if original is None or original.repeat_of is not None:
                yield f"entry {digestion.entry_id} repeats {digestion.repeat_of!r}, which is no original"


def _spans(snapshot: BankSnapshot) -> Iterator[str]:
    entries = {entry.entry_id: entry for entry in snapshot.entries}
    for node in _kept_nodes(snapshot):
        for span in (*node.sources, *node.refuted):
            if not _within(span, entries.get(span.entry_id)):
                yield f"node {node.id} cites {span.entry_id}[{span.start}:{span.end}], which is not there"
    for event in snapshot.merges:
        for span in event.evidence:
            if not _within(span, entries.get(span.entry_id)):
                yield f"merge {event.event_id} cites {span.entry_id}[{span.start}:{span.end}], which is not there"


def _within(span: Span, entry: InteractionEntry | None) -> bool:
    """Whether a span lies in its entry; of a forgotten one only the order of its ends is known."""
    return entry is not None and span.start <= span.end and (entry.forgotten or span.end <= len(entry.text))


def _links(snapshot: BankSnapshot) -> Iterator[str]:
    alive = {node.id for node in snapshot.nodes}
    for link in snapshot.links:
        if not {link.a, link.b} <= alive:
            yield f"link {link_id(link.a, link.b)} joins a node that is not there"
    archived: list[Link] = [link for kept in snapshot.archive for link in kept.links]
    for link in (*snapshot.links, *archived):
        if link.a == link.b:
            yield f"link {link_id(link.a, link.b)} joins a node with itself"


def _conflicts(snapshot: BankSnapshot) -> Iterator[str]:
    archived, joint = {kept.node.id for kept in snapshot.archive}, {event.new_node_id for event in snapshot.merges}
    known = {node.id for node in snapshot.nodes} | archived
    both_in = {ConflictStatus.UNRESOLVED: joint, ConflictStatus.RESOLVED: joint & archived}
    for conflict in snapshot.conflicts:
        sides = set(conflict.node_ids)
        in_one_note = len(conflict.node_ids) == 2 and sides <= both_in.get(conflict.status, set())
        if len(sides) < max(len(conflict.node_ids), 2) and not in_one_note:
            yield f"conflict {conflict.id} is not between two different nodes"
        missing = [node_id for node_id in conflict.node_ids if node_id not in known]
        if missing and (conflict.status.is_open or not all(_given_out(node_id, "n", snapshot) for node_id in missing)):
            yield f"conflict {conflict.id} is about a node that is not there"


def _archive(snapshot: BankSnapshot) -> Iterator[str]:
    events = {event.event_id: event for event in snapshot.merges}
    for kept in snapshot.archive:
        event = events.get(kept.event_id)
        if event is None:
            yield f"archived node {kept.node.id} names merge {kept.event_id!r}, which is not there"
        elif kept.node.id not in event.merged_node_ids:
            yield f"archived node {kept.node.id} names merge {kept.event_id}, which did not merge it"


def _merges(snapshot: BankSnapshot) -> Iterator[str]:
    archived = {kept.node.id: kept.event_id for kept in snapshot.archive}
    known = {node.id for node in snapshot.nodes} | archived.keys()
    for event in snapshot.merges:
        new, old = event.new_node_id, event.merged_node_ids
        if not all(is_id(name, "n") for name in (new, *old)):
            yield f"merge {event.event_id} names something that is no node"
        elif not all(id_number(name) < id_number(new) for name in old):  # so merges never run in a circle
            yield f"merge {event.event_id} makes a node that is older than what it merged"
        elif not event.undone and any(archived.get(name) != event.event_id for name in old):
            yield f"merge {event.event_id} merged a node that is not in the archive"
        elif not event.undone and new not in known and not _given_out(new, "n", snapshot):
            yield f"merge {event.event_id} names node {new}, which is not there"


def _times(snapshot: BankSnapshot) -> Iterator[str]:
    stamped = [
        *((f"node {node.id}", node.timestamp) for node in _all_nodes(snapshot)),
        *((f"entry {entry.entry_id}", entry.timestamp) for entry in snapshot.entries),
        *((f"merge {event.event_id}", event.timestamp) for event in snapshot.merges),
        *((f"conflict {conflict.id}", conflict.found_at) for conflict in snapshot.conflicts),
        *((f"conflict {conflict.id}", conflict.settled_at or 0.0) for conflict in snapshot.conflicts),
        *((f"injection {injection.turn}", injection.timestamp) for injection in snapshot.injections),
    ]
    for name, timestamp in stamped:
        if not (math.isfinite(timestamp) and timestamp >= 0):
            yield f"{name} has no possible time ({timestamp})"


def _vectors(snapshot: BankSnapshot) -> Iterator[str]:
    nodes = list(_all_nodes(snapshot))
    if snapshot.embedder is None:
        if any(node.embedding is not None for node in nodes):
            yield "nodes have vectors, but no embedder is named"
        return
    if snapshot.embedder.dimension < 1:
        yield f"the embedder has {snapshot.embedder.dimension} dimensions"
    for node in nodes:  # one without a vector was taken in while the embedder failed
        if node.embedding is not None and len(node.embedding) != 4 * snapshot.embedder.dimension:
            yield f"the vector of node {node.id} does not have {snapshot.embedder.dimension} dimensions"
        elif node.vector is not None and not np.isfinite(node.vector).all():
            yield f"the vector of node {node.id} is not finite"


def _kept_nodes(snapshot: BankSnapshot) -> Iterator[QueryNode]:
    """Living and archived nodes."""
    yield from snapshot.nodes
    yield from (kept.node for kept in snapshot.archive)


def _all_nodes(snapshot: BankSnapshot) -> Iterator[QueryNode]:
    """Those, and the neighbours that merges remember."""
    events: Iterable[MergeEvent] = snapshot.merges
    yield from _kept_nodes(snapshot)
    yield from (node for event in events for node in event.neighbours_before)
