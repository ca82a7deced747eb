"""The language of the command line: English as it stands in the code, Chinese from the `zh.json` beside a command.

A catalogue maps a text to its Chinese, with the same `{placeholders}`. What is printed is asked for by its text
(`translate`); an error that somebody else wrote is found by the texts it can have been made of (`translate_message`).
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from amb_core.errors import InvalidParameter

if TYPE_CHECKING:
    from amb_core.rendering import Language

__all__ = ["add_catalogue", "choose_language", "current_language", "translate", "translate_message"]

_KNOWN = ("en", "zh")
_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
_DEPTH = 3
"""How deep an error may quote another one."""


class _Words:
    """The language chosen for this process, and the catalogues of the commands that are loaded."""

    language: Language = "en"
    files: dict[Path, None] = {}


def choose_language(given: Sequence[str] = (), *, configured: str = "") -> Language:
    """Choose the language: the last `--language` given, AMB_LANGUAGE, what a file configures, or that of the locale."""
    told = [word for option, word in pairwise(given) if option == "--language"]
    told += [word.partition("=")[2] for word in given if word.startswith("--language=")]
    named = os.environ.get("AMB_LANGUAGE", "").strip() or configured
    if named and named not in _KNOWN:
        raise InvalidParameter(f"AMB_LANGUAGE is {named!r:.40}; it takes en or zh")
    wanted = [word for word in told if word in _KNOWN] or [named or _of_locale()]
    _Words.language = "zh" if wanted[-1] == "zh" else "en"
    return _Words.language


def current_language() -> Language:
    """The language that was chosen last."""
    return _Words.language


def add_catalogue(module: str) -> None:
    """Take the `zh.json` beside the file of a module among the catalogues, if there is one."""
    file = Path(module).with_name("zh.json")
    if _Words.language != "en" and file not in _Words.files and file.is_file():
        _Words.files[file] = None
        _catalogue.cache_clear()
        _forms.cache_clear()


def translate(text: str, /, **values: object) -> str:
    """A text in the language of the user, with the values at its placeholders."""
    found = text if _Words.language == "en" else _catalogue().get(text, text)
    return found.format(**values) if values else found


def translate_message(text: str, *, depth: int = _DEPTH) -> str:
    """A finished message in the language of the user, what it quotes as it stands; unchanged where nobody knows it."""
    if _Words.language == "en" or not depth:
        return text
    found = _catalogue().get(text)
    if found is not None:
        return found
    for form, target in _forms():
        if (fits := form.fullmatch(text)) is not None:
            return re.sub(r"\{(\d+)\}", lambda place: _quoted(fits[f"_{place[1]}"], depth - 1), target)
    return text


def _quoted(text: str, depth: int) -> str:
    """What a message quotes: perhaps a message itself, and with one word a value of the user's."""
    return translate_message(text, depth=depth) if " " in text else text


def _of_locale() -> Language:
    told = next((os.environ[name] for name in _VARIABLES if os.environ.get(name)), "")
    return "zh" if told.casefold().startswith("zh") else "en"


@cache
def _catalogue() -> Mapping[str, str]:
    here = Path(__file__).with_name("zh.json")
    told: dict[str, str] = {}
    for file in dict.fromkeys((here, *_Words.files)):
        told |= json.loads(file.read_text("utf-8"))
    return told


@cache
def _forms() -> Sequence[tuple[re.Pattern[str], str]]:
    """Messages with `{0}`, `{1}` for what they quote, those with the most words of their own first.

    One that begins with what it quotes comes after the others: it would take their beginning for a part of the quote.
    """
    numbered = [(text, target) for text, target in _catalogue().items() if "{0}" in text]
    numbered.sort(key=lambda pair: (pair[0].startswith("{"), -len(re.sub(r"\{\d+\}", "", pair[0]))))
    return [(re.compile("".join(_pieces(text)), re.DOTALL), target) for text, target in numbered]


def _pieces(text: str) -> Iterator[str]:
    seen: set[str] = set()
    for piece in re.split(r"(\{\d+\})", text):
        number = piece[1:-1]
        if not re.fullmatch(r"\{\d+\}", piece):
            yield re.escape(piece)
        else:
            yield f"(?P=_{number})" if number in seen else f"(?P<_{number}>.*?)"
            seen.add(number)
