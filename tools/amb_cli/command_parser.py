"""The parser of commands: help and errors in the language of the user, and no repeating of what may be a key.

What cannot be of an argument's type is wrong usage, exit code 2.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn, TypeAlias
from urllib.parse import urlsplit

from amb_cli.user_language import translate, translate_message

__all__ = [
    "CommandParser",
    "Commands",
    "above_zero",
    "address",
    "choice_of_role",
    "path",
    "port",
    "positive",
    "share",
]

_WIDE = "\u2e80-\u9fff\uf900-\ufaff"
_WORDS = re.compile(rf"\s+|[{_WIDE}][\u3000-\u303f\uff00-\uffef]*|[^\s{_WIDE}]+")
"""A Chinese character is a word, with the punctuation after it."""


class _Help(argparse.HelpFormatter):
    """Help in the language of the user, lines cut by columns: a Chinese character takes two."""

    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
        super().add_usage(usage, actions, groups, translate("usage: ") if prefix is None else prefix)

    def start_section(self, heading: str | None) -> None:
        super().start_section(heading and translate(heading))

    def add_text(self, text: str | None) -> None:
        super().add_text(text and translate_message(text))

    def format_help(self) -> str:
        return re.sub(rf"(?m)^([{_WIDE}]+):$", r"\1：", super().format_help())

    def _get_help_string(self, action: argparse.Action) -> str | None:
        return action.help and translate_message(action.help)

    def _split_lines(self, text: str, width: int) -> list[str]:
        return list(_lines(text, width))

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        """Text with line breaks of its own keeps them."""
        lines = text.splitlines() if "\n" in text else _lines(text, width - len(indent))
        return "\n".join(indent + line for line in lines)


class CommandParser(argparse.ArgumentParser):
    """A parser of a command; each takes `--language`, unless the command has an option of that name itself."""

    def __init__(self, *, language_help: str = argparse.SUPPRESS, **wanted: Any) -> None:
        super().__init__(**{"formatter_class": _Help, "conflict_handler": "resolve", **wanted})
        if "-" in self.prefix_chars:
            self.add_argument("--language", choices=("en", "zh"), default=argparse.SUPPRESS, help=language_help)

    def error(self, message: str) -> NoReturn:
        """Exit with code 2; what is not known is not repeated, for it may be a key."""
        unknown, _, values = message.partition("unrecognized arguments: ")
        if values:
            options = [word.partition("=")[0] for word in values.split() if word.startswith("-")]
            message = f"{unknown}unrecognized arguments: {' '.join(options) or 'too many'}"
            if any("key" in option for option in options):
                message += " (keys are read from the environment: LLM_API_KEY)"
        elif message.startswith("argument COMMAND") and (near := _command_near(message)):
            message = f"there is no such command. Did you mean {near}?"
        elif message.startswith("argument COMMAND"):
            message += ". The folders of tools/ in a checkout bring others: pip install ./tools/NAME"
        self.print_usage(sys.stderr)
        self.exit(2, translate("{program}: error: {message}\n", program=self.prog, message=translate_message(message)))


def _command_near(message: str) -> str:
    """The command that was meant, from argparse's words of the one that was written and of those there are."""
    from difflib import get_close_matches

    written, *others = re.findall(r"[\w-]+", message.partition("invalid choice: ")[2]) or [""]
    return next(iter(get_close_matches(written, others[2:], 1)), "")  # behind "choose from"


def _lines(text: str, width: int) -> Iterator[str]:
    line, room = "", width
    for word in _WORDS.findall(" ".join(text.split())):
        if room < (wide := _columns(word)) and line:
            yield line.rstrip()
            line, room = "", width
        if line or not word.isspace():
            line, room = line + word, room - wide
    yield line.rstrip()


def _columns(text: Iterable[str]) -> int:
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def path(text: str) -> Path:
    """A path; an empty one would be the working directory, which nobody means."""
    if not text.strip():
        raise argparse.ArgumentTypeError("name a folder or a file")
    return Path(text)


def positive(text: str) -> int:
    """A whole number from 1 on."""
    if text.strip().isdecimal() and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError("must be a whole number from 1 on")


def share(text: str) -> float:
    """A share: a number above 0 and at most 1."""
    with suppress(ValueError):
        if 0 < (value := float(text)) <= 1:
            return value
    raise argparse.ArgumentTypeError("must be a number above 0 and at most 1")


def port(text: str) -> int:
    """A port of this machine; 0 is any free one."""
    if text.strip().isdecimal() and int(text) <= 65_535:
        return int(text)
    raise argparse.ArgumentTypeError("must be a whole number from 0 to 65535")


def above_zero(text: str) -> float:
    """An amount above 0: of seconds, or in the currency of the price table."""
    with suppress(ValueError):
        if math.isfinite(value := float(text)) and value > 0:
            return value
    raise argparse.ArgumentTypeError("must be a number above 0")


def address(text: str) -> str:
    """The URL of an endpoint; a key does not belong in it, nor on a command line at all."""
    try:
        parts = urlsplit(text)
        named, secret = (
            parts.scheme in ("http", "https") and parts.hostname,
            parts.username or parts.password or parts.query,
        )
    except ValueError:
        named, secret = None, None
    if secret:
        raise argparse.ArgumentTypeError("a key does not belong on the command line; set LLM_API_KEY")
    if not named:
        raise argparse.ArgumentTypeError("name the endpoint as http://HOST:PORT/v1 or https://HOST/v1")
    return text


def choice_of_role(text: str) -> tuple[str, str]:
    """ROLE=MODEL, or ROLE=none."""
    role, _, model = text.partition("=")
    if not role.strip() or not model.strip():
        raise argparse.ArgumentTypeError("write ROLE=MODEL, such as planning=gpt-5-mini, or ROLE=none")
    return role.strip(), model.strip()
