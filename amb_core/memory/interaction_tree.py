"""The history layer: raw entries as they came in, and what became of each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from pydantic import JsonValue

from amb_core.memory.ids import id_number, is_message
from amb_core.memory.repeats import MarkTable, Repeats, fingerprint_of_text, state_marks
from amb_core.models import Digestion, EntryState, InteractionEntry, Span
from amb_core.text import estimate_tokens
from amb_core.text.text_spans import known_text

__all__ = [
    "CALL",
    "EDIT",
    "WITHDRAWN",
    "InteractionTree",
    "fingerprint_of_call",
    "message_step",
]

EDIT = "edit"
"""The key of an entry's metadata that says what its host did to it in the transcript since (see `host_edits`)."""
WITHDRAWN = ("replaced", "deleted")
"""What it says of a text that its host took back."""
CALL = ("tool", "arguments", "source")
"""The keys of what a call asked for, and whom."""
_RESULTS = ("tool", "read")
"""The kinds of entries that are results."""


def fingerprint_of_call(entry: InteractionEntry) -> str | None:
    """A one-way hash of the run, the call and the text of an entry; None when it came from no identified call."""
    key = _call_key(entry.metadata)
    return None if key is None else _fingerprint_of_call(*key, known_text(entry.text))


def _fingerprint_of_call(run: str, call_id: str, text: str) -> str:
    return fingerprint_of_text("\x1e".join((run, call_id, text))).hex()


