"""Where the topics of a text change: the evidence at every gap, and the best set of cuts.

Two kinds of evidence are added up. Cohesion (after TextTiling and C99): blocks of about a paragraph on each side of a
gap are compared as tf-idf vectors over this text alone. Openings: a sentence that starts with a pronoun or a
connective goes on, one that introduces a name nobody mentioned before ("X is a …", "X（…）是…") starts afresh. The
weights were fitted by logistic regression on passages put one after another and rounded; they know no vocabulary.
Layout (headings, turns, rows) and the size of the pieces are weighed against it.
"""

import math
import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from amb_core.agents.text_units import Unit
from amb_core.text import dialogue_speaker, index_tokens
from amb_core.text.language import Language
from amb_core.text.lazy_patterns import lazy_pattern

__all__ = ["SIZES", "continues", "grouped"]

Floats = NDArray[np.float64]

# --- shared words on both sides of a gap, and how the next sentence opens ---------------------------------------------

FEATURES = (
    "bias",
    "blocks",  # cosine of the block before and the block after the gap
    "next_left",  # cosine of the next sentence and the block before
    "prev_right",  # cosine of the last sentence and the block after
    "next_right",  # cosine of the next sentence and what follows it
    "depth",  # how deep the valley of `blocks` is here
    "continues",  # opens with a pronoun, a connective or a time
    "definite",  # opens with "The" and a common noun
    "introduces",  # "X is a …"
    "pronoun",  # a third-person pronoun near the start
    "new_names",  # share of the opening's names that the block before lacks
    "kept_names",  # share of the opening's names that come back after it
    "alias",  # an opening bracket near the start
)

_FIRST_OPENING = FEATURES.index("continues")
_BLOCK_CHARS = {"en": 500, "zh": 200}
_HEAD_CHARS = {"en": 60, "zh": 16}

_CONTINUES = {
    "en": lazy_pattern(
        r"(?:he|she|it|they|his|her|hers|its|their|him|them|we|our|us|you|your|i|my|who|which|"
        r"this|these|those|that|such|both|another|others?|each|some|many|most|several|all|there|here|"
        r"however|but|and|or|so|yet|nor|also|too|thus|therefore|hence|moreover|furthermore|nevertheless|instead|"
        r"otherwise|meanwhile|similarly|likewise|consequently|additionally|finally|eventually|subsequently|afterwards|"
        r"then|later|now|today|currently|recently|originally|initially|previously|soon|again|still|even|only|"
        r"in (?:addition|fact|contrast|particular|this|these|that|total|his|her|its|their|\d{4}|"
        r"(?:january|february|march|april|may|june|july|august|september|october|november|december))|"
        r"for (?:example|instance|this)|as (?:a result|well|such|of)|on the other hand|at (?:the time|that time|this)|"
        r"although|though|while|whereas|because|since|when|after|before|during|following|despite|if|unless|until|once|"
        r"among|according to|from \d{4}|on \w+ \d|by \d{4}|not|what|how|why)\b",
        re.IGNORECASE,
    ),
    "zh": lazy_pattern(
        r"[他她它其该此这那本]|我们?|你们?|同时|此外|另外|除|但|因|由于|所以|而|并|且|或|虽|然而|不过|随后|后来|之后|以后|"
        r"最后|最终|最初|起初|目前|现在?|如今|今|当时|当|直到|直至|以及|以|又|也|还|更|至|再|即|若|如果?|例如|比如|"
        r"在|从|自|于|由|对|为|将|被|把|向|与|和|及|有|是|主要|只|仅|都|均|经|据|根据|使|让|"
        r"\d+[年月日]|[一二三四五六七八九十]+[年月日]|同[年月]|次年|翌年|第[一二三四五六七八九十\d]|[\d.、（(①-⑩]|另|首|先|接|"
        r"每|各|多|少|许多|一些|部分|大部分"
    ),
}
_DEFINITE = lazy_pattern(r"(?:the|a|an) [a-z]")
_INTRODUCES = {
    "en": lazy_pattern(
        r"[\"'“‘(]?(?:(?:The|A|An) )?[^.;!?]{2,90}?(?:\([^)]*\)?[^.;!?]{0,60}?)?,? "
        r"(?:is|was|are|were|refers to|may refer to|can refer to) (?:an?|the|one|any|two|three|part|located|[a-z]+)\b"
    ),
    "zh": lazy_pattern(
        r"[^，。]{1,25}?(?:（[^）]*）|\([^)]*\))|"
        r".{1,25}?(?:，[^，。]{1,20})?[，,]?\s*(?:是|为|位于|又称|又名|亦称|亦作|简称|即|或称|或译|原名|本名|字|号|指|乃|创办|成立)"
    ),
}
_PRONOUN = {
    "en": lazy_pattern(r"\b(?:he|she|his|her|its|it|their|they|him|them)\b", re.IGNORECASE),
    "zh": lazy_pattern(r"[他她它其该]"),
}
_ALIAS = {"en": lazy_pattern(r"[^(]{2,70}\("), "zh": lazy_pattern(r"[^（(]{1,24}[（(]")}
_NAME = lazy_pattern(r"[A-Z][\w'’-]+|\d[\d,.]*")


