"""Clauses of one sentence: whom each is about, which words name its attribute, and which values stand in it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from amb_core.agents.attribute_words import CONCEPTS, EVENTS, NEUTRAL, SLOT, VERBS, ZH_CONCEPTS, ZH_NEUTRAL
from amb_core.agents.quantities import Slot
from amb_core.text import index_tokens

__all__ = ["Clause", "Reference", "chinese_clauses", "english_clauses", "frame_tokens", "is_verb"]

_TOKEN = re.compile(r"[^\W\d_]+(?:['’][a-z]+)?(?:-[^\W\d_]+)*|\d[\d.,]*|[^\w\s]")
_BREAK = frozenset(", ; : — – ( ) [ ]".split())
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
_NOT_ED = frozenset("hundred speed need indeed seed feed breed exceed united unlimited limited".split())
_ZH_BREAK = re.compile(r"[，；：,;:（）()—]+")
_ZH_PRONOUN = re.compile(
    r"^(?:(?:但|而|并且|并|同时|此外|另外|其中|因此|所以)?)(他们|她们|它们|他|她|它|其|该[\u4e00-\u9fff]{1,3}?(?=于|在|的|是|有|为|由|共|全|总|建|成|位|高|长|拥|创|出)|本[书片剧作城市县镇校站桥楼馆园]|此[书片剧作城桥楼馆])"
)
_CJK_RUN = re.compile(r"[\u3400-\u9fff]+|[A-Za-z]+|@\w+")


Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Reference:
    """Whom a clause is about: a name in it (`slot`), or how it points elsewhere (`word` lower case).

    `kind`: named | pronoun | definite | bare (a noun without article) | indefinite | personal | none (no subject).
    """

    kind: str
    slot: Slot | None = None
    word: str = ""


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause: subject, the words beside the subject's name (`head`), the other words, the slots, the polarity.

    `words` are the attribute words as they stand in the text; `before` maps a slot's start to the word before it.
    """

    reference: Reference
    head: frozenset[str]
    frame: frozenset[str]
    words: tuple[str, ...]
    slots: tuple[Slot, ...]
    negative: bool
    before: dict[int, str]
    start: int
    end: int


@lru_cache(maxsize=16_384)
def _english_token(word: str) -> str:
    """The frame token of one English word: its concept, its stem, or "" when it carries no attribute."""
    lower = word.lower().replace("’", "'").removesuffix("'s")
    terms = index_tokens(lower)
    if not terms:
        return ""
    stem = "-".join(terms)
    if stem in NEUTRAL:
        return ""
    return CONCEPTS.get(stem, CONCEPTS.get(lower, stem))


def frame_tokens(words: Sequence[str]) -> frozenset[str]:
    """The frame tokens of English words."""
    return frozenset(filter(None, map(_english_token, words)))


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    start: int
    end: int
    slot: Slot | None = None

    @property
    def lower(self) -> str:
        return self.text.lower()


def _tokens(text: str, start: int, end: int, slots: Sequence[Slot]) -> list[_Token]:
    made: list[_Token] = []
    position = start
    for slot in slots:
        made.extend(
            _Token(m.group(), m.start(), m.end()) for m in _TOKEN.finditer(text, position, max(position, slot.start))
        )
        made.append(_Token(text[slot.start : slot.end], slot.start, slot.end, slot))
        position = slot.end
    made.extend(_Token(m.group(), m.start(), m.end()) for m in _TOKEN.finditer(text, position, end))
    return made


def _is_verb(token: _Token) -> bool:
    if token.slot is not None:
        return False
    return _verb_word(token.lower)


def is_verb(word: str) -> bool:
    """Whether an English word is (probably) a finite verb or participle."""
    return _verb_word(word.lower())


@lru_cache(maxsize=16_384)
def _verb_word(word: str) -> bool:
    if word in VERBS or word.endswith(("n't", "n’t")):
        return True
    for ending, replaced in (("ies", "y"), ("es", ""), ("es", "e"), ("s", "")):
        if word.endswith(ending) and word.removesuffix(ending) + replaced in VERBS:
            return True
    return len(word) >= 5 and word.endswith("ed") and word not in _NOT_ED


def _has_value(tokens: Sequence[_Token]) -> bool:
    return any(token.slot is not None and token.slot.kind != "name" for token in tokens)


def _pieces(tokens: list[_Token]) -> list[list[_Token]]:
    """Split at punctuation, at subordinating words, and at an "and" with values on both sides."""
    pieces: list[list[_Token]] = [[]]
    for index, token in enumerate(tokens):
        if token.slot is None and token.text in _BREAK:
            pieces.append([])
        elif token.slot is None and token.lower in _CONJUNCTIONS:
            pieces.append([token])
        elif (
            token.slot is None
            and token.lower == "and"
            and _has_value(pieces[-1])
            and any(t.slot for t in tokens[index + 1 :])
        ):
            pieces.append([])
        else:
            pieces[-1].append(token)
    return [piece for piece in pieces if piece]


