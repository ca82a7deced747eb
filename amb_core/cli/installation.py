"""`amb settings`, `amb doctor`: about AMB itself."""

from __future__ import annotations

import argparse

from amb_core.cli.argument_types import Commands
from amb_core.cli.console import Console
from amb_core.cli.environment import environment

__all__ = ["add_to", "doctor", "settings"]


def add_to(commands: Commands) -> None:
    """Add `settings` and `doctor`."""
    parser = commands.add_parser("settings", help="list the settings and what they are here")
    parser.add_argument("--markdown", action="store_true", help="the table of the documentation instead")
    parser.set_defaults(command=settings)

    parser = commands.add_parser("doctor", help="check the installation")
    parser.add_argument("store", nargs="?", help="the URL of a server to look at instead, such as postgresql://HOST/DB")
    parser.add_argument("--call", action="store_true", help="ask the model that LLM_MODEL names for a word")
    parser.set_defaults(command=doctor)


def settings(options: argparse.Namespace) -> int:
    """List the settings."""
    from amb_core.settings import Settings

    if options.markdown:
        print(Settings.table())
        return 0
    here = Settings()
    for name, field in Settings.model_fields.items():
        value = getattr(here, name)
        print(f"{name} = {value}" + ("" if value == field.default else f"  (default: {field.default})"))
    return 0


def doctor(options: argparse.Namespace) -> int:
    """Check the installation; exit code 1 when something is wrong."""
    from amb_core.doctor import checks, store_checks

    with environment() as secrets:
        console, wrong = Console(secrets), False
        found = checks(call=options.call) if options.store is None else store_checks(options.store)
        for result in found:
            console.line(f"{'ok  ' if result.ok else 'FAIL'}  {result.name}: {result.detail}")
            wrong = wrong or not result.ok
    return int(wrong)
