"""What a statement claims, stripped of its wording: the attribute, whom it is of, and nothing else.

Two claims answer one question when attribute and everything that narrows it down are the same; how it is said ("holds",
"can store", "has a capacity of") does not count. Stricter than it looks: one word more on one side ("in Europe", "for
children", "the northern section") and they are two questions.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from amb_core.agents.attribute_words import CLASS_NOUNS, EXCLUSIVE, LASTING, LISTED, ONCE, RECURRING
from amb_core.agents.claim_words import (
    ANY_PHRASE,
    BY_UNIT,
    FLIPPED,
    FUNCTIONAL,
    IMPLIED,
    LIGHT,
    MONEY,
    PHRASES,
    RATES,
    SITES,
    STATUS_MARKERS,
)
from amb_core.agents.quantities import Slot, compare, equal
from amb_core.agents.statements import Statement
from amb_core.text import index_tokens

__all__ = ["Claim", "claim_of", "claims_differ", "claims_meet"]

_TENSES = frozenset(("<past>", "<present>"))
_MOST = frozenset("max maximum top peak".split())
_KINDS = frozenset(
    "film movi book novel album song drug vaccin medicin painter compos novelist poet scientist architect actor "
    "actress singer writer author politician servic librari tool app ferri ship train telescop compil databas startup "
    "compani firm magazin newspap".split()
)
# What kind of institution or place a name of several words may leave out ("Marlowe General").
_PLACES = frozenset(
    "hospit clinic univers colleg school museum librari airport station plant power bridg tunnel dam reservoir port "
    "harbour factori mine observatori institut theatr stadium hotel park bank shipyard refineri centr center "
    "laboratori".split()
)
_ANY_KIND = _KINDS | _PLACES
_LIGHT_MARKERS = frozenset("currently now".split())
_SITE_PREPOSITIONS = frozenset("in at from near on of region : ".split()) | {""}
_LIVING = frozenset("live resid".split())
_MOST_EXTRAS = 4


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement by what it is about: `concepts` (attributes), `rest` (all other words that count), `subjects` (the
    words of each name of its subject), `rates` ("a year") and `markers` ("former", "maximum")."""

    statement: Statement
    kind: str
    unit: str
    concepts: frozenset[str]
    rest: frozenset[str]
    subjects: tuple[frozenset[str], ...]
    rates: frozenset[str]
    markers: frozenset[str]
    said: bool

    @property
    def keys(self) -> frozenset[Hashable]:
        """Claims that share none of these do not answer one question."""
        question = (self.kind, self.unit, self.concepts)
        found: set[Hashable] = {(*question, self.rates, (words | self.rest) - _ANY_KIND) for words in self.subjects}
        if self.kind == "date" and self.concepts & ONCE:
            found.update((*question, words - CLASS_NOUNS - _PLACES) for words in self.subjects)
        return frozenset(found)


def claim_of(statement: Statement) -> Claim | None:
    """The claim of an English statement; None for one that claims nothing that can be held against another."""
    named = _subject_names(statement)
    if statement.chinese or not named:
        return None
    unit = statement.slot.unit if statement.slot is not None else "status"
    tokens = statement.head | statement.frame
    if statement.pointing == "none":
        tokens |= statement.within.head
    if statement.slot is not None and statement.before == "director":
        tokens = frozenset(token.removeprefix("+") for token in tokens)
    concepts, rest = _sorted_out(tokens, unit, _phrases(statement.wording))
    rates = _rates(statement.wording)
    rest -= _rate_words(statement.wording)
    said = statement.polarity
    if statement.kind == "polarity":
        concepts, rest, said = _flipped(concepts, rest, said)
    subjects = tuple(sorted(map(_name_words, named), key=sorted))
    if statement.pointing in ("definite", "pronoun") and statement.topics:
        rest -= CLASS_NOUNS | (statement.head & _PLACES)
    markers = frozenset("@max" if word in _MOST else word for word in statement.markers)
    if markers & {"@max"} or "@max" in concepts:
        markers, concepts = markers - {"@max"}, concepts | {"@max"}
    if statement.kind == "polarity":
        markers -= STATUS_MARKERS
    if not concepts and not rest - frozenset().union(*subjects) and unit in IMPLIED:
        concepts = frozenset([IMPLIED[unit]])
    return Claim(statement, statement.kind, unit, concepts, rest, subjects, rates, markers - _LIGHT_MARKERS, said)


