"""The passages of a bank's raw entries, found by words, identifiers and what the agent did with them.

It is worked out from the entries, kept in memory only, and follows them: new entries are added when somebody looks,
and after anything was forgotten or taken out it is made anew.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from amb_core.memory.bank_state import BankState
from amb_core.memory.call_texts import SHORT_CALL, asked_values, call_text, numbers_asked, short_call
from amb_core.memory.file_lines import FileLines, replaces
from amb_core.memory.ids import is_message
from amb_core.memory.passage_chunks import PassageChunks
from amb_core.memory.passage_terms import (
    date_terms,
    identifiers,
    identifiers_in,
    index_terms_of,
    long_words_in,
    numbered_terms,
    parts_of,
    pieces_of,
    plain_text,
    words_of,
)
from amb_core.memory.repeats import call_mark
from amb_core.models import InteractionEntry
from amb_core.reading import Layout, detect_layout
from amb_core.reading.layout_passages import PassageSpan, read_passages
from amb_core.reading.line_passages import header_line
from amb_core.reading.outcomes import acknowledges, brought_value, says_nothing_new
from amb_core.reading.passage_units import find_files, line_number, name_at
from amb_core.reading.tree_passages import element_names
from amb_core.retrieval.lexical import LexicalIndex
from amb_core.text import estimate_tokens, index_tokens

__all__ = ["PassageIndex", "Place"]

Floats = NDArray[np.float32]

_EDGE, _LONGEST_LINE, _LETTERS, _SHARED = 6, 300, 6, 3
"""So many lines at either end of a result are compared with those of others, so many characters of them at most, and
only lines of so many letters beside paths; what so many results have is shared."""
_DATA = (Layout.JSON, Layout.JSON_LINES)
_DATA_TOKENS = 40
"""About what a passage of data has."""
_PATH = re.compile(r"\S*/\S*")
_IN_WORD = re.compile("[a-z0-9_]")
_LONGEST_QUESTION, _TOLD = 200, 300
_NEWEST = 3
"""Of the results of one call so many of the newest are looked at."""


@dataclass(frozen=True, slots=True)
class Place:
    """A passage, the entry it stands in, and the text it is a part of: the result, or what its call asked for."""

    entry: InteractionEntry
    passage: PassageSpan
    text: str
    of_call: bool


class PassageIndex:
    """Passages by ascending number, those of one entry side by side. Not thread-safe.

    With `calls`, for questions, also what was asked for by calls that are too long for a header; without, an element
    of a page that a newer page shows again counts as older, whatever its number.
    """

    def __init__(self, state: BankState, *, calls: bool = False) -> None:
        self._state, self._with_calls = state, calls
        self.clear()

    def clear(self) -> None:
        """Drop everything; the next look reads the entries again."""
        self.lexical = LexicalIndex(k1=1.2, b=0.6)
        self._chunks = PassageChunks()
        self._entries: list[str] = []
        self._callers: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        self._number_of: dict[str, int] = {}
        self._looked_at = 0
        self._passages: list[PassageSpan] = []
        self._owner, self._tokens = array("i"), array("i")
        self._tops = array("i")  # the passage before all those of its path that stand side by side
        self._of_call = bytearray()
        self._figures = array("f")
        self._unit_numbers: dict[str, int] = {}
        self._unit_names: list[str] = []
        self._units, self._starts = array("i"), array("q")
        self._firsts: list[int] = []
        self._newest_of: dict[int, list[int]] = {}
        self._same: dict[int, int] = {}
        self._unseen: dict[int, int] = {}
        self._layouts: list[Layout] = []
        self._trees: set[int] = set()
        self._often: Counter[str] = Counter()
        self._older = bytearray()
        self._calls: defaultdict[bytes, list[int]] = defaultdict(list)
        self._notices, self._stale, self._did = bytearray(), bytearray(), bytearray()
        self._marks: list[bytes | None] = []
        self._leads: dict[int, int] = {}
        self._steps = array("i")
        self._results = 0
        self._spoken, self._questions = bytearray(), bytearray()
        self._told: list[int] = []
        self._asked: defaultdict[str, list[int]] = defaultdict(list)
        self._said_of: set[str] = set()
        self._files = FileLines()
        self._file_heads: list[list[tuple[int, str]]] = []
        self._dropped = self._state.tree.dropped

    def follow(self) -> None:
        """Take up the entries that came since the last look."""
        entries = self._state.tree.entries
        if self._dropped != self._state.tree.dropped:
            self.clear()
        if self._looked_at == len(entries):
            return
        for entry_id in islice(entries, self._looked_at, None):
            if not entries[entry_id].forgotten:
                self._add(entries[entry_id])
        self._looked_at = len(entries)

    def _add(self, entry: InteractionEntry) -> None:
        owner = self._number_of[entry.entry_id] = len(self._entries)
        self._entries.append(entry.entry_id)
        self._callers[str(entry.metadata.get("run") or ""), str(entry.metadata.get("call_id") or "")].append(owner)
        self._firsts.append(len(self._passages))
        spoken = is_message(entry.entry_id)
        self._spoken.append(spoken)
        did = not spoken and acknowledges(entry.text) and bool(call_text(entry).strip())
        self._did.append(did)
        self._notices.append(not spoken and not did and says_nothing_new(entry.text))
        self._questions.append(spoken and _is_question(entry))
        if spoken and not self._questions[-1] and entry.metadata.get("speaker") == "user" and len(entry.text) <= _TOLD:
            self._told.append(owner)
        self._results += not spoken
        self._steps.append(self._results)
        self._marks.append(None if spoken else call_mark(entry))
        self._stale.append(0)
        if spoken:
            self._add_spoken(entry, owner)
            return
        if (mark := self._marks[-1]) is not None:
            if brought_value(entry.text):
                for before in self._calls[mark]:
                    self._stale[before] = 1
            self._calls[mark].append(owner)
        self._layouts.append(detect_layout(entry.text))
        if self._layouts[-1] is Layout.PAGE_TREE and not self._with_calls:
            self._trees.add(owner)
        self._often.update(_forms(entry))
        del self._often[""]
        files = [] if self._with_calls else find_files(entry.text)
        self._file_heads.append(files)
        for asked in asked_values(entry):
            self._asked[asked].append(owner)
        first = len(self)
        for of_call, text in ((False, entry.text), (True, call_text(entry))):
            if of_call and not self._takes_call(entry, text, did=did, alone=len(self) == first):
                continue
            for number, passage in enumerate(read_passages(text)):
                self._of_call.append(of_call)
                file = name_at(files, passage.end - 1)
                call = "" if of_call or number else short_call(entry)
                shown = text[passage.start : passage.end]
                self._add_passage(shown, passage, owner, file=file, call=call, brings_call=did)
        if not self._with_calls:
            self._files.put(owner, entry.text, files)
            if files:
                self._find_lead(owner, entry, range(first, len(self)))

    def _takes_call(self, entry: InteractionEntry, asked: str, *, did: bool, alone: bool) -> bool:
        """Whether what a call asked for has passages of its own: for questions, and where it says what was done.

        What stands whole in the header needs none, unless it is `alone`, without a passage of its result.
        """
        if not (self._with_calls or did) or entry.entry_id in self._said_of:
            return False
        return len(asked) > SHORT_CALL or (did and (alone or "\n" in asked))

    def _add_spoken(self, entry: InteractionEntry, owner: int) -> None:
        """Take up what was said; a long argument takes the place of what its call asked for."""
        self._layouts.append(detect_layout(entry.text))
        self._file_heads.append([])
        if entry.parent_id is not None:
            self._said_of.add(entry.parent_id)
            for key in self.span(entry.parent_id):
                self._older[key] |= self._of_call[key]
        for asked in asked_values(entry):
            self._asked[asked].append(owner)
        for number, passage in enumerate(read_passages(entry.text)):
            self._of_call.append(False)
            text = entry.text[passage.start : passage.end]
            self._add_passage(text, passage, owner, file="", call="" if number else short_call(entry))

    def _find_lead(self, owner: int, entry: InteractionEntry, keys: range) -> None:
        """Note the passage with the line that a call names by its number, where its result shows others as well."""
        asked = numbers_asked(entry)
        shown = {key: {int(one) for one in map(line_number, self.text(key).split("\n")) if one} for key in keys}
        others = set().union(*shown.values()) - set(range(min(asked, default=0), max(asked, default=0) + 1))
        lead = next((key for number in asked for key in keys if number in shown[key]), None)
        if lead is not None and others:
            self._leads[owner] = lead

    def _add_passage(
        self, text: str, passage: PassageSpan, owner: int, *, file: str, call: str = "", brings_call: bool = False
    ) -> None:
        key, plain = len(self._passages), plain_text(text)
        found = identifiers_in(plain_text(plain))
        brings = self._units_in(plain, owner, found)
        brings |= words_of(call) if brings_call else frozenset()  # it stands in the header of the step
        words = index_tokens("\n".join((passage.path, plain, call)))
        named = found | identifiers(call)
        also = [*numbered_terms(plain), *date_terms(plain), *parts_of(named)]
        also += [piece for one in named for piece in pieces_of(one)]
        self.lexical.put(key, [*words, *index_terms_of(named)], also=also)
        above = key - 1 if key > self._firsts[owner] else key
        goes_on = above < key and self._passages[above].path == passage.path
        self._tops.append(self._tops[above] if goes_on else above)
        self._passages.append(passage)
        self._owner.append(owner)
        self._tokens.append(estimate_tokens(text))
        self._figures.append(sum(one[0].isdigit() for one in found) / (1 + len(found)))
        self._starts.append(len(self._units))
        known = self._unit_numbers
        self._unit_names += [one for one in brings if one not in known]
        self._units.extend([known.setdefault(one, len(known)) for one in brings])
        same = hash(" ".join(plain.split()))
        before = self._same.get(same)
        quotes = False
        if before is not None and self._spoken[owner]:
            quotes = not (self._spoken[self._owner[before]] or self._of_call[before])
        self._older.append(quotes)  # what a result says is shown as its own, whoever says it again
        if not quotes:
            if before is not None:
                self._older[before] = 1
            self._same[same] = key
        if owner in self._trees:
            self._replace(element_names(plain), key)
        elif file:
            self._replace(_numbered_lines(plain, file), key)

    def _replace(self, elements: tuple[str, ...], key: int) -> None:
        """Mark the older passages of which every element stands in newer pages, or every line in newer views."""
        marks = {hash(element) for element in elements}
        if marks:
            self._unseen[key] = len(marks)
        for mark in marks:
            holders = self._newest_of.get(mark, [])
            if holders and self._owner[holders[0]] == self._owner[key]:
                holders.append(key)
                continue
            for before in holders:
                self._unseen[before] -= 1
                self._older[before] |= not self._unseen[before]
            self._newest_of[mark] = [key]

    def _units_in(self, text: str, owner: int, found: frozenset[str]) -> frozenset[str]:
        """What a passage can bring; the numbers of a page's elements are new at every look and bring nothing."""
        if owner in self._trees:
            return words_of("\n".join(element_names(text)))
        return found | long_words_in(plain_text(text))

    def __len__(self) -> int:
        return len(self._passages)

    @property
    def entry_count(self) -> int:
        """How many entries have been read."""
        return len(self._entries)

    @property
    def result_count(self) -> int:
        """How many of them are steps, and no messages."""
        return self._results

    @property
    def messages(self) -> list[str]:
        """The entries that are what the agent or the user said."""
        return [entry_id for entry_id, spoken in zip(self._entries, self._spoken, strict=True) if spoken]

    def told(self, most: int) -> list[str]:
        """The newest entries that are something short which the user said and did not ask, the newest first."""
        return [self._entries[owner] for owner in islice(reversed(self._told), most)]

    def steps(self) -> NDArray[np.int32]:
        """By entry number: how many steps had come by then, its own included."""
        return np.array(self._steps, dtype=np.int32)

    def spoken(self) -> NDArray[np.bool_]:
        """By entry number: whether it is what the agent or the user said."""
        return np.frombuffer(bytes(self._spoken), dtype=np.uint8).astype(bool)

    def questions(self) -> NDArray[np.bool_]:
        """By entry number: whether it is a short question of the user's."""
        return np.frombuffer(bytes(self._questions), dtype=np.uint8).astype(bool)

    def asked_for(self, text: str, *, exactly: bool = False) -> list[InteractionEntry]:
        """The newest entries of which the call asked for what a text names word for word: a path, an id, a query.

        With `exactly` only what is written in one way, as paths and ids are, and not queries of plain words.
        """
        low = text.casefold()
        found = [value for value in self._asked if value in low and _stands_alone(value, low)]
        found = [value for value in found if identifiers(value)] if exactly else found
        longest = [value for value in found if not any(value != one and value in one for one in found)]
        owners = dict.fromkeys(owner for value in longest for owner in self._asked[value][: -_NEWEST - 1 : -1])
        return [self._state.tree.entries[self._entries[owner]] for owner in owners]

    def place(self, key: int) -> Place:
        """What a passage is and where it stands."""
        entry, of_call = self.entry(key), bool(self._of_call[key])
        return Place(entry, self._passages[key], call_text(entry) if of_call else entry.text, of_call)

    def entry(self, key: int) -> InteractionEntry:
        """The entry that a passage stands in."""
        return self._state.tree.entries[self._entries[self._owner[key]]]

    def owner(self, key: int) -> int:
        """The number of the entry that a passage stands in."""
        return self._owner[key]

    def beside(self, key: int) -> range:
        """The passages of the same text: of the entry's, or of what its call asked for."""
        owner, of_call = self._owner[key], self._of_call[key]
        first = self._firsts[owner]
        end = self._firsts[owner + 1] if owner + 1 < len(self._firsts) else len(self)
        asked = self._of_call.find(1, first, end)
        split = end if asked < 0 else asked
        return range(split, end) if of_call else range(first, split)

    def passage(self, key: int) -> PassageSpan:
        """Where a passage stands in its text."""
        return self._passages[key]

    def is_of_call(self, key: int) -> bool:
        """Whether a passage is a part of what a call asked for."""
        return bool(self._of_call[key])

    def own_words(self) -> NDArray[np.bool_]:
        """By entry number: whether somebody said it, or it is a call of which no more is known than what it did."""
        did: NDArray[np.bool_] = np.frombuffer(bytes(self._did), dtype=np.uint8).astype(bool)
        return did | self.spoken()

    def tells_call(self, key: int) -> bool:
        """Whether the result of a passage only says that its call was made: the call is what there is to know."""
        return bool(self._did[self._owner[key]])

    def text(self, key: int) -> str:
        """The source text of a passage."""
        place = self.place(key)
        return place.text[place.passage.start : place.passage.end]

    def is_data(self, key: int) -> bool:
        """Whether a passage is a part of data, whose members say by themselves what they are."""
        return self._layouts[self._owner[key]] in _DATA

    def layout(self, key: int) -> Layout:
        """The layout of the result that a passage belongs to."""
        return self._layouts[self._owner[key]]

    def header(self, key: int) -> tuple[int, tuple[int, int]] | None:
        """The passage and the characters (start, end) of the header over the rows that a passage has; None for none."""
        path = self._passages[key].path
        if not path or self._of_call[key] or self.layout(key) is not Layout.TABLE:
            return None
        top = self._passages[self._tops[key]]
        span = header_line(self.entry(key).text, top.start, top.end, path=path)
        return None if span is None else (self._tops[key], span)

    def body(self, entry: InteractionEntry) -> tuple[int, int]:
        """Characters (start, end) of an entry without the first and last lines that results of its tool have in common.

        Such stand at the ends of three results or more, and of one in five, whatever paths they name. A
        result that has nothing else is its own body.
        """
        if self._with_calls or is_message(entry.entry_id):
            return 0, len(entry.text)
        tool, text = str(entry.metadata.get("tool") or ""), entry.text
        least = max(_SHARED, self._often[tool] / 5)

        def common(lines: list[str]) -> int:
            """How many characters of these lines are common, up to the last that other results have as well.

            A line that tells nothing, such as a prompt, is passed over before one of those.
            """
            length = found = 0
            for line in lines:
                length += len(line) + 1
                form = _form(tool, line)
                if form and self._often[form] < least:
                    break
                found = length if form else found
            return found

        start = common(text.split("\n", _EDGE)[:_EDGE])
        end = len(text) - common(text.rsplit("\n", _EDGE)[:0:-1])
        return (start, end) if start < end else (0, len(text))

    def change(self, entry: InteractionEntry, spans: Sequence[tuple[int, int]]) -> str:
        """The entry that shows that a file was changed since stretches (start, end) of this entry were read, or ""."""
        if is_message(entry.entry_id):
            return ""
        owner = self._number_of[entry.entry_id]
        files = self._file_heads[owner]
        found = [
            self._files.change(
                owner,
                entry.text[start:end],
                file=name_at(files, end - 1),
                call="" if files else call_text(entry),
            )
            for start, end in spans
        ]
        owners = [one for one in (*found, *self._edited(owner, entry, spans)) if one is not None]
        owners = [one for one in owners if self._entries[one] not in self._state.tree.edits]
        return self._entries[min(owners)] if owners else ""

    def _edited(self, owner: int, entry: InteractionEntry, spans: Sequence[tuple[int, int]]) -> Iterator[int]:
        """The later calls that asked for what this one did, such as a path, and replaced text that it shows."""
        for value in asked_values(entry):
            for later in self._asked[value]:
                other = self._state.tree.entries[self._entries[later]]
                arguments = other.metadata.get("arguments")
                is_result = later > owner and not is_message(other.entry_id) and not other.metadata.get("is_error")
                if not is_result or not isinstance(arguments, Mapping):
                    continue
                if any(replaces(arguments, entry.text[start:end]) for start, end in spans):
                    yield later

    def lead(self, key: int) -> int | None:
        """The passage with the line that the call behind a passage names; None where it names none."""
        return self._leads.get(self._owner[key])

    def is_echo(self, entry: InteractionEntry) -> bool:
        """Whether a short result has only lines that three results of its tool or more have, but for paths."""
        lines = [line for line in entry.text.split("\n") if line.strip()]
        tool = str(entry.metadata.get("tool") or "")
        return len(lines) <= _EDGE and all(self._often[_form(tool, line)] >= _SHARED for line in lines)

    def newer(self, entry_id: str) -> str:
        """The entry of the last time that the call of an entry was made, if again and with a result; else ""."""
        owner = self._number_of[entry_id]
        newest = self._newest(owner) if self._stale[owner] or self._state.tree.edits else owner
        return self._entries[newest] if self._entries[newest] != entry_id else ""

    def _newest(self, owner: int) -> int:
        """The number of the entry of the last time that a call was made, but for what its host took back since."""
        mark, edits = self._marks[owner], self._state.tree.edits
        made = [] if mark is None else self._calls[mark]
        if not edits:
            return made[-1] if made else owner
        return next((one for one in reversed(made) if one >= owner and self._entries[one] not in edits), owner)

    # --- all passages at once, arrays of shape [len(self)] ------------------------------------------------------------

    def owners(self) -> NDArray[np.int32]:
        """The number of the entry that each passage stands in."""
        return np.array(self._owner, dtype=np.int32)

    @property
    def sizes(self) -> Sequence[int]:
        """The tokens of each passage."""
        return self._tokens

    def lengths(self) -> Floats:
        """The tokens of each passage; those of data, which are as long as their values, count as equally long."""
        data = np.array([layout in _DATA for layout in self._layouts], dtype=bool)[self.owners()]
        return np.where(data, np.float32(_DATA_TOKENS), np.array(self._tokens, dtype=np.float32))

    def figures(self) -> Floats:
        """Which share of each passage's identifiers begins with a digit."""
        return np.array(self._figures, dtype=np.float32)

    def older(self) -> NDArray[np.bool_]:
        """Which passages stand in newer entries: word for word, or every element of a page."""
        return np.frombuffer(bytes(self._older), dtype=np.uint8).astype(bool)

    def stale(self) -> NDArray[np.bool_]:
        """By entry number: whether the same call was made again and brought something."""
        marks = np.frombuffer(bytes(self._stale), dtype=np.uint8).astype(bool)
        if self._state.tree.edits:
            marks[:] = [self._newest(owner) != owner for owner in range(len(self._entries))]
        return marks

    def withdrawn(self) -> NDArray[np.bool_]:
        """By entry number: whether it is not to be shown by itself: its host took it back, or it says nothing new."""
        return np.frombuffer(bytes(self._notices), dtype=np.uint8).astype(bool) | self.taken_back()

    def taken_back(self) -> NDArray[np.bool_]:
        """By entry number: whether its host replaced or deleted it, so that no model is told of it until it is back."""
        marks = np.zeros(len(self._entries), dtype=bool)
        withdrawn = (entry_id for entry_id in self._state.tree.edits if self._state.tree.is_withdrawn(entry_id))
        marks[[self._number_of[entry_id] for entry_id in withdrawn if entry_id in self._number_of]] = True
        return marks

    def held(self, calls: frozenset[tuple[str, str]]) -> NDArray[np.bool_]:
        """By entry number: whether it is the newest that came from one of these calls (run, call id)."""
        marks = np.zeros(len(self._entries), dtype=bool)
        marks[[owner for call in calls for owner in self._callers.get(call, ())[-1:]]] = True
        return marks

    def span(self, entry_id: str) -> range:
        """The passages of an entry."""
        owner = self._number_of.get(entry_id)
        if owner is None:
            return range(0)
        end = self._firsts[owner + 1] if owner + 1 < len(self._firsts) else len(self)
        return range(self._firsts[owner], end)

    def scores(self, weights: Mapping[str, float], *, most: int) -> Floats:
        """BM25 for the rarest `most` of the terms."""
        return self.lexical.scores({term: weights[term] for term in self.rarest(weights, most=most)}, size=len(self))

    def answers(self, question: str, *, most: int) -> Floats:
        """How well each passage answers a question: by its rarest `most` terms, prose by what is around it."""
        self._chunks.follow(self)
        return self._chunks.answers(self, question, most=most)

    def rarest(self, weights: Mapping[str, float], *, most: int) -> dict[str, float]:
        """The rarest `most` of the terms that any passage has, by what each weighs: its idf times its weight."""
        worth = {term: idf * weights[term] for term, idf in self.lexical.idfs(weights).items()}
        return {term: worth[term] for term in sorted(worth, key=lambda term: (-worth[term], term))[:most]}

    def new_units(self, present: frozenset[str]) -> Floats:
        """How many identifiers and longer words each passage has that are not among `present`."""
        if not self._units:
            return np.zeros(len(self), dtype=np.float32)
        fresh = np.ones(len(self._unit_numbers), dtype=np.float32)
        known = self._unit_numbers
        fresh[[known[one] for one in present if one in known]] = 0.0
        sums = np.concatenate(([0.0], np.cumsum(fresh[np.array(self._units, dtype=np.int32)])))
        starts: NDArray[np.int64] = np.append(np.array(self._starts, dtype=np.int64), len(self._units))
        return (sums[starts[1:]] - sums[starts[:-1]]).astype(np.float32)

    def units_of(self, key: int) -> frozenset[str]:
        """The identifiers and longer words of one passage."""
        end = self._starts[key + 1] if key + 1 < len(self._starts) else len(self._units)
        return frozenset([self._unit_names[number] for number in self._units[self._starts[key] : end]])


