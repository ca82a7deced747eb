"""Aligned statements: who (subject), what about it (attribute), which value, said or denied, in which sentence."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from amb_core.agents.attribute_words import ATTRIBUTES, CLASS_OPENERS, ONCE, UNSURE, ZH_UNSURE
from amb_core.agents.clauses import Clause, Reference, chinese_clauses, english_clauses, frame_tokens
from amb_core.agents.quantities import Slot, slots
from amb_core.text import Value, about, dialogue_speaker, name_key, sentence_spans, values

__all__ = ["Statement", "statements"]

_CACHED_TEXTS = 4_096
_MAX_SENTENCE = 700
_CJK = re.compile(r"[\u3400-\u9fff]")
_PERSON = re.compile(
    r"\((?:[^()]*\b)?(?:born|b\.|n[ée]e|died|\d{4}\s?[–-])|\bwas born\b|\b(?:is|was) (?:an?|the) (?:[\w-]+ ){0,5}?"
    r"(?:\w+(?:ist|ian|ster)|actor|actress|singer|writer|author|poet|player|footballer|cricketer|painter|composer|director|"
    r"producer|lawyer|soldier|officer|general|king|queen|emperor|president|minister|bishop|priest|professor|teacher|engineer|"
    r"inventor|explorer|model|dancer|rapper|driver|boxer|swimmer|runner|skater|coach|man|woman|boy|girl|nurse|doctor)\b"
)
_RELATIVE_TIME = re.compile(
    r"\b(?:today|yesterday|tomorrow|tonight|this (?:morning|week|month|year|weekend|afternoon|evening)|"
    r"(?:last|next) (?:week|month|year|night|weekend|time|summer|winter|spring|fall)|ago|recently|lately|soon)\b"
    r"|今天|昨天|明天|今晚|昨晚|今早|上周|下周|上个月|下个月|去年|明年|今年|刚才|刚刚|最近|前天|后天"
)
_CODE = re.compile(r"[{}=<>|\\]{2}|[\w.]+\(.*?\)|->|^\s*[>$#]{2,}|\|.*\|.*\||https?://\S{60,}|\bself\.|;$|`[^`]+`")
_CHANGELOG = re.compile(
    r"\W*(?:new|changed|added|deprecated|removed|fixed|available|introduced)?(?: in| since)? ?(?:version|release|v\.?) ?\d",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[“\"]([^“”\"]{30,})[”\"]|「([^」]{15,})」")
_MARKER = re.compile(
    r"\b(former|formerly|previously|originally|initially|later|then|now|currently|until|once|again|no longer|"
    r"before|after|early|late|final|finally|eventually|average|max|maximum|min|minimum|per|each|every|only)\b"
    r"|(原本|原来|最初|起初|后来|随后|曾经|现任|前任|首次|再次|平均|最大|最小|最高|最低|每[年月日天周个人]|当时|此前|之前|以前)"
)
_PAST = re.compile(r"\b(?:was|were|had|did)\b")
_PRESENT = re.compile(r"\b(?:is|are|has|have|does)\b")
_TURN = re.compile(r"\s*(?:[\[(（【][^\])）】\n]{1,60}[\])）】]\s*)?(?P<who>[^:：\n]{1,60})[:：]\s*")
_PRONOUN_PERSON = frozenset("he she his her".split())
_ZH_NO_NAME = re.compile(r"\d{3,4}年|开始|之后|以后|其中|由于|于\d|[他她它该此]")
_NOT_A_NAME = frozenset(
    "he she it they we i you this that these those there the a an his her its their in on at as after before when while "
    "which who what one some many most all however although".split()
)


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing a sentence says.

    `subject` and `attribute` are for people; `subjects`, `head`, `frame` and `bag` are what statements are aligned by:
    folded names, words beside the subject's name, the clause's other words, and the words of the whole sentence.
    `named` says that the subject stands in the sentence rather than being taken over from the text; `before` is the
    word before the value; `scope` are the times it is bound to; `nth` is the value's place among like values of the
    sentence. `kind` "polarity" is a clause as a whole, said (`polarity`) or denied. Spans are characters of the text.
    """

    subject: str
    attribute: str
    value: str
    kind: Literal["number", "date", "name", "polarity"]
    polarity: bool
    sentence: str
    start: int
    end: int
    slot: Slot | None
    subjects: frozenset[str]
    topics: frozenset[str]
    named: bool
    pointing: str
    head: frozenset[str]
    frame: frozenset[str]
    bag: frozenset[str]
    scope: tuple[Slot, ...]
    markers: frozenset[str]
    before: str
    nth: int
    others: tuple[Slot, ...]
    figures: tuple[Slot, ...]
    chinese: bool


