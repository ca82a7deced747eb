"""Clauses of an English sentence by punctuation, conjunctions and a list of verbs; no parser."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from amb_core.agents.attribute_words import CLASS_NOUNS, EVENTS
from amb_core.agents.claim_words import ATTRIBUTION
from amb_core.agents.clauses import Clause, Reference, Span, frame_token, frame_tokens, is_denied, is_verb, name_tokens
from amb_core.agents.quantities import Slot

__all__ = ["english_attribute", "english_clauses"]

_TOKEN = re.compile(r"[^\W\d_]+(?:['’][a-z]+)?(?:-[^\W\d_]+)*|\d[\d.,]*|[^\w\s]")
_BREAKS = frozenset(", ; : — – ( ) [ ]".split())
_CONJUNCTIONS = frozenset("but while whereas although though because which who whose where when".split())
_PREPOSITIONS = frozenset(
    "in on at by after before during since from as with for of until under over within between around through near "
    "according throughout among following upon via to into".split()
)
_PRONOUNS = frozenset("he she it they his her its their".split())
_DEFINITE = frozenset("the this that these those such".split())
_INDEFINITE = frozenset(
    "a an some several many few two three four five another any each every no most other others all both one".split()
)
_PERSONAL = frozenset("i we my our me us you your i'm i've i'd we're we've you're".split())
_MARKERS = frozenset(
    "former formerly previously originally initially later then now currently until once again before after early "
    "late final "
    "finally eventually average max maximum min minimum per each every only longer".split()
)
_PAST = frozenset("was were had did".split())
_PRESENT = frozenset("is are has have does".split())
_LONGEST_ATTRIBUTION = 10
_RELATIVE = frozenset("which who whose where that".split())


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    start: int
    end: int
    slot: Slot | None = None

    @property
    def word(self) -> str:
        """The lower-case word, "" for a value."""
        return self.text.lower() if self.slot is None else ""

    @property
    def name(self) -> Slot | None:
        """The name slot, if it is one."""
        return self.slot if self.slot is not None and self.slot.kind == "name" else None

    @property
    def is_verb(self) -> bool:
        return self.slot is None and is_verb(self.text)


_Tokens = Sequence[_Token]


def english_clauses(text: str, start: int, end: int, slots: Sequence[Slot], denials: Sequence[Span]) -> list[Clause]:
    """The clauses of the sentence at `start:end`; `slots` and `denials` are those inside it, in order."""
    clauses: list[Clause] = []
    opening: _Tokens = ()
    previous: _Token | None = None
    alone: Slot | None = None
    pointed = False
    for mark, piece in _pieces(_without_attribution(_tokens(text, start, end, slots))):
        if not clauses and not opening and piece[0].word in _PREPOSITIONS and not any(t.is_verb for t in piece):
            if piece[0].word in ("with", "at") and _has_measure(piece):
                # "With a length of 8 km, the tunnel …"
                clauses.append(_clause(piece, piece[-1], denials))
            opening = piece
        else:
            clause = _clause(piece, previous, denials, pointed=pointed)
            if alone is not None and mark == "," and clause.reference.kind == "none":
                # "Acme Steel, founded in 1912, employs …"
                clause = replace(clause, reference=Reference("named", alone))
            if mark == "(" and clauses and clauses[-1].slots and piece[0].slot is not None and piece[0].name is None:
                # the same again in another unit
                clause = replace(clause, head=clause.head | clauses[-1].head, frame=clause.frame | clauses[-1].frame)
            if opening and mark not in _CONJUNCTIONS:
                clause, opening = _with_opening(clause, opening), ()
            if clauses and clause.slots and not clause.head and not clause.frame:
                # a value set off by a comma belongs to what stands before it
                clauses[-1] = replace(clauses[-1], slots=(*clauses[-1].slots, *clause.slots), end=clause.end)
            else:
                clauses.append(clause)
        if previous is None and len(piece) == 1 and piece[0].name is not None and len(piece[0].name.keys) == 1:
            alone = piece[0].name
        pointed = previous is None and len(piece) == 2 and piece[0].word == "the" and bool(piece[1].word)
        previous = piece[-1]
    return clauses


def english_attribute(wording: str) -> str:
    """The words of a clause that name its attribute."""
    return " ".join(word for word in wording.split() if word[0].isalnum() and frame_token(word))


def _tokens(text: str, start: int, end: int, slots: Sequence[Slot]) -> list[_Token]:
    made: list[_Token] = []
    position = start
    for slot in slots:
        gap = _TOKEN.finditer(text, position, max(position, slot.start))
        made.extend(_Token(m.group(), m.start(), m.end()) for m in gap)
        surface = text[slot.start : slot.end]
        participle = slot.kind == "name" and slot.start == start and surface.endswith("ed") and " " not in surface
        made.append(_Token(surface, slot.start, slot.end, None if participle else slot))
        position = max(slot.end, slot.tail)
    made.extend(_Token(m.group(), m.start(), m.end()) for m in _TOKEN.finditer(text, position, end))
    return made


def _pieces(tokens: _Tokens) -> list[tuple[str, list[_Token]]]:
    """Split at punctuation, at subordinating words, and at an "and" with values on both sides; with what split them."""
    pieces: list[tuple[str, list[_Token]]] = [("", [])]
    for index, token in enumerate(tokens):
        if token.slot is None and token.text in _BREAKS:
            pieces.append((token.text, []))
        elif token.word in _CONJUNCTIONS:
            pieces.append((token.word, [token]))
        elif token.word == "and" and _has_figure(pieces[-1][1]) and any(t.slot for t in tokens[index + 1 :]):
            pieces.append(("and", []))
        elif token.word in ("on", "across", "over") and _counts_places(pieces[-1][1], tokens[index + 1 : index + 3]):
            pieces.append((token.word, []))
        else:
            pieces[-1][1].append(token)
    return [(mark, piece) for mark, piece in pieces if piece]


def _counts_places(before: _Tokens, after: _Tokens) -> bool:
    """Whether "on three sites" tells in how many places something has its beds, not which of the beds are meant."""
    if len(after) < 2 or after[0].slot is None or after[0].slot.unit != "count" or not after[1].word.endswith("s"):
        return False
    return _has_measure(before) and any(token.word in ("has", "have", "operates", "runs") for token in before)


def _without_attribution(tokens: _Tokens) -> _Tokens:
    """The tokens after "The inspectors found that"."""
    for index, token in enumerate(tokens[:_LONGEST_ATTRIBUTION]):
        if token.word == "that" and 1 < index < len(tokens) - 2 and tokens[index - 1].word in ATTRIBUTION:
            return tokens[index + 1 :]
    return tokens


def _has_measure(tokens: _Tokens) -> bool:
    return any(token.slot is not None and token.slot.kind == "number" for token in tokens)


def _has_figure(tokens: _Tokens) -> bool:
    return any(token.slot is not None and token.name is None for token in tokens)


def _clause(piece: _Tokens, previous: _Token | None, denials: Sequence[Span], *, pointed: bool = False) -> Clause:
    end = _subject_end(piece, first=previous is None)
    region, rest = piece[:end], piece[end:]
    reference = _reference(region, previous, pointed=pointed)
    beside = [token.name for token in region if token.name is not None]
    kept = [t.slot for t in piece if t.slot is not None and t.slot not in beside]
    # "the third bridge" is another bridge than the fourth
    ordinals = [s for s in kept if s.unit == "ordinal" and region and s.start < region[-1].end]
    concepts = {token.slot.concept for token in piece if token.slot is not None and token.slot.concept}
    return Clause(
        reference=reference,
        head=_head(region, reference)
        | name_tokens(s for s in beside if s is not reference.slot)
        | {f"#{s.low:g}" for s in ordinals},
        frame=_predicate(rest) | concepts,
        wording=" ".join(token.text for token in piece if token.slot is None),
        slots=tuple(s for s in kept if s not in ordinals),
        negative=is_denied(piece[0].start, piece[-1].end, denials),
        start=piece[0].start,
        end=piece[-1].end,
        verb=next((token.word for token in rest if token.is_verb), ""),
        markers=_markers({token.word for token in piece}),
        offices=_offices(piece),
        before={right.slot.start: left.word for left, right in pairwise(piece) if right.slot is not None},
    )


def _markers(words: set[str]) -> frozenset[str]:
    """Words that bind a clause to a time or a part, and its tense."""
    found = words & _MARKERS
    past, present = not words.isdisjoint(_PAST), not words.isdisjoint(_PRESENT)
    if past != present:
        found.add("<past>" if past else "<present>")
    return frozenset(found)


def _offices(piece: _Tokens) -> dict[int, str]:
    """Start of a slot → token of X in "X of <slot>" and "<slot>'s X"."""
    found: dict[int, str] = {}
    words = [token for token in piece if token.word not in ("the", "'", "’", "s")]
    for index, token in enumerate(words):
        if token.slot is None:
            continue
        if index >= 2 and words[index - 1].word == "of" and words[index - 2].slot is None:
            found[token.slot.start] = frame_token(words[index - 2].text)
        elif index + 1 < len(words) and words[index + 1].start - token.end == 3 and words[index + 1].slot is None:
            found[token.slot.start] = frame_token(words[index + 1].text)
    return found


def _subject_end(piece: _Tokens, *, first: bool) -> int:
    """How many tokens name the subject: those before the first verb; none where there is no verb."""
    if piece[0].slot is None and len(piece[0].text) >= 6 and piece[0].word.endswith("ing"):
        return 0
    verb = next((index for index, token in enumerate(piece) if token.is_verb), None)
    if verb is None and first and any(token.name is not None for token in piece[:2]):
        # a name set off by a comma from its verb
        return len(piece)
    return verb or 0


def _reference(region: _Tokens, previous: _Token | None, *, pointed: bool) -> Reference:
    if not region:
        return Reference("none")
    if region[0].word in _RELATIVE:
        if previous is not None and previous.name is not None:
            return Reference("named", previous.name)
        if pointed:
            return Reference("definite", word="the")
        return Reference("indefinite", word=region[0].word)
    core = _without_opening_phrase(region)
    if (event := _dated_event(core)) is not None:
        return Reference("named", event)
    words = [token.word for token in core if token.word]
    if words and core[0].word in _PERSONAL:
        return Reference("personal", word=words[0])
    names = [token.name for token in core if token.name is not None]
    if names:
        return Reference("indefinite", word="and") if "and" in words else Reference("named", names[0])
    if not words:
        return Reference("none")
    for group, kind in ((_PRONOUNS, "pronoun"), (_DEFINITE, "definite"), (_INDEFINITE, "indefinite")):
        if words[0] in group:
            return Reference(kind, word=words[0])
    return Reference("indefinite" if core[0].slot is not None else "bare", word=words[0])


def _dated_event(region: _Tokens) -> Slot | None:
    """ "The outage of 3 July 2024" as a name: there is one of them."""
    if len(region) != 4 or region[0].word != "the" or region[2].word != "of" or not region[1].word:
        return None
    day = region[3].slot
    if day is None or day.kind != "date" or day.unit != "day" or day.high != day.low:
        return None
    surface = f"{region[1].text} of {day.surface}"
    return Slot("name", surface, region[1].start, day.end, "name", keys=frozenset([f"{region[1].word} of {day.low:g}"]))


def _without_opening_phrase(region: _Tokens) -> _Tokens:
    """Drop "In 1990", "At the 2010 census" before the subject."""
    if region[0].word not in _PREPOSITIONS:
        return region
    return next((region[index + 1 :] for index, token in enumerate(region) if token.slot is not None), region)


def _head(region: _Tokens, reference: Reference) -> frozenset[str]:
    """Words beside the subject's name, without what kind of thing it is ("the town of Riverton")."""
    found = []
    for token in region:
        before_name = reference.slot is not None and token.start < reference.slot.start
        if token.slot is None and not (before_name and frame_token(token.text) in CLASS_NOUNS):
            found.append(token.text)
    return frame_tokens(found)


def _predicate(rest: _Tokens) -> frozenset[str]:
    """Frame tokens of a predicate; an event verb with an object of its own ("founded Acme") gets a "+"."""
    found: set[str] = set()
    for index, token in enumerate(rest):
        if token.slot is not None or not (word := frame_token(token.text)):
            continue
        after = rest[index + 1] if index + 1 < len(rest) else None
        found.add("+" + word if word in EVENTS and after is not None and not _ends_event(after) else word)
    return frozenset(found)


def _ends_event(after: _Token) -> bool:
    if after.slot is not None:
        return after.name is None
    word = after.word
    return (
        word in _PREPOSITIONS or word in ("and", "or", "but", "again") or word.endswith("ly") or not word[0].isalpha()
    )


def _with_opening(clause: Clause, opening: _Tokens) -> Clause:
    """The clause with the phrase that opens the sentence ("In Europe, …")."""
    if opening[0].word == "according":
        return clause
    extra = frame_tokens(token.text for token in opening if token.slot is None)
    slots = tuple(token.slot for token in opening if token.slot is not None)
    return replace(clause, frame=clause.frame | extra, slots=(*slots, *clause.slots), start=opening[0].start)
