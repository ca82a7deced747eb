"""The claim of a Chinese statement: its attribute as concepts, and the characters that are left of its clause."""

import re
from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache

from amb_core.agents.attribute_words import (
    BORDER,
    LASTING,
    ONCE,
    SLOT,
    ZH_CONCEPTS,
    ZH_GENERIC,
    ZH_LISTED,
    ZH_NEUTRAL,
    ZH_RECURRING,
)
from amb_core.agents.chinese_claim_words import (
    ZH_CLAIM_CONCEPTS,
    ZH_FLIPPED,
    ZH_KINDS,
    ZH_LIGHT,
    ZH_MARKERS,
    ZH_OFFICES,
    ZH_RATES,
    ZH_SITES,
)
from amb_core.agents.quantities import compare, equal
from amb_core.agents.statements import Statement

__all__ = ["ChineseClaim", "chinese_claim_of", "chinese_claims_differ", "chinese_claims_meet"]

_HAN = re.compile(r"[\u3400-\u9fffA-Za-z0-9]")
_FEWEST_CHARACTERS = 2
_FEWEST_WITHOUT_CONCEPT = 5
_RELATIVE = re.compile(rf"^[^{SLOT}]{{0,4}}{SLOT}[^{SLOT}]{{0,3}}的")
_NAMED = re.compile(
    r"(?![该本全各此这其])[\u4e00-\u9fff]{2,10}?(?:公司|集团|大学|学院|医院|银行|机场|铁路|水库|电站|泵站|工厂|水厂|电厂|渔场|研究所|"
    r"博物馆|图书馆|体育馆|隧道|大桥|索道|公园|疫苗|软件|科技|实验室|药业|茶业|机械|纺织)"
)
# "这家创办于1985年的老厂"
_THE_OLD_ONE = re.compile(
    rf"{SLOT}的[^{SLOT}]{{0,2}}(?:厂|医院|企业|公司|大桥|学校|大学|水库|电站|博物馆|机构|图书馆|场馆)$"
)
_LONGEST_TIMED = 12
_LONGEST_CLAUSE = 48
_KIND_ENDS = tuple("厂院馆校坝桥库站园港矿局所场")
_POINTERS = ("该", "本", "此", "这", "其", "全")
_ONCE = frozenset(concept.removeprefix("@") for concept in ONCE)
_LASTING = frozenset(concept.removeprefix("@") for concept in LASTING)


@dataclass(frozen=True, slots=True)
class ChineseClaim:
    """A statement by what it is about: `concepts` (attributes), `about` (a subject that the clause leaves out or points
    to), `rest` (the other characters that count), `rates`
    ("每年") and `markers` ("原来", "平均"); `relative` marks "成立于…的X", after whose X anything may follow."""

    statement: Statement
    kind: str
    unit: str
    concepts: frozenset[str]
    about: str
    rest: str
    rates: frozenset[str]
    markers: frozenset[str]
    said: bool
    relative: bool

    @property
    def keys(self) -> frozenset[Hashable]:
        """Claims that share none of these do not answer one question."""
        question = (self.kind, self.unit, self.concepts)
        wholes = {self.rest, self.about + self.rest}
        plain = {ZH_KINDS.sub("", whole, count=1) if ZH_KINDS.match(whole) else whole for whole in wholes}
        found: set[Hashable] = {(*question, self.rates, "".join(sorted(whole))) for whole in wholes | plain}
        if self.kind == "date" and self.concepts & _ONCE:
            found.update((*question, whole[:3]) for whole in wholes)
        return frozenset(found)


def chinese_claim_of(statement: Statement) -> ChineseClaim | None:
    """The claim of a Chinese statement; None when too little is left to know what it is about."""
    if not statement.chinese or not statement.plain or statement.pointing == "personal":
        return None
    if len(statement.plain) > _LONGEST_CLAUSE:
        return None
    unit = statement.slot.unit if statement.slot is not None else "status"
    about, _, plain = statement.plain.rpartition(BORDER)
    if about and statement.pointing == "pronoun":
        plain = _THE_OLD_ONE.sub(SLOT, plain)
    concepts, rest, rates, flips = _reduced(plain, statement.kind)
    rest = _without_pointer(rest, about)
    markers = frozenset(ZH_MARKERS.findall(statement.plain))
    if not about and (rest[:1] in _POINTERS or len(set(rest) - ZH_GENERIC) < _FEWEST_CHARACTERS):
        return None
    few = _FEWEST_CHARACTERS + (statement.kind == "name") if concepts else _FEWEST_WITHOUT_CONCEPT
    if len(about + rest) < few:
        return None
    said = statement.polarity != bool(flips % 2)
    relative = statement.kind == "date" and bool(_RELATIVE.match(statement.plain))
    return ChineseClaim(statement, statement.kind, unit, concepts, about, rest, rates, markers, said, relative)


