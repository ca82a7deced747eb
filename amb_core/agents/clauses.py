"""A clause as the alignment of statements sees it: whom it is about, its attribute words, its values, said or "
"denied."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from amb_core.agents.attribute_words import CONCEPTS, NEUTRAL, VERBS
from amb_core.agents.quantities import Slot
from amb_core.text import index_tokens

__all__ = ["Clause", "Reference", "Span", "frame_token", "frame_tokens", "is_denied", "is_verb", "name_tokens"]

Span = tuple[int, int]
_NOT_PARTICIPLES = frozenset("hundred speed need indeed seed feed breed exceed united unlimited limited allied".split())
_ENDINGS = (("ies", "y"), ("es", ""), ("es", "e"), ("s", ""))


@dataclass(frozen=True, slots=True)
class Reference:
    """Whom a clause is about: a name in it (`slot`), or how it points elsewhere (`word`, lower case).

    `kind`: named | about (a name of the whole text, `word`) | pronoun | definite | bare (a noun without article) |
    indefinite | personal | none (no subject of its own).
    """

    kind: str
    slot: Slot | None = None
    word: str = ""


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause: subject, the words beside the subject's name (`head`), the other words (`frame`), values, polarity.

    `wording` is the clause without its values, `before` maps a slot's start to the word before it, `verb`
    is the first verb (lower case, "" in Chinese), `markers` are words
    that bind it to a time or a part, with its tense, `offices` maps a slot's start to the token of X in "X of <slot>",
    `plain` is a Chinese clause with `SLOT` for its figures and without denials, names and all.
    """

    reference: Reference
    head: frozenset[str]
    frame: frozenset[str]
    wording: str
    slots: tuple[Slot, ...]
    negative: bool
    start: int
    end: int
    markers: frozenset[str] = frozenset()
    verb: str = ""
    before: dict[int, str] = field(default_factory=dict)
    offices: dict[int, str] = field(default_factory=dict)
    plain: str = ""


@lru_cache(maxsize=16_384)
def frame_token(word: str) -> str:
    """The frame token of one English word: its concept, its stem, or "" when it carries no attribute."""
    lower = word.lower().replace("’", "'").removesuffix("'s")
    terms = index_tokens(lower)
    if not terms:
        return ""
    stem = "-".join(terms)
    return "" if stem in NEUTRAL else CONCEPTS.get(stem, stem)


def frame_tokens(words: Iterable[str]) -> frozenset[str]:
    """The frame tokens of English words."""
    return frozenset(filter(None, map(frame_token, words)))


def name_tokens(slots: Iterable[Slot]) -> frozenset[str]:
    """Frame tokens of names: "=" and the folded name."""
    return frozenset(f"={key}" for slot in slots if slot.kind == "name" for key in slot.keys)


@lru_cache(maxsize=16_384)
def is_verb(word: str) -> bool:
    """Whether an English word is (probably) a finite verb or a participle; case does not matter."""
    word = word.lower()
    if word in VERBS or word.endswith(("n't", "n’t")):
        return True
    if any(word.endswith(ending) and word.removesuffix(ending) + rest in VERBS for ending, rest in _ENDINGS):
        return True
    return len(word) >= 5 and word.endswith("ed") and word not in _NOT_PARTICIPLES


def is_denied(start: int, end: int, denials: Sequence[Span]) -> bool:
    """Whether an odd number of denials lies in `start:end`."""
    return sum(start <= left and right <= end for left, right in denials) % 2 == 1
