"""Aligned statements: who (subject), what about it (attribute), which value, said or denied, in which sentence."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from amb_core.agents.attribute_words import AGENT_CONCEPTS, ATTRIBUTES, ONCE, ROLES, UNSURE, ZH_UNSURE
from amb_core.agents.chinese_clauses import chinese_attribute, chinese_clauses
from amb_core.agents.clauses import Clause, Span, frame_token, frame_tokens, name_tokens
from amb_core.agents.english_clauses import english_attribute, english_clauses
from amb_core.agents.name_slots import chinese_role_names
from amb_core.agents.quantities import Slot
from amb_core.agents.readings import read
from amb_core.agents.slot_finding import find_slots
from amb_core.agents.topics import Subject, Topic, subjects_of, topic_of
from amb_core.text import dialogue_speaker

__all__ = ["Sentence", "Statement", "statements"]

_CACHED_TEXTS = 4_096
_LONGEST_SENTENCE = 700
_FEWEST_WORDS = 2
"""A clause as a whole is a statement from this many words on."""

_CJK = re.compile(r"[\u3400-\u9fff]")
_RELATIVE_TIME = re.compile(
    r"\b(?:today|yesterday|tomorrow|tonight|this (?:morning|week|month|year|weekend|afternoon|evening)|"
    r"(?:last|next) (?:week|month|year|night|weekend|time|summer|winter|spring|fall)|ago|recently|lately|soon)\b"
    r"|今天|昨天|明天|今晚|昨晚|今早|上周|下周|上个月|下个月|去年|明年|今年|刚才|刚刚|最近|前天|后天",
    re.IGNORECASE,
)
_CODE = re.compile(r"[{}=<>|\\]{2}|[\w.]+\(.*?\)|->|^\s*[>$#]{2,}|\|.*\|.*\||https?://\S{60,}|\bself\.|;$|`[^`]+`")
_CHANGELOG = re.compile(
    r"\W*(?:new|changed|added|deprecated|removed|fixed|available|introduced)?(?: in| since)? ?(?:version|release"
    r"|v\.?) ?\d",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[“\"][^“”\"]{30,}[”\"]|「[^」]{15,}」")
_TURN = re.compile(r"\s*(?:[\[(（【][^\])）】\n]{1,60}[\])）】]\s*)?(?P<who>[^:：\n]{1,60})[:：]\s*")
_COPULAS = frozenset("is was are were be became become remains been".split())

Kind = Literal["number", "date", "name", "polarity"]


@dataclass(frozen=True, slots=True)
class Sentence:
    """What the statements of one sentence share: text, span, words, figures, and what the whole text is about."""

    text: str
    start: int
    end: int
    bag: frozenset[str]
    figures: tuple[Slot, ...]
    topics: frozenset[str]
    chinese: bool


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing a sentence says.

    `subject` and `attribute` (made of the clause's `wording`) are for people; statements are aligned by `subjects`
    (folded names), `head` (words beside the subject's name), `frame` (the clause's other words), `words` (both) and the
    words of the whole sentence. `kind` "polarity" is a clause as a whole, said (`polarity`) or denied; otherwise `slot`
    is its value, `before` the word before it, `others` the other numbers of the clause. `named`: the subject stands in
    the sentence rather than being taken over from the text; `pointing`: how the clause names it (see Reference);
    `scope`: the times the statement is bound to, with `markers` for words such as "former" and the tense.
    """

    subject: str
    wording: str
    value: str
    kind: Kind
    polarity: bool
    within: Sentence
    slot: Slot | None
    subjects: frozenset[str]
    named: bool
    pointing: str
    head: frozenset[str]
    frame: frozenset[str]
    words: frozenset[str]
    scope: tuple[Slot, ...]
    markers: frozenset[str]
    before: str
    others: tuple[Slot, ...]

    @property
    def attribute(self) -> str:
        """The words that name the attribute, as they stand in the text."""
        return chinese_attribute(self.wording) if self.chinese else english_attribute(self.wording)

    @property
    def sentence(self) -> str:
        """The sentence, verbatim."""
        return self.within.text

    @property
    def span(self) -> Span:
        """Characters of the text the sentence stands at."""
        return self.within.start, self.within.end

    @property
    def chinese(self) -> bool:
        """Whether the sentence is Chinese."""
        return self.within.chinese

    @property
    def topics(self) -> frozenset[str]:
        """Folded names of what the text is about."""
        return self.within.topics

    @property
    def bag(self) -> frozenset[str]:
        """The words of the whole sentence without the value."""
        if self.slot is None or self.kind != "name":
            return self.within.bag
        return self.within.bag - name_tokens((self.slot,))

    @property
    def nth(self) -> int:
        """The place of the value among like values of the sentence."""
        like = [s for s in self.within.figures if self.slot is not None and s.unit == self.slot.unit]
        return like.index(self.slot) if self.slot in like else 0


