"""The `amb` command: the commands of all installed distributions, found by the entry points `amb.commands`.

Exit codes: 0 done; 1 AMB could not do it (one line says why and what to do); 2 wrong usage; 130 interrupted.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections.abc import Callable, Sequence
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NoReturn

import amb_core
from amb_core.cli.console import say
from amb_core.errors import AmbError, InvalidParameter
from amb_core.registry import registered

__all__ = ["command_parser", "main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code. Without any it prints the help."""
    given = sys.argv[1:] if arguments is None else arguments
    parser = command_parser(only=next(iter(given), ""))
    options = parser.parse_args(given)
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
        elif message.startswith("argument COMMAND"):
            message += ". The folders of tools/ in a checkout bring others: pip install ./tools/NAME"
        super().error(message)


def command_parser(*, only: str = "") -> argparse.ArgumentParser:
    """The parser of the whole command line; `command` in what it parses is the function to call.

    Where `only` is the name of a command, no other one is loaded.
    """
    parser = _Parser(
        prog="amb", description="Agentic Memory Bank: bounded prompts and checkable memory for LLM agents."
    )
    parser.add_argument("--version", action="version", version=f"amb {_version()}")
    parser.set_defaults(command=None)
    commands = parser.add_subparsers(metavar="COMMAND")
    known = registered("amb.commands")
    wanted = [known[only]] if only in known else list({point.value: point for point in known.values()}.values())
    for point in wanted:
        try:
            point.load()(commands)
        except Exception as error:  # noqa: BLE001 - a broken package must not take the other commands with it
            say(f"amb: the command {point.value} cannot be loaded ({error})", file=sys.stderr)
    if only not in known and (folder := _not_installed().get(only)):
        missing = commands.add_parser(only, add_help=False, prefix_chars="\0")
        missing.add_argument("words", nargs="*")
        missing.set_defaults(command=partial(_missing, only, folder))
    return parser


def _not_installed() -> dict[str, Path]:
    """Commands of the other distributions in this checkout, each with the folder that brings it; none elsewhere."""
    found: dict[str, Path] = {}
    for about in Path(amb_core.__file__).parents[1].glob("tools/*/pyproject.toml"):
        points = tomllib.loads(about.read_text(encoding="utf-8"))["project"].get("entry-points", {})
        found.update(dict.fromkeys(points.get("amb.commands", ()), about.parent))
    return found


def _missing(name: str, folder: Path, options: argparse.Namespace) -> int:
    raise InvalidParameter(f"`amb {name}` is a package of its own. Run: pip install {folder}")


def _version() -> str:
    try:
        return version("amb")
    except PackageNotFoundError:
        return "(not installed)"
