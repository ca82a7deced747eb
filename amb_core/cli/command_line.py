"""The `amb` command: demo, run, inspect, export, import, memory, team, mcp, studio, book, bench, settings, doctor.

Exit codes: 0 done; 1 AMB could not do it (one line says why and what to do); 2 wrong usage; 130 interrupted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import NoReturn

from amb_core.cli import (
    book,
    installation,
    local_runs,
    longterm_memory,
    memory_files,
    memory_server,
    runs,
    studio,
    team,
)
from amb_core.cli.printing import say
from amb_core.errors import AmbError

__all__ = ["command_parser", "main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code. Without any it prints the help."""
    parser = command_parser()
    options = parser.parse_args(arguments)
    command: Callable[[argparse.Namespace], int] | None = options.command
    if command is None:
        parser.print_help()
        return 0
    try:
        return command(options)
    except AmbError as error:
        say(f"amb: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output is gone; say nothing more
        return 1
    except KeyboardInterrupt:
        print("amb: interrupted", file=sys.stderr)
        return 130


class _Parser(argparse.ArgumentParser):
    """A parser that does not repeat what it does not know: it may be a key."""

    def error(self, message: str) -> NoReturn:
        unknown, _, values = message.partition("unrecognized arguments: ")
        if values:
            options = [word.partition("=")[0] for word in values.split() if word.startswith("-")]
            message = f"{unknown}unrecognized arguments: {' '.join(options) or 'too many'}"
            if any("key" in option for option in options):
                message += " (keys are read from the environment: LLM_API_KEY)"
        super().error(message)


def command_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line; `command` in what it parses is the function to call."""
    parser = _Parser(
        prog="amb", description="Agentic Memory Bank: bounded prompts and checkable memory for LLM agents."
    )
    parser.add_argument("--version", action="version", version=f"amb {_version()}")
    parser.set_defaults(command=None)
    commands = parser.add_subparsers(metavar="COMMAND")
    for group in (local_runs, runs, memory_files, longterm_memory, team, memory_server, studio, book, installation):
        group.add_to(commands)
    return parser


def _version() -> str:
    try:
        return version("amb")
    except PackageNotFoundError:
        return "(not installed)"
