"""Summaries without a model: the sentences that carry most, verbatim and in their order.

What the goal asks for comes first, then what stands early, is new, and holds numbers and names. A summary only helps to
find a text: what an agent is shown is its source.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from amb_core.agent_io import StructureAnswer, StructureRequest
from amb_core.agents.segmentation import Part, leans, read_parts
from amb_core.text import detect_language, index_tokens
from amb_core.text.language import Language

__all__ = ["LocalStructure"]

_MOST, _STRETCH, _LEAST = 0.5, 0.65, 0.3
_WHOLE_CHARS = {"en": 300, "zh": 120}
_FEW_CHARS = {"en": 500, "zh": 200}
_FEW = 3
_ASKED, _BESIDE = 0.6, 0.1
_LONGEST_CHAIN = 20
"""Sentences that lean on each other and are kept together at most: the work stays linear in a text of pronouns."""
_ENDS = ".!?…。！？\"'”’」』）)"
_THING = re.compile(r"\d[\d.,:/-]*|[A-Z][\w’'-]+|[一二三四五六七八九十百千万亿]{2,}")


class LocalStructure:
    """A StructureAgent that needs no model: it keeps sentences, records and rows and drops the rest.

    The summary has at most half of the characters (at least 30 % where sentences allow) and only text of the content.
    A sentence that opens with a pronoun is only kept together with the one before. Content of up to 300 characters (120
    in Chinese), or of three sentences and 500 (200), is kept whole: a short note must not lose its fact. Time is linear
    in the length of the content.
    """

    def structure(self, request: StructureRequest) -> StructureAnswer:
        """The summary of one cluster; that of a blank one is empty."""
        text = request.content
        body = text.strip()
        language = detect_language(body)
        if len(body) <= _WHOLE_CHARS[language]:
            return StructureAnswer(summary=body)
        parts = read_parts(text)
        if not parts or (len(body) <= _FEW_CHARS[language] and len(parts) <= _FEW):
            return StructureAnswer(summary=body)
        order = _ranked(text, parts, request.task_goal, language)
        for most in (_MOST, _STRETCH):
            kept = _chosen(parts, order, most * len(body))
            summary = _joined(text, [parts[at] for at in sorted(kept)])
            if len(summary) >= _LEAST * len(body):
                return StructureAnswer(summary=summary)
        return StructureAnswer(summary=body[: int(_MOST * len(body))].rstrip() + "…")


def _ranked(text: str, parts: Sequence[Part], goal: str, language: Language) -> list[tuple[int, ...]]:
    """The parts by what they tell for their length, the best first, each with those that it cannot do without."""
    bodies = [text[part.start : part.end] for part in parts]
    terms = [frozenset(index_tokens(body)) for body in bodies]
    wanted = frozenset(index_tokens(goal))
    spread = Counter(term for each in terms for term in each & wanted)
    asked = [math.fsum(math.log((len(parts) + 1) / spread[term]) for term in each & wanted) for each in terms]
    worth = list(_worths(parts, bodies, terms, language))
    for at, match in enumerate(asked):
        beside = max(asked[at - 1] if at else 0.0, asked[at + 1] if at + 1 < len(asked) else 0.0)
        worth[at] += _ASKED * match + _BESIDE * beside
    needs: list[tuple[int, ...]] = []
    for at, part in enumerate(parts):
        leaning = at and part.is_prose and leans(bodies[at], language)
        needs.append((*needs[-1][-_LONGEST_CHAIN:], at) if leaning else (at,))
    lengths = [sum(len(bodies[one]) for one in need) for need in needs]
    rates = [math.fsum(worth[one] for one in need) / length**0.8 for need, length in zip(needs, lengths, strict=True)]
    return [needs[at] for at in sorted(range(len(parts)), key=lambda at: -rates[at])]


def _worths(
    parts: Sequence[Part], bodies: Sequence[str], terms: Sequence[frozenset[str]], language: Language
) -> Iterator[float]:
    """How likely each part holds what somebody will ask for."""
    seen: set[str] = set()
    scale = 2.5 if language == "zh" else 1.0
    length = parts[-1].end - parts[0].start
    for part, body, here in zip(parts, bodies, terms, strict=True):
        things = set(_THING.findall(body))
        fresh = len(here - seen) / len(here) if here else 0.0
        score = (
            *(-3.85, 0.3 * bool(things - seen), 2.0 * fresh, 0.3 * math.log(scale * len(body))),
            -1.15 * (part.start - parts[0].start) / length,
        )
        yield 1.0 / (1.0 + math.exp(-math.fsum(score))) + 0.04 * len(things - seen)
        seen |= here | things


def _chosen(parts: Sequence[Part], order: Sequence[tuple[int, ...]], most: float) -> set[int]:
    """The first in order that fit into `most` characters together."""
    kept: set[int] = set()
    spent = 0
    for needed in order:
        new = set(needed) - kept
        length = sum(parts[at].end - parts[at].start for at in new)
        if spent + length <= most:
            kept |= new
            spent += length
    return kept


def _joined(text: str, parts: Sequence[Part]) -> str:
    """The parts in text order, verbatim; what was next to each other stays as it stood."""
    written = text[parts[0].start : parts[0].end] if parts else ""
    for last, part in pairwise(parts):
        between = text[last.end : part.start]
        if between.strip():
            broken = "" if part.gap or text[last.end - 1] in _ENDS else "…"
            between = broken + ("\n" if part.gap else " " if text[last.end - 1] < "\u2e80" else "")
        written += between + text[part.start : part.end]
    rest = text[parts[-1].end :] if parts else ""
    goes_on = rest.strip() and not rest.lstrip(" \t").startswith("\n") and text[parts[-1].end - 1] not in _ENDS
    return f"{written}…" if goes_on else written