def _is_question(entry: InteractionEntry) -> bool:
    """Whether the user asks something in a few words and says nothing."""
    return entry.metadata.get("speaker") == "user" and is_question(entry.text)


def is_question(text: str) -> bool:
    """Whether a text of a few words asks something."""
    return text.rstrip().endswith(("?", "？")) and len(text) <= _LONGEST_QUESTION


def _stands_alone(value: str, text: str) -> bool:
    """Whether a value stands in a text without being a part of a longer word."""
    at = text.find(value)  # no pattern: those are remembered, and would hold what is forgotten
    while at >= 0:
        if not (_IN_WORD.match(text[at - 1 : at]) or _IN_WORD.match(text[at + len(value) : at + len(value) + 1])):
            return True
        at = text.find(value, at + 1)
    return False


def _forms(entry: InteractionEntry) -> Iterator[str]:
    """The tool of an entry, and the forms of the first and the last lines of its result."""
    tool = str(entry.metadata.get("tool") or "")
    lines = (*entry.text.split("\n", _EDGE)[:_EDGE], *entry.text.rsplit("\n", _EDGE)[-_EDGE:])
    yield from {tool, *(_form(tool, line) for line in lines)}


def _form(tool: str, line: str) -> str:
    """A line without the paths in it; nothing for one of hardly any words."""
    form = line[:_LONGEST_LINE]
    if "/" in form:
        form = _PATH.sub("", form)
    is_telling = next(islice(filter(str.isalpha, form), _LETTERS - 1, None), "")
    return f"{tool}\n{form.strip()}" if is_telling else ""


def _numbered_lines(text: str, file: str) -> tuple[str, ...]:
    """The places of lines of a file that show their numbers: `conf.py:12`."""
    return tuple(f"{file}:{number}" for number in map(line_number, text.split("\n")) if number)
