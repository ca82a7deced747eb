"""How a new note stands to those there are: the same names, the same subject, a contradiction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from amb_agents.contradiction import (
    Contradiction,
    are_alike,
    are_asked_apart,
    are_independent,
    contradictions,
    passages_of,
)
from amb_core.agent_io import AnalysisAnswer, AnalysisRequest, NodeView, Relationship
from amb_core.reading.outcomes import without_masks
from amb_core.settings import Settings
from amb_core.text import detect_language
from amb_core.text.pure_cache import text_cache
from amb_values import about, name_key
from amb_values.proper_names import core_names

__all__ = ["LocalAnalysis", "conflict_description", "node_text"]

_MAX_KEYWORDS = 12
_FEW = 3


def node_text(node: NodeView) -> str:
    """The raw text of a node, or its summary where there is none."""
    return node.text if node.text.strip() else node.summary


class LocalAnalysis:
    """Finds sentences that differ in one value, and relations by the names nodes share; an AnalysisAgent.

    No setting concerns it; `settings` is taken for the sake of one way to make an agent.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        pass

    def analyse(self, request: AnalysisRequest) -> AnalysisAnswer:
        """One relationship per candidate, or each of its conflicts: conflicts first, then as the candidates come."""
        new = request.new
        mine = _names_of(node_text(new), new.context)
        theirs = [_names_of(node_text(node), node.context) for node in request.candidates]
        common = _common_names(mine, theirs)
        found: list[Relationship] = []
        for node, names in zip(request.candidates, theirs, strict=True):
            found.extend(_conflicts(new, node) or [_related(new, node, mine, names, common) or _unrelated(node)])
        order = {"conflict": 0, "related": 1, "unrelated": 1}
        return AnalysisAnswer(relationships=tuple(sorted(found, key=lambda item: order[item.relationship])))


def _unrelated(node: NodeView) -> Relationship:
    return Relationship(existing_node=node.id, relationship="unrelated")


# --- conflict --------------------------------------------------------------------------------------------------------

_SHORT_NAME = 3
"""A keyword of so few characters is a kind of thing in Chinese (仓库), not a name."""


def _conflicts(new: NodeView, node: NodeView) -> list[Relationship]:
    """Every contradiction between the prose of two independent documents."""
    told = [
        (old.text, mine.text, are_asked_apart(old, mine))
        for old in passages_of(node)
        for mine in passages_of(new)
        if are_independent(old, mine) and are_alike(old.text, mine.text)
    ]
    if not told:
        return []
    topics = _topic(node), _topic(new)
    found = {
        (pair.subject, pair.values): pair
        for a, b, apart in told
        for pair in contradictions(a, b, topics=topics, apart=apart)
    }
    sources = node.source or node.id, new.source
    return [
        Relationship(
            existing_node=node.id,
            relationship="conflict",
            reasoning=_reasoning(pair),
            conflict_description=conflict_description(pair, sources=sources),
            conflict_subject=pair.subject,
            conflict_values=pair.values,
        )
        for pair in found.values()
    ]


def _topic(node: NodeView) -> str:
    """What a node is about, as far as its topic tells more than its text: a sentence of the text is no name for it.

    Nor are the plain words that a topic without a heading begins with ("crate: crate 7 ok").
    """
    text = node_text(node)
    if node.context.rstrip("… ") in text:
        return ""
    head, mark, rest = node.context.replace("：", ": ").partition(": ")
    words = [word.strip() for word in head.replace("，", ",").replace("、", ",").split(",")]
    if any(word in text and word not in without_masks(text) for word in words):
        return ""  # it names what was masked
    plain = all(word in node.keywords and (word[:1].islower() or len(word) <= _SHORT_NAME) for word in words)
    return "" if mark and plain and rest.rstrip("… ") in text else node.context


def _reasoning(pair: Contradiction) -> str:
    if pair.chinese:
        return f"对同一事项“{pair.subject}”给出不同说法"
    return f"two answers to one question: {pair.subject}"


def conflict_description(pair: Contradiction, *, sources: tuple[str, str] = ("", "")) -> str:
    """One sentence that names the subject, both values and, where known, who says which."""
    (value_a, value_b), (source_a, source_b) = pair.values, sources
    if pair.chinese:
        said_a, said_b = (f"（{source}）" if source else "" for source in (source_a, source_b))
        return f"关于“{pair.subject}”：一处为“{value_a}”{said_a}，另一处为“{value_b}”{said_b}。"
    said_a, said_b = (f" ({source})" if source else "" for source in (source_a, source_b))
    return f'{pair.subject}: one says "{value_a}"{said_a}, the other "{value_b}"{said_b}.'


# --- related ---------------------------------------------------------------------------------------------------------

_CACHED_TEXTS = 4_096
_SHORTEST = 5
"""A single word of fewer letters is too common a name to relate two nodes."""
_CALENDAR = frozenset(
    "january february march april may june july august september october november december monday tuesday wednesday "
    "thursday friday saturday sunday".split()
)


@text_cache(most=_CACHED_TEXTS)
def _names_of(text: str, topic: str = "") -> dict[str, str]:
    """The names in a text and its topic that tell something: folded key → name as written."""
    written = (*about(text), *(entity.name for entity in (*core_names(topic), *core_names(text))))
    keys = ((name_key(name), name) for name in reversed(written))
    return {key: name for key, name in keys if key not in _CALENDAR and not key.isdigit() and _is_telling(key)}


def _is_telling(key: str) -> bool:
    return " " in key or not key.isascii() or len(key) >= _SHORTEST


def _common_names(mine: Mapping[str, str], theirs: Sequence[Mapping[str, str]]) -> frozenset[str]:
    """Names of the new node that so many candidates share that they tell nothing about a pair."""
    counts = Counter(key for names in theirs for key in mine.keys() & names.keys())
    return frozenset(key for key, count in counts.items() if len(theirs) > _FEW and 2 * count > len(theirs))


def _related(
    new: NodeView, node: NodeView, mine: Mapping[str, str], names: Mapping[str, str], common: frozenset[str]
) -> Relationship | None:
    shared = [mine[key] for key in reversed(list(mine)) if key in names and key not in common]
    if not shared:
        return None
    form, between = ("都提到{}", "、") if detect_language(node_text(new)) == "zh" else ("both mention {}", ", ")
    return Relationship(
        existing_node=node.id,
        relationship="related",
        reasoning=form.format(between.join(shared[:3])),
        keywords_update_new=_more_keywords(new, shared[:2]),
        keywords_update_existing=_more_keywords(node, shared[:2]),
    )


def _more_keywords(node: NodeView, names: Sequence[str]) -> tuple[str, ...] | None:
    """The node's keywords with the names that link it, or None when they say so already."""
    known = " ".join([node.context, *node.keywords]).casefold()
    missing = [" ".join(name.split()) for name in names if name.casefold() not in known]
    return (*node.keywords, *missing) if missing and len(node.keywords) + len(missing) <= _MAX_KEYWORDS else None
