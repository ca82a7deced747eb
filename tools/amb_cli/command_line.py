"""The `amb` command: the commands of all installed distributions, found by the entry points `amb.commands`.

Exit codes: 0 done; 1 AMB could not do it (one line says why and what to do); 2 wrong usage; 130 interrupted.
"""

from __future__ import annotations

import argparse
import os
import sys
import tomllib
from collections.abc import Callable, Sequence
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import amb_core
from amb_cli.command_parser import CommandParser
from amb_cli.console import say
from amb_cli.environment import configured
from amb_cli.user_language import add_catalogue, choose_language, translate, translate_message
from amb_core.errors import AmbError, ForeignPackage, InvalidParameter
from amb_core.registry import registered

__all__ = ["command_parser", "main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code. Without any it prints the help."""
    given = sys.argv[1:] if arguments is None else arguments
    try:
        choose_language(given)  # until the file is read, whose mistakes are said in the language known so far
        _check_package()
        choose_language(given, configured=configured().get("AMB_LANGUAGE", ""))
        parser = command_parser(only=_named(given))
        if "_ARGCOMPLETE" in os.environ:
            _complete(parser)
        options = parser.parse_args(given)
        command: Callable[[argparse.Namespace], int] | None = options.command
        if command is None:
            parser.print_help()
            return 0
        return command(options)
    except AmbError as error:
        say(f"amb: {translate_message(str(error))}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output is gone; say nothing more
        return 1
    except KeyboardInterrupt:
        print(f"amb: {translate('interrupted')}", file=sys.stderr)
        return 130


def _check_package() -> None:
    """Raise ForeignPackage where the `__init__.py` of another distribution has replaced that of AMB."""
    if "MemoryBank" not in getattr(amb_core, "__all__", ()):
        from amb_cli.doctor import foreign_packages

        raise ForeignPackage(foreign_packages())


def _named(given: Sequence[str]) -> str:
    """The name of the command: the first word that is no option, and no value of `--language`."""
    words = [word for before, word in zip(("", *given), given, strict=False) if before != "--language"]
    return next((word for word in words if not word.startswith("-")), "")


def _complete(parser: argparse.ArgumentParser) -> None:
    """Answer a shell that asks what could come next; it asks in the environment."""
    from argcomplete import autocomplete

    autocomplete(parser)


def command_parser(*, only: str = "") -> argparse.ArgumentParser:
    """The parser of the whole command line; `command` in what it parses is the function to call.

    Where `only` is the name of a command, no other one is loaded.
    """
    parser = CommandParser(
        prog="amb",
        description="Agentic Memory Bank: bounded prompts and checkable memory for LLM agents.",
        language_help="language of help and messages (default: AMB_LANGUAGE, amb.toml, or that of the system)",
    )
    parser.add_argument("--version", action="version", version=f"amb {_version()}", help="show the version")
    parser.set_defaults(command=None)
    commands = parser.add_subparsers(metavar="COMMAND")
    known = registered("amb.commands")
    wanted = [known[only]] if only in known else list({point.value: point for point in known.values()}.values())
    for point in wanted:
        try:
            point.load()(commands)
            add_catalogue(sys.modules[point.module].__file__ or "")
        except Exception as error:  # noqa: BLE001 - a broken package must not take the other commands with it
            text = translate("the command {name} cannot be loaded ({error})", name=point.value, error=error)
            say(f"amb: {text}", file=sys.stderr)
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
