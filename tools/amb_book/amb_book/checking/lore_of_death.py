"""What the book's lore says of the dead who speak: by it a ghost is no error."""

from __future__ import annotations

import re
from collections.abc import Iterable

from amb_book.checking.draft import Draft
from amb_book.checking.text_overlap import terms
from amb_book.lore import LoreEntry

__all__ = ["LoreOfDeath"]

_OF_THE_DEAD = re.compile(
    r"\b(?:the dead|ghosts?|spirits? of|one who died|those who died|deceased)\b|亡者|死者|鬼魂|亡魂|"
    r"亡灵|已死之人|死去的人",
    re.IGNORECASE,
)
_SHARED = 3
"""So many words of an entry, near a sentence, say that it is about what the entry tells."""


class LoreOfDeath:
    """The entries by which the dead may be seen or heard, and where a draft speaks of them."""

    def __init__(self, draft: Draft, lore: Iterable[LoreEntry]) -> None:
        self._draft = draft
        entries = [each for each in lore if _OF_THE_DEAD.search(each.text)]
        self._keys = [re.sub(r"^(?:the|a|an)\s+", "", each.key, flags=re.IGNORECASE) for each in entries]
        self._texts = [terms(each.text) for each in entries]

    def allows(self, number: int) -> bool:
        """Whether the draft, in the paragraphs around a sentence, speaks of what lets the dead appear."""
        if not self._keys:
            return False
        paragraph = self._draft.sentences[number].paragraph
        near = "\n".join(each.text for each in self._draft.sentences if abs(each.paragraph - paragraph) <= 1)
        if any(key.casefold() in near.casefold() for key in self._keys):
            return True
        told = terms(near)
        return any(len(text & told) >= _SHARED + len(text) // 12 for text in self._texts)
