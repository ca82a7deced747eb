"""The record of one statement: who, what about it, which value, said or denied, in which sentence."""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from amb_core.agents.chinese_clauses import chinese_attribute
from amb_core.agents.clauses import Span, name_tokens
from amb_core.agents.english_clauses import english_attribute
from amb_core.agents.quantities import Slot
from amb_core.text import index_tokens

__all__ = ["Sentence", "Statement"]

_CACHED_SUBJECTS = 8_192

Kind = Literal["number", "date", "name", "polarity"]


@dataclass(frozen=True, slots=True)
class Sentence:
    """What the statements of a sentence share: text, span, words, figures, what the whole text is about, the words
    beside the name of its first subject (`head`), and the years that the text's title names."""

    text: str
    start: int
    end: int
    bag: frozenset[str]
    figures: tuple[Slot, ...]
    topics: frozenset[str]
    chinese: bool
    head: frozenset[str] = frozenset()
    years: frozenset[str] = frozenset()

    def of_other_year(self, other: "Sentence") -> bool:
        """Whether both stand in texts on certain years, and on different ones."""
        return bool(self.years and other.years) and self.years.isdisjoint(other.years)


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
    head: frozenset[str] = frozenset()
    frame: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    scope: tuple[Slot, ...] = ()
    markers: frozenset[str] = frozenset()
    before: str = ""
    others: tuple[Slot, ...] = ()
    plain: str = ""
    identity: frozenset[object] = field(init=False, repr=False, compare=False)
    """The subject's names and, as sets of words, its names with the words beside them: who shares one is the same."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "identity", _identity(self.subjects, self.head))

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


@lru_cache(maxsize=_CACHED_SUBJECTS)
def _identity(names: frozenset[str], head: frozenset[str]) -> frozenset[object]:
    # "the Harbour Point battery" where one text takes the noun for a part of the name and the other does not
    wholes = (frozenset(index_tokens(name)) | head for name in names)
    return names | frozenset(whole for whole in wholes if len(whole) > 1)