@lru_cache(maxsize=_CACHED_TEXTS)
def statements(text: str, *, topic: str = "") -> tuple[Statement, ...]:
    """What `text` states, in text order; questions, guesses, code and remarks bound to the moment are left out.

    `topic` names what the text is about where its own words do not (a title, the topic sentence of its node).
    """
    reading = read(text)
    slots = find_slots(text, reading.values)
    denials = [(value.start, value.end) for value in reading.values if value.kind == "negation"]
    whole = topic_of(text, reading, given=topic)
    start_over = Subject(whole.name, whole.keys)
    current = start_over
    made: list[Statement] = []
    end_before = 0
    for start, end in reading.spans:
        if "\n" in text[end_before:start]:
            current = start_over
        end_before = end
        if not _states(text[start:end]):
            continue
        start += _turn_prefix(text[start:end])
        inside = tuple(slot for slot in slots if start <= slot.start and slot.end <= end)
        sentence = _Parsed(text, (start, end), inside, [d for d in denials if start <= d[0] < end], whole, current)
        made.extend(sentence.statements())
        current = sentence.next_current
    return tuple(made)


# --- which sentences state something ---------------------------------------------------------------------------------


def _states(sentence: str) -> bool:
    """Whether a sentence claims something that holds regardless of who said it when."""
    chinese = bool(_CJK.search(sentence))
    if not (4 if chinese else 8) <= len(sentence) <= _LONGEST_SENTENCE:
        return False
    if sentence.rstrip("\"'”’」）) ").endswith(("?", "？")) or (sentence[0] in "[【" and sentence[-1] in "]】"):
        return False
    if _CHANGELOG.match(sentence) or _RELATIVE_TIME.search(sentence) or _CODE.search(sentence):
        return False
    return not (ZH_UNSURE if chinese else UNSURE).search(sentence)


def _turn_prefix(sentence: str) -> int:
    """How many characters of "[time] Speaker: " stand before what is said."""
    if not dialogue_speaker(sentence) or (turn := _TURN.match(sentence)) is None:
        return 0
    return 0 if frame_tokens(turn["who"].split()) & ATTRIBUTES else turn.end()


# --- one sentence ----------------------------------------------------------------------------------------------------