def claims_differ(a: Claim, b: Claim) -> bool:
    """Whether both answer one question, and differently."""
    if a.kind == "polarity":
        return a.said != b.said and bool(a.concepts or a.rest) and claims_meet(a, b)
    return a.said == b.said and claims_meet(a, b) and _values_differ(a, b)


def claims_meet(a: Claim, b: Claim) -> bool:
    """Whether both answer one question, whatever they answer."""
    if a.kind != b.kind or a.unit != b.unit or a.concepts != b.concepts or a.rates != b.rates:
        return False
    if not (_same_time(a, b) and _same_others(a.statement.others, b.statement.others)):
        return False
    if a.kind == "name":
        return _one_name_only(a, b) and _same_matter(a, b)
    if a.kind == "date" and a.unit != "time of day" and not _same_event(a, b):
        return False
    return _same_matter(a, b)


def _subject_names(statement: Statement) -> list[str]:
    """Folded names of whom a statement is about; the only name in it where nothing else says so."""
    if statement.subjects and statement.pointing not in ("personal", "indefinite"):
        return sorted(statement.subjects)
    inside = [token[1:] for token in statement.frame if token[0] == "="]
    if statement.subjects or len(inside) != 1 or statement.pointing not in ("bare", "none", "definite", "indefinite"):
        return []
    living = statement.pointing == "indefinite" and not (statement.words & _LIVING and not statement.head)
    return [] if living else inside


# --- making one ------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=8_192)
def _phrases(wording: str) -> tuple[frozenset[str], frozenset[str]]:
    """Concepts that several words name together, and the tokens of those words."""
    if not ANY_PHRASE.search(wording):
        return frozenset(), frozenset()
    found = [(concept, tokens) for pattern, concept, tokens in PHRASES if pattern.search(wording)]
    return frozenset(concept for concept, _ in found if concept), frozenset().union(*(tokens for _, tokens in found))


def _sorted_out(
    tokens: Iterable[str], unit: str, phrases: tuple[frozenset[str], frozenset[str]]
) -> tuple[frozenset[str], frozenset[str]]:
    """(concepts, words that narrow them down)."""
    meanings = BY_UNIT.get("money" if unit in MONEY else unit, {})
    concepts, rest = set(phrases[0]), set[str]()
    for token in tokens:
        if token in phrases[1]:
            continue
        token = meanings.get(token, BY_UNIT[""].get(token, token))
        if token[:1] == "@":
            concepts.add(token)
        elif token[:1] == "=":
            rest |= _name_words(token[1:])
        elif token and token not in LIGHT:
            rest.add(token)
    return frozenset(concepts), frozenset(rest)


@lru_cache(maxsize=8_192)
def _name_words(key: str) -> frozenset[str]:
    return frozenset(index_tokens(key))


@lru_cache(maxsize=8_192)
def _rates(wording: str) -> frozenset[str]:
    found = (next(filter(None, match.groups())).lower() for match in RATES.finditer(wording))
    return frozenset({"nnual": "year", "dai": "day"}.get(rate, rate) for rate in found)


@lru_cache(maxsize=8_192)
def _rate_words(wording: str) -> frozenset[str]:
    return frozenset(word for match in RATES.finditer(wording) for word in index_tokens(match.group()))


def _flipped(concepts: frozenset[str], rest: frozenset[str], said: bool) -> tuple[frozenset[str], frozenset[str], bool]:
    for word in sorted(rest & FLIPPED.keys()):
        said = not said
        turned = FLIPPED[word]
        rest -= {word}
        if turned[0] == "@":
            concepts |= {turned}
        else:
            rest |= {turned}
    return concepts, rest, said


# --- holding two against each other ----------------------------------------------------------------------------------


def _values_differ(a: Claim, b: Claim) -> bool:
    left, right = a.statement.slot, b.statement.slot
    return left is not None and right is not None and compare(left, right) == "different"


