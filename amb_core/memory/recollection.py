"""What memory says to one moment of an agent's work, in passages its request does not hold, and to a question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from amb_core.memory.arguments import require_type
from amb_core.memory.bank_state import BankState
from amb_core.memory.derived_notes import DerivedNotes
from amb_core.memory.entry_states import changes_since, state_in
from amb_core.memory.ids import is_message
from amb_core.memory.moment import Moment
from amb_core.memory.passage_answers import (
    answers_first,
    asks_only,
    is_about_any,
    named_first,
    question_of,
    take_answers,
    take_records,
)
from amb_core.memory.passage_budget import Choice, Shelf, Shown, WriteMarks, choose
from amb_core.memory.passage_index import Floats, PassageIndex
from amb_core.memory.passage_scores import FAR, LEAST, MOST, passage_scores
from amb_core.memory.passage_terms import identifiers, query_weights
from amb_core.memory.query_graph import cut_out
from amb_core.memory.shown_steps import by_step, call_told, head_of, step_shown, values_since
from amb_core.memory.step_places import named_entries, step_number, step_of
from amb_core.models import InteractionEntry, Receipt, Span
from amb_core.protocols import Hit
from amb_core.reading import prose_spans
from amb_core.registry import from_package
from amb_core.rendering import MemoryBlock, MemoryItem
from amb_core.rendering.labels import Labels, Language, labels_for
from amb_core.rendering.memory_items import OWN, SHARED, lettered, with_letter
from amb_core.rendering.note_marks import note_marks, state_told
from amb_core.rendering.passage_block import (
    StepPassages,
    empty_block,
    frame_tokens,
    render_steps,
)
from amb_core.rendering.safe_text import quoted_lines
from amb_core.text import estimate_tokens, index_tokens

__all__ = ["Recollection"]

_HEAD, _LONG_HEAD, _NEAR_HEAD = 28, 100, 48
"""Tokens of a call that are shown: of any step, of one that was named, and of the steps beside that."""
_NAMED_SHARE = 0.3
"""The share of a block that the steps which a question names may take, before all passages compete."""
_MOST_NAMED, _MOST_SPOKEN_OF = 8, 2
"""Of so many steps which a question names, or the agent's newest words, the best passages come first."""
_NAMED = 4.0
"""What a passage of a named step is worth more than its words."""
_ASKED_FOR = 2.0
"""What a passage is worth more whose call asked for what the question names."""
_ASKED = 80
"""Of a longer question so many of its rarest terms are asked for."""
_ASKED_BEFORE = np.float32(0.3)
"""The share of its match that a question of the user's keeps when it matches another one."""
_DONE_AGAIN, _NEWER = np.float32(0.9), np.float32(0.02)
"""What a passage keeps of its match when its call was made again, and how much more the newest one counts than the
oldest: of states that match a question alike, a small block shows the newest."""
_OLD_STATE = np.float32(2.0)
"""What a passage is worth less whose call was made again."""
_MOST_SAID = 2
"""So many passages of what was said are shown before results that the same words name."""
_NEAR_ANSWER, _NEAR_ASKED_FOR, _EPSILON = 0.8, 0.5, 1e-6
"""What was said competes with results down to this share of what answers words best, and of what answers a question."""
_REST = np.float32(1e-3)
"""The share of the best match of its result that a passage has at least."""
_MOST_IDS = 4
"""So many notes on what is shown of one step are named."""
_TELLS_BEFORE = 100
"""Tokens from which on a block tells what the newest state was before."""
_LEAST_NEWEST, _NEWEST = 64, 20
"""Tokens that the newest result may take of a small block, and how many of the newest fill up where little matches."""
_NOTES = 40
"""So many of the best notes lend what they match to the passages they stand on."""
_RULES, _TOLD, _LEAST_TOLD = 8, 40, 2
"""One part in so many of a block is offered to so many of the newest things the user told, where they bring so many
names or longer words."""
_LATER = 3
"""Beside something the user told, so much of what he told next is shown."""
_ANSWERS = 0.33
"""The share of a block that is first offered to what may answer the question."""
_SMALLEST = 20
"""Tokens below which no further passage of a step is worth beginning."""
_LEAST_PART, _MOST_PART = 48, 96
"""Tokens that one part of a result takes also of a small block, where it has as much, and the most that it may take."""
_TERMS = 2_000
"""Characters of what is asked for by which a large passage is cut."""


