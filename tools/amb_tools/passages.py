"""Documents in pieces found by words, and the passages of a page that bear on a goal, without a model."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from amb_core.protocols import Query
from amb_core.text import clip_tokens, estimate_tokens
from amb_retrieval import HybridIndex, IndexedText
from amb_tools.corpus import Document, Piece, pieces
from amb_tools.pages import Page

__all__ = ["Passages", "PieceIndex", "passages_for"]

_PIECE_CHARS = 600
_MOST_PIECES = 1_500
_GAP = "\n\n[…]\n\n"


@dataclass(frozen=True, slots=True)
class Passages:
    """What bears on the goal, in the order of the page; `whole`: it is all there is on the page.

    `found` is False when nothing shares a word with the goal, so that this is the beginning of the page instead.
    """

    text: str
    found: bool = True
    whole: bool = False


def passages_for(goal: str, page: Page, *, budget_tokens: int) -> Passages:
    """The best passages that fit the budget; a page that fits is given whole.

    What was left out as furniture is searched too when the main text has nothing.
    """
    main = page.best.strip()
    if estimate_tokens(main) <= budget_tokens:
        return Passages(main, whole=main == page.text.strip())
    for text in dict.fromkeys((main, page.text.strip())):
        chosen = _chosen(goal, text, budget_tokens)
        if chosen:
            return Passages(chosen)
    return Passages(clip_tokens(main, budget_tokens), found=False)


def _chosen(goal: str, text: str, budget_tokens: int) -> str:
    """The best pieces, in order; empty when none shares a word with the goal."""
    size = max(_PIECE_CHARS, len(text) // _MOST_PIECES)
    index = PieceIndex([Document("", text, Path("page"))], max_chars=size)
    found = index.search(goal, k=max(len(index.pieces), 1))
    room, taken = budget_tokens, set[int]()
    for number in found:
        cost = estimate_tokens(index.pieces[number].titled) + 4
        if cost <= room:
            room -= cost
            taken.add(number)
    if not taken and found:  # even the best one is larger than the budget
        return clip_tokens(index.pieces[found[0]].text, budget_tokens)
    return _joined([index.pieces[number] for number in sorted(taken)])


def _joined(chosen: list[Piece]) -> str:
    parts: list[str] = []
    for before, piece in zip([None, *chosen], chosen, strict=False):
        follows = before is not None and before.index + 1 == piece.index
        same_heading = before is not None and before.title == piece.title
        parts += ["\n\n" if follows else _GAP * bool(parts), piece.text if same_heading else piece.titled]
    return "".join(parts)


_RELEVANT = 0.2
"""A piece that scores below this share of the best one says little about the query."""


class PieceIndex:
    """Documents in pieces of at most `max_chars` characters; a piece is also found by the name of its document."""

    def __init__(self, documents: Sequence[Document], *, max_chars: int) -> None:
        self.pieces: list[Piece] = [piece for document in documents for piece in pieces(document, max_chars=max_chars)]
        self._index = HybridIndex(exact=True)
        for number, piece in enumerate(self.pieces):
            self._index.put(IndexedText(id=str(number), text=f"{piece.document}\n{piece.titled}"))

    def search(self, query: str, *, k: int, not_in: Collection[str] = ()) -> list[int]:
        """Numbers of the relevant pieces, best first, without those of the documents `not_in`."""
        exclude = {str(number) for number, piece in enumerate(self.pieces) if piece.document in not_in}
        hits = self._index.search(Query(text=query, k=k, exclude=exclude))
        return [int(hit.id) for hit in hits if hit.score >= _RELEVANT]
