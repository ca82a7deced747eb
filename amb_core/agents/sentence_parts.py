"""Where a sentence can be shortened: asides and clauses that can go without making the rest wrong or ungrammatical.

Every part is a verbatim stretch of the sentence. The first one can stand alone and owns the mark at the end; the others
say which parts they need, so that nobody is credited with what the text says of somebody else.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from amb_core.text.language import Language
from amb_core.text.lazy_patterns import lazy_pattern

__all__ = ["Part", "parts_of"]

Span = tuple[int, int]

_OPENERS = {"(": ")", "（": "）", "《": "》", "“": "”", "「": "」", "『": "』", "[": "]", "【": "】"}
_MARK = lazy_pattern(r"[(（)）《》“”「」『』\[\]【】，]")
_ROUND = frozenset("(（")
_FEWEST = {"en": 40, "zh": 16}
_TERMINAL = lazy_pattern(r"[.!?。！？；;…]+[\"”’」』]*$")
_WORDS = lazy_pattern(r"\w\w")
_EXPLAINS = {"en": lazy_pattern(r"\d|[A-Z]{2}"), "zh": lazy_pattern(r"[\d\u3400-\u9fff]")}

# --- English: markers of clauses that a sentence can do without ------------------------------------------------------

_MARKER = lazy_pattern(
    r"(?P<leans>, (?:which|who|whose|whom|where|when|while|whereas|although|though|because|since|after|before|until|"
    r"unless|including|such as|especially|particularly|notably|[a-z]{3,}ing|as well as|along with|together with|"
    r"with (?:a|an|the|its|his|her|their)|followed by|according to)\b)|"
    r"(?P<free>, (?:and|but|so|yet) (?:he|she|it|they|we|there|this|his|her|its|their)\b|; )"
)
_FINITE = lazy_pattern(
    r"\b(?:is|was|are|were|has|had|have|will|would|can|could|may|might|must|should|does|did|do|became|becomes|began|"
    r"won|wrote|made|led|took|went|came|gave|held|ran|left|lost|met|built|sold|said|stood|sang|grew|got|kept|lies|"
    r"stands|serves|plays|lives|works|contains|includes|consists|features|stars|covers|belongs|refers|runs|"
    r"(?!(?:bas|locat|nam|titl|call|releas|direct|produc|publish|retir)ed\b)[a-z]{3,}ed)\b"
)
_RESUMES = lazy_pattern(
    r", (?:is|was|are|were|has|had|have|will|would|can|could|may|became|becomes|began|won|wrote|made|led|took|went|"
    r"[a-z]{3,}ed)\b"
)

# --- Chinese: which clause goes with which ---------------------------------------------------------------------------

_SAME_SUBJECT = lazy_pattern(
    r"[于在由被是为有曾也并后共以从至与将获任又还亦再更仅只不没未已正可会要需应让把对向往到随经通享拥设]|毕业|出生|生于|卒于|先后|主要|"
    r"包括|分为|位于|属于|来自|担任|成为|开始|成立|建立|发现|使用|采用|进入|加入|参加|获得|得到|负责|具有|含有|称为|简称|全称|全长|总|"
    r"一度|一直|直到|直至|最终|最后|随后|之后|同时|同年|次年|此后|其后|当时|目前|现|[\d一二三四五六七八九十]+[年月日]"
)
_STRICTLY = lazy_pattern(
    r"但|而|因此|因而|所以|于是|遂|乃|便|自此|由此|以此|指|认为|表示|然而|不过|从而|进而|故|使|令|导致|造成|却|则|就|才|即|否则|反而|以便|以免|"
    r"以致|甚至|例如|比如|如|其|这|此|该|那|都|均|皆|以及|和|或|及"
)
_LEADS_ON = lazy_pattern(
    r"但?(?:虽|尽管|如果|如|若|假如|倘|一旦|除|由于|因为|因|当|为了|随着|即使|只要|只有|无论|不论|不管|据|根据|按照|不仅|不但|既|与其)|"
    r"[^，]{0,8}(?:认为|表示|指出|宣布|声称|报道|否认|记载|说|称)[，：:]$"
)
_ADVERBIAL = lazy_pattern(
    r"(?:时|后|前|中|期间|年|月|日|起|来|下|上|外|方面|间|里|内|期|代|朝|：|:)(?:（[^）]*）)?\s*，?$"
)


class Part(NamedTuple):
    """Stretches of the text that are taken or left as one; `needs` are indices of parts of the same sentence."""

    spans: tuple[Span, ...]
    needs: tuple[int, ...] = ()
    aside: bool = False


def parts_of(text: str, start: int, end: int, *, language: Language) -> list[Part]:
    """The parts of the sentence `text[start:end]`: first what can stand alone, then its clauses, then its asides."""
    if end - start < _FEWEST[language]:
        return [Part(((start, end),))]
    asides, outside = _brackets(text, start, end, language)
    stop = start + found.start() if (found := _TERMINAL.search(text[start:end])) else end
    holes = [(first, last) for first, last in asides if last <= stop]
    clauses = _chinese(text, start, stop, outside) if language == "zh" else _english(text, start, stop, holes)
    parts = [Part(tuple(_without(span, holes)), needs) for span, needs in clauses]
    if stop < end:
        parts[0] = Part(_closed(parts[0].spans, (stop, end)), parts[0].needs)
    for hole in holes:
        host = next(at for at, (span, _) in enumerate(clauses) if span[0] <= hole[0] < span[1])
        if _WORDS.search(text, *hole):  # an empty pair of brackets says nothing
            parts.append(Part((hole,), (host,), aside=True))
    return parts


def _closed(spans: tuple[Span, ...], mark: Span) -> tuple[Span, ...]:
    """The spans with the mark at the end, as one stretch where it follows at once."""
    if spans and spans[-1][1] == mark[0]:
        return (*spans[:-1], (spans[-1][0], mark[1]))
    return (*spans, mark)


def _brackets(text: str, start: int, end: int, language: Language) -> tuple[list[Span], list[int]]:
    """Round brackets that can be left out, with the blank before them, and the commas that stand in no bracket."""
    asides: list[Span] = []
    commas: list[int] = []
    waiting: list[tuple[str, int]] = []
    for found in _MARK.finditer(text, start, end):
        char, at = found.group(), found.start()
        if char in _OPENERS:
            waiting.append((char, at))
        elif char == "，":
            if not waiting:
                commas.append(at)
        elif not waiting or _OPENERS[waiting[-1][0]] != char:
            return [], []  # crossed or unbalanced: better not to cut at all
        else:
            opener, begin = waiting.pop()
            if opener in _ROUND and not waiting and begin > start and _is_aside(text, begin, at + 1, language):
                asides.append((begin - 1 if text[begin - 1] == " " else begin, at + 1))
    return ([], []) if waiting else (asides, commas)


def _is_aside(text: str, begin: int, end: int, language: Language) -> bool:
    """Whether a bracket is an aside (no call, link or formula) that holds no date, number or explanation."""
    before = text[begin - 1]
    if not (before == " " or before >= "\u2e80"):
        return False
    return _EXPLAINS[language].search(text, begin + 1, end - 1) is None


def _without(span: Span, holes: Sequence[Span]) -> Iterator[Span]:
    position, end = span
    for first, last in holes:
        if first >= end or last <= position:
            continue
        if position < first:
            yield position, first
        position = last
    if position < end:
        yield position, end


def _english(text: str, start: int, end: int, asides: Sequence[Span]) -> list[tuple[Span, tuple[int, ...]]]:
    """The main clause, and the clauses after it that begin with a marker; a list is never cut."""
    resumed = max((found.start() for found in _RESUMES.finditer(text, start, end)), default=start)
    cuts: list[tuple[int, bool]] = []
    for found in _MARKER.finditer(text, start, end):
        at = found.start()
        if at < resumed or any(first <= at < last for first, last in asides) or _in_quotes(text, start, at):
            continue
        if at - start >= _FEWEST["en"] // 2 and _FINITE.search(text, start, at):
            cuts.append((at, found["free"] is not None))
    bounds = [start, *(at for at, _ in cuts), end]
    frees = [True, *(free for _, free in cuts)]
    return [
        (span, () if not at else (0,) if frees[at] else tuple(dict.fromkeys((0, at - 1))))
        for at, span in enumerate(pairwise(bounds))
    ]


def _in_quotes(text: str, start: int, at: int) -> bool:
    return text.count('"', start, at) % 2 == 1


def _chinese(text: str, start: int, end: int, commas: Sequence[int]) -> list[tuple[Span, tuple[int, ...]]]:
    """Clauses between commas: those that tell more of the same subject need only the one that names it."""
    spans: list[Span] = []
    begin = start
    for comma in commas:
        if start < comma < end - 1 and not _is_open(text[begin : comma + 1].lstrip("，"), first=not spans):
            spans.append((begin, comma))
            begin = comma
    spans.append((begin, end))
    clauses: list[tuple[Span, tuple[int, ...]]] = []
    owner = 0
    for at, (first, last) in enumerate(spans):
        clause = text[first + 1 : last].lstrip() if at else ""
        if not at:
            needs: tuple[int, ...] = ()
        elif _STRICTLY.match(clause):
            needs = tuple(dict.fromkeys((0, at - 1)))
        elif _SAME_SUBJECT.match(clause):
            needs = tuple(dict.fromkeys((0, owner)))
        else:
            needs, owner = (0,), at
        clauses.append(((first, last), needs))
    return clauses


def _is_open(clause: str, *, first: bool) -> bool:
    """Whether a clause says nothing without the next one: too short, a condition, a time, who says it."""
    return (
        len(clause) < 6
        or _LEADS_ON.match(clause) is not None
        or (_ADVERBIAL.search(clause) is not None and (first or len(clause) < 14))
    )