def _region_end(piece: Sequence[_Token]) -> int:
    """Index of the first verb, or 0 when there is none: the tokens before it name the subject."""
    if piece and piece[0].slot is None and len(piece[0].text) >= 6 and piece[0].lower.endswith("ing"):
        return 0
    return next((index for index, token in enumerate(piece) if _is_verb(token)), 0)


def _without_opening_phrase(region: Sequence[_Token]) -> Sequence[_Token]:
    """Drop "In 1990", "At the 2010 census" before the subject."""
    if not region or region[0].slot is not None or region[0].lower not in _PREPOSITIONS:
        return region
    for index, token in enumerate(region):
        if token.slot is not None:
            return region[index + 1 :]
    return region


def _reference(region: Sequence[_Token], previous: _Token | None) -> Reference:
    if not region:
        return Reference("none")
    first = region[0]
    if first.slot is None and first.lower in ("which", "who", "whose", "where", "that"):
        if previous is not None and previous.slot is not None and previous.slot.kind == "name":
            return Reference("named", previous.slot)
        return Reference("indefinite", word=first.lower)
    core = _without_opening_phrase(region)
    names = [token.slot for token in core if token.slot is not None and token.slot.kind == "name"]
    if core and core[0].slot is None and core[0].lower in _PERSONAL:
        return Reference("personal", word=core[0].lower)
    if names:
        joined = any(token.slot is None and token.lower == "and" for token in core)
        return Reference("indefinite", word="and") if joined else Reference("named", names[0])
    words = [token.lower for token in core if token.slot is None]
    if not words:
        return Reference("none")
    for group, kind in ((_PRONOUNS, "pronoun"), (_DEFINITE, "definite"), (_INDEFINITE, "indefinite")):
        if words[0] in group:
            return Reference(kind, word=words[0])
    return Reference("indefinite" if core[0].slot is not None else "bare", word=words[0])


def _predicate_tokens(rest: Sequence[_Token]) -> frozenset[str]:
    """Frame tokens of a predicate; an event verb with an object of its own ("founded Microsoft") is no event of the subject."""
    found: set[str] = set()
    for index, token in enumerate(rest):
        if token.slot is not None or not (word := _english_token(token.text)):
            continue
        after = rest[index + 1] if index + 1 < len(rest) else None
        if word in EVENTS and after is not None and not _ends_event(after):
            word = "+" + word
        found.add(word)
    return frozenset(found)


def _ends_event(after: _Token) -> bool:
    if after.slot is not None:
        return after.slot.kind != "name"
    word = after.lower
    return (
        word in _PREPOSITIONS
        or word in ("and", "or", "but", "as", "again", "on")
        or word.endswith("ly")
        or not word[0].isalpha()
    )


def _clause(piece: Sequence[_Token], previous: _Token | None, denials: Sequence[Span]) -> Clause:
    end = _region_end(piece)
    if previous is None and not end and piece[0].slot is not None and piece[0].slot.kind == "name":
        # a name set off by a comma before its verb
        end = len(piece)
    region, rest = piece[:end], piece[end:]
    reference = _reference(region, previous)
    subject = reference.slot
    beside = [token.slot for token in region if token.slot is not None and token.slot.kind == "name"]
    inner = {f"={key}" for slot in beside if slot is not subject for key in slot.keys}
    head = frame_tokens([token.text for token in region if token.slot is None]) | inner
    frame = _predicate_tokens(rest)
    concepts = frozenset(token.slot.concept for token in piece if token.slot is not None and token.slot.concept)
    words = tuple(token.text for token in piece if token.slot is None and _english_token(token.text))
    before: dict[int, str] = {}
    for left, right in zip(piece, piece[1:], strict=False):
        if right.slot is not None:
            before[right.slot.start] = left.lower if left.slot is None else ""
    kept = tuple(token.slot for token in piece if token.slot is not None and token.slot not in beside)
    # "the third bridge" is another bridge than the fourth
    ordinals = [s for s in kept if s.unit == "ordinal" and region and s.start < region[-1].end]
    head |= {f"#{s.low:g}" for s in ordinals}
    return Clause(
        reference=reference,
        head=head,
        frame=frame | concepts,
        words=words,
        slots=tuple(s for s in kept if s not in ordinals),
        negative=_denied(piece[0].start, piece[-1].end, denials),
        before=before,
        start=piece[0].start,
        end=piece[-1].end,
    )


def _denied(start: int, end: int, denials: Sequence[Span]) -> bool:
    return sum(start <= left and right <= end for left, right in denials) % 2 == 1


