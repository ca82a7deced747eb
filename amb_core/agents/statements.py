"""Aligned statements: who (subject), what about it (attribute), which value, said or denied, in which sentence."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from amb_core.agents.attribute_words import AGENT_CONCEPTS, ATTRIBUTES, BORDER, ONCE, ROLES, SLOT, UNSURE, ZH_UNSURE
from amb_core.agents.chinese_claim_words import ZH_OFFICES
from amb_core.agents.chinese_clauses import chinese_clauses
from amb_core.agents.clauses import Clause, Span, frame_token, frame_tokens, name_tokens
from amb_core.agents.english_clauses import english_clauses
from amb_core.agents.existence import existence_statements
from amb_core.agents.name_slots import chinese_role_names
from amb_core.agents.offices import office_statements
from amb_core.agents.quantities import Slot
from amb_core.agents.readings import read
from amb_core.agents.record_statements import record_statements
from amb_core.agents.slot_finding import find_slots
from amb_core.agents.statement import Sentence, Statement
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
_EXPLAINED = re.compile(r"\s?[（(](?:19|20)\d\d年?[）)]")
_CODE = re.compile(r"[{}=<>|\\]{2}|[\w.]+\(.*?\)|->|^\s*[>$#]{2,}|\|.*\|.*\||https?://\S{60,}|\bself\.|;$|`[^`]+`")
_CHANGELOG = re.compile(
    r"\W*(?:new|changed|added|deprecated|removed|fixed|available|introduced)?(?: in| since)? ?(?:version|release"
    r"|v\.?) ?\d",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[“\"][^“”\"]{30,}[”\"]|「[^」]{15,}」")
_TURN = re.compile(r"\s*(?:[\[(（【][^\])）】\n]{1,60}[\])）】]\s*)?(?P<who>[^:：\n]{1,60})[:：]\s*")
_COPULAS = frozenset("is was are were be became become remains been".split())


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
    made.extend(record_statements(text, whole))
    return tuple(made)


# --- which sentences state something ---------------------------------------------------------------------------------


def _states(sentence: str) -> bool:
    """Whether a sentence claims something that holds regardless of who said it when."""
    chinese = bool(_CJK.search(sentence))
    if not (4 if chinese else 8) <= len(sentence) <= _LONGEST_SENTENCE:
        return False
    if sentence.rstrip("\"'”’」）) ").endswith(("?", "？")) or (sentence[0] in "[【" and sentence[-1] in "]】"):
        return False
    if _CHANGELOG.match(sentence) or _bound_to_the_moment(sentence) or _CODE.search(sentence):
        return False
    return not (ZH_UNSURE if chinese else UNSURE).search(sentence)


def _bound_to_the_moment(sentence: str) -> bool:
    """Whether a sentence says "last year" without saying which: "去年（2023年）" does."""
    found = _RELATIVE_TIME.search(sentence)
    return found is not None and not _EXPLAINED.match(sentence, found.end())


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
            slots = tuple(s for s in slots if s.kind != "name" or not ZH_OFFICES.fullmatch(s.surface))
            placed = chinese_role_names(text, *span)
            slots = _with_role_names(slots, placed)
            starts = {slot.start for slot in placed}
            self._clauses = chinese_clauses(text, *span, slots, denials, names=topic.names, placed=starts)
        else:
            self._clauses = english_clauses(text, *span, slots, denials)
        self._subjects = subjects_of(self._clauses, topic, current)
        self._topic = topic
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
            years=topic.years,
            head=next(
                (
                    s.head
                    for s, c in zip(self._subjects, self._clauses, strict=True)
                    if s and c.reference.kind != "none"
                ),
                frozenset(),
            ),
        )

    def statements(self) -> Iterator[Statement]:
        """Statements clause by clause: one a value, and one of the clause as a whole."""
        timed = [
            s for c in self._clauses for s in c.slots if s.kind == "date" and (not c.frame & ONCE or s.end < c.start)
        ]
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
            if len(whole.words) >= (1 if whole.named and not whole.chinese else _FEWEST_WORDS):
                yield whole
            yield from self._turned_round(whole, clause)
        yield from office_statements(self._within, self._topic)
        yield from existence_statements(self._within, self._topic)

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
            plain=self._plain(clause, subject),
        )

    def _plain(self, clause: Clause, subject: Subject) -> str:
        """A Chinese clause with its subject in front, followed by `BORDER`, where it points to it or leaves it out."""
        if not self._within.chinese or not subject.name or subject.name in clause.plain:
            return clause.plain
        if clause.reference.kind == "pronoun":
            return subject.name + BORDER + clause.plain.replace(clause.reference.word, "", 1)
        return subject.name + BORDER + clause.plain

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
            plain=whole.plain.replace(slot.surface, SLOT, 1) if slot.kind == "name" else whole.plain,
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
                plain="",
            )


def _unquoted(text: str, span: Span, slots: tuple[Slot, ...]) -> tuple[Slot, ...]:
    """The slots that do not stand in somebody's words."""
    quoted = [match.span() for match in _QUOTED.finditer(text, *span)]
    return tuple(s for s in slots if not any(left <= s.start < right for left, right in quoted)) if quoted else slots


def _with_role_names(found: Sequence[Slot], named: Sequence[Slot]) -> tuple[Slot, ...]:
    """Slots with the names that only their place shows, where no other name stands."""
    more = [slot for slot in named if not any(s.start < slot.end and slot.start < s.end for s in found)]
    return tuple(sorted([*found, *more], key=lambda slot: slot.start))