@dataclass(frozen=True, slots=True)
class _Topic:
    """What is known about a text as a whole."""

    name: str
    keys: frozenset[str]
    names: tuple[str, ...]
    is_person: bool
    class_words: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Subject:
    name: str
    keys: frozenset[str]
    head: frozenset[str]
    named: bool


_NOBODY = _Subject("", frozenset(), frozenset(), False)


@lru_cache(maxsize=_CACHED_TEXTS)
def statements(text: str, *, topic: str = "") -> tuple[Statement, ...]:
    """What `text` states, in text order; questions, guesses, code and remarks bound to the moment are left out.

    `topic` names what the text is about where its own words do not (a title, the topic sentence of its node).
    """
    found = values(text)
    whole = _topic(text, topic)
    made: list[Statement] = []
    current = _Subject(whole.name, whole.keys, frozenset(), False)
    end_before = 0
    for start, end in sentence_spans(text):
        if "\n" in text[end_before:start]:
            current = _Subject(whole.name, whole.keys, frozenset(), False)
        end_before = end
        sentence = text[start:end]
        if not _states(sentence):
            continue
        start += _turn_prefix(sentence)
        inside = [value for value in found if start <= value.start and value.end <= end]
        parsed = _sentence(text, start, end, inside, whole, current)
        made.extend(parsed[0])
        current = parsed[1]
    return tuple(made)


def _turn_prefix(sentence: str) -> int:
    """How many characters of "[time] Speaker: " stand before what is said."""
    if not dialogue_speaker(sentence) or (item := _TURN.match(sentence)) is None:
        return 0
    return 0 if frame_tokens(item["who"].split()) & ATTRIBUTES else item.end()


def _states(sentence: str) -> bool:
    """Whether a sentence claims something that holds regardless of who said it when."""
    if not 8 <= len(sentence) <= _MAX_SENTENCE and not (_CJK.search(sentence) and len(sentence) >= 4):
        return False
    if sentence.rstrip("\"'”’」）) ").endswith(("?", "？")):
        return False
    if _RELATIVE_TIME.search(sentence) or _CODE.search(sentence):
        return False
    if _CHANGELOG.match(sentence) or (sentence[0] in "[【" and sentence[-1] in "]】"):
        return False
    return not (ZH_UNSURE.search(sentence) if _CJK.search(sentence) else UNSURE.search(sentence))


def _topic(text: str, given: str) -> _Topic:
    # a lone sentence has a subject but does not tell what a text is about
    alone = len(sentence_spans(text[:1_500])) < 2
    names = [] if alone else [name for name in map(_core, about(text)) if _is_name(name)]
    if given and not names and _is_name(given):
        names = [given]
    first = next(iter(sentence_spans(text[:1_500])), (0, 0))
    body = text[: first[1]]
    if len(body) < 80 and not CLASS_OPENERS.search(body):
        body = text[: next((end for start, end in sentence_spans(text[:1_500]) if start > first[0]), first[1])]
    # a title that the first sentence does not take up may name the document rather than the thing
    opening = name_key(body)
    keys = [name_key(name) for name in names]
    used = [(name, key) for name, key in zip(names, keys, strict=True) if key in opening] or list(
        zip(names, keys, strict=True)
    )
    class_words: frozenset[str] = frozenset()
    if found := CLASS_OPENERS.search(body):
        class_words = frame_tokens(
            re.findall(
                r"[A-Za-z]+", re.split(r"[,.;(]| (?:in|of|by|that|which|who|on|at|from) ", body[found.end() :])[0]
            )
        )
    return _Topic(
        name=used[0][0] if used else "",
        keys=frozenset(key for _, key in used[:1]) | frozenset(key for _, key in used[1:] if _alike(key, used[0][1])),
        names=tuple(name for name, _ in used),
        is_person=bool(_PERSON.search(body)),
        class_words=class_words
        | frame_tokens([word for name, _ in used[:1] for word in re.findall(r"[A-Za-z]+", name)]),
    )


