"""Whom the clauses of a text are about: names, and the pronouns and nouns that point to what the text is about."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from amb_core.agents.attribute_words import CLASS_OPENERS
from amb_core.agents.clauses import Clause, Reference, frame_tokens
from amb_core.agents.document_titles import entity_of, is_headline, is_section, years_of
from amb_core.agents.readings import Reading
from amb_core.text import about, name_key

__all__ = ["NOBODY", "Subject", "Topic", "subjects_of", "topic_of"]

_CJK = re.compile(r"[\u3400-\u9fff]")
_LATIN_WORD = re.compile(r"[A-Za-z]+")
_PERSON = re.compile(
    r"\((?:[^()]*\b)?(?:born|b\.|n[ée]e|died|\d{4}\s?[–-])|\bwas born\b|\b(?:is|was) (?:an?|the) (?:[\w-]+ ){0,5}?"
    r"(?:\w+(?:ist|ian|ster)|actor|actress|singer|writer|author|poet|player|footballer|cricketer|painter|composer"
    r"|director|"
    r"producer|lawyer|soldier|officer|general|king|queen|emperor|president|minister|bishop|priest|professor|teacher"
    r"|engineer|"
    r"inventor|explorer|model|dancer|rapper|driver|boxer|swimmer|runner|skater|coach|man|woman|boy|girl|nurse|doctor)\b"
)
_PERSON_PRONOUNS = frozenset("he she his her".split())
_NOT_A_NAME = frozenset(
    "he she it they we i you this that these those there the a an his her its their in on at as after before when "
    "while which who what one some many most all however although".split()
)
_LOWER_WORD = re.compile(r"\b[a-z]{4,}")
_ZH_NO_NAME = re.compile(r"\d{3,4}年|开始|之后|以后|其中|由于|于\d|[他她它该此]")
_OWNED = re.compile(r"['’]s? (?=[a-z])")
_PART_OF = re.compile(r"(?:[Tt]he |[Aa]n? )?(?:[a-z-]+ ){1,4}of (?:the )?(?=[A-Z])")
_SHORTEST_TITLE = 4
_LONGEST_HEADLINE = 120
_FEWEST_MENTIONS = 2
_END_OF_CLASS = re.compile(r"[,.;(]| (?:in|of|by|that|which|who|on|at|from) ")


@dataclass(frozen=True, slots=True)
class Topic:
    """What a text is about: its name, the folded keys of it and its aliases, and what kind of thing it is.

    `names` are all names as written, longest first, `class_words` the nouns it is called by ("the bridge"), `years`
    those its title names: of a report, the years it is on.
    """

    name: str
    keys: frozenset[str]
    names: tuple[str, ...]
    is_person: bool
    class_words: frozenset[str]
    years: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom one clause is about; `head` are the words beside the name, `named` says that the name stands in it."""

    name: str
    keys: frozenset[str]
    head: frozenset[str] = frozenset()
    named: bool = False


NOBODY = Subject("", frozenset())


def topic_of(text: str, reading: Reading, *, given: str = "") -> Topic:
    """The topic of a text; `given` names it where its own words do not."""
    # a lone sentence has a subject but does not tell what a text is about
    told = _things(text, reading, given) if len(reading.spans) > 1 else []
    names = [name for name in map(_core, told) if _is_name(name)]
    path = _path(given, text) if given else ""
    if path and not names and _is_name(whole := entity_of(path)):
        names = [whole]
    opening = _opening(text, reading.spans)
    pairs = [(name, name_key(name)) for name in names]
    # a title that the first sentences do not take up may name the document rather than the thing
    taken_up = [pair for pair in pairs if pair[1] in name_key(opening)] or pairs
    first = taken_up[0] if taken_up else ("", "")
    same = [pair for pair in taken_up if pair[1] == first[1] or _alike(pair[1], first[1])]
    return Topic(
        name=first[0],
        keys=frozenset(key for _, key in same),
        names=tuple(sorted((name for name, _ in same), key=len, reverse=True)),
        is_person=bool(_PERSON.search(opening)),
        class_words=_class_words(opening) | frame_tokens(_LATIN_WORD.findall(first[0])),
        years=years_of(path, *reading.about[:1]),
    )


def _things(text: str, reading: Reading, given: str) -> Sequence[str]:
    """The names a text is about, without what only says what kind of document or which part of one it is."""
    if not reading.about:
        return ()
    title = reading.about[0]
    if "|" in title:
        # the first row of a table
        return ()
    if given and (is_section(title) or _is_inner(title, given, text)):
        # a part of a document is about what the document is about
        return ()
    # a title that the text uses as a name is one ("About Schmidt")
    things = [name if text.count(name) > 1 else entity_of(name) for name in reading.about]
    if things[0] == title and is_headline(title) and text.count(title) == 1:
        return _most_named(reading) or _first_told(text) or things
    return things


