"""The book a command is about: its folder opened, the language of its answers, and the files it is given."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from amb_book.cli.book_words import Language
from amb_cli.console import take_any_character
from amb_cli.user_language import current_language
from amb_core.errors import InvalidInput

if TYPE_CHECKING:
    from amb_book import Story

__all__ = ["language_for", "opened_book", "read_file"]

_HERE = "-"
_MOST_BYTES = 5_242_880


@contextmanager
def opened_book(options: argparse.Namespace, *, new: bool = False) -> Iterator[Story]:
    """The book of a folder; one that is not there is made only where it may be `new`."""
    from amb_book import Story

    take_any_character()
    place: Path = options.book
    if place.exists() and not place.is_dir():
        raise InvalidInput(f"{place} is a file; name the folder of the book")
    if not new and not (place / "book.db").is_file():
        raise InvalidInput(f"there is no book in {place}; check the name, or begin one: amb book {place} import FILE")
    with Story(place, embedder=options.embedder) as story:
        yield story


def language_for(options: argparse.Namespace, story: Story, *said: str) -> Language:
    """The language to answer in: the one asked for, else that of what was said or of the book, else the terminal's."""
    from amb_core.text import detect_language

    told: Language | None = options.language
    if told is not None:
        return told
    text = " ".join(filter(None, said)) or " ".join(entity.name for entity in story.facts.entities()[:20])
    return detect_language(text) if text.strip() else current_language()


def read_file(name: str) -> str:
    """The text of a file, or of standard input for `-`; InvalidInput for one that is none."""
    try:
        data = sys.stdin.buffer.read(_MOST_BYTES + 1) if name == _HERE else Path(name).read_bytes()
    except OSError as error:
        raise InvalidInput(f"{name} cannot be read ({error.strerror}); check the name") from None
    if len(data) > _MOST_BYTES:
        raise InvalidInput(f"{name} is larger than 5 MB; pass it in parts")
    if not data.strip():
        return ""
    from amb_book.manuscript import read_manuscript

    return read_manuscript(data)