def _boundary_scores(units: Sequence[str], prose: Sequence[bool], *, language: Language) -> Floats:
    """Log-odds that a topic ends after each unit but the last: float64 of shape [len(units) - 1].

    How a unit opens counts only where `prose` says that it is a sentence.
    """
    features = gap_features(units, language=language)
    features[~np.array(prose[1:], dtype=bool), _FIRST_OPENING:] = 0.0
    return features @ _WEIGHTS[language]


def continues(sentence: str, *, language: Language) -> bool:
    """Whether the sentence opens as one that goes on with what was said before (a pronoun, a connective, a time)."""
    return _CONTINUES[language].match(sentence) is not None


def gap_features(units: Sequence[str], *, language: Language) -> Floats:
    """The evidence at every gap: float64 of shape [len(units) - 1, len(FEATURES)], columns as in `FEATURES`."""
    gaps = len(units) - 1
    if gaps < 1:
        return np.zeros((0, len(FEATURES)))
    tokens = [index_tokens(unit) for unit in units]
    terms = [frozenset(unit) for unit in tokens]
    left, right = _blocks(np.array([len(unit) for unit in units]), _BLOCK_CHARS[language])
    found = np.zeros((gaps, len(FEATURES)))
    found[:, 0] = 1.0
    found[:, 1:5] = _cosines(*_vectors(tokens), left, right)
    found[:, 5] = _depths(found[:, 1])
    for gap in range(gaps):
        found[gap, _FIRST_OPENING:] = _opening(units, terms, gap, int(left[gap]), int(right[gap]), language)
    return found


