"""What the command prints: nothing in it steers the terminal, and nothing in it is a secret."""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from amb_cli.environment import Secrets
from amb_cli.user_language import translate_message

__all__ = ["Console", "say", "show_result", "take_any_character"]

_MOST_WARNINGS = 20
_PASSING = 79
_SAID_ELSEWHERE = "amb.agents"
"""Every failing agent is in the progress and in the receipts."""


def take_any_character() -> None:
    """Have a terminal without a character for something show its code in its place."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError):  # a stream that cannot be told to
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


def say(text: str, *, file: TextIO | None = None) -> None:
    """Print what may hold words of sources or names of files: nothing in it steers the terminal."""
    from amb_core.rendering import visible

    print(visible(text), file=file, flush=True)


def show_result(options: argparse.Namespace, data: object, lines: Iterable[str]) -> None:
    """Print a result in lines for people, or with `--json` as data for programs."""
    if not options.json:
        for line in lines:
            say(line)
        return
    say(_as_json(data))


def _as_json(data: object) -> str:
    from pydantic_core import to_jsonable_python

    return json.dumps(to_jsonable_python(data, fallback=str), ensure_ascii=False, indent=2)


class Console:
    """Prints lines without the secrets; `passing` shows what is under way, where a terminal can take it back.

    With `for_data` lines go to standard error, and only what `data` prints is on standard output.
    """

    def __init__(self, secrets: Secrets, *, for_data: bool = False) -> None:
        self._hide = secrets.hide
        self._out = sys.stderr if for_data else sys.stdout
        self._is_terminal = self._out.isatty()
        self._passing = False
        take_any_character()

    def line(self, text: str = "") -> None:
        """One line, or several, of the output proper; KeyboardInterrupt when nobody reads it any more."""
        self._print(lambda: say(self._hide(text), file=self._out))

    def data(self, result: object) -> None:
        """A result as JSON for programs, on standard output."""
        self._print(lambda: say(self._hide(_as_json(result))))

    def lines(self, texts: Iterable[str]) -> None:
        """Several lines."""
        for text in texts:
            self.line(text)

    def note(self, text: str) -> None:
        """A line beside the output: warnings and errors, in the language of the user."""
        self._clear()
        say(f"amb: {self._hide(translate_message(text))}", file=sys.stderr)

    def passing(self, text: str) -> None:
        """What is under way; gone with the next line, and never shown where there is no terminal."""
        from amb_core.rendering import visible

        if self._is_terminal:
            self._print(lambda: print(visible(self._hide(text))[:_PASSING], end="", file=self._out, flush=True))
            self._passing = True

    @contextmanager
    def warnings(self) -> Iterator[None]:
        """Show AMB's warnings as notes meanwhile, each once."""
        logger, handler = logging.getLogger("amb"), _Notes(self)
        before, logger.propagate = logger.propagate, False
        logger.addHandler(handler)
        try:
            yield
        finally:
            logger.removeHandler(handler)
            logger.propagate = before

    def _print(self, what: Callable[[], None]) -> None:
        """Print; the reader of a pipe that goes away has as good as pressed Ctrl-C."""
        try:
            self._clear()
            what()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so that leaving prints no error
            raise KeyboardInterrupt from None

    def _clear(self) -> None:
        if self._passing:
            print("\r\x1b[K", end="", file=self._out)
            self._passing = False


class _Notes(logging.Handler):
    def __init__(self, console: Console) -> None:
        super().__init__(logging.WARNING)
        self._console = console
        self._seen: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        if record.name == _SAID_ELSEWHERE or len(self._seen) >= _MOST_WARNINGS:
            return
        with suppress(Exception):  # a log line that cannot be shown is no reason to stop
            text = record.getMessage()
            if text not in self._seen:
                self._seen.add(text)
                self._console.note(text)
