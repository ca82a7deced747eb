"""Contradictions between two texts: one question answered in two ways, or the same thing said and denied."""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Literal

from amb_core.agents.alignment import agrees, differs, is_adrift, may_align, opposed, same_question, topics_agree
from amb_core.agents.chinese_claims import ChineseClaim, chinese_claim_of, chinese_claims_differ
from amb_core.agents.claims import Claim, claim_of, claims_differ
from amb_core.agents.quantities import Slot
from amb_core.agents.statements import Statement, statements
from amb_core.agents.swaps import swapped

__all__ = ["Contradiction", "contradictions"]

_CACHED_TEXTS = 4_096
_SUBJECT_WORDS = 8
_ORDER = {"number": 0, "date": 0, "name": 1, "polarity": 2}


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Statement `a` of the first text and `b` of the second cannot both hold."""

    kind: Literal["number", "date", "name", "polarity"]
    a: Statement
    b: Statement

    @property
    def subject(self) -> str:
        """Whom or what the disagreement is about, with the attribute: a search query in the language of the texts."""
        name = self.a.subject or self.b.subject
        if self.a.chinese:
            return f"{name} {self.a.attribute}".strip()
        inside = {word.casefold() for word in name.split()}
        kept = [word for word in self.a.attribute.split() if word.casefold() not in inside]
        return " ".join([name, *kept[:_SUBJECT_WORDS]]).strip()

    @property
    def values(self) -> tuple[str, str]:
        """The two things said, as they stand in the texts."""
        return self.a.value, self.b.value


def contradictions(a: str, b: str, *, topics: tuple[str, str] = ("", "")) -> tuple[Contradiction, ...]:
    """What two texts contradict each other in, most certain first; () for texts that can both be true.

    `topics` name what each text is about where its own words do not.
    """
    left, right = _read(a, topics[0]), _read(b, topics[1])
    found: dict[tuple[int, int], Contradiction] = {}
    for x in left.sentences:
        for y in right.sentences:
            if x.text != y.text and not x.tokens.isdisjoint(y.tokens) and not _apart(x, y):
                pair = next((p for p in _between(x, y) if not _settled(p, left.sentences, right.sentences)), None)
                if pair is not None:
                    found[x.start, y.start] = pair
    for pair in _between_claims(left, right):
        place = pair.a.within.start, pair.b.within.start
        if place not in found and not _settled(pair, left.sentences, right.sentences):
            found[place] = pair
    return tuple(sorted(found.values(), key=lambda pair: (_ORDER[pair.kind], pair.a.span, pair.b.span)))


# --- what was read ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Sentence:
    """The statements of one sentence with its words; names are left out, they alone align nothing.

    `whom`: all that its statements are about, None where one of them does not say it in so many words.
    """

    text: str
    start: int
    tokens: frozenset[str]
    whom: frozenset[object] | None
    members: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class _Told:
    """What one text says: its sentences, and its claims by what they are about (`Claim.keys`)."""

    sentences: tuple[_Sentence, ...]
    claims: dict[Hashable, list[Claim]]
    chinese_claims: dict[Hashable, list[ChineseClaim]]


@lru_cache(maxsize=_CACHED_TEXTS)
def _read(text: str, topic: str) -> _Told:
    grouped: dict[int, list[Statement]] = defaultdict(list)
    claims: dict[Hashable, list[Claim]] = defaultdict(list)
    chinese: dict[Hashable, list[ChineseClaim]] = defaultdict(list)
    for statement in statements(text, topic=topic):
        grouped[statement.within.start].append(statement)
        if statement.chinese:
            if (said := chinese_claim_of(statement)) is not None:
                for key in said.keys:
                    chinese[key].append(said)
        elif (claim := claim_of(statement)) is not None:
            for key in claim.keys:
                claims[key].append(claim)
    return _Told(tuple(map(_sentence, grouped.values())), claims, chinese)


def _sentence(members: list[Statement]) -> _Sentence:
    tokens = frozenset(word for statement in members for word in statement.words if word[0] != "=")
    known = all(statement.named and statement.subjects for statement in members)
    whom = frozenset[object]().union(*(statement.identity for statement in members)) if known else None
    return _Sentence(members[0].sentence, members[0].within.start, tokens, whom, tuple(members))


# --- holding two against each other ----------------------------------------------------------------------------------


def _apart(x: _Sentence, y: _Sentence) -> bool:
    """Whether two sentences name whom they are about, and name nobody alike: then nothing in them aligns."""
    return x.whom is not None and y.whom is not None and x.whom.isdisjoint(y.whom)


def _between(x: _Sentence, y: _Sentence) -> Iterator[Contradiction]:
    """Contradictions of two sentences, the plainest first."""
    yield from _swap(x, y)
    for a in x.members:
        for b in y.members:
            if a.kind != b.kind or not may_align(a, b):
                continue
            if a.kind == "polarity":
                if opposed(a, b):
                    yield Contradiction("polarity", a, b)
            elif differs(a, b) and same_question(a, b):
                yield Contradiction(a.kind, a, b)


def _between_claims(left: _Told, right: _Told) -> Iterator[Contradiction]:
    """Contradictions between claims on one attribute, whatever the wording."""
    for key in [key for key in left.claims if key in right.claims]:
        for claim, other in product(left.claims[key], right.claims[key]):
            if claims_differ(claim, other):
                yield Contradiction(claim.statement.kind, claim.statement, other.statement)
    for key in [key for key in left.chinese_claims if key in right.chinese_claims]:
        for said, against in product(left.chinese_claims[key], right.chinese_claims[key]):
            if chinese_claims_differ(said, against):
                yield Contradiction(said.statement.kind, said.statement, against.statement)


def _swap(x: _Sentence, y: _Sentence) -> Iterator[Contradiction]:
    """The contradiction of two sentences that differ in one value and nothing else."""
    if len(x.tokens & y.tokens) * 2 < max(len(x.tokens), len(y.tokens)):
        return
    a, b = x.members[0], y.members[0]
    if not topics_agree(a, b):
        return
    found = swapped(a, b, strict=is_adrift(a, b))
    if found is not None:
        yield Contradiction(found[0].kind, _with_slot(x.members, found[0]), _with_slot(y.members, found[1]))


def _with_slot(members: Sequence[Statement], slot: Slot) -> Statement:
    """The statement of a sentence that holds a slot (offsets in the sentence), made to carry it."""
    start = members[0].within.start
    moved = replace(slot, start=slot.start + start, end=slot.end + start)
    holding = (s for s in members if s.slot is not None and s.slot.start < moved.end and moved.start < s.slot.end)
    found = next((s for s in holding if s.kind == slot.kind), members[0])
    return replace(found, kind=slot.kind, slot=moved, value=slot.surface)


def _settled(pair: Contradiction, left: Sequence[_Sentence], right: Sequence[_Sentence]) -> bool:
    """Whether one of the texts also gives the other's value: then they do not disagree."""
    if pair.a.slot is None:
        return any(y.text == pair.a.sentence for y in right) or any(x.text == pair.b.sentence for x in left)
    return any(agrees(pair.a, other) for y in right for other in y.members) or any(
        agrees(pair.b, other) for x in left for other in x.members
    )
