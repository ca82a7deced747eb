"""What a text says, as things said: each with whether it is denied, and in which relation to others it stands."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from amb_core.longterm.sameness.clauses import Clause, clauses
from amb_core.longterm.sameness.wording import Token, tokens
from amb_core.text.remembering import clears

__all__ = ["MOST_THINGS", "Said", "Thing", "said"]

MOST_THINGS = 60
"""Things said in one sentence up to which it is held against others; lists and tables have more."""
_KEPT = 4_096
_OR = frozenset(("or", "或", "或者", "或是"))
_AND = frozenset(("and", "和", "与", "及", "以及", "并且", "且", "both"))
_MUST = frozenset(("must", "has to", "have to", "required", "必须", "务必", "一定要"))
_MAY = frozenset(("may", "might", "optionally", "可以", "允许"))
_PREFERRING = frozenset(
    ("prefer", "prefers", "preferred", "preferring", "like", "likes", "choose", "favor", "favour", "rather")
)
_BE = frozenset(("is", "are", "was", "were", "be", "been", "being", "get", "gets", "'re", "被", "have", "has"))
_FIGURES = frozenset(("date", "clock", "weekday", "month", "ordinal"))
_TIMES = frozenset(("date", "clock", "month", "part of year"))
_STEPS = frozenset(("先", "首先", "先要", "再", "然后", "之后再", "再去", "接着"))
_CODE_NOUNS = frozenset(
    "app call word:call "
    "table table_name view_name column file folder database schema script function_name branch".split()
)
_BY = frozenset(("by", "by the"))
_UNTIL = frozenset(("by", "到", "至"))
_AGAIN = frozenset(
    ("use", "uses", "using", "用", "要", "而", "改", "always", "please", "keep", "only", "只", "请", "应", "选")
)
_FROM_NOW_ON = frozenset(("以后", "之后"))
_REPEATING = frozenset(("nor", "or"))
_THEN = frozenset(
    ("then", "and then", "afterwards", "afterward", "subsequently", "thereafter", "only then", "after that")
)
_RATHER = frozenset(("rather", "would rather", "d rather"))
_BOUNDS = {"more_than": "at_most", "less_than": "at_least"}
_FEW = 2
_DIVIDING = frozenset(("divide", "divides", "dividing", "divided", "division"))
_BETWEEN = frozenset(("与", "和", "对", "跟", "比"))
_MEANS = frozenset(("channel", "file_format", "travel"))
_GRANTED = {"drink": "drink", "eat": "diet"}
_BEHIND_OF = re.compile(r"(?:'s?\b|的)")
_BEFORE_OF = re.compile(r"\bof (?:the )?$")
_BEFORE_AGENT = re.compile(r"(?:\bby (?:the )?|由|被)$")
_ARRIVING = ("到", "至")
_OF_NAMES = {"of", "agent"}
_DUE = frozenset(("due", "期限", "期限为"))
_LONGEST_BEFORE = 8
_OPPOSITE = {"-": "+", "+": "-"}


@dataclass(slots=True)
class Thing:
    """One thing said: `side` "+" as it is, "-" denied, "?" beside a denial, "~" before one that may be of it.

    `place` counts the things of the text, `group` the parts between its marks and its "and"s.
    """

    key: str
    use: str
    kind: str
    surface: str
    start: int
    named: bool
    place: int
    group: int = 0
    side: str = "+"
    relations: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Said:
    """The things of a text, how often it denies something, and how it joins and obliges."""

    text: str
    things: tuple[Thing, ...]
    keys: frozenset[str]
    denials: int
    ors: bool
    ands: bool
    must: bool
    may: bool


@lru_cache(maxsize=_KEPT)
def said(text: str) -> Said:
    """What a text says."""
    found = tokens(text)
    things: list[Thing] = []
    denials = 0
    ordered = any(token.meaning.key in ("later", "earlier") or token.word == "then" for token in found)
    stepped = ordered and any(token.word == "first" for token in found) and any(token.word in _THEN for token in found)
    for clause in clauses(found):
        reader = _Reader(clause, things, ordered=ordered, stepped=stepped)
        reader.read()
        denials += reader.denials
    _name_code(things)
    _take_for_granted(things)
    _relate_names(things, text)
    joints = [token.start for token in found if token.meaning.key in ("break", "but") or token.word in _AND]
    for thing in things:
        thing.group = bisect_left(joints, thing.start)
    words = {token.word for token in found}
    return Said(
        text,
        tuple(things),
        frozenset(thing.key for thing in things),
        denials,
        not words.isdisjoint(_OR),
        not words.isdisjoint(_AND),
        not words.isdisjoint(_MUST),
        not words.isdisjoint(_MAY),
    )


clears(said.cache_clear)


@dataclass(slots=True)
class _Reader:
    """Reads one clause: takes its things in with the side and the relation they are said in."""

    clause: Clause
    things: list[Thing]
    first: int = 0
    side: str = "+"
    scope: str = ""
    relation: str = ""
    ordered: bool = False
    stepped: bool = False
    preferring: bool = False
    denials: int = 0

    def read(self) -> None:
        """Take in the whole clause."""
        self.first = len(self.things)
        clause = self.clause.tokens
        self.preferring = self.clause.comes(0, _PREFERRING.__contains__)
        for at, token in enumerate(clause):
            use = token.meaning.use
            if clause[at - 1].start == token.start and at:
                continue  # the word itself was taken in with what denies it
            if use == "next" and at + 1 < len(clause) and clause[at + 1].start == token.start:
                self._deny_word(clause[at + 1])
                continue
            if use in ("clause", "next", "passive"):
                self._deny(at, token)
            elif use == "relator":
                self._relate(at, token)
            elif use == "empty":
                self._pass(at, token)
            elif not self._trails(at, token.word):
                if self.scope == "clause" and token.word in _AGAIN:
                    self._turn_back()
                self._add(token.meaning.key, token.meaning.use, token.meaning.kind, token)
                if self.relation == "from" and token.word.endswith(_ARRIVING):
                    self.relation = "to"
        if self.scope == "next" and all(thing.side != "-" for thing in self._own()):
            for thing in self._own():
                thing.side = "~"

    def _trails(self, at: int, word: str) -> bool:
        """Whether a word says nothing because nothing follows: "before production, deploy to staging first", 窄一些."""
        if word == "first" and self.stepped and at == 0:
            self.relation = "earlier"
            return True
        if word == "first" and self.ordered and self.clause.following(at) is None:
            for thing in self._own() if self.stepped else ():
                thing.relations = thing.relations or {"earlier"}
            return True
        if word == "through":
            following = self.clause.following(at)
            return following is not None and following.meaning.kind in _MEANS
        if word in _DIVIDING:
            return self.clause.comes(at, _BY.__contains__)
        return word in ("一些", "些") and self.clause.following(at) is None

    def _own(self) -> list[Thing]:
        """The things of the clause; of more than are held against others the first, so that a list takes no longer."""
        return self.things[self.first : self.first + MOST_THINGS]

    def _add(self, key: str, use: str, kind: str, token: Token) -> None:
        key = self._bounded(key)
        relations = {self.relation} if self.relation else set()
        place = len(self.things)
        self.things.append(
            Thing(key, use, kind, token.surface, token.start, token.named, place, 0, self.side, relations)
        )

    def _bounded(self, key: str) -> str:
        """What must not cost more than 150 costs at most 150."""
        if key not in _BOUNDS or self.side != "-" or self.scope != "clause":
            return key
        if sum(thing.side == "-" for thing in self._own()) > _FEW:
            return key
        for thing in self._own():
            thing.side = "+"
        self.side, self.scope = "+", ""
        self.denials -= 1
        return _BOUNDS[key]

    def _deny(self, at: int, token: Token) -> None:
        """What follows is denied; what stands before may be, when the whole clause is."""
        scope = token.meaning.use
        if scope == "passive":
            said_of = at == 0 or any(other.word in _BE for other in self.clause.tokens[max(0, at - 3) : at])
            scope = "clause" if said_of else "next"
        if token.word not in _REPEATING:
            self.denials += 1
        self.side = _OPPOSITE.get(self.side, "-") if self.scope else "-"
        self.scope = scope
        self.relation = ""
        for thing in self._own():
            if thing.side == "+":
                thing.side = "~" if scope == "clause" else "?"

    def _deny_word(self, token: Token) -> None:
        """A word that denies itself and nothing else: unsubscribed."""
        self.denials += 1
        if token.meaning.use in ("soft", "hard", "strict"):
            side, self.side = self.side, "-"
            self._add(token.meaning.key, "hard", token.meaning.kind, token)
            self.side = side

    def _turn_back(self) -> None:
        """Something else is said after what was denied: "not CSV, use PDF" without the mark."""
        if self._own() and self.things[-1].side == "-":
            self.side, self.scope = "+", ""

    def _pass(self, at: int, token: Token) -> None:
        """An empty word ends what the next words' denial reaches, and may turn what follows."""
        word = token.word
        following = self.clause.following(at)
        if self.scope == "next" and word not in ("of", "的") and self._own() and self.things[-1].side == "-":
            self.side, self.scope = "?", ""
        elif self.scope == "clause" and word in _AGAIN:
            self._turn_back()
        if word == "由" and self.clause.comes(at, _arrives):
            self.relation = "from"
        elif word in ("to", "到", "至") and self.relation == "from":
            self.relation = "to"
        elif word == "then" and self.stepped:
            self.relation = "later"
        elif word == "by" and self.clause.last_before(at, _DIVIDING.__contains__):
            self.relation = "below"
        elif word == "to" and (ratio := next((thing for thing in self._own() if thing.key == "ratio"), None)):
            self.relation, ratio.use = "below", "soft"
        elif (word == "than" and self.clause.last_before(at, _RATHER.__contains__)) or (
            word == "to" and self.preferring and self._own() and self._ends_with_names(at)
        ):
            self._deny(at, token._replace(meaning=token.meaning._replace(use="next")))
        elif word in _UNTIL and following is not None and following.meaning.kind in _TIMES:
            self._add("until", "hard", "until", token)
        elif word == "since" and _is_figure(following):
            self._add("start", "hard", "until", token)

    def _ends_with_names(self, at: int) -> bool:
        """Whether one or two things, and nothing else, follow: "prefers tea to coffee"."""
        rest = self.clause.rest(at, most=3)
        return (
            0 < len(rest) < 3
            and all(token.meaning.use == "hard" for token in rest)
            and self.clause.last_before(at - 1, _prefers) is not None
        )

    def _relate(self, at: int, token: Token) -> None:
        """Set the relation in which what follows stands; a word beside a figure says something itself."""
        name, word = token.meaning.key, token.word
        following = self.clause.following(at)
        if name.endswith("-behind"):
            self._relate_back(at, token, following)
        elif name in ("later", "earlier") and _is_figure(following) and word not in _STEPS:
            self.relation = ""
            self._add("before" if name == "later" else "after", "strict", "when", token)
        elif name == "by" and self.clause.last_before(at, _DIVIDING.__contains__):
            self.relation = "below"
        elif name == "over":
            self._relate_over(at, token, following)
        elif name in ("by", "from") and following is not None and following.meaning.kind in _TIMES:
            self.relation = ""
            self._add("until" if name == "by" else "start", "hard", "until", token)
        else:
            self.relation = name

    def _relate_back(self, at: int, token: Token, following: Token | None) -> None:
        """A word behind what it is said of: 提交前."""
        name = token.meaning.key.removesuffix("-behind")
        self.relation = ""
        if name == "ratio":
            between = self.clause.last_before(at, _BETWEEN.__contains__)
            joint = between.start if between else token.start
            for thing in self._own():
                if thing.start > joint:
                    thing.relations.add("below")
        elif at and _is_figure(self.clause.tokens[at - 1]):
            self._add("before" if name == "later" else "after", "strict", "when", token)
        elif token.word in ("前", "后") and following is not None and following.meaning.key.startswith("number:"):
            self._add("first" if token.word == "前" else "last", "hard", "edge", token)
        elif self._own():
            for thing in self._own():
                if not thing.relations:
                    thing.relations.add(name)
        elif token.word not in _FROM_NOW_ON:
            self._add(f"{name}:{token.word}", "hard", "when", token)

    def _relate_over(self, at: int, token: Token, following: Token | None) -> None:
        """ "over 100", "tea over coffee", "revenue over the number of orders", "over the past year"."""
        if _is_figure(following):
            self._add("more_than", "strict", "comparison", token)
        elif self.preferring:
            self._deny(at, token._replace(meaning=token.meaning._replace(use="next")))
        elif following is not None and following.meaning.kind == "aggregate":
            self.relation = "below"