def english_clauses(text: str, start: int, end: int, slots: Sequence[Slot], denials: Sequence[Span]) -> list[Clause]:
    """The clauses of the English sentence at `start:end`; `slots` and `denials` are those inside it, in order."""
    tokens = _tokens(text, start, end, slots)
    clauses: list[Clause] = []
    carried: list[_Token] = []
    previous: _Token | None = None
    for piece in _pieces(tokens):
        has_verb = any(_is_verb(token) for token in piece)
        opening = (
            not clauses and not carried and not has_verb and piece[0].slot is None and piece[0].lower in _PREPOSITIONS
        )
        if opening:
            carried = list(piece)
        else:
            clause = _clause(piece, previous, denials)
            if carried:
                clause = _with_opening(clause, carried)
                carried = []
            if not clause.head and not clause.frame and clauses and clause.slots:
                # a value set off by a comma belongs to what stands before it
                clauses[-1] = replace(clauses[-1], slots=(*clauses[-1].slots, *clause.slots), end=clause.end)
            else:
                clauses.append(clause)
        previous = piece[-1]
    return clauses


def _with_opening(clause: Clause, opening: Sequence[_Token]) -> Clause:
    extra = frame_tokens([token.text for token in opening if token.slot is None])
    if opening[0].lower == "according":
        return clause
    more = tuple(token.slot for token in opening if token.slot is not None)
    return replace(clause, frame=clause.frame | extra, slots=(*more, *clause.slots), start=opening[0].start)


# --- Chinese ---------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=8_192)
def _chinese_tokens(masked: str) -> frozenset[str]:
    """Concepts, character pairs and Latin words of a clause whose values are placeholders; denials left out."""
    for pattern, concept in ZH_CONCEPTS:
        masked = pattern.sub(concept, masked)
    masked = ZH_NEUTRAL.sub(" ", masked).replace(SLOT, " ")
    tokens: set[str] = set()
    for run in _CJK_RUN.findall(masked):
        if run[0] == "@" or run[0].isascii():
            tokens.add(run.lower())
        elif len(run) == 1:
            tokens.add(run)
        else:
            tokens.update(run[index : index + 2] for index in range(len(run) - 1))
    return frozenset(tokens)


def _chinese_words(masked: str) -> tuple[str, ...]:
    return tuple(run for run in re.split(rf"[{SLOT}\s“”\"'、《》]+", ZH_NEUTRAL.sub(" ", masked)) if run)


def chinese_clauses(
    text: str, start: int, end: int, slots: Sequence[Slot], denials: Sequence[Span], names: Sequence[str]
) -> list[Clause]:
    """The clauses of the Chinese sentence at `start:end`; `names` are what the text is about."""
    clauses: list[Clause] = []
    position = start
    bounds: list[tuple[int, int]] = []
    for mark in _ZH_BREAK.finditer(text, start, end):
        if any(slot.start <= mark.start() < slot.end for slot in slots):
            continue
        bounds.append((position, mark.start()))
        position = mark.end()
    bounds.append((position, end))
    for left, right in bounds:
        inside = [slot for slot in slots if left <= slot.start and slot.end <= right]
        if right - left >= 2:
            clauses.append(_chinese_clause(text, left, right, inside, denials, names))
    return clauses


def _chinese_clause(
    text: str, start: int, end: int, slots: Sequence[Slot], denials: Sequence[Span], names: Sequence[str]
) -> Clause:
    before = {slot.start: text[slot.start - 1] if slot.start > start else "" for slot in slots}
    gaps = [(slot.start, slot.end, SLOT) for slot in slots]
    gaps += [(left, right, "") for left, right in denials if start <= left and right <= end]
    masked, position = "", start
    for left, right, filler in sorted(gaps):
        masked += text[position:left] + filler
        position = max(position, right)
    masked += text[position:end]
    reference, rest, kept = Reference("none"), masked, tuple(slots)
    named = next((name for name in sorted(names, key=len, reverse=True) if name and name in masked), None)
    subject = next((slot for slot in slots if slot.kind == "name" and slot.start - start <= 1), None)
    if subject is not None:
        reference, kept = Reference("named", subject), tuple(slot for slot in slots if slot is not subject)
    elif named is not None:
        reference, rest = Reference("about", word=named), masked.replace(named, " ")
    elif pronoun := _ZH_PRONOUN.match(masked):
        reference, rest = Reference("pronoun", word=pronoun[1]), masked[pronoun.end() :]
    elif re.match(r"我|你|您|咱", masked):
        reference = Reference("personal", word=masked[0])
    return Clause(
        reference=reference,
        head=frozenset(),
        frame=_chinese_tokens(rest),
        words=_chinese_words(rest),
        slots=kept,
        negative=_denied(start, end, denials),
        before=before,
        start=start,
        end=end,
    )