def _without_pointer(rest: str, about: str) -> str:
    """Without "该渔场" or "渔场" where the subject is a fishery, and without "公司"."""
    if about and rest[:1] not in _POINTERS:
        lengths = (
            n for n in (3, 2) if rest[n - 1 : n] in _KIND_ENDS and about.endswith(rest[:n]) and about != rest[:n]
        )
        return rest[2:] if rest.startswith("公司") else rest[next(lengths, 0) :]
    if rest[:1] not in _POINTERS or not about:
        return rest
    length = next((n for n in range(4, 0, -1) if len(rest) > n and about.endswith(rest[1 : 1 + n])), 0)
    return rest[1 + length :] if length else rest


@lru_cache(maxsize=8_192)
def _reduced(plain: str, kind: str) -> tuple[frozenset[str], str, frozenset[str], int]:
    """(concepts, characters left, rates, how many words were turned into their opposite)."""
    flips = 0
    if kind == "polarity":
        for pattern, other in ZH_FLIPPED:
            plain, count = pattern.subn(other, plain)
            flips += count
    rates = frozenset(match.lastgroup or "" for match in ZH_RATES.finditer(plain))
    plain = ZH_RATES.sub(" ", plain)
    concepts: set[str] = set()
    for patterns in (ZH_CLAIM_CONCEPTS, ZH_CONCEPTS):
        for match in patterns.finditer(plain):
            concepts.add(match.lastgroup or "")
        plain = patterns.sub(" ", plain)
    plain = ZH_NEUTRAL.sub("", ZH_LIGHT.sub("", ZH_MARKERS.sub("", plain)))
    return frozenset(concepts), "".join(_HAN.findall(plain)), rates, flips


def chinese_claims_differ(a: ChineseClaim, b: ChineseClaim) -> bool:
    """Whether both answer one question, and differently."""
    if a.kind == "polarity":
        return a.said != b.said and len(a.rest) >= _FEWEST_WITHOUT_CONCEPT and chinese_claims_meet(a, b)
    return a.said == b.said and chinese_claims_meet(a, b) and _values_differ(a, b)


def chinese_claims_meet(a: ChineseClaim, b: ChineseClaim) -> bool:
    """Whether both answer one question, whatever they answer."""
    if a.kind != b.kind or a.unit != b.unit or a.concepts != b.concepts or a.rates != b.rates or a.markers != b.markers:
        return False
    if a.kind == "name" and not (_one_name_only(a) and _one_name_only(b)):
        return False
    if a.kind == "date" and not (_tells_event(a) and _tells_event(b)):
        return False
    return _same_time(a, b) and _same_others(a.statement, b.statement) and _same_matter(a, b)


def _values_differ(a: ChineseClaim, b: ChineseClaim) -> bool:
    left, right = a.statement.slot, b.statement.slot
    return left is not None and right is not None and compare(left, right) == "different"


def _one_name_only(claim: ChineseClaim) -> bool:
    """Whether only one name can stand here: an office, an author, a place where it lies."""
    if claim.concepts & ZH_SITES:
        return True
    plain = claim.statement.plain
    return bool(ZH_OFFICES.search(plain)) or (
        bool(claim.concepts & {"written", "directed", "composed", "design"}) and not ZH_LISTED.search(plain)
    )


def _tells_event(claim: ChineseClaim) -> bool:
    """Whether the date is when something happened that happens once, not when something else was so."""
    if not claim.concepts & _ONCE or ZH_RECURRING.search(claim.statement.plain):
        return False
    return SLOT in claim.statement.plain or len(claim.rest) <= _LONGEST_TIMED


def _same_time(a: ChineseClaim, b: ChineseClaim) -> bool:
    x, y = a.statement.scope, b.statement.scope
    if x and y:
        # a quarter is no year: what holds of the part is not said of the whole
        left, right = ({(s.unit, s.low, s.high) for s in slots} for slots in (x, y))
        return left <= right or right <= left
    if a.kind != "polarity" and a.concepts & _LASTING:
        return True
    return not (x or y or a.statement.within.of_other_year(b.statement.within))


def _same_others(a: Statement, b: Statement) -> bool:
    return len(a.others) == len(b.others) and all(map(equal, a.others, b.others))


def _same_matter(a: ChineseClaim, b: ChineseClaim) -> bool:
    if _names_itself(a, b) and _same_rest(a.rest, b.rest, a, b):
        return True
    return bool(a.about or b.about) and _same_rest(a.about + a.rest, b.about + b.rest, a, b)


def _names_itself(a: ChineseClaim, b: ChineseClaim) -> bool:
    """Whether the clauses name what they are about, so that it does not matter what their texts are about."""
    return not (a.about or b.about) or (
        _NAMED.match(a.rest) is not None and _NAMED.match(b.rest) is not None and not _same_rest(a.about, b.about, a, b)
    )


def _same_rest(x: str, y: str, a: ChineseClaim, b: ChineseClaim) -> bool:
    if x == y or _counted(x) == _counted(y):
        return True
    shorter, longer = sorted((x, y), key=len)
    if len(shorter) <= _FEWEST_CHARACTERS:
        return False
    if (b if longer is y else a).relative and a.concepts & _ONCE:
        return longer.startswith(shorter)
    # one side says what kind of thing it is
    start = longer.removesuffix(shorter)
    return start != longer and ZH_KINDS.fullmatch(start) is not None


@lru_cache(maxsize=8_192)
def _counted(rest: str) -> Counter[str]:
    return Counter(rest)
