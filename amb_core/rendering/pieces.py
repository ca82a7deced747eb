"""Cuts a passage into the pieces a block chooses from: the turns of a dialogue, else sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from amb_core.text import dialogue_speaker, estimate_tokens, sentence_spans
from amb_core.text.remembering import remembered

__all__ = ["Piece", "dialogue_heading", "pieces_of"]

_TITLE_CHARS = 100
_WHOLE = 80
"""A passage of at most this many tokens (a short note) is not cut into sentences."""
_WHOLE_TURN = 120
"""A turn of at most this many tokens is not cut either: half of what somebody said is easily misread."""
_MIN_TURNS = 2
_TABLE_ROW = re.compile(r"[|\t]|[,;]\S")
_REMEMBERED = 2_048
_LONGEST_REMEMBERED = 20_000


@dataclass(frozen=True, slots=True)
class Piece:
    """Characters `start:end` of a passage; `turn` says that it is from a dialogue.

    `title_end` is where a title at its beginning ends, -1 without one. `speaker` is set where a piece
    begins inside a turn, so that it can be said who is speaking.
    """

    start: int
    end: int
    turn: bool = False
    title_end: int = -1
    speaker: str = ""


@remembered(most=_REMEMBERED, longest=_LONGEST_REMEMBERED)
def pieces_of(text: str) -> tuple[Piece, ...]:
    """The pieces in text order: whole turns; or sentences, a title with the one that follows, a short text whole."""
    turns = _turns(text)
    if turns:
        return tuple(piece for start, end in turns for piece in _of_turn(text, start, end))
    return tuple(_of_prose(text))


def dialogue_heading(text: str) -> str:
    """The line above the first turn when the text begins like a dialogue; "" when there is none."""
    line = text.lstrip().partition("\n")[0].strip()
    if not 0 < len(line) <= _TITLE_CHARS or dialogue_speaker(line):
        return ""
    return line if _turns(text) else ""


def _turns(text: str) -> list[tuple[int, int]]:
    """The turns of a dialogue with the lines that go on after each; nothing when the text is none."""
    found: list[tuple[int, int]] = []
    lines = spoken = position = 0
    for line in text.splitlines(keepends=True):
        if line.strip():
            end = position + len(line.rstrip())
            speaks = dialogue_speaker(line) is not None
            lines, spoken = lines + 1, spoken + speaks
            if speaks or not found:
                found.append((position, end))
            else:
                found[-1] = (found[-1][0], end)
        position += len(line)
    return found if spoken >= _MIN_TURNS and 2 * spoken >= lines else []


def _of_turn(text: str, start: int, end: int) -> Iterator[Piece]:
    said = text[start:end]
    if estimate_tokens(said) <= _WHOLE_TURN:
        heads = not dialogue_speaker(said) and "\n" not in said and len(said) <= _TITLE_CHARS
        yield Piece(start, end, turn=True, title_end=end if heads else -1)
        return
    speaker = dialogue_speaker(said) or ""
    for number, (first, last) in enumerate(sentence_spans(said)):
        yield Piece(start + first, start + last, turn=True, speaker=speaker if number else "")


def _of_prose(text: str) -> Iterator[Piece]:
    spans = sentence_spans(text)
    titled = len(spans) > 1 and _is_title(text, spans[0], spans[1])
    title_end = spans[0][1] if titled else -1
    longest = _WHOLE_TURN if dialogue_speaker(text) else _WHOLE
    if len(spans) > 1 and estimate_tokens(text) <= longest:
        yield Piece(spans[0][0], spans[-1][1], title_end=title_end)
        return
    if titled:
        yield Piece(spans[0][0], spans[1][1], title_end=title_end)
        spans = spans[2:]
    yield from (Piece(start, end) for start, end in spans)


def _is_title(text: str, first: tuple[int, int], second: tuple[int, int]) -> bool:
    start, end = first
    if end - start > _TITLE_CHARS or "\n" not in text[end : second[0]] or _TABLE_ROW.search(text, start, end):
        return False
    return text[end - 1] not in ".!?。！？；;…"
