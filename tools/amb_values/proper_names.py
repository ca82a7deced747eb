"""Proper names a text mentions."""

import re
from collections.abc import Iterator, Sequence, Set
from itertools import chain

from amb_core.text.english_vocabulary import ENGLISH, word_set
from amb_core.text.pure_cache import remembered, text_cache
from amb_values.capital_runs import NamePart, capital_runs, starts_sentence
from amb_values.chinese_names import chinese_entities
from amb_values.common_words import is_common, is_opener
from amb_values.english_data import is_date_like
from amb_values.names import Entity
from amb_values.units import UNIT_SYMBOLS

__all__ = ["core_names", "entities"]

_QUOTED = re.compile(r"(?<!\")[\"“„]([^\"“”„\n]{2,80})[\"”]|(?<!\w)[‘']([A-Z][^‘’'\n]{1,60})[’'](?!\w)")
_ANY_QUOTE = re.compile("[\"“„‘']")
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
_HEAD_NOUNS = word_set(
    "season team album song film series station language family election elections festival river county dynasty war massacre",
    "scandal discography filmography episode conference tournament championship championships airport attack attacks bombing",
    "crisis earthquake hurricane disaster murders case affair region district province mythology people tribe culture theorem",
    "equation algorithm method effect syndrome disease virus project model dataset protocol",
)
_HEAD_NOUN = re.compile(rf" (?:[a-z]{{2,15}} ){{0,2}}(?:{'|'.join(sorted(_HEAD_NOUNS))})\b")
_VERB_FORM = re.compile(r"[a-z]{3,}(?:ing|ed)$")
_NO_VERBS = word_set("Beijing Nanjing Boeing Wyoming Sterling Browning Channing Fleming Harding Golding Kipling Ahmed")
_NO_VERBS |= word_set("Mohammed Alfred Wilfred Winifred Manfred Mohamed Hamed Saeed Waheed")
_SMALL_WORD = re.compile(r"\b[a-z]+\b")
_NEVER_AT_END = frozenset(("tight", "loose", "owner"))
_MAX_WORDS = 9

_Place = tuple[int, int]
"""Where a mention starts and ends."""


_is_date_like = text_cache(most=16_384)(is_date_like)


def _piece(parts: Sequence[NamePart]) -> _Place | None:
    """The mention from the first to the last part that may stand at an end of a name."""
    first, last = 0, len(parts)
    while first < last and parts[first].kind in _NEVER_AT_END:
        first += 1
    while last > first and parts[last - 1].kind in _NEVER_AT_END:
        last -= 1
    for part in parts[first:last]:
        if part.kind == "word":
            return parts[first].start, parts[last - 1].end
    return None


def _split(parts: Sequence[NamePart], kind: str) -> list[Sequence[NamePart]]:
    """The stretches between parts of a kind."""
    stretches: list[Sequence[NamePart]] = []
    begin = 0
    for index, part in enumerate(parts):
        if part.kind == kind:
            if begin < index:
                stretches.append(parts[begin:index])
            begin = index + 1
    if begin < len(parts):
        stretches.append(parts[begin:])
    return stretches


def _stripped(parts: Sequence[NamePart], *, initial: bool) -> Sequence[NamePart]:
    """Without the words before the name that only a sentence start or a heading capitalises."""
    while len(parts) > 1 and initial and is_opener(parts[0].word):
        parts = parts[1:]
        while len(parts) > 1 and parts[0].kind in ("tight", "loose"):
            parts = parts[1:]
    return parts


def _variants(text: str, parts: Sequence[NamePart], *, initial: bool) -> Iterator[tuple[_Place | None, bool]]:
    """The stretches between loose connectors, joined stretches, and the names inside a stretch."""
    segments = _split(parts, "loose")
    for index, segment in enumerate(segments):
        yield _piece(segment), True
        if len(segment) > 1:
            yield from ((piece, False) for piece in _inner(text, segment, initial=initial and index == 0))
    if segments and len(segments[0]) == 1 and is_common(segments[0][0].word):
        segments = segments[1:]
    for width in range(2, min(4, len(segments)) + 1):
        for begin in range(len(segments) - width + 1):
            first, last = segments[begin][0], segments[begin + width - 1][-1]
            chosen = [part for part in parts if first.start <= part.start and part.end <= last.end]
            if len(chosen) <= _MAX_WORDS:
                yield _piece(chosen), False