def _blocks(lengths: NDArray[np.int64], wanted: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """First unit of the block before and one past the last unit of the block after, for every gap."""
    ends = np.cumsum(lengths)
    starts = ends - lengths
    gaps = np.arange(len(lengths) - 1)
    left = np.searchsorted(ends, ends[:-1] - wanted, side="right")
    right = np.searchsorted(starts, starts[1:] + wanted, side="left")
    return np.minimum(left, gaps), np.maximum(right, gaps + 2)


def _vectors(tokens: Sequence[Sequence[str]]) -> tuple[Floats, Floats]:
    """The units' tf-idf vectors over the terms that two units share, and each unit's share that no other can match."""
    ids: dict[str, int] = {}
    terms = np.array([ids.setdefault(word, len(ids)) for words in tokens for word in words], dtype=np.int64)
    rows = np.repeat(np.arange(len(tokens)), [len(words) for words in tokens])
    width = max(1, len(ids))
    cells, counts = np.unique(rows * width + terms, return_counts=True)
    row, term = cells // width, cells % width
    spread = np.bincount(term, minlength=width)
    weight = np.log((len(tokens) + 1) / spread[term]) * (1.0 + np.log(counts))
    lonely = spread[term] == 1
    alone = np.bincount(row[lonely], weights=weight[lonely] ** 2, minlength=len(tokens))
    shared = spread > 1
    vectors = np.zeros((len(tokens), int(shared.sum())))
    vectors[row[~lonely], (np.cumsum(shared) - 1)[term[~lonely]]] = weight[~lonely]
    return vectors, alone.astype(np.float64)


def _cosines(vectors: Floats, alone: Floats, left: NDArray[np.int64], right: NDArray[np.int64]) -> Floats:
    """How alike the blocks and the units on both sides of each gap are; float64 of shape [gaps, 4].

    Row by row on running sums, without a product of matrices: the threads of one cost more than it saves.
    """
    sums = np.concatenate((np.zeros((1, vectors.shape[1])), vectors.cumsum(0)))
    own = np.concatenate(([0.0], alone.cumsum()))
    cut = np.arange(1, len(alone))
    after = np.minimum(cut + 1, right)

    def block(start: NDArray[np.int64], stop: NDArray[np.int64]) -> tuple[Floats, Floats]:
        total = sums[stop] - sums[start]
        return total, np.sqrt(np.maximum(_products(total, total) + own[stop] - own[start], 1e-9))

    def cosine(one: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> Floats:
        return _products(one[0], other[0]) / (one[1] * other[1])

    following, opening = block(cut, right), block(cut, cut + 1)
    preceding = block(left, cut)
    rest = np.where(after < right, cosine(opening, block(after, np.maximum(right, after))), 0.0)
    alike = cosine(preceding, following), cosine(preceding, opening), cosine(block(cut - 1, cut), following), rest
    return np.stack(alike, axis=1)


def _products(one: Floats, other: Floats) -> Floats:
    return np.asarray(np.einsum("ij,ij->i", one, other))


def _depths(blocks: Floats, reach: int = 4) -> Floats:
    """How far the cohesion rises on both sides of each gap within `reach` gaps."""
    padded = np.pad(blocks, reach, constant_values=-1.0)
    size = len(blocks)
    before = np.max([padded[at : at + size] for at in range(reach + 1)], axis=0)
    after = np.max([padded[at : at + size] for at in range(reach, 2 * reach + 1)], axis=0)
    return np.asarray(before + after - 2 * blocks)


def _opening(
    units: Sequence[str],
    terms: Sequence[Set[str]],
    gap: int,
    left: int,
    right: int,
    language: Language,
) -> tuple[float, ...]:
    """The seven features of how the unit after the gap opens."""
    opening = units[gap + 1]
    head = opening[: _HEAD_CHARS[language]]
    goes_on = continues(opening, language=language)
    names = set(index_tokens(" ".join(_NAME.findall(head)) if language == "en" else head[:8]))
    new = kept = 0.0
    if names:
        before, after = terms[left : gap + 1], terms[gap + 2 : right]
        new = len(names.difference(*before)) / len(names)
        kept = 1.0 - len(names.difference(*after)) / len(names)
    return (
        goes_on,
        language == "en" and _DEFINITE.match(opening[:12].lower()) is not None,
        not goes_on and _INTRODUCES[language].match(opening[:240]) is not None,
        _PRONOUN[language].search(opening[:80] if language == "en" else opening[:30]) is not None,
        new,
        kept,
        _ALIAS[language].match(opening) is not None,
    )


# in the order of FEATURES
_WEIGHTS: dict[Language, Floats] = {
    "en": np.array([-1.0, -16.5, -19.0, -24.5, 10.5, 1.5, -0.5, -1.0, 1.5, -1.5, 1.0, 0.5, 1.5]),
    "zh": np.array([-7.5, -21.0, -14.5, -29.0, 1.0, 7.0, -0.5, 0.0, 2.0, 0.0, 5.5, 4.0, 1.5]),
}


# --- the best set of cuts ---------------------------------------------------------------------------------------------

_ALWAYS, _NEVER = 1_000.0, -1_000.0
_HEADING, _DEEP_HEADING, _BLANK_LINE, _NEW_LINE = 4.0, 1.5, 2.0, 1.5
_INSIDE_PARAGRAPH = -2.5
_LIST, _TABLE, _LEAD_IN = -1.5, -3.0, -4.0
_OTHER_KIND = -2.0
_HALF_SENTENCE = -3.0
_TURN, _ANSWER = -1.0, -3.0
_CODE, _INSIDE_CODE = 1.0, -2.0
_SMALL, _LARGE = 3.5, 4.0


@dataclass(frozen=True, slots=True)
class Sizes:
    """Characters of a piece: free of cost from `low` to `high`, dearer outside, never over `hard`.

    A text without structure of up to `short` characters stays whole.
    """

    low: int
    high: int
    hard: int
    short: int


SIZES: dict[Language, Sizes] = {
    "en": Sizes(low=200, high=1_300, hard=2_500, short=1_200),
    "zh": Sizes(low=120, high=550, hard=1_100, short=450),
}


def grouped(text: str, units: Sequence[Unit], *, language: Language) -> list[list[Unit]]:
    """The units in runs of one topic each, in order."""
    sizes = SIZES[language]
    if not units:
        return []
    if _is_short(text, units, sizes):
        return [list(units)]
    cuts = _best_cuts(units, _scores(text, units, language), sizes)
    return [list(units[first:last]) for first, last in pairwise([0, *cuts, len(units)])]


def _is_short(text: str, units: Sequence[Unit], sizes: Sizes) -> bool:
    """Whether the text is small and has neither several results nor several sections."""
    if len(text) > sizes.short or any(unit.opens for unit in units[1:]):
        return False
    return sum(last.kind == "heading" != unit.kind for last, unit in pairwise(units)) < 2


def _scores(text: str, units: Sequence[Unit], language: Language) -> Floats:
    """Log-odds of a cut before each unit but the first."""
    scores = _boundary_scores(
        [_words(text, unit) for unit in units], [unit.kind == "prose" for unit in units], language=language
    )
    inside, new_line, blank = _paragraph_evidence(units)
    for at, (last, unit) in enumerate(pairwise(units)):
        if (fixed := _fixed(last, unit)) is not None:
            scores[at] = fixed
            continue
        scores[at] += (inside, new_line, blank)[unit.gap]
        scores[at] += _by_kind(text, last, unit)
    return scores


def _words(text: str, unit: Unit) -> str:
    """The unit's text; of a dialogue turn what is said, without who says it."""
    body = text[unit.start : unit.end]
    speaker = dialogue_speaker(body) if unit.kind == "turn" else None
    return body if speaker is None else body[body.index(speaker) + len(speaker) + 1 :].lstrip(":： ")


def _fixed(last: Unit, unit: Unit) -> float | None:
    """Evidence that overrules all words: pieces that open, headings."""
    if last.kind == "heading" and not unit.opens:
        return _NEVER
    if unit.opens:
        return _ALWAYS
    if unit.kind == "heading":
        return _HEADING if unit.level <= 2 else _DEEP_HEADING
    return None


def _by_kind(text: str, last: Unit, unit: Unit) -> float:
    end = text[last.end - 1]
    if end in ":：" and unit.kind != "prose":
        return _LEAD_IN
    if end in ";；,，:：":
        return _HALF_SENTENCE
    if last.kind == unit.kind == "code":
        return _CODE if unit.level else _INSIDE_CODE
    if last.kind == unit.kind == "turn":
        return _ANSWER if end in "?？" else _TURN
    if last.kind == unit.kind:
        return {"table": _TABLE, "item": _LIST}.get(unit.kind, 0.0)
    return _OTHER_KIND if "code" in (last.kind, unit.kind) or "table" in (last.kind, unit.kind) else 0.0


def _paragraph_evidence(units: Sequence[Unit]) -> tuple[float, float, float]:
    """What a gap inside a line, at a new line and after a blank line tells, by how much this text uses them.

    Lines say nothing where every sentence has its own; a text in paragraphs seldom changes topic inside one.
    """
    prose = [unit for last, unit in pairwise(units) if unit.kind == "prose" == last.kind]
    if not prose:
        return 0.0, 0.0, _BLANK_LINE
    inside = sum(unit.gap == 0 for unit in prose) / len(prose)
    length = units[-1].end - units[0].start
    breaks = sum(unit.gap > 0 for unit in prose)
    used = min(1.0, 1_500 * breaks / length) if 0.25 <= inside < 1.0 else 0.0
    return _INSIDE_PARAGRAPH * used, _NEW_LINE if inside >= 0.25 else 0.0, _BLANK_LINE


def _best_cuts(units: Sequence[Unit], scores: Floats, sizes: Sizes) -> list[int]:
    """Indices of the units that begin a piece (but the first), so that evidence minus size costs is greatest."""
    gains = [0.0, *scores.tolist()]
    best = [0.0] * (len(units) + 1)
    origin = [0] * (len(units) + 1)
    for stop in range(1, len(units) + 1):
        end = units[stop - 1].end
        top = float("-inf")
        for start in range(stop - 1, -1, -1):
            length = end - units[start].start
            if length > sizes.hard and start < stop - 1:
                break
            value = best[start] + gains[start] - _size_cost(length, sizes)
            if value > top:
                top, origin[stop] = value, start
        best[stop] = top
    cuts: list[int] = []
    at = origin[len(units)]
    while at > 0:
        cuts.append(at)
        at = origin[at]
    return cuts[::-1]


def _size_cost(length: int, sizes: Sizes) -> float:
    if length < sizes.low:
        return _SMALL * (1.0 - length / sizes.low)
    if length > sizes.high:
        return _LARGE * math.pow((length - sizes.high) / (sizes.hard - sizes.high), 1.5)
    return 0.0
