"""What a text says, as things said: each with whether it is denied, and in which relation to others it stands."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from amb_core.longterm.wording import Token, tokens
from amb_core.text.remembering import clears

__all__ = ["Said", "Thing", "said"]

_KEPT = 4_096
_OR = frozenset(("or", "或", "或者", "或是"))
_AND = frozenset(("and", "和", "与", "及", "以及", "并且", "且", "both"))
_MUST = frozenset(("must", "has to", "have to", "required", "必须", "务必", "一定要"))
_MAY = frozenset(("may", "might", "optionally", "可以", "允许"))
_PREFERRING = frozenset(
    ("prefer", "prefers", "preferred", "preferring", "like", "likes", "choose", "favor", "favour", "rather")
)
_BE = frozenset(("is", "are", "was", "were", "be", "been", "being", "get", "gets", "'re", "被", "have", "has"))
_FIGURES = frozenset(("date", "clock", "weekday", "ordinal"))
_SINCE = frozenset(("from", "自", "从", "starting", "beginning"))
_UNTIL = frozenset(("by", "到", "至"))
_AGAIN = frozenset(
    ("use", "uses", "using", "用", "要", "而", "改", "always", "please", "keep", "only", "只", "请", "应", "选")
)
_FROM_NOW_ON = frozenset(("以后", "之后"))
_AGAIN_NOT = frozenset(("nor",))
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
    for clause in _clauses(found):
        denials += _read_clause(clause, things)
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


def _clauses(found: Sequence[Token]) -> list[list[Token]]:
    """The tokens between marks; a mark between single words of a list does not part them."""
    clauses: list[list[Token]] = [[]]
    for token in found:
        if token.meaning.key in ("break", "but") and token.meaning.use == "relator":
            clauses.append([])
        else:
            clauses[-1].append(token)
    return [clause for clause in clauses if clause]


def _read_clause(clause: list[Token], things: list[Thing]) -> int:
    """Take in the things of one clause; how often it denies something."""
    first = len(things)
    denied = 0
    side, scope, relation = "+", "", ""
    preferring = any(token.word in _PREFERRING for token in clause)
    for at, token in enumerate(clause):
        use = token.meaning.use
        if use in ("clause", "next", "passive"):
            denied += token.word not in _AGAIN_NOT
            passive = use == "passive" and (at == 0 or any(t.word in _BE for t in clause[max(0, at - 3) : at]))
            use = ("clause" if passive else "next") if use == "passive" else use
            side = _OPPOSITE.get(side, "-") if scope else "-"
            scope = use
            for thing in things[first:]:
                if thing.side == "+":
                    thing.side = "~" if use == "clause" else "?"
            relation = ""
        elif use == "relator":
            relation = _related(clause, at, things, first, relation, preferring)
        elif use == "empty" or (scope == "clause" and token.word in _AGAIN):
            if scope == "next" and things[first:] and things[-1].side == "-" and token.word not in ("of", "的"):
                side, scope = "?", ""
            elif token.word == "to" and relation == "from":
                relation = "to"
            elif token.word == "to" and preferring and _ends_with_names(clause, at) and things[first:]:
                relation = "less"
            elif scope == "clause" and token.word in _AGAIN and things[first:] and things[-1].side == "-":
                side, scope = "+", ""
            if thing := _turned(clause, at, len(things)):
                things.append(thing)
            if use != "empty":
                things.append(_thing(token, len(things), side, relation))
        else:
            things.append(_thing(token, len(things), side, relation))
    return denied


def _thing(token: Token, place: int, side: str, relation: str) -> Thing:
    meaning = token.meaning
    relations = {relation} if relation else set()
    return Thing(
        meaning.key, meaning.use, meaning.kind, token.surface, token.start, token.named, place, 0, side, relations
    )


def _turned(clause: list[Token], at: int, place: int) -> Thing | None:
    """What an empty word says before a date: "from 1 April" is a beginning, "by 1 April" an end."""
    following = _following(clause, at)
    word = clause[at].word
    if following is None or following.meaning.kind not in ("date", "clock") or word not in _UNTIL:
        return None
    return Thing("until", "hard", "until", word, clause[at].start, False, place)


def _ends_with_names(clause: list[Token], at: int) -> bool:
    """Whether one or two things, and nothing else, follow: "prefers tea to coffee"."""
    rest = [token for token in clause[at + 1 :] if token.meaning.use != "empty"]
    return (
        0 < len(rest) < 3
        and all(token.meaning.use == "hard" for token in rest)
        and any(token.word.startswith("prefer") for token in clause[: at - 1])
    )


def _following(clause: list[Token], at: int) -> Token | None:
    """The next token that says something."""
    return next((token for token in clause[at + 1 :] if token.meaning.use != "empty" or token.word == "to"), None)


def _is_figure(token: Token | None) -> bool:
    return token is not None and (token.meaning.kind in _FIGURES or token.meaning.key.startswith("number:"))


def _related(clause: list[Token], at: int, things: list[Thing], first: int, relation: str, preferring: bool) -> str:
    """The relation in which what follows stands; a word beside a figure says something itself."""
    name, word = clause[at].meaning.key, clause[at].word
    following = _following(clause, at)
    before_figure = _is_figure(following)
    after_figure = at > 0 and _is_figure(clause[at - 1])

    def adds(key: str, use: str, kind: str) -> str:
        side = things[-1].side if things[first:] else "+"
        things.append(Thing(key, use, kind, clause[at].surface, clause[at].start, False, len(things), 0, side))
        return ""

    if name in ("later", "earlier") and before_figure and word not in ("先", "再", "然后"):
        return adds("before" if name == "later" else "after", "strict", "when")
    if name.endswith("-behind"):
        if (
            word in ("前", "后")
            and before_figure
            and following is not None
            and following.meaning.kind.startswith("number")
        ):
            return adds("first" if word == "前" else "last", "hard", "edge")
        if after_figure and name != "less-behind":
            return adds("before" if name == "later-behind" else "after", "strict", "when")
        if not things[first:]:
            return adds(f"{name}:{word}", "hard", "when") if word not in _FROM_NOW_ON else ""
        for thing in things[first:]:
            if not thing.relations:
                thing.relations.add(name.partition("-")[0])
        return ""
    if name == "by" and following is not None and following.meaning.kind in ("date", "clock"):
        return adds("until", "hard", "until")
    if name == "from" and following is not None and following.meaning.kind in ("date", "clock"):
        return adds("start", "hard", "until")
    if name == "to" or (name == "less" and word in ("over", "than")):
        if word == "over" and before_figure:
            return adds("more_than", "strict", "comparison")
        return ("less" if preferring else relation) if word in ("over", "than") else "to"
    return "less" if name == "less-ahead" else name