def _arrives(word: str) -> bool:
    return word.endswith(_ARRIVING)


def _prefers(word: str) -> bool:
    return word.startswith("prefer")


def _is_figure(token: Token | None) -> bool:
    return token is not None and (token.meaning.kind in _FIGURES or token.meaning.key.startswith("number:"))


def _name_code(things: Sequence[Thing]) -> None:
    """What only says what kind of thing a path or identifier is may go unsaid: the table crm.customers."""
    for one, other in pairwise(things):
        for noun, code in ((one, other), (other, one)):
            if noun.key in _CODE_NOUNS and code.kind == "code":
                noun.use = "soft"


def _take_for_granted(things: Sequence[Thing]) -> None:
    """Coffee is drunk, meat eaten, and what is divided counted, said or not; what has a term is due."""
    kinds = {thing.kind for thing in things}
    divided = any("below" in thing.relations for thing in things)
    for thing in things:
        if thing.key == "count" and divided:
            thing.use = "soft"
        if thing.surface.lower() in _DUE and "duration" in kinds:
            thing.use = "soft"
        if _GRANTED.get(thing.key, "-") in kinds:
            thing.use = "soft"


def _relate_names(things: Sequence[Thing], text: str) -> None:
    """Whose something is, and who does what is told in the passive: "manager of Tomas", "reviewed by Ana"."""
    for thing in things:
        unlisted = thing.key.startswith("han:") or (thing.key.startswith("word:") and thing.surface[:1].isupper())
        if thing.use != "hard" or not (unlisted or thing.kind == "staff" or text[thing.start - 1] == "被"):
            continue
        before = text[max(0, thing.start - _LONGEST_BEFORE) : thing.start]
        last = things[thing.place - 1] if thing.place else thing
        if 0 <= thing.start - last.start - len(last.surface) <= 1:
            thing.relations |= last.relations & _OF_NAMES
        owning = _BEFORE_OF.search(before) or _BEHIND_OF.match(text, thing.start + len(thing.surface))
        if unlisted and owning:
            thing.relations.add("of")
        elif _BEFORE_AGENT.search(before):
            thing.relations.add("agent")
