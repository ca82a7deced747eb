"""The `amb` command: demo, run, inspect, export, import, bench, settings, doctor.

Exit codes: 0 done; 1 AMB could not do it (one line says why and what to do); 2 wrong usage; 130 interrupted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version

from amb_core.cli import installation, local_runs, memory_files
from amb_core.cli.printing import say
from amb_core.errors import AmbError

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    options = _parser().parse_args(arguments)
    command: Callable[[argparse.Namespace], int] = options.command
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


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="amb", description="Agentic Memory Bank: bounded prompts and checkable memory for LLM agents."
    )
    parser.add_argument("--version", action="version", version=f"amb {_version()}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for group in (local_runs, memory_files, installation):
        group.add_to(commands)
    return parser


def _version() -> str:
    try:
        return version("amb")
    except PackageNotFoundError:
        return "(not installed)"