class InteractionTree:
    """Entries by id with their digestion state; append-only but for `forget`."""

    def __init__(self) -> None:
        self.entries: dict[str, InteractionEntry] = {}
        self.digestions: dict[str, Digestion] = {}
        self._raw_tokens = 0
        self._uncounted: dict[str, None] = {}  # entries whose tokens nobody has asked for yet
        self._by_call: dict[tuple[str, str], list[str]] = defaultdict(list)
        self._files: Counter[str] = Counter()
        self._forgotten_calls: dict[str, str] = {}
        self._states = MarkTable(lambda entry_id: state_marks(self.entries[entry_id]))
        self.repeats = Repeats(self.entries, self._states)
        self._undigested: set[str] = set()
        self._results: dict[str, None] = {}
        self._messages: defaultdict[int, list[str]] = defaultdict(list)
        self.edits: dict[str, str] = {}
        """By entry id what the host did to it since: "replaced", "deleted", or "left" with its branch."""
        self.dropped = 0
        """Rises whenever the text of an entry goes; what was worked out from texts is made anew then."""
        self.tombstones = 0
        """How many entries were forgotten."""

    def put_entry(self, entry: InteractionEntry) -> None:
        """Add an entry, or put a tombstone in its place."""
        known = self.entries.get(entry.entry_id)
        self.entries[entry.entry_id] = entry
        self._files.update(attachment.content for attachment in entry.attachments)
        if known is not None:
            self._files.subtract(attachment.content for attachment in known.attachments)
            self._uncount(known)
        self._uncounted[entry.entry_id] = None
        if not entry.forgotten and entry.metadata.get("kind") in _RESULTS:
            self._results[entry.entry_id] = None
        else:
            self._results.pop(entry.entry_id, None)
        edited = self._put_edit(entry)
        if entry.forgotten:
            self.dropped += 1
            self.tombstones += known is None or not known.forgotten
            self.repeats.drop(entry.entry_id)
            if known is not None:
                self._drop_call(known)
            self._forgotten_calls[str(entry.metadata.get("call"))] = entry.entry_id
            self._states.drop(entry.entry_id)
        elif edited:
            self._states.drop(entry.entry_id)  # it is no state of anything any more
            if self.is_withdrawn(entry.entry_id):
                self.repeats.drop(entry.entry_id)  # nor does anything repeat it
        elif entry.entry_id not in self._states:
            self._states.put_later(entry.entry_id)
        if is_message(entry.entry_id):
            self._put_message(entry, known)
        if known is None and not entry.forgotten:
            key = _call_key(entry.metadata)
            if key is not None:
                self._by_call[key].append(entry.entry_id)

    def _put_edit(self, entry: InteractionEntry) -> bool:
        """Note what the host did to an entry; whether that is anything."""
        edit = str(entry.metadata.get(EDIT) or "")
        if edit:
            self.edits[entry.entry_id] = edit
        else:
            self.edits.pop(entry.entry_id, None)
        return bool(edit)

    def is_withdrawn(self, entry_id: str) -> bool:
        """Whether another text stands in the place of this one, or none: no model is shown it any more."""
        return self.edits.get(entry_id) in WITHDRAWN

    def standing_for(self, entry: InteractionEntry) -> InteractionEntry | None:
        """What stands in the transcript where this entry stood: itself, or the newest text of its call; None if none.

        Some hosts count their calls anew in each turn, so it is one that asked for the same.
        """
        if not self.is_withdrawn(entry.entry_id):
            return entry
        key = _call_key(entry.metadata)
        if key is None or self.edits[entry.entry_id] == "deleted" or is_message(entry.entry_id):
            return None
        asked = [entry.metadata.get(name) for name in CALL]
        same = (one for one in self.of_call(key[1], run=key[0]) if [one.metadata.get(name) for name in CALL] == asked)
        return next((one for one in reversed([*same]) if one.entry_id not in self.edits), None)

    def _put_message(self, entry: InteractionEntry, known: InteractionEntry | None) -> None:
        if known is not None and not known.forgotten and not entry.forgotten:
            return  # it is marked, and stays where it is
        if known is not None and not known.forgotten:
            self._messages[message_step(known)].remove(known.entry_id)
        if not entry.forgotten:
            self._messages[message_step(entry)].append(entry.entry_id)

    def messages_at(self, step: int) -> list[InteractionEntry]:
        """What the agent and the user said at a step, oldest first."""
        return [self.entries[entry_id] for entry_id in self._messages.get(step, ())]

    @property
    def last_step(self) -> int:
        """The number of the newest step; 0 for none."""
        newest = next((entry_id for entry_id in reversed(self.entries) if not is_message(entry_id)), "e0")
        return id_number(newest)

    @property
    def message_count(self) -> int:
        """How many messages and long arguments of calls are in memory."""
        return sum(map(len, self._messages.values()))

    @property
    def steps(self) -> Iterator[InteractionEntry]:
        """The entries that are steps, oldest first: all but what was said; forgotten ones are left out."""
        found = (self.entries[entry_id] for entry_id in self.entries if not is_message(entry_id))
        return (entry for entry in found if not entry.forgotten)

    def put_digestion(self, digestion: Digestion) -> None:
        """Set what became of an entry; a digested entry that is no repeat can be repeated from now on."""
        self.digestions[digestion.entry_id] = digestion
        if digestion.state is EntryState.DONE:
            self._undigested.discard(digestion.entry_id)
        else:
            self._undigested.add(digestion.entry_id)
            self.repeats.drop(digestion.entry_id)
        entry = self.entries.get(digestion.entry_id)
        fresh = digestion.state is EntryState.DONE and digestion.repeat_of is None
        fresh = fresh and not self.is_withdrawn(digestion.entry_id)
        if fresh and not is_message(digestion.entry_id) and entry is not None and not entry.forgotten:
            self.repeats.file(entry)

    @property
    def raw_tokens(self) -> int:
        """The estimate of all text that is in memory."""
        self._raw_tokens += sum(estimate_tokens(self.entries[entry_id].text) for entry_id in self._uncounted)
        self._uncounted.clear()
        return self._raw_tokens

    def _uncount(self, entry: InteractionEntry) -> None:
        if entry.entry_id in self._uncounted:
            del self._uncounted[entry.entry_id]
        else:
            self._raw_tokens -= estimate_tokens(entry.text)

    @property
    def result_count(self) -> int:
        """How many results of tools and texts that were read are in memory."""
        return len(self._results)

    def newest_results(self, most: int) -> list[InteractionEntry]:
        """The newest of them, newest first."""
        return [self.entries[entry_id] for entry_id in islice(reversed(self._results), most)]

    def holds(self, file: str) -> bool:
        """Whether an entry has the file of this name among its attachments."""
        return self._files[file] > 0

    def of_call(self, call_id: str, *, run: str = "") -> list[InteractionEntry]:
        """Entries a tool call left, oldest first (several when the same id returned different texts)."""
        return [self.entries[entry_id] for entry_id in self._by_call.get((run, call_id), ())]

    def of_same_call(self, text: str, metadata: Mapping[str, JsonValue]) -> str | None:
        """The entry, or its tombstone, that came from the call which the metadata name, with this very text."""
        key = _call_key(metadata)
        if key is None:
            return None
        plain = known_text(text)
        same = (entry.entry_id for entry in self.of_call(key[1], run=key[0]) if known_text(entry.text) == plain)
        as_kept = (plain, text.rstrip(), text)  # older banks know a forgotten call by these
        forgotten = (self._forgotten_calls.get(_fingerprint_of_call(*key, one)) for one in as_kept)
        return next(same, None) or next(filter(None, forgotten), None)

    def with_state(self, mark: bytes) -> list[str]:
        """The entries that show a state of one call or record (see `repeats.state_marks`), oldest first."""
        return sorted(self._states.holders(mark), key=id_number)

    def original(self, entry_id: str) -> str:
        """The entry that an entry repeats, or itself."""
        digestion = self.digestions.get(entry_id)
        return entry_id if digestion is None or digestion.repeat_of is None else digestion.repeat_of

    def first_text(self, entry_id: str) -> str:
        """The text of the entry that an entry is known to repeat, or its own."""
        first = self.original(entry_id)
        return self.entries[first if first in self.entries else entry_id].text

    def states(self, mark: bytes) -> Iterator[tuple[str, str]]:
        """The states of one call or record, newest first: the last entry that shows each, and its text."""
        seen = set[str]()
        for step in reversed(self.with_state(mark)):
            if (text := self.first_text(step)) not in seen:
                seen.add(text)
                yield step, text

    @property
    def is_waiting(self) -> bool:
        """Whether an entry still has to be digested."""
        return bool(self._undigested)

    def undigested(self) -> list[InteractionEntry]:
        """Entries that still have to be digested, oldest first."""
        return [self.entries[entry_id] for entry_id in sorted(self._undigested, key=id_number)]

    def text_of(self, span: Span) -> str:
        """The raw text under a span ('' when its entry was forgotten)."""
        entry = self.entries.get(span.entry_id)
        return "" if entry is None else entry.text[span.start : span.end]

    def of_spans(self, spans: Iterable[Span]) -> list[InteractionEntry]:
        """The entries under the spans, each once, oldest first."""
        wanted = {span.entry_id for span in spans}
        return [self.entries[entry_id] for entry_id in sorted(wanted, key=id_number) if entry_id in self.entries]

    def _drop_call(self, entry: InteractionEntry) -> None:
        key = _call_key(entry.metadata)
        if key is not None and entry.entry_id in self._by_call.get(key, ()):
            self._by_call[key].remove(entry.entry_id)
            if not self._by_call[key]:
                del self._by_call[key]


def message_step(entry: InteractionEntry) -> int:
    """The step at which something was said; 1 is the first."""
    step = entry.metadata.get("step")
    return step if isinstance(step, int) else 1


def _call_key(metadata: Mapping[str, JsonValue]) -> tuple[str, str] | None:
    call_id = metadata.get("call_id")
    return (str(metadata.get("run") or ""), call_id) if isinstance(call_id, str) else None
