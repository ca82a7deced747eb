"""Hooks an author speaks of: laid, or resolved."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from amb_book.extraction.modality import is_planned
from amb_book.extraction.passages import Passage
from amb_book.extraction.reading import Reading
from amb_book.statements import HookStatement

if TYPE_CHECKING:
    from amb_book.facts import FactGraph

__all__ = ["hook_readings"]

_LAID = re.compile(
    r"^\W*(?:(?:new |open |unresolved )?(?:hook|foreshadowing|mystery|open question)(?: (?:laid|planted|"
    r"opened))?\s*[:—–-]\s*(?P<en>[^.;\n]{3,160})"
    r"|(?:新|埋下|埋了|设下|留下)?(?:一个|的)?伏笔(?:已?(?:埋下|埋了|设下))?[：:——]\s*(?P<zh>[^。；\n]{2,80}))",
    re.IGNORECASE,
)
_LAID_ABOUT = re.compile(
    r"\b(?:hook|foreshadowing|mystery) (?:about|of|around|concerning) (?P<en>[^.,;\n]{3,120}?) (?:is|was|has "
    r"been) (?:laid|planted|opened|set up)\b"
    r"|(?:埋下|埋了|设下|留下)(?:了)?[“「《]?(?P<zh>[^，。；：“”「」《》\n]{2,40}?)[”」》]?(?:的|这个|这一)?伏笔",
    re.IGNORECASE,
)
_RESOLVED = re.compile(
    r"\b(?:is|was|has been|gets) (?:now )?(?:resolved|answered|solved|paid off|closed|revealed|cleared up)\b|"
    r"\b(?:hook )?resolved\s*[:—–-]|"
    r"\bresolves?d? the (?:hook|mystery|question)|(?:回收|收回|收束|解开|揭开|揭晓|兑现)(?:了)?|(?:已经?|被|"
    r"得到了?)(?:回收|解决|揭晓|解开|揭开|兑现)",
    re.IGNORECASE,
)
_NOT = re.compile(r"\b(?:not|never|n't|yet to|still)\b|没有|尚未|还没|未(?:被|曾)?|不要|先不", re.IGNORECASE)


def hook_readings(passage: Passage, *, known: FactGraph, chapter: int) -> Iterator[Reading]:
    """What a sentence says of hooks; only what its author says of them as hooks, not what a story tells."""
    if passage.question or _NOT.search(passage.told):
        return
    found = _LAID.search(passage.text) or _LAID_ABOUT.search(passage.text)
    if found is not None and not is_planned(passage):
        name = _named(found["en"] or found["zh"] or "")
        if name:
            yield Reading(HookStatement(hook=name, status="Unresolved"), passage.text, 0.85)
        return
    if not _RESOLVED.search(passage.text) or is_planned(passage):
        return
    said = _folded(passage.text)
    for hook in known.hooks("Unresolved", at=chapter):
        if _folded(hook.name) in said:
            yield Reading(HookStatement(hook=hook.name, status="Resolved"), passage.text, 0.9)


def _named(said: str) -> str:
    return " ".join(said.strip(" \"'“”‘’「」《》*_").split())


def _folded(text: str) -> str:
    return re.sub(r"\b(?:the|a|an)\b|[\W_]+", " ", text.casefold()).replace("  ", " ").strip()
