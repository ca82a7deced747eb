"""The passages of a bank's raw entries, found by words, identifiers and what the agent did with them.

It is worked out from the entries, in memory only, and follows them; after anything was forgotten it is made anew.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import islice
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from amb_core.memory.bank_state import BankState
from amb_core.memory.call_changes import CallChanges, Change
from amb_core.memory.call_texts import (
    SHORT_CALL,
    asked_values,
    call_text,
    file_names,
    numbers_asked,
    short_call,
    stands_alone,
)
from amb_core.memory.file_lines import FileLines, numbered_lines
from amb_core.memory.ids import is_message
from amb_core.memory.passage_terms import (
    date_terms,
    defined_terms,
    form_of,
    identifiers,
    identifiers_in,
    index_terms_of,
    is_question,
    key_terms,
    long_words_in,
    numbered_terms,
    parts_of,
    pieces_of,
    plain_text,
    words_of,
)
from amb_core.memory.repeats import call_mark, listed_marks
from amb_core.models import InteractionEntry
from amb_core.reading import Layout, detect_layout, read_records
from amb_core.reading.layout_passages import PassageSpan, read_passages
from amb_core.reading.line_passages import header_line
from amb_core.reading.menus import menus
from amb_core.reading.outcomes import acknowledges, brought_value, says_nothing_new
from amb_core.reading.passage_units import find_files, line_number, name_at
from amb_core.reading.tree_passages import element_names
from amb_core.registry import from_package
from amb_core.retrieval.lexical import LexicalIndex
from amb_core.text import estimate_tokens, index_tokens

__all__ = ["PassageIndex", "Place"]

Floats = NDArray[np.float32]

_DATA = (Layout.JSON, Layout.JSON_LINES)
_DATA_TOKENS = 40
"""About what a passage of data has."""
_TOLD = 300
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

    Among them is what calls asked for that are too long for a header; only questions are answered by it, unless its
    result says no more than that the call was made. What a newer view of a page or a file shows again is old where an
    agent is at work (`older`), and is still an answer to a question (`said_again`).
    """

    def __init__(self, state: BankState) -> None:
        self._state = state
        self.clear()

    def clear(self) -> None:
        """Drop everything; the next look reads the entries again."""
        self.lexical = LexicalIndex(k1=1.2, b=0.6)
        self._chunks: Any = None
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
        self._unit_forms = array("i")
        self._forms: dict[str, int] = {"": 0}
        self._units, self._starts = array("i"), array("q")
        self._firsts: list[int] = []
        self._newest_of: dict[int, list[int]] = {}
        self._same: dict[int, int] = {}
        self._same_read: dict[int, int] = {}
        self._unseen: dict[int, int] = {}
        self._layouts: list[Layout] = []
        self._trees: set[int] = set()
        self._older, self._again, self._menus = bytearray(), bytearray(), bytearray()
        self._calls: defaultdict[bytes, list[int]] = defaultdict(list)
        self._lists: defaultdict[str, list[tuple[int, Set[bytes]]]] = defaultdict(list)
        self._notices, self._stale, self._did = bytearray(), bytearray(), bytearray()
        self._marks: list[bytes | None] = []
        self._leads: dict[int, int] = {}
        self._steps = array("i")
        self._spoken, self._questions = bytearray(), bytearray()
        self._results, self._told = 0, list[int]()
        self._asked: defaultdict[str, list[int]] = defaultdict(list)
        self._said_of: set[str] = set()
        self._files = FileLines()
        self._changes = CallChanges()
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
        is_user = spoken and entry.metadata.get("speaker") == "user"
        self._questions.append(spoken and is_question(entry.text))
        if is_user and not self._questions[-1] and len(entry.text) <= _TOLD:
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
            self._find_outdated_lists(owner, entry)
        self._layouts.append(detect_layout(entry.text))
        if self._layouts[-1] is Layout.PAGE_TREE:
            self._trees.add(owner)
        files = find_files(entry.text)
        self._file_heads.append(files)
        for asked in (*asked_values(entry), *file_names(entry)):
            self._asked[asked].append(owner)
        first = len(self)
        for of_call, text in ((False, entry.text), (True, call_text(entry))):
            if of_call and not self._takes_call(entry, text, did=did, alone=len(self) == first):
                continue
            passages = read_passages(text)
            self._menus.extend(menus(text, [(one.start, one.end) for one in passages]))
            for number, passage in enumerate(passages):
                self._of_call.append(of_call)
                file = name_at(files, passage.end - 1)
                call = "" if of_call or number else short_call(entry)
                shown = text[passage.start : passage.end]
                self._add_passage(shown, passage, owner, file=file, call=call, brings_call=did)
        self._files.put(owner, entry.text, files)
        self._changes.put(owner, entry)
        if files:
            self._find_lead(owner, entry, range(first, len(self)))

    def _find_outdated_lists(self, owner: int, entry: InteractionEntry) -> None:
        """Mark the lists of a tool as outdated of which every point stands in the newest, such as older plans."""
        points = listed_marks(entry).keys()
        if points and len(points) == len(read_records(entry.text)):
            tool = str(entry.metadata.get("tool") or "")
            for before, theirs in self._lists[tool]:
                self._stale[before] |= theirs <= points
            left = (one for one in self._lists[tool] if not self._stale[one[0]])
            self._lists[tool] = [*left, (owner, points)]

    def _takes_call(self, entry: InteractionEntry, asked: str, *, did: bool, alone: bool) -> bool:
        """Whether what a call asked for has passages of its own.

        What stands whole in the header needs none, unless it is `alone`, without a passage of its result.
        """
        if entry.entry_id in self._said_of:
            return False
        if 2 * len(entry.text) >= len(asked) and words_of(asked) <= words_of(entry.text):
            return False  # the result says it again
        return len(asked) > SHORT_CALL or (did and (alone or "\n" in asked))

    def _add_spoken(self, entry: InteractionEntry, owner: int) -> None:
        """Take up what was said; a long argument takes the place of what its call asked for."""
        self._layouts.append(detect_layout(entry.text))
        self._file_heads.append([])
        if entry.parent_id is not None:
            self._said_of.add(entry.parent_id)
            for key in self.span(entry.parent_id):
                self._older[key] |= self._of_call[key]
                self._again[key] |= self._of_call[key]
        for asked in (*asked_values(entry), *file_names(entry)):
            self._asked[asked].append(owner)
        for number, passage in enumerate(read_passages(entry.text)):
            self._of_call.append(False)
            self._menus.append(0)
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
        also = [*numbered_terms(plain), *date_terms(plain), *parts_of(named), *defined_terms(plain)]
        also += [piece for one in named for piece in pieces_of(one)]
        if self._layouts[owner] in _DATA:
            also += key_terms(plain)
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
        fresh = [one for one in brings if one not in known]
        self._unit_names += fresh
        self._unit_forms.extend([self._forms.setdefault(form_of(one), len(self._forms)) for one in fresh])
        self._units.extend([known.setdefault(one, len(known)) for one in brings])
        same = hash(" ".join(plain.split()))
        self._find_older(key, same, self._again, self._same)
        if self._of_call[key] and not self._did[owner]:
            self._older.append(1)  # an agent at work is not told what it asked for
        else:
            self._find_older(key, same, self._older, self._same_read)
        if owner in self._trees:
            self._replace(element_names(plain), key)
        elif file:
            self._replace(numbered_lines(plain, file), key)

    def _find_older(self, key: int, same: int, marks: bytearray, known: dict[int, int]) -> None:
        """Mark the passage that says the same word for word as older, or this one where it only quotes a result."""
        before = known.get(same)
        is_told = before is not None and not (self._spoken[self._owner[before]] or self._of_call[before])
        quotes = is_told and bool(self._spoken[self._owner[key]])
        marks.append(quotes)  # what a result says is shown as its own, whoever says it again
        if quotes:
            return
        if before is not None:
            marks[before] = 1
        known[same] = key

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
        """By entry number: whether it is a short question that somebody asked."""
        return np.frombuffer(bytes(self._questions), dtype=np.uint8).astype(bool)

    def asked_for(self, text: str, *, exactly: bool = False) -> list[InteractionEntry]:
        """The newest entries of which the call asked for what a text names word for word: a path, an id, a query.

        With `exactly` only what is written in one way, as paths and ids are, and not queries of plain words.
        """
        low = text.casefold()
        found = [value for value in self._asked if value in low and stands_alone(value, low)]
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
        whole = self.span(self._entries[owner])
        asked = self._of_call.find(1, whole.start, whole.stop)
        split = whole.stop if asked < 0 else asked
        return range(split, whole.stop) if of_call else range(whole.start, split)

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
        owners = [one for one in found if one is not None and self._entries[one] not in self._state.tree.edits]
        return self._entries[min(owners)] if owners else ""

    def changes(self, entry: InteractionEntry, spans: Sequence[tuple[int, int]]) -> list[tuple[str, Change]]:
        """What later calls changed of what stretches (start, end) of an entry show, by the entries of these calls."""
        if is_message(entry.entry_id):
            return []
        made = [
            (self._entries[one.owner], one)
            for one in self._changes.since(self._number_of[entry.entry_id], entry, spans)
        ]
        return [one for one in made if one[0] not in self._state.tree.edits]

    def acts_on(self, entry: InteractionEntry, spans: Sequence[tuple[int, int]]) -> list[int]:
        """The passages of later calls that only did something with what stretches (start, end) of an entry show."""
        owners = (
            [] if is_message(entry.entry_id) else self._changes.about(self._number_of[entry.entry_id], entry, spans)
        )
        made = [one for one in map(self._entries.__getitem__, owners) if one not in self._state.tree.edits]
        return [span.start for span in map(self.span, made) if span]

    def lead(self, key: int) -> int | None:
        """The passage with the line that the call behind a passage names; None where it names none."""
        return self._leads.get(self._owner[key])

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
        """Which passages an agent at work is not shown: newer entries say them, or show every element of a page."""
        return np.frombuffer(bytes(self._older), dtype=np.uint8).astype(bool)

    def said_again(self) -> NDArray[np.bool_]:
        """Which passages newer entries say word for word."""
        return np.frombuffer(bytes(self._again), dtype=np.uint8).astype(bool)

    def menus(self) -> NDArray[np.bool_]:
        """Which passages are navigation of a page."""
        return np.frombuffer(bytes(self._menus), dtype=np.uint8).astype(bool)

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
        self._chunks = self._chunks or from_package("amb_retrieval.passage_chunks:PassageChunks")()
        self._chunks.follow(self)
        return cast("Floats", self._chunks.answers(self, question, most=most))

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
        return self._sums(fresh)

    def _sums(self, worth: Floats) -> Floats:
        """By passage: what its units are worth together, of their worth by number."""
        sums = np.concatenate(([0.0], np.cumsum(worth[np.array(self._units, dtype=np.int32)])))
        starts: NDArray[np.int64] = np.append(np.array(self._starts, dtype=np.int64), len(self._units))
        return (sums[starts[1:]] - sums[starts[:-1]]).astype(np.float32)

    def next_in_line(self, asked: Collection[str], keys: Sequence[str], *, known: Collection[str]) -> Floats:
        """How many identifiers each passage of data has that calls may ask for next, as they did for others.

        Those that are built as the ones `asked` for, stand beside one of the `keys` (terms), and are not `known`.
        """
        forms = {self._forms[form] for form in map(form_of, asked) if form in self._forms} - {0}
        if not forms or not keys or not self._units:
            return np.zeros(len(self), dtype=np.float32)
        fresh = np.isin(np.array(self._unit_forms, dtype=np.int32), list(forms)).astype(np.float32)
        fresh[[self._unit_numbers[one] for one in known if one in self._unit_numbers]] = 0.0
        held = np.zeros(len(self), dtype=np.float32)
        for term in keys:
            held[self.lexical.containing([term], most=len(self))] = 1.0
        return self._sums(fresh) * held

    def units_of(self, key: int) -> frozenset[str]:
        """The identifiers and longer words of one passage."""
        end = self._starts[key + 1] if key + 1 < len(self._starts) else len(self._units)
        return frozenset([self._unit_names[number] for number in self._units[self._starts[key] : end]])
