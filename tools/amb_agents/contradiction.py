"""Contradictions between two prose texts, and what every conflict must pass, whoever found it.

Two sentences that state something contradict each other when they say the same word for word but for one value.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from amb_agents.slots import Slot, compare, find_slots
from amb_agents.sources import SourceIdentity, identify_source
from amb_agents.swaps import named_subject, same_subject, subject_of, swapped
from amb_core.agent_io import NodeView, Passage, Relationship
from amb_core.reading import prose_spans
from amb_core.reading.outcomes import without_masks
from amb_core.text import find_quote, index_tokens
from amb_core.text.language import HAN
from amb_core.text.lazy_patterns import lazy_pattern
from amb_core.text.pure_cache import text_cache
from amb_values import dialogue_speaker, sentence_spans

__all__ = ["Contradiction", "admit", "are_alike", "are_asked_apart", "are_independent", "contradictions", "passages_of"]

_CACHED_TEXTS = 4_096
_LONGEST = 700
_EDGE, _ZH_EDGE = 8, 3
"""Characters that two sentences which differ in one value share at their beginning or at their end."""
_ENDS = re.compile(r"[.!。！…][\"'”’」』）)\]]*$")
_LABEL = lazy_pattern(r"\s*(?:[\[(（【][^\])）】\n]{1,60}[\])）】]\s*)?[^:：\n]{1,60}[:：]\s*")
_NUMBERED = lazy_pattern(
    r"\s*(?:[-*•#]+\s+|\(?\d{1,3}[.)、]\s*|\[\d{1,3}\]\s*|[（(]\d{1,3}[）)]\s*|第\S{1,4}[章节条][:：、\s]\s*)"
)
_MOMENT = lazy_pattern(
    r"\b(?:today|yesterday|tomorrow|tonight|ago|recently|lately|soon|(?:this|last|next) (?:week|month|year))\b"
    "|今[天晚早年]|昨[天晚]|明[天年]|上周|下周|上个月|下个月|去年|刚[才刚]|最近|[前后]天",
    re.IGNORECASE,
)
"""What says that a sentence holds for a moment only."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence and where it stands in its text, without the label or number of its line."""

    text: str
    start: int

    @property
    def edges(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """How it begins and how it ends."""
        size, folded = _ZH_EDGE if _is_chinese(self.text) else _EDGE, self.text.casefold()
        return ("begins", folded[:size]), ("ends", folded[-size:])


@dataclass(frozen=True, slots=True)
class Sentences:
    """The sentences of one text in order, and by how they begin and end."""

    all: tuple[Sentence, ...]
    by_edge: dict[tuple[str, str], list[Sentence]]


def _is_chinese(sentence: str) -> bool:
    """Whether a sentence is in Chinese for a third or more."""
    return len(HAN.findall(sentence)) * 3 >= len(sentence.replace(" ", "")) > 0


@text_cache(most=_CACHED_TEXTS)
def _sentences_of(text: str) -> Sentences:
    """The sentences of a text that state something; machine data, questions and headings are left out."""
    found: list[Sentence] = []
    for left, right in prose_spans(text):
        for start, end in sentence_spans(text[left:right]):
            start += _masked(text[left + start : left + end])
            whole = text[left + start : left + end]
            label = _label(whole)
            if _states(whole[label:], alone="\n" not in text.strip()):
                found.append(Sentence(whole[label:], left + start + label))
    by_edge: defaultdict[tuple[str, str], list[Sentence]] = defaultdict(list)
    for sentence in found:
        for edge in sentence.edges:
            by_edge[edge].append(sentence)
    return Sentences(tuple(found), dict(by_edge))


def _masked(sentence: str) -> int:
    """How many characters are lines in which something was masked: nobody knows what they say."""
    plain, end = without_masks(sentence), len(sentence)
    if plain == sentence:
        return 0
    last = next(at for at in range(end - 1, -1, -1) if plain[at] != sentence[at])
    return sentence.find("\n", last) + 1 or end


def _label(sentence: str) -> int:
    """How many characters are the label or the number of the line."""
    numbered = _NUMBERED.match(sentence)
    at = numbered.end() if numbered else 0
    spoken = _LABEL.match(sentence, at) if dialogue_speaker(sentence[at:]) else None
    return spoken.end() if spoken else at


def _states(sentence: str, *, alone: bool) -> bool:
    """Whether a sentence states something for good; on a line of several it must end like one, as no heading does."""
    if not 6 <= len(sentence) <= _LONGEST or sentence.rstrip("\"'”’」』）) ").endswith(("?", "？")):
        return False
    if not alone and not _ENDS.search(sentence):
        return False
    return not _MOMENT.search(sentence)


# --- two sentences that say the same word for word but for one value --------------------------------------------------

_SUBJECT_WORDS = 8
_ZH_SUBJECT = 24
_PARTICLES = "的为是于在了约有达由，。、；：（）“”《》 "
_MARKS = ("[", "【", "［", "^", "#", ":`")
"""What stands before a number that is a footnote mark or a name (`#9105`, :issue:`9105`): it is no value."""
_SUBJECT_WORD = re.compile(r"[\w’'-]+")
_ORDER = {"number": 0, "date": 0, "name": 1}


@dataclass(frozen=True, slots=True)
class Side:
    """What one text says: the sentence word for word with its place, and the value in it (offsets in the sentence)."""

    sentence: str
    start: int
    slot: Slot

    @property
    def value(self) -> str:
        """The value as it stands in the text."""
        return self.slot.surface

    @property
    def span(self) -> tuple[int, int]:
        """Characters of the text at which the sentence stands."""
        return self.start, self.start + len(self.sentence)


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Side `a` of the first text and `b` of the second cannot both hold; `name` is whom they are about, where said."""

    a: Side
    b: Side
    name: str = ""

    @property
    def kind(self) -> str:
        """number | date | name."""
        return self.a.slot.kind

    @property
    def chinese(self) -> bool:
        """Whether the sentences are Chinese."""
        return _is_chinese(self.a.sentence)

    @property
    def subject(self) -> str:
        """Whom or what the disagreement is about, with the attribute: a search query in the language of the texts."""
        said, slot = self.a.sentence, self.a.slot
        frame = f"{said[: slot.start]} {said[slot.end :]}"
        if self.chinese:
            parts = frame.replace(self.name, " ", 1).split()
            rest = max((part.strip(_PARTICLES) for part in parts), key=len, default="")
            return f"{self.name} {rest[-_ZH_SUBJECT:]}".strip()
        inside = {word.casefold() for word in self.name.split()}
        kept = [word for word in _SUBJECT_WORD.findall(frame) if index_tokens(word) and word.casefold() not in inside]
        return " ".join(filter(None, [self.name, *kept[:_SUBJECT_WORDS]]))

    @property
    def values(self) -> tuple[str, str]:
        """The two things said, as they stand in the texts."""
        return self.a.value, self.b.value


def contradictions(
    a: str,
    b: str,
    *,
    topics: tuple[str, str] = ("", ""),
    same_topic: bool = False,
    apart: bool = False,
    alone: bool = False,
) -> tuple[Contradiction, ...]:
    """What two texts contradict each other in, most certain first; () for texts that can both be true.

    Machine data contradict nothing. `topics` name what each text is about where its own words do not; `same_topic` says
    that both are about the same, though nothing may name it, and `apart` that they answer calls which asked for
    different things: then a sentence that names nothing is about what its call asked for. With `alone` the texts are
    pieces of something larger, and each sentence is about what it names itself.
    """
    found = {(pair.a.span, pair.b.span): pair for pair in _between(a, b, topics, same_topic, apart, alone)}
    return tuple(sorted(found.values(), key=lambda pair: (_ORDER[pair.kind], pair.a.span, pair.b.span)))


def are_alike(a: str, b: str) -> bool:
    """Whether two texts have sentences that begin or end alike; without any they contradict each other in nothing."""
    return not _sentences_of(a).by_edge.keys().isdisjoint(_sentences_of(b).by_edge)


def _between(
    a: str, b: str, topics: tuple[str, str], same_topic: bool, apart: bool, alone: bool
) -> Iterator[Contradiction]:
    left, right = _sentences_of(a), _sentences_of(b)
    for x, y in _alike(left, right):
        slots = swapped(x.text, y.text, named=True) if x.text != y.text else None
        if slots is None or x.text[: slots[0].start].endswith(_MARKS):
            continue
        about = (x.text, y.text) if alone else (a, b)
        documents = subject_of(about[0], topics[0]), subject_of(about[1], topics[1])
        same = same_subject(x.text, y.text, slots, documents, same_topic=same_topic, apart=apart, alone=alone)
        if same or (same is None and swapped(x.text, y.text) is not None):
            name = named_subject(x.text, slots[0].start) or next(iter(documents[0].names), "")
            name = name.removeprefix("The ")
            pair = Contradiction(Side(x.text, x.start, slots[0]), Side(y.text, y.start, slots[1]), name)
            if not (_says_too(right, pair.a) or _says_too(left, pair.b)):
                yield pair


def _alike(left: Sentences, right: Sentences) -> Iterator[tuple[Sentence, Sentence]]:
    """Pairs of sentences that begin or end alike, each once."""
    edges = left.by_edge.keys() & right.by_edge.keys()
    pairs = {(x.start, y.start): (x, y) for edge in edges for x in left.by_edge[edge] for y in right.by_edge[edge]}
    yield from (pairs[places] for places in sorted(pairs))


def _says_too(text: Sentences, side: Side) -> bool:
    """Whether a text also gives a value of the other one, in a sentence with half of its words."""
    words = set(index_tokens(side.sentence)) - set(index_tokens(side.value))
    for sentence in text.all:
        common = words.intersection(index_tokens(sentence.text))
        told = len(common) * 2 >= len(words)
        if told and any(compare(slot, side.slot) == "same" for slot in find_slots(sentence.text)):
            return True
    return False


# --- what every conflict must pass, whoever found it ------------------------------------------------------------------

_BOUND = re.compile(
    r"\b(?:more|less|fewer|at least|at most|over|under|up to|before|after|until)\b"
    r"|超过|至少|多于|不足|不到|至多|以[上下内前后]",
    re.IGNORECASE,
)
"""In a value of which only one end is known: "more than 300" and 340 can both be meant."""
_PLAIN = ("", "count")
"""Units of a figure that stands alone: the unit may be in the sentence around it."""


def passages_of(view: NodeView) -> tuple[Passage, ...]:
    """The prose of a node by document; where nobody told it apart, what its text or summary has, as its source's."""
    if view.passages is not None:
        return view.passages
    text = view.text if view.text.strip() else view.summary
    whose = identify_source({"source": view.source}) if view.source.strip() else SourceIdentity(view.id, view.id)
    return tuple(
        Passage(text=text[start:end], document=whose.document, site=whose.site) for start, end in prose_spans(text)
    )


def are_independent(a: Passage, b: Passage) -> bool:
    """Whether two passages are the word of two documents: a tool that is asked twice is one."""
    if not (a.site and b.site) or a.document == b.document:
        return False
    return a.site != b.site or not a.site.startswith("tool:")


def are_asked_apart(a: Passage, b: Passage) -> bool:
    """Whether two passages answer calls that asked for different things."""
    return bool(a.asked and b.asked) and a.asked != b.asked


def admit(relation: Relationship, *, new: NodeView, candidate: NodeView) -> Relationship:
    """The relationship itself, or "related" in place of a conflict that does not stand on two independent documents."""
    if relation.relationship != "conflict" or _stands(relation.conflict_values, candidate, new):
        return relation
    reason = relation.reasoning or relation.conflict_description
    return Relationship(existing_node=relation.existing_node, relationship="related", reasoning=reason)


def _stands(said: tuple[str, ...], candidate: NodeView, new: NodeView) -> bool:
    if len(said) != 2 or not _are_of_one_kind(*said):
        return False
    return any(
        are_independent(x, y) and find_quote(said[0], x.text) and find_quote(said[1], y.text)
        for x in passages_of(candidate)
        for y in passages_of(new)
    )


def _are_of_one_kind(a: str, b: str) -> bool:
    """Whether two values can be held against each other and differ; plain words differ by their letters."""
    left, right = _measures(a), _measures(b)
    if left and right and (_BOUND.search(a) is None) != (_BOUND.search(b) is None):
        return False
    if not left and not right:
        return bool(a.strip() and b.strip()) and a.strip().casefold() != b.strip().casefold()
    return any(_unlike(x, y) for x in left for y in right)


def _measures(text: str) -> list[Slot]:
    return [slot for slot in find_slots(text) if slot.kind != "name"]


def _unlike(x: Slot, y: Slot) -> bool:
    if x.kind == y.kind == "number" and x.unit != y.unit and (x.unit in _PLAIN or y.unit in _PLAIN):
        return (x.low, x.high) != (y.low, y.high)
    return compare(x, y) == "different"
