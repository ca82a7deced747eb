"""Who says which of two values: documents by their newest word, sites as witnesses, copies as one.

What an agent says of an open dispute counts where the evidence says so too; else it is shown as its opinion.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from amb_agents.sources import SourceIdentity, SourceSpan, read_sources
from amb_agents.verification import Question, ask_about, fold_sentence
from amb_core.errors import InvalidInput, UnknownId
from amb_core.memory.bank_state import BankState
from amb_core.memory.events import HeardOpinion
from amb_core.memory.ids import id_number
from amb_core.memory.step_places import named_numbers
from amb_core.memory.writer import Writer
from amb_core.models import Conflict, InteractionEntry, Opinion, QueryNode
from amb_core.rendering.memory_items import Claim
from amb_core.text import index_tokens
from amb_notes.conflict_states import hear, is_disputed, require_disputed
from amb_notes.proof import states
from amb_values import sentence_spans

__all__ = ["HeardOpinion", "Opinions", "Tally", "Witnesses", "shown_document"]

_LOOKED_AT = 40
"""How many notes are looked through for one of the two values."""
_LONGEST = 200_000
"""Characters of an entry that are looked through."""
_AT_WORK = 64
"""How many of the newest entries may still turn out to repeat another."""
_BEFORE = 2_000
"""Characters before a sentence in which its subject may be named."""
_SHINGLE, _COPIED, _LEAST_SENTENCES = 5, 0.8, 3
"""Words at a time, and the share of them in the shorter of two texts that makes it a copy; one with fewer sentences
than that is a copy only of the very same text, for whoever says the same in one sentence may know it by himself."""
_TOOL = "tool:"


@dataclass(frozen=True, slots=True)
class Tally:
    """Both sides of a conflict, each with a document whose newest word it is; `heard` says which one an entry takes."""

    sides: tuple[Claim, Claim]
    heard: dict[str, int] = field(default_factory=dict)
    contested: bool = True
    """Whether somebody was found for either value; else nothing can be said of who has more."""

    @property
    def winner(self) -> int | None:
        """The side with more witnesses, None where neither has."""
        first, second = self.sides
        if not self.contested or first.witnesses == second.witnesses:
            return None
        return int(second.witnesses > first.witnesses)


@dataclass(frozen=True, slots=True)
class _Voice:
    entry: InteractionEntry
    identity: SourceIdentity
    side: int
    sentence: str
    text: str


class Witnesses:
    """Counts who is behind the two values of a conflict, over all that is in memory (hold the lock)."""

    def __init__(self, state: BankState) -> None:
        self._state = state
        self._kept: tuple[int, dict[str, Tally | None]] = (-1, {})
        self._repeats: defaultdict[str, set[str]] = defaultdict(set)
        self._scanned = 0
        # by conflict: the hash of what was asked, and the places in each entry that answer; no text is kept
        self._heard: dict[str, tuple[int, dict[str, tuple[tuple[int, int, int], ...]]]] = {}

    def question(self, conflict: Conflict) -> Question | None:
        """What a conflict is about; None when it names no two values or a side is gone."""
        texts = [self._raw(node) for node in self._sides(conflict)]
        return ask_about(conflict.subject or conflict.description, conflict.values, texts)

    def tally(self, conflict: Conflict, entry: InteractionEntry | None = None) -> Tally | None:
        """Who says what, an entry that is not in memory yet included; None for a conflict without two values."""
        if entry is not None:
            return self._counted(conflict, entry)
        version, kept = self._kept
        if version != self._state.version:
            self._kept = version, kept = self._state.version, {}
        if conflict.id not in kept:
            kept[conflict.id] = self._counted(conflict, None)
        return kept[conflict.id]

    def missing_for(self, conflict: Conflict) -> str:
        """Why what the agent said of a conflict does not count: `entries`, `quote` or `sources`; "" where it does.

        It counts when the entries it names are there and state the value, and more witnesses say so than otherwise.
        """
        opinion = conflict.opinion
        if opinion is None:
            return ""
        there = [self._state.tree.entries.get(name) for name in opinion.entries]
        texts = [entry.text for entry in there if entry is not None and entry.text]
        if not texts or len(texts) < len(there):
            return "entries"
        if not all(states(text, opinion.holds) for text in texts):
            return "quote"
        tally = self.tally(conflict)
        side = conflict.values.index(opinion.holds) if opinion.holds in conflict.values else -1
        is_won = tally is not None and tally.winner == side
        return "" if is_won and tally and all(tally.heard.get(e) == side for e in opinion.entries) else "sources"

    def forget(self) -> None:
        """Keep nothing of what was counted: a text that it came from is to leave no trace."""
        self._kept = (-1, {})
        self._heard.clear()

    def _counted(self, conflict: Conflict, entry: InteractionEntry | None) -> Tally | None:
        question = self.question(conflict)
        if question is None:
            return None
        voices = list(self._voices(question, conflict, entry))
        sides: defaultdict[str, set[int]] = defaultdict(set)
        for voice in voices:
            sides[voice.entry.entry_id].add(voice.side)
        heard = {name: said.pop() for name, said in sides.items() if len(said) == 1}
        newest = _newest(voices)
        first, second = (_side(question.values[side], [v for v in newest if v.side == side]) for side in (0, 1))
        return Tally((first, second), heard, contested={voice.side for voice in voices} == {0, 1})

    def _voices(self, question: Question, conflict: Conflict, entry: InteractionEntry | None) -> Iterator[_Voice]:
        asked, heard = self._heard.get(conflict.id, (0, {}))
        if asked != hash(question):
            asked, heard = self._heard[conflict.id] = hash(question), {}
        for each in self._entries(question, conflict, entry):
            if each.entry_id not in heard:
                heard[each.entry_id] = tuple(_places(question, each.text[:_LONGEST]))
            spans = read_sources(each.metadata, each.text) if heard[each.entry_id] else ()
            for start, end, side in heard[each.entry_id]:
                said_by = _span_at(spans, start)
                text = each.text[said_by.start : said_by.end]
                yield _Voice(each, said_by.identity, side, each.text[start:end], text)

    def _entries(
        self, question: Question, conflict: Conflict, entry: InteractionEntry | None
    ) -> list[InteractionEntry]:
        """The entries that may state either value, oldest first, with those that repeat them."""
        state = self._state
        wanted = " ".join((question.subject, *question.said))
        near = state.living([*conflict.node_ids, *state.graph.index.candidates(wanted, k=_LOOKED_AT)])
        ids = {span.entry_id for node_id in near for span in state.graph.bare(node_id).sources}
        ids.update(*(self._repeated(name) for name in list(ids)))
        if entry is not None:
            ids.add(entry.entry_id)
        found = (state.tree.entries.get(name) for name in sorted(ids, key=id_number))
        return [each for each in found if each is not None and not each.forgotten]

    def _repeated(self, entry_id: str) -> set[str]:
        """Entries that repeat one; what came since the last time is looked through, and a little before it."""
        digestions = self._state.tree.digestions
        if self._scanned != len(digestions):
            for name in islice(digestions, max(0, self._scanned - _AT_WORK), None):
                if (original := digestions[name].repeat_of) is not None:
                    self._repeats[original].add(name)
            self._scanned = len(digestions)
        return self._repeats[entry_id]

    def _sides(self, conflict: Conflict) -> list[QueryNode]:
        alive = [self._state.living([node_id]) for node_id in conflict.node_ids]
        return [self._state.graph.bare(ids[0]) for ids in alive if ids]

    def _raw(self, node: QueryNode) -> str:
        """All that a node stands on, what was refuted included."""
        return "\n".join(self._state.tree.text_of(span) for span in node.sources)


def _places(question: Question, text: str) -> Iterator[tuple[int, int, int]]:
    """Start, end and side of each sentence that states one of the values."""
    for start, end in sentence_spans(text):
        sentence = text[start:end]
        if question.may_state(sentence):
            side = question.side(sentence, text[max(0, start - _BEFORE) : start])
            if side is not None:
                yield start, end, side


def _span_at(spans: Sequence[SourceSpan], place: int) -> SourceSpan:
    return next((span for span in spans if span.start <= place < span.end), spans[-1])


def _newest(voices: Sequence[_Voice]) -> list[_Voice]:
    """The voices of each document's newest entry; one that states both values there is for neither.

    What a tool without a document repeats word for word is the word of the document that it repeats.
    """
    quoted = {
        fold_sentence(v.sentence) for v in voices if v.identity.site and not v.identity.document.startswith(_TOOL)
    }
    latest: dict[str, list[_Voice]] = {}
    for voice in voices:
        document = voice.identity.document
        is_quote = document.startswith(_TOOL) and fold_sentence(voice.sentence) in quoted
        if is_quote or not voice.identity.is_witness:
            continue
        known = latest.setdefault(document, [])
        if known and known[0].entry.entry_id != voice.entry.entry_id:
            known.clear()
        known.append(voice)
    return [said[0] for said in latest.values() if len({voice.side for voice in said}) == 1]


def _side(value: str, voices: Sequence[_Voice]) -> Claim:
    """A value with the first of its documents; witnesses are sites, and sites that have the same text are one."""
    groups: list[tuple[set[str], list[frozenset[object]]]] = []
    for voice in voices:
        words = _shingles(voice.text)
        joined = [g for g in groups if voice.identity.site in g[0] or any(_is_copy(words, other) for other in g[1])]
        groups = [g for g in groups if g not in joined]
        sites = {voice.identity.site}.union(*(g[0] for g in joined))
        groups.append((sites, [words, *(other for g in joined for other in g[1])]))
    return Claim(value, shown_document(voices[0].identity) if voices else "", len(groups))


def shown_document(identity: SourceIdentity) -> str:
    """A document as it is shown: a tool without one by its name."""
    return identity.site.removeprefix(_TOOL) if identity.document.startswith(_TOOL) else identity.document


def _shingles(text: str) -> frozenset[object]:
    """Runs of words of a text; the whole of a short one."""
    words = index_tokens(text[:_LONGEST])
    if len(sentence_spans(text[:_LONGEST])) < _LEAST_SENTENCES or len(words) < _SHINGLE:
        return frozenset([fold_sentence(text)])
    return frozenset(tuple(words[at : at + _SHINGLE]) for at in range(len(words) - _SHINGLE + 1))


def _is_copy(a: frozenset[object], b: frozenset[object]) -> bool:
    return len(a & b) >= _COPIED * min(len(a), len(b))


# --- what the agent at work says of a dispute -------------------------------------------------------------------------

_ENTRY = re.compile(r"(?<![A-Za-z0-9])e(\d{1,9})(?![A-Za-z0-9])")
_MOST_CHARS = 600
_LISTED = 5


class Opinions:
    """Hears what an agent says of the disputes of one bank; asks no model. Both notes stay as they are."""

    def __init__(self, writer: Writer, witnesses: Witnesses) -> None:
        self._writer, self._state, self._witnesses = writer, writer.state, witnesses

    def hear(self, dispute: str, *, holds: str, because: str) -> HeardOpinion:
        """Keep which value of a dispute the agent says holds, and why; a blank `holds` takes back what it said.

        `dispute` is an id such as c3, or of a note that is in one dispute. `because` names the steps or entries that
        say so. Raises UnknownId, InvalidInput for a value that is neither, ConflictStateError for one that is settled.
        """
        with self._writer.lock:
            conflict, because = self._open_one(dispute), self._writer.redacted(because)
            opinion = self._read(conflict, holds, because) if holds.strip() else None
            changed = hear(conflict, opinion)
            missing = self._witnesses.missing_for(changed)
            changes = self._state.changes()
            changes.put(*(hear(one, opinion) for one in self._alike(conflict)))
            self._writer.commit(changes)
            return HeardOpinion(changed, missing)

    def _alike(self, conflict: Conflict) -> list[Conflict]:
        """The dispute, and those of its notes with others that are between the same two values."""
        near = (one for node_id in self._state.living(conflict.node_ids) for one in self._state.disputes(node_id))
        return [*{one.id: one for one in (conflict, *near) if set(one.values) == set(conflict.values)}.values()]

    def _open_one(self, dispute: str) -> Conflict:
        found = self._state.conflicts.get(dispute)
        mine = [found] if found else self._state.disputes(dispute) if dispute in self._state.graph else []
        if len(mine) == 1:
            require_disputed(mine[0])
        if mine and len(mine[0].values) == 2 and len({frozenset(one.values) for one in mine}) == 1:
            return mine[0]
        among = mine or [one for one in self._state.conflicts.values() if is_disputed(one)]
        told = "; ".join(f"{one.id}: {' / '.join(one.values)}" for one in among[-_LISTED:] if len(one.values) == 2)
        if len(mine) > 1:
            raise InvalidInput(f"{dispute} is in several disputes; give the id of one of them: {told}.")
        raise UnknownId("open dispute", dispute, near=[told] if told else [])

    def _read(self, conflict: Conflict, holds: str, because: str) -> Opinion:
        wanted = holds.strip()
        sides = [value for value in conflict.values if value.casefold() == wanted.casefold()]
        sides = sides or [value for value in conflict.values if states(wanted, value) or states(value, wanted)]
        if len(sides) != 1:
            both = " or ".join(f'"{value}"' for value in conflict.values)
            raise InvalidInput(f"{conflict.id} is between two values; give {both} as holds.")
        told = " ".join(because.split())[:_MOST_CHARS]
        return Opinion(holds=sides[0], because=told, entries=_named(told), at=self._writer.clock.now())


def _named(because: str) -> tuple[str, ...]:
    """The entries that a text names, as e12 or as step 12."""
    numbers: Sequence[int] = [int(one) for one in _ENTRY.findall(because)] + named_numbers(because)
    return tuple(dict.fromkeys(f"e{number}" for number in numbers))