def _same_time(a: Claim, b: Claim) -> bool:
    lasting = bool(a.concepts & LASTING) and a.kind != "polarity"
    different = a.markers ^ b.markers
    if different - _TENSES or (len(different) > 1 and not lasting and a.kind != "polarity"):
        return False
    if a.kind == "polarity" and different and not lasting:
        return False
    x, y = a.statement.scope, b.statement.scope
    if x and y:
        return _matched(x, y) or _matched(y, x)
    return lasting or not (x or y or a.statement.within.of_other_year(b.statement.within))


def _narrowed(a: Claim, b: Claim) -> bool:
    """Whether one side names somebody else too, or a part of the subject ("the second edition of X")."""
    one, other = a.statement, b.statement
    names = {token for token in one.frame ^ other.frame if token[0] == "="}
    if a.concepts == {"@founded"} and not (_named_in(one) and _named_in(other)):
        # "founded by the physician Ada Kerr": who or where beside when
        names = set()
    return bool(names) or bool((one.head ^ other.head) - CLASS_NOUNS) or "none" in (one.pointing, other.pointing)


def _named_in(statement: Statement) -> bool:
    return any(token[0] == "=" for token in statement.frame)


def _alike(a: frozenset[str], b: frozenset[str]) -> bool:
    """Whether the words are the same; one side may say what kind of thing it is ("the drug Tirelan")."""
    extra_a, extra_b = a - b, b - a
    return not (extra_a and extra_b) and (extra_a | extra_b) <= _KINDS


def _one_name(x: frozenset[str], y: frozenset[str]) -> bool:
    """Whether one is the other without its kind: "Marlowe General", but not the town of "Riverton" for its museum."""
    shorter, longer = (x, y) if len(x) < len(y) else (y, x)
    extra = longer - shorter
    return shorter < longer and (extra <= _KINDS or (extra <= _PLACES and len(shorter - _PLACES) > 1))


def _matched(a: Sequence[Slot], b: Sequence[Slot]) -> bool:
    # a quarter is no year: what holds of the part is not said of the whole
    return all(any((x.unit, x.low, x.high) == (y.unit, y.low, y.high) for y in b) for x in a)


def _same_others(a: Sequence[Slot], b: Sequence[Slot]) -> bool:
    if len(a) != len(b):
        return False
    left, right = (sorted(slots, key=lambda slot: (slot.unit, slot.low)) for slots in (a, b))
    return all(x.unit == y.unit and equal(x, y) for x, y in zip(left, right, strict=True))


def _same_event(a: Claim, b: Claim) -> bool:
    return bool(a.concepts & ONCE) and a.rest.isdisjoint(RECURRING) and b.rest.isdisjoint(RECURRING)


def _one_name_only(a: Claim, b: Claim) -> bool:
    """Whether only one name can stand here: it is led by X, it is hosted in X."""
    told = (a.concepts | a.rest) & FUNCTIONAL
    if not told or (a.rest | b.rest) & LISTED:
        return False
    if told <= SITES:
        return {a.statement.before, b.statement.before} <= _SITE_PREPOSITIONS
    return True


def _same_matter(a: Claim, b: Claim) -> bool:
    once = a.kind == "date" and bool(a.concepts & ONCE)
    return any(_fits(a, x, b, y, once=once) for x in a.subjects for y in b.subjects)


def _fits(a: Claim, x: frozenset[str], b: Claim, y: frozenset[str], *, once: bool) -> bool:
    """Whether subject and other words are the same on both sides, wherever the border between them lies."""
    if x.isdisjoint(y | b.rest) or y.isdisjoint(x | a.rest):
        return False
    left, right = x | a.rest, y | b.rest
    if _alike(left, right) or (_one_name(left, right) and len((x & y) - _PLACES) > 1):
        return bool(a.concepts) or bool(a.rest - x) or bool(b.rest - y) or a.unit in MONEY
    if not once or (x != y and not _one_name(x, y)) or _narrowed(a, b):
        return False
    extra_a, extra_b = left - right, right - left
    if any(word[0] in "#+" or word in EXCLUSIVE for word in extra_a | extra_b):
        return False
    return max(len(extra_a), len(extra_b)) <= _MOST_EXTRAS
