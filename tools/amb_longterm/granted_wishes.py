"""What becomes of a user's wish about what is remembered of him: which of his records it is about, or that none is.

A record is forgotten only where the wish names all that it is found by, or points at what was just said. What could be
meant but does not follow from the words stays, and is named as a candidate.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from amb_core.text import index_tokens, sentences, values
from amb_longterm.everyday_words import topics_of
from amb_longterm.memory_cues import hears
from amb_longterm.memory_records import MemoryRecord
from amb_longterm.sameness import content_terms, frame_words, opposite, same
from amb_longterm.user_statements import statements
from amb_longterm.user_wishes import Act

__all__ = ["Granted", "granted"]

_OTHERS, _WEAK = frozenset({"family", "pets"}), frozenset({"place"})
_VALUES = ("date", "number", "unit", "name")
_MOST_CANDIDATES = 16
_ACKNOWLEDGED = 3
"""Words of content in an answer that only says that something was heard."""


@dataclass(frozen=True, slots=True)
class Granted:
    """What a wish comes to: records to forget, or one that says something else from now on, or records it may mean.

    Where `is_telling`, it was no wish: the words are to be read as any others.
    """

    forgotten: tuple[MemoryRecord, ...] = ()
    changed: MemoryRecord | None = None
    content: str = ""
    candidates: tuple[MemoryRecord, ...] = ()
    is_telling: bool = False
    is_idle: bool = False


def granted(
    act: Act, records: Sequence[MemoryRecord], *, last: Sequence[MemoryRecord], answered: str = "", denied: str = ""
) -> Granted:
    """What a wish comes to, among a user's `records`, newest first; `last` are those of what he said right before.

    Where he `denied` something in the same breath ("I never had a dog, forget that"), it is of what says the opposite.

    `answered` is what the assistant said since then: "that is wrong" may be of it. An idle wish is about nothing that
    is remembered.
    """
    if denied and act.kind in ("last", "wrong"):
        gone = tuple(record for record in records if opposite(denied, record.content))
        return Granted(forgotten=gone, is_idle=not gone)
    match act.kind:
        case "all":
            return Granted(forgotten=tuple(records), is_idle=not records)
        case "last":
            pointed = last[:1] if hears("one of them", act.text) else last
            return Granted(forgotten=tuple(pointed), is_idle=not last)
        case "meant" | "may":
            return _put_right(act, last)
        case "wrong":
            return _wrong(records, last, "" if hears("own words", act.text) else answered)
        case "perhaps":
            near = _saying(act.about, records)
            return Granted(candidates=near[:_MOST_CANDIDATES], is_idle=not near, is_telling=not near)
    return _named(act, records)


def _named(act: Act, records: Sequence[MemoryRecord]) -> Granted:
    """The records that say what is named; where none does, those of its everyday matter, if the wish is for each."""
    saying = _saying(act.about, records)
    near = _of_matter(act.about, records)
    if act.each:
        return Granted(forgotten=tuple({record.id: record for record in (*saying, *near)}.values()))
    if saying:
        return Granted(forgotten=saying)
    himself = tuple(record for record in near if hears("of the user himself", record.content))
    if len(near) == 1 or len(himself) == 1:  # "I work as a nurse", and not "my boss is called Tom"
        return Granted(forgotten=himself or near)
    return Granted(candidates=near[:_MOST_CANDIDATES])


def _saying(about: str, records: Sequence[MemoryRecord]) -> tuple[MemoryRecord, ...]:
    """The records with all words of content in what is named: of these, if there are any, those with it as it stands.

    What they say of names and values alone is enough where they are of the same everyday matter: "I moved to Berlin"
    is what "I live in Berlin" was told by.
    """
    terms = content_terms(about)
    if not terms:
        return ()
    named = frozenset(term for value in values(about) if value.kind in _VALUES for term in index_tokens(value.surface))
    matter = topics_of(index_tokens(about)) - _WEAK
    found, whole, by_value = list[MemoryRecord](), list[MemoryRecord](), list[MemoryRecord]()
    words = frame_words(about)
    for record in records:
        held = content_terms(record.content)
        if terms <= held:
            found.append(record)
            if _stands_in(words, frame_words(record.content)):
                whole.append(record)
        elif named and named <= {*index_tokens(record.content)} and matter & topics_of(index_tokens(record.content)):
            by_value.append(record)
    return (*(whole or found), *by_value)


def _of_matter(about: str, records: Iterable[MemoryRecord]) -> tuple[MemoryRecord, ...]:
    """The records of the everyday matter of what is named, and of nobody else than it names."""
    topics = topics_of(index_tokens(about))
    matter = topics - _WEAK or topics
    others = _OTHERS - topics
    found = []
    for record in records:
        theirs = topics_of(index_tokens(record.content))
        if matter & theirs and not others & theirs:
            found.append(record)
    return tuple(found)


def _put_right(act: Act, last: Sequence[MemoryRecord]) -> Granted:
    """The newest of the last records that what is meant fits into, with it in the place of what was wrong."""
    if act.kind == "may" and statements(act.text):
        return Granted(is_telling=True)
    for record in last:
        if (content := _with(record.content, act.about, act.instead_of)) is not None:
            return Granted(changed=record, content=content)
    if act.kind == "may" or not last:
        return Granted(is_telling=True, is_idle=True)
    if len(last) > 1:
        return Granted(candidates=tuple(last))
    record = last[0]
    if statements(act.about) or same(act.about, record.content):
        return Granted(changed=record, content=act.about)
    return Granted(changed=record, content=f"{record.content} {act.text}")


def _with(content: str, right: str, wrong: str) -> str | None:
    """A text with what is meant in the place of what was wrong; None where it is not clear which part that is."""
    if wrong:
        at = content.casefold().find(wrong.casefold())
        return f"{content[:at]}{right}{content[at + len(wrong) :]}" if at >= 0 else None
    meant = [value for value in values(right) if value.kind in _VALUES]
    kind = meant[0].kind if meant else ""
    now, there = _stretches(right, kind), _stretches(content, kind)
    if len(now) != 1 or len(there) != 1 or len(frame_words(right)) > len(meant) + 3:
        return None
    (start, end), (begin, stop) = there[0], now[0]
    return f"{content[:start]}{right[begin:stop]}{content[end:]}"


def _stretches(text: str, kind: str) -> list[tuple[int, int]]:
    """Where values of a kind stand in a text; those with nothing but marks between them are one, as in 555 1234."""
    found: list[tuple[int, int]] = []
    for value in values(text):
        if value.kind != kind:
            continue
        if found and not any(map(str.isalnum, text[found[-1][1] : value.start])):
            found[-1] = (found[-1][0], max(found[-1][1], value.end))
        else:
            found.append((value.start, value.end))
    return found


def _wrong(records: Sequence[MemoryRecord], last: Sequence[MemoryRecord], answered: str) -> Granted:
    """What is called wrong: the one record that the assistant just repeated, else the one thing said right before.

    Where the assistant spoke of something else since then, that is what is wrong.
    """
    repeated = [record for record in records if _repeats(answered, record.content)]
    about, own = content_terms(answered), [*last]
    near = [record for record in own if about & content_terms(record.content)]
    meant = repeated or (near if len(about) > _ACKNOWLEDGED else own)
    if len(meant) == 1:
        return Granted(forgotten=tuple(meant))
    candidates = tuple((meant or own)[:_MOST_CANDIDATES])
    return Granted(candidates=candidates, is_idle=not candidates)


def _repeats(answered: str, content: str) -> bool:
    """Whether a sentence of an answer has all words of content of a record."""
    terms = content_terms(content)
    return len(terms) > 1 and any(terms <= content_terms(sentence) for sentence in sentences(answered))


def _stands_in(words: Sequence[str], text: Sequence[str]) -> bool:
    """Whether some words stand one behind the other in a text."""
    many = len(words)
    return many > 0 and any(text[at : at + many] == words for at in range(len(text) - many + 1))