class _Parsed:
    """The statements of one sentence in the making."""

    def __init__(
        self,
        text: str,
        span: Span,
        slots: tuple[Slot, ...],
        denials: Sequence[Span],
        topic: Topic,
        current: Subject,
    ) -> None:
        sentence = text[slice(*span)]
        cjk = len(_CJK.findall(sentence))
        chinese = bool(cjk) and cjk * 3 >= len(sentence.replace(" ", ""))
        slots = _unquoted(text, span, slots)
        denials = [d for d in denials if not any(s.kind == "name" and s.start <= d[0] < s.end for s in slots)]
        if chinese:
            placed = chinese_role_names(text, *span)
            slots = _with_role_names(slots, placed)
            starts = {slot.start for slot in placed}
            self._clauses = chinese_clauses(text, *span, slots, denials, names=topic.names, placed=starts)
        else:
            self._clauses = english_clauses(text, *span, slots, denials)
        self._subjects = subjects_of(self._clauses, topic, current)
        self._names = [name_tokens(clause.slots) for clause in self._clauses]
        lead = next((subject for subject in self._subjects if subject is not None and subject.keys), None)
        self.next_current = lead if lead is not None and lead.named else current
        self._within = Sentence(
            text=sentence,
            start=span[0],
            end=span[1],
            bag=self._bag(),
            figures=tuple(s for s in slots if s.kind != "name" and not s.fixed),
            topics=topic.keys,
            chinese=chinese,
        )

    def statements(self) -> Iterator[Statement]:
        """Statements clause by clause: one a value, and one of the clause as a whole."""
        timed = [s for c in self._clauses if not c.frame & ONCE for s in c.slots if s.kind == "date"]
        for clause, subject, names in zip(self._clauses, self._subjects, self._names, strict=True):
            if subject is None:
                continue
            # times of the clause, and of clauses that tell no event of their own
            times = timed if not clause.frame & ONCE else [*(s for s in clause.slots if s.kind == "date"), *timed]
            fixed = frozenset(f"#{s.surface.lower()}" for s in clause.slots if s.fixed)
            whole = self._whole(clause, subject, clause.frame | names | fixed, times)
            for slot in clause.slots:
                if not slot.fixed:
                    yield self._of_slot(whole, clause, slot)
            if len(whole.words) >= _FEWEST_WORDS:
                yield whole
            yield from self._turned_round(whole, clause)

    def _bag(self) -> frozenset[str]:
        found: set[str] = set()
        for clause, subject, names in zip(self._clauses, self._subjects, self._names, strict=True):
            found |= clause.head | clause.frame | names
            if subject is not None and subject.named:
                found.update(f"={key}" for key in subject.keys)
        return frozenset(found)

    def _whole(self, clause: Clause, subject: Subject, frame: frozenset[str], times: Sequence[Slot]) -> Statement:
        return Statement(
            subject=subject.name,
            wording=clause.wording,
            value=self._within.text,
            kind="polarity",
            polarity=not clause.negative,
            within=self._within,
            slot=None,
            subjects=subject.keys,
            named=subject.named,
            pointing=clause.reference.kind,
            head=subject.head,
            frame=frame,
            words=subject.head | frame,
            scope=tuple(times),
            markers=clause.markers,
            before="",
            others=tuple(s for s in clause.slots if s.kind == "number" and not s.fixed),
        )

    def _of_slot(self, whole: Statement, clause: Clause, slot: Slot) -> Statement:
        frame, words = whole.frame, whole.words
        if slot.kind == "name":
            frame = frame - name_tokens((slot,))
            words = frame | whole.head
        elif slot.ends and slot.kind == "date" and not words:
            # "(1820 – 1899)" after a name
            frame = words = frozenset(["@lifespan"])
        return replace(
            whole,
            value=slot.surface,
            kind=slot.kind,
            slot=slot,
            frame=frame,
            words=words,
            scope=tuple(s for s in whole.scope if s is not slot),
            before=clause.before.get(slot.start, ""),
            others=tuple(s for s in whole.others if s is not slot),
        )

    def _turned_round(self, whole: Statement, clause: Clause) -> Iterator[Statement]:
        """ "X is the CEO of Y" as a statement on Y's CEO, "X wrote Y" as one on who wrote Y."""
        actor = clause.reference.slot
        if actor is None or not whole.named:
            return
        done = frame_token(clause.verb)
        wrote = done in AGENT_CONCEPTS and f"+{done}" in clause.frame
        for slot in clause.slots:
            if slot.kind != "name" or len(slot.keys) > 2:
                continue
            if wrote and slot is clause.slots[0]:
                words, role = frozenset([done]), "by"
            elif clause.verb in _COPULAS and clause.offices.get(slot.start) in ROLES:
                words, role = clause.frame, "is"
            elif whole.chinese and clause.frame & ROLES:
                words, role = clause.frame, "是"
            else:
                continue
            yield replace(
                whole,
                subject=slot.surface,
                subjects=slot.keys,
                value=actor.surface,
                kind="name",
                slot=actor,
                head=frozenset(),
                frame=words,
                words=words,
                before=role,
            )


def _unquoted(text: str, span: Span, slots: tuple[Slot, ...]) -> tuple[Slot, ...]:
    """The slots that do not stand in somebody's words."""
    quoted = [match.span() for match in _QUOTED.finditer(text, *span)]
    return tuple(s for s in slots if not any(left <= s.start < right for left, right in quoted)) if quoted else slots


def _with_role_names(found: Sequence[Slot], named: Sequence[Slot]) -> tuple[Slot, ...]:
    """Slots with the names that only their place shows, where no other name stands."""
    more = [slot for slot in named if not any(s.start < slot.end and slot.start < s.end for s in found)]
    return tuple(sorted([*found, *more], key=lambda slot: slot.start))
