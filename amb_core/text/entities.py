"""Proper names a text mentions."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from amb_core.text.chinese_names import chinese_entities
from amb_core.text.common_words import is_common, is_opener
from amb_core.text.names import Entity, NamePart, capital_runs, starts_sentence
from amb_core.text.places import REGIONS
from amb_core.text.stopwords import word_set

__all__ = ["entities"]

_CALENDAR = word_set(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august",
    "september october november december mon tue wed thu fri sat sun jan feb mar apr jun jul aug sep sept oct nov",
    "dec am pm ad bc bce ce utc gmt i ok",
)
_QUOTED = re.compile(r"[\"“„]([^\"“”„\n]{2,80})[\"”]|(?<!\w)[‘']([A-Z][^‘’'\n]{1,60})[’'](?!\w)")
_REGION = re.compile(r",? ((?:[A-Z][\w.]+ ?){1,4})")
_RANKS = "Earl|Duke|Count|Countess|Duchess|King|Queen|Prince|Princess|Baron|Lord|Marquess|Viscount|Baronet"
_TITLE_OF = re.compile(rf", (?:\d+(?:st|nd|rd|th) )?(?:{_RANKS}) (?:of (?:the )?)?[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?")
_ROLES = word_set(
    "president senator governor director captain constable detective sergeant lieutenant colonel general major",
    "admiral commander king queen prince princess sir dame lord lady dr prof professor mr mrs ms minister",
    "chancellor mayor judge justice bishop archbishop cardinal pope saint coach actor actress singer rapper author",
    "writer poet composer producer guitarist drummer bassist ceo chairman chairwoman founder representative",
    "congressman secretary ambassador reverend rev sen gov gen col capt sgt lt father mother sister brother uncle",
    "aunt",
)
_HEAD_NOUN = re.compile(
    r" (?:[a-z]{2,15} ){0,2}(?:season|team|album|song|film|series|station|language|family|election|elections|festival|river|county|"
    r"dynasty|war|massacre|scandal|discography|filmography|episode|conference|tournament|championship|championships|airport|"
    r"attack|attacks|bombing|crisis|earthquake|hurricane|disaster|murders|case|affair|region|district|province|mythology|"
    r"people|tribe|culture|theorem|equation|algorithm|method|effect|syndrome|disease|virus|project|model|dataset|protocol)\b"
)
_MAX_WORDS = 9


def _piece(text: str, parts: Sequence[NamePart]) -> Entity | None:
    """The mention from the first to the last part that may stand at an end of a name."""
    first, last = 0, len(parts)
    while first < last and parts[first].kind in ("tight", "loose", "owner"):
        first += 1
    while last > first and parts[last - 1].kind in ("tight", "loose", "owner"):
        last -= 1
    if first == last or not any(part.kind == "word" for part in parts[first:last]):
        return None
    start, end = parts[first].start, parts[last - 1].end
    return Entity(text[start:end], start, end)


def _split(parts: Sequence[NamePart], *kinds: str) -> list[Sequence[NamePart]]:
    """The stretches between parts of the given kinds."""
    stretches: list[Sequence[NamePart]] = []
    begin = 0
    for index, part in enumerate(parts):
        if part.kind in kinds:
            stretches.append(parts[begin:index])
            begin = index + 1
    stretches.append(parts[begin:])
    return [stretch for stretch in stretches if stretch]


def _stripped(parts: Sequence[NamePart], *, initial: bool) -> Sequence[NamePart]:
    """Without the words before the name that only a sentence start or a heading capitalises."""
    while len(parts) > 1 and initial and is_opener(parts[0].word):
        parts = parts[1:]
        while len(parts) > 1 and parts[0].kind in ("tight", "loose"):
            parts = parts[1:]
    return parts


def _variants(text: str, parts: Sequence[NamePart]) -> Iterator[Entity | None]:
    """The whole run, its stretches between loose connectors, and those without a title or number at the ends."""
    if len(parts) == 1:
        yield Entity(text[parts[0].start : parts[0].end], parts[0].start, parts[0].end)
        return
    segments = _split(parts, "loose")
    for width in range(1, min(4, len(segments)) + 1):
        for begin in range(len(segments) - width + 1):
            first, last = segments[begin][0], segments[begin + width - 1][-1]
            chosen = [part for part in parts if first.start <= part.start and part.end <= last.end]
            if len(chosen) <= _MAX_WORDS or width == 1:
                yield _piece(text, chosen)
    for segment in segments:
        yield from _inner(text, segment)


def _inner(text: str, segment: Sequence[NamePart]) -> Iterator[Entity | None]:
    """Names inside one tight stretch: after a rank, on both sides of "of" and "'s", without a number at an end."""
    last = len(segment) - 1
    for index, part in enumerate(segment):
        if part.kind == "owner":
            yield _piece(text, segment[:index])
            yield _piece(text, segment[index + 1 :])
        elif part.word == "of":
            if index > 1:
                yield _piece(text, segment[:index])
            if last - index > 1:
                yield _piece(text, segment[index + 1 :])
        elif index < last and part.kind == "word" and part.word.lower().rstrip(".") in _ROLES:
            yield _piece(text, segment[index + 1 :])
    if segment[-1].kind == "number":
        yield _piece(text, segment[:-1])
    for count in (1, 2):
        if last > count and text[segment[0].start : segment[count - 1].end] in REGIONS:
            yield _piece(text, segment[count:])
    if last > 0 and (segment[0].kind == "number" or is_common(segment[0].word)):
        yield _piece(text, segment[1:])


def _is_date(name: str) -> bool:
    return all(word.lower() in _CALENDAR or word[0].isdigit() for word in re.split(r"[\s.,–-]+", name) if word)


def _extended(text: str, entity: Entity) -> Iterator[Entity]:
    """The mention together with the region, rank or lower-case head noun that follows it."""
    if text.startswith(", ", entity.end):
        rank = _TITLE_OF.match(text, entity.end)
        if rank:
            yield Entity(text[entity.start : rank.end()], entity.start, rank.end())
        region = _REGION.match(text, entity.end)
        if region:
            words = region[1].split()
            for count in range(min(3, len(words)), 0, -1):
                name = " ".join(words[:count]).rstrip(".")
                if name in REGIONS:
                    end = region.start(1) + len(name)
                    yield Entity(text[entity.start : end], entity.start, end)
                    break
    elif head := _HEAD_NOUN.match(text, entity.end):
        yield Entity(text[entity.start : head.end()], entity.start, head.end())


def _english(text: str) -> Iterator[Entity]:
    runs = [(parts, starts_sentence(text, parts[0].start)) for parts in capital_runs(text)]
    inside = {part.word for parts, initial in runs for part in (parts[1:] if initial else parts)}
    for parts, initial in runs:
        name = _stripped(parts, initial=initial)
        for entity in _variants(text, name):
            if entity is None or _is_date(entity.name):
                continue
            at_start = initial and entity.start == parts[0].start
            if at_start and " " not in entity.name and is_common(entity.name) and entity.name not in inside:
                continue
            if " " not in entity.name and is_opener(entity.name):
                continue
            yield entity
            yield from _extended(text, entity)


def _quoted(text: str) -> Iterator[Entity]:
    for match in _QUOTED.finditer(text):
        group = 1 if match[1] else 2
        name = match[group].rstrip(",.")
        if any(char.isupper() for char in name) and len(name.split()) <= _MAX_WORDS:
            yield Entity(name, match.start(group), match.start(group) + len(name))


def _find(text: str) -> tuple[Entity, ...]:
    found = {
        (entity.start, -entity.end): entity for entity in (*_english(text), *_quoted(text), *chinese_entities(text))
    }
    return tuple(found[key] for key in sorted(found) if len(found[key].name) > 1)


_remembered = lru_cache(maxsize=64)(_find)
_REMEMBERED_CHARS = 20_000


def entities(text: str) -> tuple[Entity, ...]:
    """Names mentioned in running text, in order of appearance; a long name comes before the shorter ones inside it."""
    return _remembered(text) if len(text) <= _REMEMBERED_CHARS else _find(text)