def _core(name: str) -> str:
    """The name inside "X's height" and "the height of X"."""
    name = re.split(r"['’]s? (?=[a-z])", name)[0]
    found = re.match(r"(?:[Tt]he |[Aa]n? )?(?:[a-z-]+ ){1,4}of (?:the )?(?=[A-Z])", name)
    return name[found.end() :] if found else name


def _is_name(name: str) -> bool:
    key = name_key(name)
    words = key.split()
    if _CJK.search(name) and (len(name) > 16 or _ZH_NO_NAME.search(name)):
        return False
    return bool(words) and words[0] not in _NOT_A_NAME and len(words) <= 10 and len(name) <= 60


def _alike(a: str, b: str) -> bool:
    return bool(set(a.split()) & set(b.split())) or a in b or b in a


def _sentence(
    text: str, start: int, end: int, found: Sequence[Value], whole: _Topic, current: _Subject
) -> tuple[list[Statement], _Subject]:
    sentence = text[start:end]
    chinese = bool(_CJK.search(sentence)) and len(_CJK.findall(sentence)) * 3 >= len(sentence.replace(" ", ""))
    inside = [slot for slot in slots(text, found) if not _quoted(text, start, end, slot)]
    denials = [(value.start, value.end) for value in found if value.kind == "negation"]
    if chinese:
        clauses = chinese_clauses(text, start, end, inside, denials, whole.names)
    else:
        clauses = english_clauses(text, start, end, inside, denials)
    subjects = _subjects(clauses, whole, current)
    bag = _bag(clauses, subjects)
    made = [
        statement
        for clause, subject in zip(clauses, subjects, strict=True)
        if subject is not None
        for statement in _of_clause(clause, subject, clauses, inside, bag, text, start, end, whole, chinese)
    ]
    lead = next((subject for subject in subjects if subject is not None and subject.keys), None)
    return made, lead if lead is not None and lead.named else current


def _quoted(text: str, start: int, end: int, slot: Slot) -> bool:
    return any(m.start() <= slot.start < m.end() for m in _QUOTED.finditer(text, start, end))


def _bag(clauses: Sequence[Clause], subjects: Sequence[_Subject | None]) -> frozenset[str]:
    tokens: set[str] = set()
    for clause, subject in zip(clauses, subjects, strict=True):
        tokens |= clause.head | clause.frame
        tokens |= {f"={key}" for slot in clause.slots if slot.kind == "name" for key in slot.keys}
        if subject is not None and subject.named:
            tokens |= {f"={key}" for key in subject.keys}
    return frozenset(tokens)


# --- who a clause is about -------------------------------------------------------------------------------------------


def _subjects(clauses: Sequence[Clause], whole: _Topic, current: _Subject) -> list[_Subject | None]:
    """One subject a clause; None for clauses of a speaker about themselves."""
    found: list[_Subject | None] = []
    for clause in clauses:
        found.append(_subject(clause, whole, current))
    lead = next(
        (s for s in found if s is not None and s is not _NOBODY and s.keys),
        _Subject(whole.name, whole.keys, frozenset(), False),
    )
    return [
        _Subject(lead.name, lead.keys, s.head, lead.named) if s is not None and clause.reference.kind == "none" else s
        for s, clause in zip(found, clauses, strict=True)
    ]


def _subject(clause: Clause, whole: _Topic, current: _Subject) -> _Subject | None:
    reference = clause.reference
    if reference.kind == "personal":
        return None
    if reference.kind == "named" and reference.slot is not None:
        return _named(reference, clause, whole)
    head = clause.head - whole.class_words
    if reference.kind == "about":
        return _Subject(whole.name, whole.keys, head, True)
    if reference.kind == "pronoun":
        return _pronoun(reference, head, whole, current)
    if reference.kind == "indefinite":
        return _Subject("", frozenset(), clause.head, False)
    if reference.kind in ("definite", "bare"):
        return _Subject(whole.name, whole.keys, head if reference.kind == "definite" else clause.head, False)
    return _Subject("", frozenset(), head, False)