def _inner(text: str, segment: Sequence[NamePart], *, initial: bool) -> Iterator[_Place | None]:
    """Names inside one tight stretch: after a rank, on both sides of "of" and "'s", without a number at an end."""
    last = len(segment) - 1
    for index, part in enumerate(segment):
        if part.kind == "owner":
            yield _piece(segment[:index])
            yield _piece(segment[index + 1 :])
        elif part.word == "of":
            for side in (segment[:index], segment[index + 1 :]):
                if sum(other.kind == "word" and other.word != "The" for other in side) > 1:
                    yield _piece(side)
        elif index < last and part.kind == "word" and part.word.lower().rstrip(".") in _ROLES:
            yield _piece(segment[index + 1 :])
    if segment[-1].kind == "number":
        yield _piece(segment[:-1])
    if (
        last > 0
        and (segment[0].kind == "number" or (initial and is_common(segment[0].word)))
        and (last > 1 or not is_common(segment[1].word))
    ):
        yield _piece(segment[1:])


def _extended(text: str, place: _Place, *, heads: bool) -> Iterator[_Place]:
    """The mention together with the rank or lower-case head noun (if the text has `heads`) that follows it."""
    start, end = place
    if text.startswith(", ", end):
        if rank := _TITLE_OF.match(text, end):
            yield start, rank.end()
    elif heads and (head := _HEAD_NOUN.match(text, end)) and ENGLISH.isdisjoint(head.group().split()):
        yield start, head.end()


def _is_shouting(parts: Sequence[NamePart]) -> bool:
    """True for a run of a text written in capitals throughout, where capitals say nothing."""
    words = [part.word for part in parts if part.kind == "word"]
    return len(words) > 3 and all(word.isupper() for word in words) and any(is_opener(word) for word in words)


def _is_plain_word(name: str, *, at_start: bool, inside: Set[str], small: Set[str]) -> bool:
    """True when the capital is due to the start of a sentence only: the word is common, or written `small` elsewhere."""
    if " " in name:
        return False
    if is_opener(name):
        return True
    if not at_start or name in inside:
        return False
    return is_common(name) or name.lower() in small or (_VERB_FORM.search(name) is not None and name not in _NO_VERBS)


def _english(text: str) -> Iterator[tuple[_Place, bool]]:
    """Mentions with whether each is one name by itself: not several joined by "in" or "and", not part of a longer one."""
    runs = [(parts, starts_sentence(text, parts[0].start)) for parts in capital_runs(text)]
    if not runs:
        return
    inside: set[str] = set()
    for parts, initial in runs:
        if len(parts) > initial:
            inside.update([part.word for part in (parts[1:] if initial else parts)])
    small = frozenset(_SMALL_WORD.findall(text))
    heads = not small.isdisjoint(_HEAD_NOUNS)
    for parts, initial in runs:
        if len(parts) > 3 and _is_shouting(parts):
            continue
        run = _stripped(parts, initial=initial)
        found = [((run[0].start, run[0].end), True)] if len(run) == 1 else _variants(text, run, initial=initial)
        for place, core in found:
            if place is None:
                continue
            start, end = place
            name = text[start:end]
            if _is_date_like(name) or (name in UNIT_SYMBOLS and text[max(0, start - 2) : start - 1].isdigit()):
                continue
            if not _is_plain_word(name, at_start=initial and start == parts[0].start, inside=inside, small=small):
                yield place, core
                if heads or text.startswith(", ", end):
                    yield from ((longer, False) for longer in _extended(text, place, heads=heads))


def _quoted(text: str) -> Iterator[_Place]:
    """Quoted titles: most of their longer words are capitalised."""
    for match in _QUOTED.finditer(text) if _ANY_QUOTE.search(text) else ():
        group = 1 if match[1] else 2
        name = match[group].rstrip(",.")
        words = [word for word in name.split() if len(word) > 3] or name.split()
        if 0 < len(name.split()) <= _MAX_WORDS and 2 * sum(word[0].isupper() for word in words) >= len(words):
            yield match.start(group), match.start(group) + len(name)


@remembered(most=64, longest=20_000)
def _find(text: str) -> tuple[tuple[Entity, ...], tuple[Entity, ...]]:
    """All mentions in order, and those of them that are names by themselves and do not overlap."""
    places: dict[_Place, bool] = {}
    chinese = ((entity.start, entity.end) for entity in chinese_entities(text))
    for (start, end), alone in chain(_english(text), ((place, True) for place in chain(_quoted(text), chinese))):
        if end - start > 1:
            key = (start, -end)
            places[key] = alone or places.get(key, False)
    found: list[Entity] = []
    kept: list[Entity] = []
    for start, behind in sorted(places):
        found.append(entity := Entity(text[start:-behind], start, -behind))
        if places[start, behind] and (not kept or start >= kept[-1].end):
            kept.append(entity)
    return tuple(found), tuple(kept)


def entities(text: str) -> tuple[Entity, ...]:
    """Names mentioned in running text, in order of appearance; a long name comes before the shorter ones inside it."""
    return _find(text)[0]


def core_names(text: str) -> tuple[Entity, ...]:
    """Names that do not overlap: "Ada Lovelace in London" gives two, though `entities` has the whole as well."""
    return _find(text)[1]