def _path(given: str, text: str) -> str:
    """The headings a text stands under, without sections and without what it says itself."""
    colon = "：" if "：" in given else ": "
    parts = given.split(colon)
    while len(parts) > 1 and (is_section(parts[-1]) or parts[-1].rstrip("… ") in text):
        parts.pop()
    path = colon.join(parts)
    # keywords are no heading
    return "" if path != given and any(mark in entity_of(path) for mark in ",、") else path


def _is_inner(title: str, given: str, text: str) -> bool:
    """Whether a title is a heading under others, and no name that its text uses."""
    if not given.endswith(title) or len(given) - len(title) < _SHORTEST_TITLE or text.count(title) > 1:
        return False
    return given[: -len(title)].rstrip()[-1] in ":：" and not any("0" <= char <= "9" for char in title)


def _first_told(text: str) -> list[str]:
    """Whom the first paragraph of a news item is about, below its title, date and author."""
    story = next((line for line in text.splitlines()[1:] if len(line) > _LONGEST_HEADLINE), "")
    return [name for name in about(story)[:1] if " " in name and name in story]


def _most_named(reading: Reading) -> list[str]:
    """The one name a text uses more often than any other."""
    names = Counter(value.surface for value in reading.values if value.kind == "name").most_common(2)
    if not names or names[0][1] < _FEWEST_MENTIONS or (len(names) > 1 and names[1][1] == names[0][1]):
        return []
    return [names[0][0]]


def _opening(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The first sentence, with a title before it."""
    if not spans:
        return ""
    end = spans[0][1]
    if len(spans) > 1 and end < 80 and not CLASS_OPENERS.search(text[:end]):
        end = spans[1][1]
    return text[:end]


def _class_words(opening: str) -> frozenset[str]:
    found = CLASS_OPENERS.search(opening)
    if found is None:
        return frozenset()
    return frame_tokens(_LATIN_WORD.findall(_END_OF_CLASS.split(opening[found.end() :])[0]))


def _core(name: str) -> str:
    """The name inside "X's height" and "the height of X"."""
    name = _OWNED.split(name)[0]
    found = _PART_OF.match(name)
    return name[found.end() :] if found else name


def _is_name(name: str) -> bool:
    if _CJK.search(name) and (len(name) > 16 or _ZH_NO_NAME.search(name)):
        return False
    words = name_key(name).split()
    if not words or len(words) > 10 or len(name) > 60:
        return False
    # a title may begin with any word, a phrase may not
    return words[0] not in _NOT_A_NAME or (len(words) > 2 and not _LOWER_WORD.search(name))


def _alike(a: str, b: str) -> bool:
    return not set(a.split()).isdisjoint(b.split()) or a in b or b in a


# --- clause by clause ------------------------------------------------------------------------------------------------


def subjects_of(clauses: Sequence[Clause], topic: Topic, current: Subject) -> list[Subject | None]:
    """One subject per clause; None for clauses of a speaker about themselves.

    `current` is whom the sentence before was about; a clause without a subject takes over that of its sentence.
    """
    found = [_subject(clause, topic, current) for clause in clauses]
    whole = Subject(topic.name, topic.keys)
    lead = next((subject for subject in found if subject is not None and subject.keys), whole)
    return [
        Subject(lead.name, lead.keys, subject.head, lead.named)
        if subject is not None and clause.reference.kind == "none"
        else subject
        for subject, clause in zip(found, clauses, strict=True)
    ]


def _subject(clause: Clause, topic: Topic, current: Subject) -> Subject | None:
    reference = clause.reference
    match reference.kind:
        case "personal":
            return None
        case "named":
            return _named(reference, clause, topic)
        case "about":
            return Subject(topic.name, topic.keys, clause.head, named=True)
        case "pronoun":
            return _pronoun(reference, clause.head - topic.class_words, topic, current)
        case "definite":
            return Subject(topic.name, topic.keys, clause.head - topic.class_words)
        case "bare":
            return Subject(topic.name, topic.keys, clause.head)
    return Subject("", frozenset(), clause.head)


def _named(reference: Reference, clause: Clause, topic: Topic) -> Subject:
    if reference.slot is None:
        return NOBODY
    keys = reference.slot.keys
    # "Curie" in a text about Marie Curie
    if any(
        key == known or known.endswith(f" {key}") or known.startswith(f"{key} ") for key in keys for known in topic.keys
    ):
        return Subject(topic.name, topic.keys, clause.head - topic.class_words, named=True)
    if len(keys) > 1:
        # several named together are one subject, other than each of them
        keys = frozenset(["|".join(sorted(keys))])
    return Subject(reference.slot.surface, keys, clause.head, named=True)


def _pronoun(reference: Reference, head: frozenset[str], topic: Topic, current: Subject) -> Subject:
    person = reference.word in _PERSON_PRONOUNS
    if person and not topic.is_person:
        # somebody this text calls so: the same in another text on the same topic
        return Subject("", frozenset(f"{reference.word} of {key}" for key in topic.keys), head)
    if reference.word in ("it", "its") and topic.is_person and current.keys == topic.keys:
        return NOBODY
    if current.keys and not person:
        return Subject(current.name, current.keys, head)
    return Subject(topic.name, topic.keys, head)