def _named(reference: Reference, clause: Clause, whole: _Topic) -> _Subject:
    slot = reference.slot
    assert slot is not None
    keys = slot.keys
    # "Curie" in a text about Marie Curie, "The bridge" by its full name
    if any(
        key == known or known.endswith(f" {key}") or known.startswith(f"{key} ") for key in keys for known in whole.keys
    ):
        return _Subject(whole.name, whole.keys, clause.head - whole.class_words, True)
    if len(keys) > 1:
        # several named together are one subject, other than each of them
        keys = frozenset(["|".join(sorted(keys))])
    return _Subject(slot.surface, keys, clause.head, True)


def _pronoun(reference: Reference, head: frozenset[str], whole: _Topic, current: _Subject) -> _Subject:
    person = reference.word in _PRONOUN_PERSON
    if person and not whole.is_person:
        return _NOBODY
    if reference.word in ("it", "its") and whole.is_person and current.keys == whole.keys:
        return _NOBODY
    of = current if current.keys else _Subject(whole.name, whole.keys, frozenset(), False)
    if person:
        of = _Subject(whole.name, whole.keys, frozenset(), False)
    return _Subject(of.name, of.keys, head, False)


# --- statements of one clause ----------------------------------------------------------------------------------------


def _of_clause(
    clause: Clause,
    subject: _Subject,
    clauses: Sequence[Clause],
    inside: Sequence[Slot],
    bag: frozenset[str],
    text: str,
    start: int,
    end: int,
    whole: _Topic,
    chinese: bool,
) -> list[Statement]:
    names = frozenset(f"={key}" for slot in clause.slots if slot.kind == "name" for key in slot.keys)
    fixed = frozenset(f"#{slot.surface.lower()}" for slot in clause.slots if slot.fixed)
    sentence = text[start:end]
    markers = _markers(text[clause.start : clause.end], chinese)
    made: list[Statement] = []

    def add(kind: Literal["number", "date", "name", "polarity"], slot: Slot | None, **changed: object) -> None:
        own = frozenset(f"={key}" for key in slot.keys) if slot is not None else frozenset()
        like = [s for s in inside if slot is not None and (s.kind, s.unit) == (slot.kind, slot.unit)]
        fields: dict[str, object] = dict(
            subject=subject.name,
            attribute=" ".join(clause.words) if not chinese else "".join(clause.words),
            value=slot.surface if slot is not None else sentence,
            kind=kind,
            polarity=not clause.negative,
            sentence=sentence,
            start=start,
            end=end,
            slot=slot,
            subjects=subject.keys,
            topics=whole.keys,
            named=subject.named,
            pointing=clause.reference.kind,
            head=subject.head,
            frame=clause.frame | (names - own) | fixed,
            bag=bag - own,
            scope=_scope(clause, slot, clauses, inside),
            markers=markers,
            before=clause.before.get(slot.start, "") if slot is not None else "",
            nth=like.index(slot) if slot is not None and slot in like else 0,
            others=tuple(s for s in clause.slots if s is not slot and s.kind == "number" and not s.fixed),
            figures=tuple(s for s in inside if s.kind != "name" and not s.fixed),
            chinese=chinese,
        )
        fields.update(changed)
        made.append(Statement(**fields))  # type: ignore[arg-type]

    for slot in clause.slots:
        if not slot.fixed:
            add(slot.kind, slot)
    add("polarity", None)
    return made


def _scope(clause: Clause, slot: Slot | None, clauses: Sequence[Clause], inside: Sequence[Slot]) -> tuple[Slot, ...]:
    own = [s for s in clause.slots if s.kind == "date" and s is not slot]
    for other in clauses:
        if other is not clause and not other.frame & ONCE:
            own.extend(s for s in other.slots if s.kind == "date" and s is not slot)
    return tuple(own)


@lru_cache(maxsize=4_096)
def _markers(body: str, chinese: bool) -> frozenset[str]:
    found = {next(filter(None, groups)).lower() for groups in _MARKER.findall(body)}
    if not chinese:
        past, present = bool(_PAST.search(body)), bool(_PRESENT.search(body))
        if past != present:
            found.add("<past>" if past else "<present>")
    return frozenset(found)