@dataclass(slots=True)
class Recollection:
    """The passages of one bank, kept in step with its entries; whoever calls holds the bank's lock."""

    state: BankState
    notes: Callable[[], DerivedNotes]
    index: PassageIndex = field(init=False)

    def __post_init__(self) -> None:
        self.index = PassageIndex(self.state)

    def forget(self) -> None:
        """Drop everything that was worked out; it is made anew from what is left."""
        self.index.clear()

    def shelf(self, moment: Moment, *, budget: int, language: Language, letter: str = "") -> Shelf:
        """Every passage with its score for this moment; what the request holds, or a newer entry says, is out.

        The letter is that of the bank where a block is made of two.
        """
        require_type(moment, Moment, by="recall_for")
        self.index.follow()
        scores = passage_scores(self.index, moment) if len(self.index) else np.zeros(0, dtype=np.float32)
        if len(self.index):
            held = self.index.held(moment.held)
            if letter == SHARED:  # what somebody said to the agent of another bank is nobody else's
                held = held | self.index.spoken()
            held = held | self.index.withdrawn()
            hidden = held[self.index.owners()] | self.index.older()
            hidden |= self._unasked(moment.question, hidden)
            scores = np.where(
                hidden, np.float32(-np.inf), scores - _OLD_STATE * self.index.stale()[self.index.owners()]
            )

        def head(entry: InteractionEntry) -> str:
            return head_of(entry, shared=letter == SHARED, language=language, tokens=_HEAD)

        return Shelf(self.index, scores, head, partial(self._marks, self.index, budget, language, letter))

    def _unasked(self, question: str, hidden: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which passages of what was said or done stay out: all but those that answer a question best.

        The agent's own words look like what it does next, and would take the room of what it read.
        """
        spoken = self.index.own_words()[self.index.owners()]
        if not question or not spoken.any():
            return spoken
        asks = self.index.questions()[self.index.owners()]
        answers = np.where(hidden | asks, 0, self.index.scores(query_weights(question), most=_ASKED))
        near = _NEAR_ASKED_FOR if asks_only(question) else _NEAR_ANSWER
        for entry in self.index.asked_for(question, exactly=True):  # a file that the agent wrote, by its name
            keys = self.index.span(entry.entry_id)
            spoken[keys.start : keys.stop] = False
        return spoken & (answers < max(near * float(answers.max(initial=0.0)), _EPSILON))

    def _take_rules(self, choice: Choice, mine: Shelf, moment: Moment, most: int) -> None:
        """What the user told the agent, the newest first, where it left with names or words that the request lacks.

        A correction, a wish or a rule holds until he says something else, whatever is asked now.
        """
        index, least = self.index, choice.left - most
        for entry_id in index.told(_TOLD):
            entry, keys = self.state.tree.entries[entry_id], index.span(entry_id)
            if not keys:
                continue
            brings = frozenset().union(*map(index.units_of, keys)) - moment.present
            if len(brings) < _LEAST_TOLD or self.state.tree.is_withdrawn(entry_id) or entry.text in moment.request:
                continue
            if not self._quote(choice, mine, entry, least=least):
                return

    def _quote(self, choice: Choice, mine: Shelf, entry: InteractionEntry, *, least: int = 0) -> bool:
        """Show a whole message, where `least` tokens are left then; whether it is shown."""
        key, tokens = self.index.span(entry.entry_id)[0], estimate_tokens("\n".join(quoted_lines(entry.text)))
        if choice.left - tokens - choice.head_cost(mine, key) < least:
            return False
        choice.quote(mine, key, (0, len(entry.text)), tokens=tokens)
        return True

    def _take_later_words(self, choice: Choice, mine: Shelf) -> None:
        """Beside what the user told, what he told next: a correction need not name what it corrects."""
        index, tree = self.index, self.state.tree
        told = [tree.entries[entry_id] for entry_id in reversed(index.told(_TOLD))]
        at = {entry.entry_id: number for number, entry in enumerate(told)}
        shown = [at.get(index.entry(one.key).entry_id, -1) for one in choice.shown if one.shelf is mine]
        wanted = {number + near for number in shown if number >= 0 for near in range(1, _LATER + 1)} - {*shown}
        for entry in (told[number] for number in sorted(wanted) if number < len(told)):
            is_new = entry.text not in choice.request and not tree.is_withdrawn(entry.entry_id)
            if is_new and index.span(entry.entry_id):
                self._quote(choice, mine, entry)

    def _said_in_answer(self, mine: Shelf) -> list[int]:
        """The passages of what was said that may be shown, the best first: they answer what is asked just now."""
        may = self.index.spoken()[self.index.owners()] & np.isfinite(mine.scores) if len(self.index) else ()
        return sorted(np.flatnonzero(may).tolist(), key=lambda key: (-mine.scores[key], key))

    def missing_block(
        self, moment: Moment, *, budget: int, others: Sequence[Recollection], language: Language
    ) -> MemoryBlock:
        """The block for a moment; `others` are the passages of banks that are shared, whose locks are held as well."""
        mine = self.shelf(moment, budget=budget, language=language, letter=OWN if others else "")
        shared = [one.shelf(moment, budget=budget, language=language, letter=SHARED) for one in others]
        shelves = answers_first([mine, *shared], moment.question)
        mine = shelves[0]
        between = moment.between or bool(moment.question and not is_about_any(shelves, moment.question))
        if between:  # and where nothing is about what is said now: a word of thanks needs no block
            shelves = named_first(shelves, "\n".join(moment.said[:2]))
            mine = shelves[0] if shelves else mine
        asked = "\n".join((*moment.said[:1], moment.asked or moment.goal))[:_TERMS]
        room = budget - frame_tokens(budget_tokens=budget, language=language)
        named = identifiers("\n".join((*moment.said[:1], moment.asked))) - identifiers(moment.goal)
        choice = Choice(
            left=room,
            request=moment.request,
            present=moment.present,
            terms=index_tokens(asked),
            least=max(int(LEAST * room), _LEAST_PART),
            most=max(int(MOST * room), _MOST_PART),
            named=named,
            far=FAR,
        )
        if not between:
            self._take_first(choice, shelves, moment)
        elif not moment.between:  # what the user told holds whatever he says next
            self._take_rules(choice, mine, moment, room // _RULES)
        choose(shelves, choice)
        self._take_later_words(choice, mine)
        return self._rendered(choice, mine, asked, budget, language, own=OWN if others else "")

    def _take_first(self, choice: Choice, shelves: Sequence[Shelf], moment: Moment) -> None:
        """What comes before all passages compete: rules of the user's, and what answers what is asked."""
        mine, room = shelves[0], choice.left
        self._take_rules(choice, mine, moment, room // _RULES)
        for key in self._said_in_answer(mine)[:_MOST_SAID]:
            choice.take(mine, key, float(mine.scores[key]), most=room // 4)
        if asks_only(moment.question):
            self._take_answering(choice, mine, moment.question, room // 3)
        told = moment.goal if moment.of_mate else f"{moment.asked}\n{moment.goal}"
        steps = named_entries(told, self.state.tree.steps)[:_MOST_NAMED]
        for entry in self._with_messages(steps):
            self._take_step(choice, mine, entry, most=room // 4)
        for entry in self.index.asked_for(moment.asked)[:_MOST_NAMED]:
            self._take_step(choice, mine, entry, most=room * 4 // 5)
        for entry in self.index.asked_for("\n".join(moment.said[:1]))[:_MOST_SPOKEN_OF]:
            self._take_step(choice, mine, entry, most=room // 6)
        take_records(choice, shelves, question_of(moment), most=room // 2)
        take_records(choice, shelves, "\n".join(moment.said[:1]), most=room // 6, whole=False)
        take_answers(choice, shelves, moment, most=int(room * _ANSWERS))

    def _take_answering(self, choice: Choice, mine: Shelf, question: str, most: int) -> None:
        """What has most words of a question, whatever the goal is; what stands around passages would cost twice."""
        scores = np.where(mine.may, self.index.scores(query_weights(question), most=_ASKED), np.float32(0))
        least = choice.left - most
        enough = max(_NEAR_ASKED_FOR * float(scores.max(initial=0.0)), _EPSILON)
        for key in np.argsort(-scores, kind="stable")[:_MOST_NAMED].tolist():
            if scores[key] < enough or choice.left < least:
                return
            choice.take(mine, key, float(mine.scores[key]))

    def answer_block(
        self,
        question: str,
        *,
        budget: int,
        language: Language,
        others: Sequence[Recollection] = (),
        most: int | None = None,
        newest: bool = False,
    ) -> MemoryBlock:
        """The block for a question: the steps it names first, then at most `most` passages by its words and names.

        `others` are the passages of banks that are shared. With `newest` the newest result comes first with its best
        passage, and where little matches the newest ones fill up.
        """
        tree = self.state.tree
        self.index.follow()
        named = [entry.entry_id for entry in named_entries(question, tree.steps)]
        exactly = self.index.asked_for(question, exactly=True)
        asked = [one.entry_id for one in (exactly or self.index.asked_for(question))[:_MOST_NAMED]]
        sizes = {near: _NEAR_HEAD for entry_id in named for near in _beside(entry_id)}
        sizes |= dict.fromkeys(named, _LONG_HEAD if len(named) <= _MOST_NAMED else _NEAR_HEAD)
        steps = dict.fromkeys(asked, _ASKED_FOR) | dict.fromkeys(named, _NAMED)
        shelf = self._matching(question, budget, language, OWN if others else "", steps, sizes, newest=newest)
        shared = [one._matching(question, budget, language, SHARED, {}, {}, newest=newest) for one in others]
        room = budget - frame_tokens(budget_tokens=budget, language=language)
        floor = -np.inf if named else 0.0  # what was done beside a step is told although it has no word of the question
        choice = Choice(room, "", frozenset(), index_tokens(question), novelty=0.0, floor=floor)
        for entry in tree.newest_results(1) if newest else ():
            self._take_step(choice, shelf, entry, most=max(room // 4, _LEAST_NEWEST))
        self._take_named(choice, shelf, named, int(room * _NAMED_SHARE))
        for entry in self._with_messages([tree.entries[name] for name in named])[len(named) :]:
            self._take_step(choice, shelf, entry, most=room // 8)
        for entry_id in asked:
            self._take_step(choice, shelf, tree.entries[entry_id], most=room // 2)
        take_records(choice, [shelf, *shared], question, most=room // 2)
        if len(shelf.scores) and shelf.scores.max() > 0:  # what the user told answers best: with what he told next
            best = int(shelf.scores.argmax())
            if self.index.entry(best).entry_id in self.index.told(_TOLD):
                choice.take(shelf, best, float(shelf.scores[best]))
                self._take_later_words(choice, shelf)
        choose([shelf, *shared], choice)
        del choice.shown[len(choice.shown) if most is None else most :]
        choice.shown[:] = self._unrefuted(choice.shown, shelf)
        self._take_later_words(choice, shelf)
        block = self._rendered(choice, shelf, question, budget, language, own=OWN if others else "")
        return block if block.text else MemoryBlock(*empty_block(budget_tokens=budget, language=language), question)

    def _unrefuted(self, shown: Iterable[Shown], mine: Shelf) -> Iterator[Shown]:
        """What is shown, without the stretches that were refuted; what nothing is left of is left out."""
        for one in shown:
            place = one.shelf.index.place(one.key)
            nodes = self.state.nodes_of_entry(place.entry.entry_id) if one.shelf is mine and not place.of_call else ()
            refuted = [span for node_id in nodes for span in self.state.graph.bare(node_id).refuted]
            if not refuted or not one.spans:
                yield one
                continue
            spans = (Span(entry_id=place.entry.entry_id, start=start, end=end) for start, end in one.spans)
            left = [(part.start, part.end) for span in spans for part in cut_out(span, refuted)]
            if left := [(start, end) for start, end in left if place.text[start:end].strip()]:
                yield replace(one, spans=tuple(left))

    def _matching(
        self,
        question: str,
        budget: int,
        language: Language,
        letter: str,
        steps: Mapping[str, float],
        sizes: Mapping[str, int],
        *,
        newest: bool,
    ) -> Shelf:
        """The passages that match a question, those of some `steps` with more, and with `newest` the newest results.

        `sizes` are the tokens of the headers of steps.
        """
        index = self.index
        index.follow()
        scores, owners = self._answers(question), index.owners()
        best = np.zeros(index.entry_count, dtype=np.float32)
        np.maximum.at(best, owners, scores)
        scores = np.maximum(scores, _REST * best[owners])  # the rest of what matches fills up
        for entry_id, worth in steps.items():
            span = index.span(entry_id)
            scores[span.start : span.stop] += worth
        hidden = (index.said_again() & (scores < _NAMED)) | self._gone() | self._repeats_question(question)
        if letter == SHARED:  # what somebody said to the agent of another bank is nobody else's
            hidden |= index.spoken()[owners]
        if newest:
            for rank, entry in enumerate(self.state.tree.newest_results(_NEWEST), start=1):
                span = index.span(entry.entry_id)
                least = np.float32(_EPSILON / rank)
                np.maximum(scores[span.start : span.stop], least, out=scores[span.start : span.stop])
        scores = np.where(hidden, np.float32(-np.inf), scores)

        def head(entry: InteractionEntry) -> str:
            return head_of(entry, shared=letter == SHARED, language=language, tokens=sizes.get(entry.entry_id, _HEAD))

        marks = partial(self._marks, index, budget, language, letter)
        return Shelf(index, scores, head, partial(self._named_marks, letter, marks), whole=True)

    def _answers(self, question: str) -> Floats:
        """How well each passage answers a question; a short question of the user's answers none.

        What stands in notes that match it in words or meaning of their own counts more.
        """
        found, owners = self.index.answers(question, most=_ASKED), self.index.owners()
        found = found + self._noted(question) * (float(found.max(initial=0.0)) or 1.0)
        newness = owners.astype(np.float32) / np.float32(max(len(self.state.tree.entries), 1))
        scores = found * (1 + _NEWER * newness)
        scores = np.where(self.index.stale()[owners], _DONE_AGAIN * scores, scores)
        return np.where(self.index.questions()[owners], _ASKED_BEFORE * scores, scores)

    def _noted(self, question: str) -> Floats:
        """By passage from 0 to 1 how well the best note that stands on it matches by its vector or a model's words."""
        worth = np.zeros(len(self.index), dtype=np.float32)
        for hit in self.state.graph.found(question, k=_NOTES):
            for span in self.state.graph.bare(hit.id).sources:
                for key in self.index.span(span.entry_id):
                    passage = self.index.passage(key)
                    if passage.start < span.end and span.start < passage.end and not self.index.is_of_call(key):
                        worth[key] = max(worth[key], hit.score)
        return worth

    def _gone(self) -> NDArray[np.bool_]:
        """Which passages are of texts that their host took back."""
        return self.index.taken_back()[self.index.owners()]

    def _repeats_question(self, question: str) -> NDArray[np.bool_]:
        """Which passages are of messages that a question holds whole: it asks for what else there is."""
        told = " ".join(question.split())
        names = (self.state.tree.entries[name] for name in self.index.messages)
        said = [entry.entry_id for entry in names if " ".join(entry.text.split()) in told]
        mark = np.zeros(len(self.index), dtype=bool)
        for entry_id in said:
            span = self.index.span(entry_id)
            mark[span.start : span.stop] = True
        return mark

    def _with_messages(self, steps: Sequence[InteractionEntry]) -> list[InteractionEntry]:
        """Steps, and behind them what was said at them."""
        return [*steps, *(said for step in steps for said in self.state.tree.messages_at(step_of(step)))]

    def _take_named(self, choice: Choice, shelf: Shelf, named: Sequence[str], room: int) -> None:
        """What was done in the named steps, the best of their passages, and what was done beside them."""
        tree = self.state.tree
        for entry_id in named:
            for key in self.index.span(entry_id)[:1]:
                choice.begin(shelf, key)
        for entry_id in named:
            self._take_step(choice, shelf, tree.entries[entry_id], most=max(room // len(named), 40))
        for entry_id in named:
            for near in _beside(entry_id):
                for key in self.index.span(near)[:1]:
                    if choice.left > room:
                        choice.begin(shelf, key)

    def _take_step(self, choice: Choice, shelf: Shelf, entry: InteractionEntry, *, most: int) -> None:
        """The best passages of one step, in `most` tokens."""
        keys = sorted(shelf.index.span(entry.entry_id), key=lambda key: (-shelf.scores[key], key))
        least = choice.left - most
        for key in keys:
            room = choice.left - least
            if room < _SMALLEST:
                return
            if np.isfinite(shelf.scores[key]):
                choice.take(shelf, key, float(shelf.scores[key]), most=room)

    def _rendered(
        self, choice: Choice, mine: Shelf, asked: str, budget: int, language: Language, *, own: str = ""
    ) -> MemoryBlock:
        """The block of what was chosen; `own` is the letter of this bank's notes where there are others."""
        told = self._disputes(list(by_step(choice.shown, mine)), labels_for(language))
        made: dict[tuple[int, ...], StepPassages] = {}  # of all steps but one nothing is taken back at a time
        while choice.shown:
            steps: list[StepPassages] = []
            for group in by_step(choice.shown, mine):
                parts = tuple(map(id, group))
                made[parts] = made.get(parts) or step_shown(group, language, parts=choice.most > 0, told=told)
                steps.append(made[parts])
            text, tokens = render_steps(steps, budget_tokens=budget, language=language)
            if tokens <= budget:
                return MemoryBlock(
                    text=text, receipts=tuple(self._receipts(choice.shown, mine, own)), tokens=tokens, query=asked
                )
            choice.shown.pop()
        return MemoryBlock(text="", receipts=(), tokens=0, query=asked)

    def _disputes(self, groups: Sequence[Sequence[Shown]], labels: Labels) -> dict[str, list[str]]:
        """By entry what the results shown contradict each other in, but where notes tell it."""
        shown, names = {}, {}
        for group in groups:
            entry = group[0].shelf.index.entry(group[0].key)
            spans = sorted(span for one in group if not one.shelf.index.is_of_call(one.key) for span in one.spans)
            known = any(self.state.disputes(node_id) for node_id in self._nodes_under(entry, spans))
            if known or is_message(entry.entry_id) or self.state.tree.is_withdrawn(entry.entry_id):
                continue
            if any(low < end and start < high for low, high in prose_spans(entry.text) for start, end in spans):
                step = labels.step.format(step_number(entry.entry_id))
                shown[step], names[step] = (entry, spans), entry.entry_id
        if len(shown) < 2:
            return {}
        dispute_marks = from_package("amb_agents.shown_disputes:dispute_marks")  # only prose is held against prose
        return {names[step]: marks for step, marks in dispute_marks(shown, labels).items()}

    def _marks(
        self,
        index: PassageIndex,
        budget: int,
        language: Language,
        letter: str,
        entry: InteractionEntry,
        spans: Sequence[tuple[int, int]],
    ) -> tuple[str, ...]:
        """Disputes, refuted words and other states of the notes that stand on what is shown of an entry."""
        labels, found = labels_for(language), list[str]()

        def step(entry_id: str) -> str:
            return (labels.shared_step if letter == SHARED else labels.step).format(step_number(entry_id))

        edited = [getattr(labels, edit)] if (edit := self.state.tree.edits.get(entry.entry_id)) else []
        if self.state.tree.is_withdrawn(entry.entry_id):
            return tuple(edited)  # what else is told of it may be told by what took its place
        states: list[str] = []
        for node_id in self._nodes_under(entry, spans):
            shown = Hit(id=node_id, score=0.0, reason="shown")
            found += note_marks(self._item(shown, letter), labels, budget)
        for span in () if is_message(entry.entry_id) else spans:
            states += self._states_told(entry, span, labels, budget, step)
        again = index.newer(entry.entry_id)
        if again and self.state.tree.entries[again].text != entry.text:
            changes = changes_since(entry, self.state.tree.entries[again], spans)
            if changes is None or any(not change.name for change in changes):
                states = [labels.again.format(step(again))]
            else:
                states = values_since(entry, changes, labels, step(again))
        called = index.changes(entry, spans)
        if not (again or called) and (changed := index.change(entry, spans)):
            states = [labels.before_change.format(step(changed))]
        states += [call_told(change, labels, step(by)) for by, change in called]
        return (*edited, *dict.fromkeys(found), *dict.fromkeys(states))

    def _named_marks(
        self, letter: str, marks: WriteMarks, entry: InteractionEntry, spans: Sequence[tuple[int, int]]
    ) -> tuple[str, ...]:
        """The ids of the notes on what is shown, by which it is cited, and what must be told of it."""
        nodes = [] if self.state.tree.is_withdrawn(entry.entry_id) else self._nodes_under(entry, spans)
        ids = "".join(f"[{with_letter(node_id, letter or node_id[0])}]" for node_id in nodes[:_MOST_IDS])
        return (*filter(None, [ids]), *marks(entry, spans))

    def _states_told(
        self,
        entry: InteractionEntry,
        span: tuple[int, int],
        labels: Labels,
        budget: int,
        step: Callable[[str], str],
    ) -> list[str]:
        """What is otherwise now than a stretch of an entry shows, or what was before, by the records in it."""
        state = state_in(self.state.tree, entry, [span])
        if state is None:
            return []
        if state.newer is not None:
            return values_since(entry, state.changes, labels, step(state.newer)) or [
                labels.newer_step.format(step(state.newer))
            ]
        unnamed = [change for change in state.changes if not change.name]
        return (
            state_told(state, labels, budget) if state.changes and len(unnamed) < 2 and budget >= _TELLS_BEFORE else []
        )

    def _item(self, shown: Hit, letter: str) -> MemoryItem:
        item = self.notes().item(shown, state=None)
        return lettered([item], letter)[0] if letter else item

    def _nodes_under(self, entry: InteractionEntry, spans: Sequence[tuple[int, int]]) -> list[str]:
        found, first = [], self.state.tree.original(entry.entry_id)
        for node_id in self.state.nodes_of_entry(entry.entry_id):
            node = self.state.graph.bare(node_id)
            under = (span for span in (*node.sources, *node.refuted) if span.entry_id == first)
            if any(one.start < end and start < one.end for one in under for start, end in spans):
                found.append(node_id)
        return found

    def _receipts(self, shown: Iterable[Shown], mine: Shelf, letter: str) -> Iterator[Receipt]:
        for rank, one in enumerate(shown):
            entry = one.shelf.index.place(one.key).entry
            own = one.shelf is mine
            of_result = own and not one.shelf.index.place(one.key).of_call
            spans = one.spans if of_result else ()
            nodes = self._nodes_under(entry, spans)
            note = with_letter(nodes[0], letter) if nodes and letter else next(iter(nodes), entry.entry_id)
            yield Receipt(
                node_id=note if own else with_letter(entry.entry_id, SHARED),
                rank=rank,
                score=float(1 / (1 + np.exp(-min(max(one.score, -30.0), 30.0)))),
                reason=one.shelf.head(one.key),
                tokens=one.shelf.index.sizes[one.key],
                form="passage",
                disputed=any(self.state.disputes(node_id) for node_id in nodes),
                spans=tuple(Span(entry_id=entry.entry_id, start=start, end=end) for start, end in spans),
            )


def _beside(entry_id: str) -> tuple[str, str]:
    number = step_number(entry_id)
    return f"e{number + 1}", f"e{number - 1}"
